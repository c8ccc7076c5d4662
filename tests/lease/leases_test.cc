// The rows of leases, condition by condition and second by second.
#include <gtest/gtest.h>

#include "base/test_result.h"
#include "lease_world.h"

namespace dolmen {
namespace {

constexpr const char* kFirstToken = "00000000-0000-4001-8000-000000000002";
constexpr const char* kSecondToken = "00000000-0000-4003-8000-000000000004";

TEST(Leases, write_the_row_that_other_implementations_write) {
  LeaseWorld world;
  Leases leases = world.leases({.ttl_buffer = 10s});
  const Lease lease = leases.acquire(world.key, 30s).value();
  EXPECT_EQ(lease, (Lease{.key = world.key, .token = kFirstToken, .expires_at = 1030}));
  EXPECT_EQ(
      world.row(),
      (Item{
          {"pk", "CACHE#1"}, {"sk", "LOCK"}, {"lease_token", kFirstToken}, {"lease_expires_at", 1030}, {"ttl", 1040}}));
  const Lease refreshed = leases.refresh(lease, 60s).value();
  EXPECT_EQ(refreshed.expires_at, 1060);
  EXPECT_EQ(refreshed.token, lease.token);
  EXPECT_EQ(
      world.row(),
      (Item{
          {"pk", "CACHE#1"}, {"sk", "LOCK"}, {"lease_token", kFirstToken}, {"lease_expires_at", 1060}, {"ttl", 1070}}));
  ASSERT_THAT(leases.release(refreshed), succeeds());
  EXPECT_EQ(world.row(), std::nullopt);
}

TEST(Leases, may_be_removed_an_hour_after_their_end_unless_told_otherwise) {
  LeaseWorld world;
  ASSERT_THAT(world.leases().acquire(world.key, 30s), succeeds());
  EXPECT_EQ(world.row()->at("ttl"), AttributeValue(4630));
}

TEST(Leases, have_no_ttl_without_a_buffer_or_a_name_for_it) {
  for (const LeaseOptions& options :
       {LeaseOptions{.ttl_buffer = 0s}, LeaseOptions{.attributes = {.ttl = ""}}, LeaseOptions{.ttl_buffer = -1s}}) {
    LeaseWorld world;
    Leases leases = world.leases(options);
    const Lease lease = leases.acquire(world.key, 30s).value();
    ASSERT_THAT(leases.refresh(lease, 60s), succeeds());
    EXPECT_FALSE(world.row()->contains("ttl"));
  }
}

TEST(Leases, have_the_last_ttl_there_is_when_their_buffer_has_no_end) {
  LeaseWorld world;
  Leases leases = world.leases({.ttl_buffer = std::chrono::seconds::max()});
  const Lease lease = leases.acquire(world.key, 30s).value();
  EXPECT_EQ(world.row()->at("ttl"), AttributeValue(std::numeric_limits<std::int64_t>::max()));
  ASSERT_THAT(leases.refresh(lease, 60s), succeeds());
  EXPECT_EQ(world.row()->at("ttl"), AttributeValue(std::numeric_limits<std::int64_t>::max()));
}

TEST(Leases, leave_the_ttl_of_others_alone_when_they_write_none) {
  LeaseWorld world;
  const Lease lease = world.leases().acquire(world.key, 30s).value();
  ASSERT_THAT(world.leases({.ttl_buffer = 0s}).refresh(lease, 60s), succeeds());
  EXPECT_EQ(world.row()->at("ttl"), AttributeValue(4630));
}

TEST(Leases, use_the_attribute_names_that_they_are_given) {
  LeaseWorld world;
  world.store->create_table({.name = "locks", .partition_key = {"PK"}, .sort_key = KeyAttribute{"SK"}}).value();
  const LeaseAttributes names{.partition_key = "PK",
                              .sort_key = "SK",
                              .token = "owner",
                              .expires_at = "until",
                              .ttl = "gone",
                              .generation = "turn"};
  Leases leases(*world.store, "locks", {.attributes = names, .clock = world.clock.clock()});
  const Lease lease = leases.acquire({"job", "A"}, 5s).value();
  const Item key{{"PK", "job"}, {"SK", "A"}};
  EXPECT_EQ(world.store->get_item("locks", key).value().item,
            (Item{{"PK", "job"}, {"SK", "A"}, {"owner", lease.token}, {"until", 1005}, {"gone", 4605}}));
  EXPECT_EQ(leases.refresh(lease, 9s).value().expires_at, 1009);
  EXPECT_THAT(leases.acquire({"job", "A"}, 5s), fails_with(Code::kLeaseHeld));
  ASSERT_THAT(leases.release(lease), succeeds());
  EXPECT_EQ(world.store->get_item("locks", key).value().item, std::nullopt);
}

TEST(Leases, are_held_until_the_second_of_their_end_and_not_longer) {
  LeaseWorld world;
  Leases leases = world.leases();
  const Lease lease = leases.acquire(world.key, 30s).value();
  world.clock.advance(29'999ms);
  EXPECT_TRUE(leases.held(lease));
  EXPECT_THAT(leases.acquire(world.key, 30s), fails_with(Code::kLeaseHeld));
  world.clock.advance(1ms);
  EXPECT_FALSE(leases.held(lease));
  EXPECT_THAT(leases.refresh(lease, 30s), fails_with(Code::kLeaseNotOwned));
  EXPECT_THAT(leases.acquire(world.key, 30s), succeeds());
}

TEST(Leases, refuse_their_own_holder_a_second_time) {
  LeaseWorld world;
  Leases leases = world.leases();
  ASSERT_THAT(leases.acquire(world.key, 30s), succeeds());
  const Result<Lease> again = leases.acquire(world.key, 30s);
  EXPECT_THAT(again, fails_with(Code::kLeaseHeld, "CACHE#1/LOCK is held for another 30 s"));
}

TEST(Leases, are_never_shorter_than_asked) {
  LeaseWorld world;
  world.clock.advance(700ms);
  Leases leases = world.leases();
  EXPECT_EQ(leases.acquire({"A"}, 30s)->expires_at, 1031);
  EXPECT_EQ(leases.acquire({"B"}, 1ms)->expires_at, 1001);
  EXPECT_EQ(leases.acquire({"C"}, 300ms)->expires_at, 1001);
  const Lease lease = leases.acquire({"D"}, 301ms).value();
  EXPECT_EQ(lease.expires_at, 1002);
  EXPECT_EQ(leases.refresh(lease, 500ms)->expires_at, 1002);
}

TEST(Leases, can_be_made_shorter) {
  LeaseWorld world;
  Leases leases = world.leases();
  const Lease lease = leases.acquire(world.key, 30s).value();
  EXPECT_EQ(leases.refresh(lease, 1s)->expires_at, 1001);
}

TEST(Leases, are_not_refreshed_by_somebody_else) {
  LeaseWorld world;
  Leases leases = world.leases();
  Lease stolen = leases.acquire(world.key, 30s).value();
  stolen.token = "another";
  EXPECT_THAT(leases.refresh(stolen, 30s),
              fails_with(Code::kLeaseNotOwned, "the lease of CACHE#1/LOCK has expired or is somebody else's"));
  EXPECT_EQ(world.row()->at("lease_expires_at"), AttributeValue(1030));
  EXPECT_THAT(leases.refresh({.key = {"nowhere"}, .token = "t"}, 30s), fails_with(Code::kLeaseNotOwned));
}

TEST(Leases, released_by_somebody_else_stay) {
  LeaseWorld world;
  Leases leases = world.leases();
  Lease lease = leases.acquire(world.key, 30s).value();
  EXPECT_THAT(leases.release({.key = world.key, .token = "another"}), succeeds());
  EXPECT_THAT(leases.refresh(lease, 30s), succeeds());
  EXPECT_THAT(leases.release(lease), succeeds());
  EXPECT_THAT(leases.release(lease), succeeds());
}

TEST(Leases, are_released_also_after_their_end) {
  LeaseWorld world;
  Leases leases = world.leases();
  const Lease lease = leases.acquire(world.key, 30s).value();
  world.clock.advance(1h);
  EXPECT_THAT(leases.release(lease), succeeds());
  EXPECT_EQ(world.row(), std::nullopt);
}

TEST(Leases, replace_the_whole_expired_row) {
  LeaseWorld world;
  world.put({{"lease_token", "old"}, {"lease_expires_at", 1000}, {"note", "of somebody"}});
  EXPECT_EQ(world.leases().acquire(world.key, 30s)->token, kFirstToken);
  EXPECT_FALSE(world.row()->contains("note"));
}

TEST(Leases, never_replace_an_item_without_an_end) {
  LeaseWorld world;
  world.put({{"note", "no lease at all"}});
  world.clock.advance(24h * 10'000);
  const Result<Lease> refused = world.leases().acquire(world.key, 30s);
  EXPECT_THAT(refused,
              fails_with(Code::kLeaseHeld, "CACHE#1/LOCK is an item without lease_expires_at, which never expires"));
}

TEST(Leases, tell_what_stands_in_a_row) {
  LeaseWorld world;
  Leases leases = world.leases();
  EXPECT_EQ(leases.status(world.key).value(), std::nullopt);
  // Other programs write fractions, too.
  world.put({{"lease_token", "t"}, {"lease_expires_at", Number::parse("1000.5").value()}});
  const LeaseStatus held = leases.status(world.key).value().value();
  EXPECT_TRUE(held.held);
  EXPECT_EQ(held.token, "t");
  EXPECT_EQ(held.expires_at, 1001);
  EXPECT_THAT(leases.acquire(world.key, 1s), fails_with(Code::kLeaseHeld));
  world.clock.advance(1s);
  EXPECT_FALSE(leases.status(world.key).value()->held);
  EXPECT_THAT(leases.acquire(world.key, 1s), succeeds());
  world.put({{"lease_token", "t"}, {"lease_expires_at", Number::parse("1e30").value()}});
  EXPECT_TRUE(leases.status(world.key).value()->held);
  EXPECT_THAT(leases.acquire(world.key, 1s), fails_with(Code::kLeaseHeld));
  world.put({{"lease_token", "t"}, {"lease_expires_at", Number::parse("-1e30").value()}});
  EXPECT_FALSE(leases.status(world.key).value()->held);
  world.put({{"lease_token", 7}, {"lease_expires_at", "soon"}});
  const LeaseStatus strange = leases.status(world.key).value().value();
  EXPECT_FALSE(strange.held);
  EXPECT_EQ(strange.token, "");
  EXPECT_EQ(strange.expires_at, std::nullopt);
}

TEST(Leases, refuse_what_makes_no_sense) {
  LeaseWorld world;
  Leases leases = world.leases();
  EXPECT_THAT(leases.acquire({""}, 30s), fails_with(Code::kInvalidArgument));
  EXPECT_THAT(leases.acquire({"A", ""}, 30s), fails_with(Code::kInvalidArgument));
  EXPECT_THAT(leases.acquire(world.key, 0s), fails_with(Code::kInvalidArgument));
  EXPECT_THAT(leases.acquire(world.key, -1s), fails_with(Code::kInvalidArgument));
  EXPECT_THAT(leases.acquire(world.key, 24h * 366),
              fails_with(Code::kInvalidArgument, "a lease must last from 1 ms to 365 days, not 31622400000 ms"));
  EXPECT_THAT(leases.refresh({.key = world.key}, 30s), fails_with(Code::kInvalidArgument));
  EXPECT_THAT(leases.release({.key = world.key}), fails_with(Code::kInvalidArgument));
  EXPECT_THAT(leases.release_action({.key = world.key}), fails_with(Code::kInvalidArgument));
  EXPECT_THAT(world.leases({.attributes = {.token = ""}}).acquire(world.key, 30s), fails_with(Code::kInvalidArgument));
  EXPECT_THAT(Leases(*world.store, "nowhere").acquire(world.key, 30s), fails_with(Code::kTableNotFound));
  EXPECT_EQ(world.row(), std::nullopt);
}

TEST(Leases, guard_a_transaction_and_end_with_it) {
  LeaseWorld world;
  Leases leases = world.leases();
  const Lease lease = leases.acquire(world.key, 30s).value();
  const auto publish = [&](const char* body) {
    return world.store->transact_write({PutAction{"cache", {{"pk", "CACHE#1"}, {"sk", "META"}, {"body", body}}},
                                        leases.release_action(lease).value()});
  };
  ASSERT_THAT(publish("first"), succeeds());
  EXPECT_EQ(world.row(), std::nullopt);
  EXPECT_THAT(publish("second"), fails_with(Code::kTransactionCanceled));
  EXPECT_EQ(world.store->get_item("cache", {{"pk", "CACHE#1"}, {"sk", "META"}}).value().item->at("body"),
            AttributeValue("first"));
}

TEST(Leases, do_not_let_a_transaction_pass_when_they_have_ended) {
  LeaseWorld world;
  Leases leases = world.leases();
  const Lease lease = leases.acquire(world.key, 30s).value();
  EXPECT_THAT(world.store->transact_write({leases.check_action(lease).value()}), succeeds());
  world.clock.advance(30s);
  EXPECT_THAT(world.store->transact_write({leases.check_action(lease).value()}),
              fails_with(Code::kTransactionCanceled));
  EXPECT_THAT(world.store->transact_write({leases.release_action(lease).value()}),
              fails_with(Code::kTransactionCanceled));
  EXPECT_EQ(world.row()->at("lease_token"), AttributeValue(kFirstToken));
}

TEST(AsyncLeases, do_what_the_other_calls_do) {
  for (const bool fencing : {false, true}) {
    LeaseWorld world;
    Leases leases = world.leases({.fencing = fencing});
    const auto acquire = [&](const LeaseKey& key) {
      return answer_of<Lease>([&](Callback<Lease> done) { leases.async_acquire(key, 30s, std::move(done)); });
    };
    const auto status = [&](const LeaseKey& key) {
      return answer_of<std::optional<LeaseStatus>>(
          [&](Callback<std::optional<LeaseStatus>> done) { leases.async_status(key, std::move(done)); });
    };
    const auto release = [&](const Lease& lease) {
      return answer_of<void>([&](Callback<void> done) { leases.async_release(lease, std::move(done)); });
    };
    EXPECT_EQ(status(world.key).value(), std::nullopt);
    const Lease lease = acquire(world.key).value();
    EXPECT_EQ(lease.expires_at, 1030);
    EXPECT_EQ(lease.generation.has_value(), fencing);
    EXPECT_EQ(world.row()->at("lease_token"), AttributeValue(lease.token));
    EXPECT_THAT(acquire(world.key), fails_with(Code::kLeaseHeld, "CACHE#1/LOCK is held for another 30 s"));
    EXPECT_TRUE(status(world.key).value()->held);
    EXPECT_THAT(release({.key = world.key, .token = "another"}), succeeds());
    EXPECT_TRUE(leases.status(world.key).value()->held);
    EXPECT_THAT(release(lease), succeeds());
    EXPECT_FALSE(leases.status(world.key).value().value_or(LeaseStatus()).held);
    EXPECT_THAT(acquire({""}), fails_with(Code::kInvalidArgument));
    EXPECT_THAT(status({""}), fails_with(Code::kInvalidArgument));
    EXPECT_THAT(release({.key = world.key}), fails_with(Code::kInvalidArgument));
  }
}

TEST(FencedLeases, count_their_acquisitions) {
  LeaseWorld world;
  Leases leases = world.leases({.fencing = true});
  const Lease first = leases.acquire(world.key, 30s).value();
  EXPECT_EQ(first.generation, 1'000'000'001);
  EXPECT_EQ(leases.refresh(first, 60s)->generation, 1'000'000'001);
  ASSERT_THAT(leases.release(first), succeeds());
  EXPECT_EQ(world.row(), (Item{{"pk", "CACHE#1"},
                               {"sk", "LOCK"},
                               {"lease_token", kFirstToken},
                               {"lease_expires_at", 0},
                               {"generation", 1'000'000'001}}));
  const Lease second = leases.acquire(world.key, 30s).value();
  EXPECT_EQ(second.generation, 1'000'000'002);
  EXPECT_EQ(world.row(), (Item{{"pk", "CACHE#1"},
                               {"sk", "LOCK"},
                               {"lease_token", kSecondToken},
                               {"lease_expires_at", 1030},
                               {"generation", 1'000'000'002}}));
  world.clock.advance(30s);
  EXPECT_EQ(leases.acquire(world.key, 30s)->generation, 1'000'000'003);
  EXPECT_THAT(leases.acquire(world.key, 30s), fails_with(Code::kLeaseHeld));
}

TEST(FencedLeases, that_were_released_have_their_token_and_are_nobodys) {
  LeaseWorld world;
  Leases leases = world.leases({.fencing = true});
  const Lease lease = leases.acquire(world.key, 30s).value();
  ASSERT_THAT(world.store->transact_write({leases.release_action(lease).value()}), succeeds());
  EXPECT_EQ(world.row()->at("lease_token"), AttributeValue(kFirstToken));
  EXPECT_THAT(leases.refresh(lease, 30s), fails_with(Code::kLeaseNotOwned));
  EXPECT_THAT(world.store->transact_write({leases.check_action(lease).value()}),
              fails_with(Code::kTransactionCanceled));
  const Lease next = leases.acquire(world.key, 30s).value();
  // The holder before, who knows nothing of it, gives back once more.
  EXPECT_THAT(leases.release(lease), succeeds());
  EXPECT_THAT(leases.refresh(next, 30s), succeeds());
}

TEST(FencedLeases, count_on_when_somebody_replaced_or_removed_the_row) {
  LeaseWorld world;
  Leases fenced = world.leases({.fencing = true});
  const Lease before = fenced.acquire(world.key, 1s).value();
  world.clock.advance(1s);
  Leases plain = world.leases();
  const Lease between = plain.acquire(world.key, 1s).value();
  EXPECT_EQ(between.generation, std::nullopt);
  ASSERT_THAT(plain.release(between), succeeds());
  EXPECT_EQ(world.row(), std::nullopt);
  EXPECT_GT(fenced.acquire(world.key, 1s)->generation, before.generation);
}

TEST(FencedLeases, count_on_when_the_row_was_replaced_within_the_same_second) {
  LeaseWorld world;
  Leases fenced = world.leases({.fencing = true});
  Leases plain = world.leases();
  std::int64_t last = 0;
  for (int i = 0; i < 10; ++i) {
    for (int j = 0; j < 5; ++j) {
      const Lease lease = fenced.acquire(world.key, 1s).value();
      EXPECT_GT(lease.generation.value(), last);
      last = lease.generation.value();
      ASSERT_THAT(fenced.release(lease), succeeds());
    }
    ASSERT_THAT(plain.release(plain.acquire(world.key, 1s).value()), succeeds());
    world.clock.advance(1ms);
  }
}

TEST(FencedLeases, are_released_by_a_transaction_too) {
  LeaseWorld world;
  Leases leases = world.leases({.fencing = true});
  const Lease lease = leases.acquire(world.key, 30s).value();
  ASSERT_THAT(world.store->transact_write({leases.release_action(lease).value()}), succeeds());
  EXPECT_EQ(world.row()->at("generation"), AttributeValue(1'000'000'001));
  EXPECT_FALSE(leases.status(world.key).value()->held);
  EXPECT_THAT(world.store->transact_write({leases.release_action(lease).value()}),
              fails_with(Code::kTransactionCanceled));
}

TEST(FencedLeases, let_storage_refuse_those_whose_time_is_over) {
  LeaseWorld world;
  Leases leases = world.leases({.fencing = true});
  const auto write = [&](const Lease& lease, const char* text) {
    return world.store->put_item("cache",
                                 {{"pk", "DATA"}, {"sk", "DATA"}, {"text", text}, {"writer", lease.generation.value()}},
                                 {.condition = not_older("writer", lease.generation.value())});
  };
  const Lease old = leases.acquire(world.key, 1s).value();
  EXPECT_TRUE(write(old, "a").has_value());
  EXPECT_TRUE(write(old, "b").has_value());
  world.clock.advance(1s);
  const Lease young = leases.acquire(world.key, 1s).value();
  EXPECT_TRUE(write(young, "c").has_value());
  EXPECT_THAT(write(old, "d"), fails_with(Code::kConditionFailed));
}

}  // namespace
}  // namespace dolmen
