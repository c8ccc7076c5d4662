// Publishing: one transaction, versions, requests, and what is refused.
#include <gtest/gtest.h>
#include <stdexcept>

#include "base/test_result.h"
#include "page_world.h"
#include "tests/lease/losing_proxy.h"

namespace dolmen {
namespace {

GeneratedPage page_of(std::string body) { return {.body = std::move(body), .revalidate = 60s}; }

TEST(Publish, needs_the_lease_and_ends_it) {
  PageWorld world;
  const LeaseGuard guard = world.cache.hold(world.key).value();
  EXPECT_THAT(world.cache.hold(world.key), fails_with(Code::kLeaseHeld));
  ASSERT_THAT(world.cache.publish(guard, world.key, page_of("one")), succeeds());
  EXPECT_EQ(world.row("LOCK"), std::nullopt);
  EXPECT_THAT(world.cache.publish(guard, world.key, page_of("two")), fails_with(Code::kLeaseNotOwned));
  EXPECT_EQ(world.bodies->get(world.row("META")->at("s3_key").string()).value(), "one");
  EXPECT_EQ(world.directory.files(), 1U);
}

TEST(Publish, is_refused_at_the_second_of_the_leases_end) {
  PageWorld world;
  const Lease lease = world.cache.hold(world.key)->lease().value();
  world.lock_until(2000);
  EXPECT_THAT(world.cache.publish(lease, world.key, page_of("x")), fails_with(Code::kLeaseNotOwned));
  Leases& leases = world.cache.leases();
  const Lease mine = leases.acquire({"CACHE#elsewhere"}, 30s).value();
  EXPECT_THAT(world.cache.publish(mine, world.key, page_of("x")), fails_with(Code::kInvalidArgument));
  world.clock.advance(1000s);
  const Lease late = leases.acquire({page_partition(world.key)}, 30s).value();
  world.clock.advance(30s);
  EXPECT_THAT(world.cache.publish(late, world.key, page_of("x")), fails_with(Code::kLeaseNotOwned));
  EXPECT_EQ(world.row("META"), std::nullopt);
  EXPECT_EQ(world.directory.files(), 0U);
}

/// Bodies that take long to arrive.
class SlowBodies final : public BodyStore {
 public:
  SlowBodies(BodyStore& bodies, std::function<void()> on_put) : bodies_(bodies), on_put_(std::move(on_put)) {}
  Result<void> put(const std::string& key, std::string_view body) override {
    on_put_();
    return bodies_.put(key, body);
  }
  Result<std::optional<std::string>> get(const std::string& key) override { return bodies_.get(key); }
  Result<std::optional<BodyInfo>> head(const std::string& key) override { return bodies_.head(key); }
  Result<void> remove(const std::string& key) override { return bodies_.remove(key); }

 private:
  BodyStore& bodies_;
  std::function<void()> on_put_;
};

TEST(Publish, is_refused_when_the_lease_ended_while_the_body_was_uploaded) {
  PageWorld world;
  SlowBodies slow(*world.bodies, [&] { world.clock.advance(30s); });
  PageCache cache(*world.store, "cache", slow, {.leases = {.clock = world.clock.clock()}});
  const Lease lease = cache.leases().acquire({page_partition(world.key)}, 30s).value();
  EXPECT_THAT(cache.publish(lease, world.key, page_of("late")), fails_with(Code::kLeaseNotOwned));
  EXPECT_EQ(world.row("META"), std::nullopt);
  EXPECT_EQ(world.directory.files(), 0U);
}

TEST(Publish, knows_that_it_succeeded_when_all_answers_were_lost) {
  PageWorld world;
  LosingProxy proxy;
  const std::unique_ptr<Store> store = proxy.connect();
  PageCache cache(*store, "cache", *world.bodies);
  ASSERT_THAT(store->create_table(cache.leases().table_definition()), succeeds());
  for (const int lost : {1, 1000}) {
    LeaseGuard guard = cache.hold(world.key).value();
    proxy.lose = lost;
    const Result<PageMetadata> published = cache.publish(guard, world.key, page_of("x"));
    proxy.lose = 0;
    ASSERT_THAT(published, succeeds());
    EXPECT_EQ(cache.metadata(world.key).value(), *published);
    guard.forget();
  }
}

TEST(Publish, does_not_wrap_around_when_a_page_is_fresh_for_ever) {
  PageWorld world;
  PageCache cache = world.make({.stale_lifetime = std::chrono::seconds::max()});
  const LeaseGuard guard = cache.hold(world.key).value();
  GeneratedPage page = page_of("x");
  page.revalidate = std::chrono::seconds::max();
  const PageMetadata published = cache.publish(guard, world.key, page).value();
  EXPECT_EQ(published.ttl, std::numeric_limits<std::int64_t>::max());
  EXPECT_TRUE(is_fresh(published, world.clock.now()));
}

TEST(Publish, calls_the_time_to_live_in_all_items_as_the_leases_do) {
  PageWorld world;
  PageCache cache = world.make({.leases = {.attributes = {.ttl = "gone_at"}}});
  ASSERT_THAT(cache.begin_request(world.key, {"r", "h"}), succeeds());
  LeaseGuard guard = cache.hold(world.key).value();
  const PageMetadata published = cache.publish(guard, world.key, page_of("x"), {.version = "1"}).value();
  for (const char* sort : {"META", "VER#1", "REQ#r"}) {
    EXPECT_TRUE(world.row(sort)->contains("gone_at")) << sort;
    EXPECT_FALSE(world.row(sort)->contains("ttl")) << sort;
  }
  EXPECT_EQ(world.row("META")->at("gone_at"), AttributeValue(published.ttl.value()));
  EXPECT_EQ(cache.metadata(world.key).value(), published);
  EXPECT_EQ(cache.versions(world.key).value()[0].metadata.ttl, published.ttl);
  ASSERT_THAT(cache.put_metadata(world.key, published), succeeds());
  EXPECT_EQ(cache.metadata(world.key).value(), published);
  EXPECT_FALSE(world.row("META")->contains("ttl"));
}

TEST(Publish, keeps_a_given_entity_tag_and_refuses_what_is_none) {
  PageWorld world;
  const LeaseGuard guard = world.cache.hold(world.key).value();
  GeneratedPage page = page_of("one");
  page.etag = "no quotes";
  EXPECT_THAT(world.cache.publish(guard, world.key, page), fails_with(Code::kInvalidArgument));
  page.etag = "W/\"v1\"";
  EXPECT_EQ(world.cache.publish(guard, world.key, page)->etag, "W/\"v1\"");
}

TEST(Publish, swaps_the_pointer_to_a_new_version) {
  PageWorld world;
  const auto publish = [&](const char* id, std::optional<std::string> replaces = std::nullopt) {
    const LeaseGuard guard = world.cache.hold(world.key).value();
    return world.cache.publish(guard, world.key, page_of(id), {.version = id, .replaces = std::move(replaces)});
  };
  ASSERT_THAT(publish("1", ""), succeeds());
  EXPECT_EQ(world.row("META")->at("current_sk"), AttributeValue("VER#1"));
  ASSERT_THAT(publish("2", "VER#1"), succeeds());
  EXPECT_THAT(publish("3", "VER#1"), fails_with(Code::kConditionFailed));
  EXPECT_THAT(publish("3", ""), fails_with(Code::kConditionFailed));
  EXPECT_THAT(publish("2"), fails_with(Code::kConditionFailed, "a version with this id exists already"));
  EXPECT_EQ(world.row("META")->at("current_sk"), AttributeValue("VER#2"));
  EXPECT_EQ(world.row("VER#3"), std::nullopt);

  const std::vector<PageVersion> versions = world.cache.versions(world.key).value();
  ASSERT_EQ(versions.size(), 2U);
  EXPECT_EQ(versions[0].id, "1");
  EXPECT_EQ(world.bodies->get(versions[0].metadata.s3_key).value(), "1");
  EXPECT_EQ(world.row("VER#1")->find("current_sk"), nullptr);

  const LeaseGuard guard = world.cache.hold(world.key).value();
  ASSERT_THAT(world.cache.restore(guard.lease().value(), world.key, "1"), succeeds());
  EXPECT_EQ(world.row("META")->at("current_sk"), AttributeValue("VER#1"));
  EXPECT_EQ(world.row("META")->at("s3_key"), AttributeValue(versions[0].metadata.s3_key));
  EXPECT_THAT(world.cache.restore(guard.lease().value(), world.key, "9"), fails_with(Code::kItemNotFound));
}

TEST(Publish, removes_the_body_that_was_replaced_unless_it_is_a_version) {
  PageWorld world;
  const auto publish = [&](const char* body, const PublishOptions& options = {}) {
    const LeaseGuard guard = world.cache.hold(world.key).value();
    return world.cache.publish(guard, world.key, page_of(body), options).value();
  };
  for (const char* body : {"one", "two", "three"}) publish(body);
  EXPECT_EQ(world.directory.files(), 1U);
  publish("first", {.version = "1"});
  EXPECT_EQ(world.directory.files(), 1U);
  publish("four");
  EXPECT_EQ(world.directory.files(), 2U);
  const LeaseGuard guard = world.cache.hold(world.key).value();
  const PageMetadata restored = world.cache.restore(guard.lease().value(), world.key, "1").value();
  EXPECT_EQ(world.bodies->get(restored.s3_key).value(), "first");
  EXPECT_EQ(world.directory.files(), 1U);
}

TEST(Publish, restores_an_old_version_for_longer_than_the_past) {
  PageWorld world;
  PageCache cache = world.make({.stale_lifetime = 100s});
  const auto hold = [&] { return cache.hold(world.key).value(); };
  ASSERT_THAT(cache.publish(hold(), world.key, page_of("1"), {.version = "1"}), succeeds());
  {
    const LeaseGuard guard = hold();
    EXPECT_EQ(cache.restore(guard.lease().value(), world.key, "1")->ttl, 1000 + 60 + 100);
  }
  world.clock.advance(1000s);
  const LeaseGuard guard = hold();
  EXPECT_EQ(cache.restore(guard.lease().value(), world.key, "1")->ttl, 2000 + 100);
  EXPECT_EQ(world.row("META")->at("ttl"), AttributeValue(2100));
  EXPECT_EQ(world.row("VER#1")->at("ttl"), AttributeValue(1160));
}

TEST(Publish, needs_the_lease_of_the_same_page) {
  PageWorld world;
  {
    LeaseGuard guard = world.cache.hold(world.key).value();
    ASSERT_THAT(world.cache.publish(guard, world.key, page_of("1"), {.version = "1"}), succeeds());
    guard.forget();
  }
  const LeaseGuard other = world.cache.hold({"/other"}).value();
  const std::optional<Item> before = world.row("META");
  EXPECT_THAT(world.cache.publish(other, world.key, page_of("2")), fails_with(Code::kInvalidArgument));
  EXPECT_THAT(world.cache.restore(other.lease().value(), world.key, "1"), fails_with(Code::kInvalidArgument));
  EXPECT_EQ(world.row("META"), before);
  EXPECT_TRUE(world.cache.leases().status({page_partition({"/other"})}).value()->held);
}

TEST(Publish, under_a_generation_refuses_a_page_of_an_earlier_one) {
  PageWorld world;
  PageCache fenced = world.make({.leases = {.fencing = true}});
  const LeaseGuard guard = fenced.hold(world.key).value();
  const std::int64_t generation = guard.lease()->generation.value();
  ASSERT_THAT(fenced.put_metadata(world.key, {.s3_key = "later", .generation = generation + 1}), succeeds());
  EXPECT_THAT(fenced.publish(guard, world.key, page_of("x")), fails_with(Code::kConditionFailed));
  ASSERT_THAT(fenced.put_metadata(world.key, {.s3_key = "earlier", .generation = generation - 1}), succeeds());
  ASSERT_THAT(fenced.publish(guard, world.key, page_of("x")), succeeds());
  EXPECT_EQ(world.row("META")->at("generation"), AttributeValue(generation));
  EXPECT_EQ(world.row("LOCK")->at("lease_expires_at"), AttributeValue(0));
}

const PageRequest kRequest{.id = "r1", .hash = "h1"};

TEST(Request, is_begun_once) {
  PageWorld world;
  const RequestState begun = world.cache.begin_request(world.key, kRequest).value();
  EXPECT_TRUE(begun.is_mine);
  EXPECT_EQ(world.row("REQ#r1"), (Item{{"pk", page_partition(world.key)},
                                       {"sk", "REQ#r1"},
                                       {"request_hash", "h1"},
                                       {"status", "STARTED"},
                                       {"lease_token", begun.token},
                                       {"lease_expires_at", 1030},
                                       {"ttl", 1000 + 24 * 3600}}));
  const RequestState again = world.cache.begin_request(world.key, kRequest).value();
  EXPECT_FALSE(again.is_mine);
  EXPECT_EQ(again.status, RequestStatus::kStarted);
  EXPECT_THAT(world.cache.begin_request(world.key, {"r1", "other"}), fails_with(Code::kIdempotencyMismatch));
  EXPECT_THAT(world.cache.begin_request(world.key, {"", "h"}), fails_with(Code::kInvalidArgument));
}

TEST(Request, belongs_to_who_began_it_when_the_answer_was_lost) {
  PageWorld world;
  LosingProxy proxy;
  const std::unique_ptr<Store> store = proxy.connect();
  PageCache cache(*store, "cache", *world.bodies);
  ASSERT_THAT(store->create_table(cache.leases().table_definition()), succeeds());
  proxy.lose = 1;
  const Result<RequestState> begun = cache.begin_request(world.key, kRequest);
  ASSERT_THAT(begun, succeeds());
  EXPECT_TRUE(begun->is_mine);
  proxy.lose = 1;
  EXPECT_FALSE(cache.begin_request(world.key, kRequest)->is_mine);
}

TEST(Request, that_is_remembered_for_ever_does_not_count_as_gone) {
  PageWorld world;
  PageCache cache = world.make({.request_lifetime = std::chrono::seconds::max()});
  EXPECT_TRUE(cache.begin_request(world.key, kRequest)->is_mine);
  EXPECT_FALSE(cache.begin_request(world.key, kRequest)->is_mine);
}

TEST(Request, is_free_again_when_the_lease_of_its_dead_holder_has_ended) {
  PageWorld world;
  ASSERT_TRUE(world.cache.begin_request(world.key, kRequest)->is_mine);
  world.clock.advance(29'999ms);
  EXPECT_FALSE(world.cache.begin_request(world.key, kRequest)->is_mine);
  EXPECT_EQ(world.generated, 0);
  world.clock.advance(1ms);
  EXPECT_THAT(world.cache.begin_request(world.key, {"r1", "other"}), fails_with(Code::kIdempotencyMismatch));
  EXPECT_EQ(world.serve("one", {.request = kRequest}).state, PageState::kRegenerated);
  EXPECT_EQ(world.row("REQ#r1")->at("status"), AttributeValue("COMPLETED"));
  EXPECT_EQ(world.row("REQ#r1")->find("lease_token"), nullptr);
}

TEST(Request, is_its_holders_while_the_page_is_being_generated) {
  PageWorld world;
  ASSERT_TRUE(world.cache.begin_request(world.key, kRequest)->is_mine);
  world.lock_until(1100);
  world.clock.advance(99s);
  EXPECT_FALSE(world.cache.begin_request(world.key, kRequest)->is_mine);
  // The holder died while it was generating, and so its lease ends.
  world.clock.advance(1s);
  EXPECT_TRUE(world.cache.begin_request(world.key, kRequest)->is_mine);
}

TEST(Request, that_was_taken_over_is_not_completed_by_the_holder_before) {
  PageWorld world;
  PageRequest slow = kRequest;
  slow.token = world.cache.begin_request(world.key, kRequest)->token;
  world.clock.advance(30s);
  PageRequest fast = kRequest;
  fast.token = world.cache.begin_request(world.key, kRequest)->token;
  EXPECT_NE(slow.token, fast.token);
  ASSERT_THAT(world.cache.fail_request(world.key, slow), succeeds());
  EXPECT_EQ(world.row("REQ#r1")->at("status"), AttributeValue("STARTED"));
  const LeaseGuard guard = world.cache.hold(world.key).value();
  EXPECT_THAT(world.cache.publish(guard, world.key, page_of("x"), {.request = slow}),
              fails_with(Code::kIdempotencyMismatch));
  EXPECT_THAT(world.cache.publish(guard, world.key, page_of("x"), {.request = fast}), succeeds());
}

TEST(Request, of_another_implementation_is_its_own_until_its_time_to_live_is_over) {
  PageWorld world;
  const Item theirs{{"pk", page_partition(world.key)},
                    {"sk", "REQ#r1"},
                    {"request_hash", "h1"},
                    {"status", "STARTED"},
                    {"ttl", 5000}};
  ASSERT_THAT(world.store->put_item("cache", theirs), succeeds());
  world.clock.advance(3999s);
  EXPECT_FALSE(world.cache.begin_request(world.key, kRequest)->is_mine);
  world.clock.advance(1s);
  EXPECT_TRUE(world.cache.begin_request(world.key, kRequest)->is_mine);
}

TEST(Request, may_be_tried_again_when_it_failed) {
  PageWorld world;
  ASSERT_THAT(world.cache.begin_request(world.key, kRequest), succeeds());
  ASSERT_THAT(world.cache.fail_request(world.key, {"r1", "other"}), succeeds());
  EXPECT_EQ(world.row("REQ#r1")->at("status"), AttributeValue("STARTED"));
  ASSERT_THAT(world.cache.fail_request(world.key, kRequest), succeeds());
  EXPECT_EQ(world.row("REQ#r1")->at("status"), AttributeValue("FAILED"));
  EXPECT_THAT(world.cache.begin_request(world.key, {"r1", "other"}), fails_with(Code::kIdempotencyMismatch));
  EXPECT_TRUE(world.cache.begin_request(world.key, kRequest)->is_mine);
}

TEST(Request, counts_as_gone_when_its_time_to_live_is_over) {
  PageWorld world;
  ASSERT_THAT(world.cache.begin_request(world.key, kRequest), succeeds());
  world.clock.advance(24h);
  EXPECT_TRUE(world.cache.begin_request(world.key, {"r1", "other"})->is_mine);
}

TEST(Request, is_completed_by_the_publication) {
  PageWorld world;
  ASSERT_THAT(world.cache.begin_request(world.key, kRequest), succeeds());
  const LeaseGuard guard = world.cache.hold(world.key).value();
  EXPECT_THAT(world.cache.publish(guard, world.key, page_of("x"), {.request = PageRequest{"r1", "other"}}),
              fails_with(Code::kIdempotencyMismatch));
  EXPECT_THAT(world.cache.publish(guard, world.key, page_of("x"), {.request = PageRequest{"r2", "h1"}}),
              fails_with(Code::kIdempotencyMismatch));
  EXPECT_EQ(world.row("META"), std::nullopt);
  const PageMetadata published = world.cache.publish(guard, world.key, page_of("x"), {.request = kRequest}).value();
  const RequestState state = world.cache.begin_request(world.key, kRequest).value();
  EXPECT_EQ(state.status, RequestStatus::kCompleted);
  EXPECT_EQ(state.result_s3_key, published.s3_key);
  ASSERT_THAT(world.cache.fail_request(world.key, kRequest), succeeds());
  EXPECT_EQ(world.row("REQ#r1")->at("status"), AttributeValue("COMPLETED"));
}

TEST(Request, generates_once_and_gives_its_result_again) {
  PageWorld world;
  EXPECT_EQ(world.serve("one", {.request = kRequest}).state, PageState::kRegenerated);
  world.clock.advance(60s);
  const ServedPage again = world.serve("two", {.request = kRequest});
  EXPECT_EQ(again.body, "one");
  EXPECT_EQ(again.state, PageState::kStale);
  EXPECT_EQ(world.generated, 1);
  EXPECT_THAT(world.cache.serve_or_regenerate(world.key, world.generate("x"), {.request = PageRequest{"r1", "other"}}),
              fails_with(Code::kIdempotencyMismatch));
}

TEST(Request, gives_the_page_that_is_there_when_its_own_was_replaced) {
  PageWorld world;
  world.serve("one", {.request = kRequest});
  world.clock.advance(60s);
  world.serve("two");
  world.clock.advance(60s);
  const ServedPage again = world.serve("three", {.request = kRequest});
  EXPECT_EQ(again.body, "two");
  EXPECT_EQ(again.state, PageState::kStale);
  EXPECT_EQ(world.generated, 2);
}

TEST(Request, completed_of_which_nothing_is_left_is_carried_out_again) {
  for (const std::optional<AttributeValue>& result :
       {std::optional<AttributeValue>("gone.html"), std::optional<AttributeValue>("../no key"),
        std::optional<AttributeValue>(7), std::optional<AttributeValue>()}) {
    PageWorld world;
    Item row{{"pk", page_partition(world.key)},
             {"sk", "REQ#r1"},
             {"request_hash", "h1"},
             {"status", "COMPLETED"},
             {"ttl", 9'999'999'999}};
    if (result) row.set("result_s3_key", *result);
    ASSERT_THAT(world.store->put_item("cache", row), succeeds());
    const ServedPage page = world.serve("anew", {.request = kRequest});
    EXPECT_EQ(page.state, PageState::kRegenerated);
    EXPECT_EQ(world.row("REQ#r1")->at("status"), AttributeValue("COMPLETED"));
    EXPECT_EQ(world.row("REQ#r1")->at("result_s3_key"), AttributeValue(page.metadata.s3_key));
    world.clock.advance(60s);
    EXPECT_EQ(world.serve("again", {.request = kRequest}).body, "anew");
  }
}

TEST(Request, that_did_not_get_the_lease_can_be_made_again) {
  PageWorld world;
  world.serve("one");
  world.clock.advance(60s);
  world.lock_until(1090);
  EXPECT_EQ(world.serve("two", {.request = kRequest}).state, PageState::kStale);
  EXPECT_EQ(world.row("REQ#r1")->at("status"), AttributeValue("FAILED"));
  world.clock.advance(30s);
  EXPECT_EQ(world.serve("two", {.request = kRequest}).state, PageState::kRegenerated);
}

TEST(Request, may_be_tried_again_when_generating_threw) {
  PageWorld world;
  const GeneratePage throwing = [](const std::stop_token&) -> Result<GeneratedPage> { throw std::runtime_error("x"); };
  EXPECT_THROW(static_cast<void>(world.cache.serve_or_regenerate(world.key, throwing, {.request = kRequest})),
               std::runtime_error);
  EXPECT_EQ(world.row("REQ#r1")->at("status"), AttributeValue("FAILED"));
  EXPECT_EQ(world.row("LOCK"), std::nullopt);
  EXPECT_EQ(world.serve("one", {.request = kRequest}).state, PageState::kRegenerated);
}

TEST(Request, under_way_elsewhere_is_not_done_again) {
  PageWorld world;
  world.serve("one");
  world.clock.advance(60s);
  ASSERT_TRUE(world.cache.begin_request(world.key, kRequest)->is_mine);
  EXPECT_EQ(world.serve("two", {.request = kRequest}).state, PageState::kStale);
  EXPECT_EQ(world.generated, 1);
  EXPECT_EQ(world.row("REQ#r1")->at("status"), AttributeValue("STARTED"));
}

TEST(Purge, removes_everything_about_a_page) {
  PageWorld world;
  for (const char* id : {"1", "2"}) {
    const LeaseGuard guard = world.cache.hold(world.key).value();
    ASSERT_THAT(world.cache.publish(guard, world.key, page_of(id), {.version = id}), succeeds());
  }
  ASSERT_THAT(world.cache.begin_request(world.key, kRequest), succeeds());
  ASSERT_THAT(world.cache.serve_or_regenerate({"/other"}, world.generate("other")), succeeds());
  const LeaseGuard guard = world.cache.hold(world.key).value();
  const PurgeResult purged = world.cache.purge(world.key).value();
  EXPECT_EQ(purged.pages, 1U);
  EXPECT_EQ(purged.items, 4U);
  EXPECT_EQ(purged.bodies, 2U);
  for (const char* sort : {"META", "LOCK", "VER#1", "VER#2", "REQ#r1"}) EXPECT_EQ(world.row(sort), std::nullopt);
  EXPECT_EQ(world.directory.files(), 1U);
  // Whoever was at work cannot bring the old page back.
  EXPECT_THAT(world.cache.publish(guard, world.key, page_of("old")), fails_with(Code::kLeaseNotOwned));
  EXPECT_EQ(world.cache.purge(world.key)->items, 0U);
}

TEST(Purge, removes_items_that_name_what_cannot_be_a_body) {
  PageWorld world;
  for (const char* key : {"", "../etc/passwd", "a//b"}) {
    ASSERT_THAT(world.cache.put_metadata(world.key, {.s3_key = key, .generated_at = 1}), succeeds());
    const Result<PurgeResult> purged = world.cache.purge(world.key);
    ASSERT_THAT(purged, succeeds());
    EXPECT_EQ(purged->items, 1U);
    EXPECT_EQ(purged->bodies, 0U);
    EXPECT_EQ(world.row("META"), std::nullopt);
  }
}

TEST(Purge, keeps_the_generation_of_a_lease) {
  PageWorld world;
  PageCache fenced = world.make({.leases = {.fencing = true}});
  const LeaseGuard guard = fenced.hold(world.key).value();
  const std::int64_t generation = guard.lease()->generation.value();
  ASSERT_THAT(fenced.purge(world.key), succeeds());
  EXPECT_THAT(fenced.publish(guard, world.key, page_of("x")), fails_with(Code::kLeaseNotOwned));
  EXPECT_EQ(fenced.hold(world.key)->lease()->generation, generation + 1);
}

TEST(Purge, removes_the_pages_of_one_tenant) {
  PageWorld world;
  for (const PageKey& key : {PageKey{"/a", "acme"}, PageKey{"/b", "acme"}, PageKey{"/a", "acme2"}, PageKey{"/a"},
                             PageKey{"/a", "acme#CACHE#x"}})
    ASSERT_THAT(world.cache.serve_or_regenerate(key, world.generate("x")), succeeds());
  const PurgeResult purged = world.cache.purge_tenant("acme").value();
  EXPECT_EQ(purged.pages, 2U);
  EXPECT_EQ(purged.bodies, 2U);
  EXPECT_EQ(world.directory.files(), 3U);
  EXPECT_EQ(world.cache.metadata({"/a", "acme"}).value(), std::nullopt);
  EXPECT_NE(world.cache.metadata({"/a", "acme2"}).value(), std::nullopt);
  EXPECT_THAT(world.cache.purge_tenant(""), fails_with(Code::kInvalidArgument));
}

}  // namespace
}  // namespace dolmen
