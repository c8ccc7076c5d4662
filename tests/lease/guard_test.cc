// Leases that refresh themselves, on a clock that the tests move.
#include <atomic>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

#include "base/test_result.h"
#include "lease_world.h"

namespace dolmen {
namespace {

/// Returns when the guard's thread has got so far. It does so by itself; nothing here depends on how long it takes.
template <class Predicate>
void eventually(Predicate predicate) {
  while (!predicate()) std::this_thread::yield();
}

std::int64_t expiry_of(LeaseWorld& world) { return world.row()->at("lease_expires_at").number().to_int64().value(); }

TEST(LeaseGuard, releases_when_its_scope_ends) {
  LeaseWorld world;
  Leases leases = world.leases();
  {
    const Result<LeaseGuard> guard = leases.hold(world.key, 30s);
    ASSERT_THAT(guard, succeeds());
    EXPECT_TRUE(guard->held());
    EXPECT_EQ(guard->lease()->expires_at, 1030);
    EXPECT_THAT(leases.hold(world.key, 30s), fails_with(Code::kLeaseHeld));
  }
  EXPECT_EQ(world.row(), std::nullopt);
}

TEST(LeaseGuard, refreshes_three_times_within_the_length) {
  LeaseWorld world;
  Leases leases = world.leases();
  const LeaseGuard guard = leases.hold(world.key, 30s).value();
  for (int i = 1; i <= 20; ++i) {
    world.clock.advance(10s);
    eventually([&] { return expiry_of(world) == 1030 + 10 * i; });
    eventually([&] { return guard.lease().value().expires_at == 1030 + 10 * i; });
    EXPECT_TRUE(guard.held());
  }
  EXPECT_FALSE(guard.lost().stop_requested());
}

TEST(LeaseGuard, refreshes_as_often_as_it_is_told) {
  LeaseWorld world;
  Leases leases = world.leases();
  const LeaseGuard guard = leases.hold(world.key, 30s, {.refresh_every = 2s}).value();
  world.clock.advance(2s);
  eventually([&] { return expiry_of(world) == 1032; });
}

TEST(LeaseGuard, refreshes_three_times_before_a_long_margin) {
  LeaseWorld world;
  Leases leases = world.leases();
  const LeaseGuard guard = leases.hold(world.key, 30s, {.margin = 24s}).value();
  for (int i = 1; i <= 10; ++i) {
    world.clock.advance(2s);
    eventually([&] { return guard.lease().value().expires_at == 1030 + 2 * i; });
  }
  EXPECT_FALSE(guard.lost().stop_requested());
}

TEST(LeaseGuard, reports_that_somebody_took_the_lease) {
  LeaseWorld world;
  Leases leases = world.leases();
  const LeaseGuard guard = leases.hold(world.key, 30s).value();
  world.put({{"lease_token", "another"}, {"lease_expires_at", 2000}});
  EXPECT_TRUE(guard.held());
  world.clock.advance(10s);
  eventually([&] { return guard.lost().stop_requested(); });
  EXPECT_FALSE(guard.held());
  EXPECT_THAT(guard.lease(),
              fails_with(Code::kLeaseNotOwned, "the lease of CACHE#1/LOCK has expired or is somebody else's"));
}

TEST(LeaseGuard, leaves_the_lease_of_a_successor_alone) {
  LeaseWorld world;
  Leases leases = world.leases();
  {
    const LeaseGuard guard = leases.hold(world.key, 30s).value();
    world.put({{"lease_token", "another"}, {"lease_expires_at", 2000}});
  }
  EXPECT_EQ(world.row()->at("lease_token"), AttributeValue("another"));
}

TEST(LeaseGuard, does_not_outlive_its_lease_when_time_has_jumped) {
  LeaseWorld world;
  Leases leases = world.leases();
  const LeaseGuard guard = leases.hold(world.key, 30s).value();
  world.clock.advance(30s);
  EXPECT_FALSE(guard.held());
  EXPECT_THAT(guard.lease(), fails_with(Code::kLeaseNotOwned));
  eventually([&] { return guard.lost().stop_requested(); });
}

TEST(LeaseGuard, does_not_outlive_its_lease_when_the_wall_clock_is_set) {
  LeaseWorld world;
  Leases leases = world.leases();
  const LeaseGuard ahead = leases.hold({"A"}, 30s, {.refresh_every = 29s}).value();
  world.clock.set_wall_by(31s);
  EXPECT_FALSE(ahead.held());
  eventually([&] { return ahead.lost().stop_requested(); });

  // Others wait for the time that stands in the row, which has become far away; but this machine knows how much of it
  // has passed.
  const LeaseGuard back = leases.hold({"B"}, 30s, {.refresh_every = 29'999ms}).value();
  world.clock.set_wall_by(-1h);
  EXPECT_TRUE(back.held());
  world.clock.advance(30s);
  EXPECT_FALSE(back.held());
}

TEST(LeaseGuard, counts_as_lost_within_its_margin) {
  LeaseWorld world;
  Leases leases = world.leases();
  const LeaseGuard guard = leases.hold(world.key, 30s, {.refresh_every = 24'999ms, .margin = 5s}).value();
  world.clock.advance(24'998ms);
  EXPECT_TRUE(guard.held());
  world.clock.advance(2ms);
  EXPECT_FALSE(guard.held());
  eventually([&] { return guard.lost().stop_requested(); });
  EXPECT_THAT(guard.lease(), fails_with(Code::kLeaseNotOwned, "the lease of CACHE#1/LOCK has expired"));
}

TEST(LeaseGuard, counts_as_lost_within_its_margin_although_the_wall_clock_was_set_back) {
  LeaseWorld world;
  Leases leases = world.leases();
  const LeaseGuard guard = leases.hold(world.key, 30s, {.refresh_every = 24'999ms, .margin = 5s}).value();
  world.clock.set_wall_by(-4s);
  world.clock.advance(24'998ms);
  EXPECT_TRUE(guard.held());
  world.clock.advance(2ms);
  ASSERT_FALSE(guard.held()) << "25 seconds have passed, whatever the wall clock says";
  eventually([&] { return guard.lost().stop_requested(); });
}

/// Leases that tell until when the thread of a guard waits.
struct WatchedLeases {
  std::atomic<LeaseClock::Moment> waits_until = LeaseClock::Moment();
  Leases leases;

  explicit WatchedLeases(LeaseWorld& world) : leases(*world.store, "cache", {.clock = watched(world.clock.clock())}) {}

  LeaseClock watched(LeaseClock clock) {
    clock.wait_until = [this, wait = clock.wait_until](auto& lock, auto& changed, auto moment) {
      waits_until = moment;
      wait(lock, changed, moment);
    };
    return clock;
  }
};

TEST(LeaseGuard, tells_why_it_could_not_refresh) {
  LeaseWorld world;
  WatchedLeases watched(world);
  const LeaseGuard guard = watched.leases.hold(world.key, 40s, {.refresh_every = 10s}).value();
  ASSERT_THAT(world.store->delete_table("cache"), succeeds());
  world.clock.advance(10s);
  eventually([&] { return watched.waits_until.load() == LeaseClock::Moment(12'500ms); });
  EXPECT_TRUE(guard.held());
  world.clock.advance(30s);
  eventually([&] { return guard.lost().stop_requested(); });
  EXPECT_THAT(guard.lease(), fails_with(Code::kLeaseNotOwned,
                                        "the lease of CACHE#1/LOCK has expired: Table \"cache\" does not exist"));
}

TEST(LeaseGuard, tries_again_when_it_could_not_refresh) {
  LeaseWorld world;
  WatchedLeases watched(world);
  const LeaseGuard guard = watched.leases.hold(world.key, 40s, {.refresh_every = 10s}).value();
  const Item row = world.row().value();
  ASSERT_THAT(world.store->delete_table("cache"), succeeds());
  world.clock.advance(10s);
  eventually([&] { return watched.waits_until.load() == LeaseClock::Moment(12'500ms); });
  ASSERT_THAT(world.store->create_table(watched.leases.table_definition()), succeeds());
  ASSERT_THAT(world.store->put_item("cache", row), succeeds());
  world.clock.advance(3s);
  eventually([&] { return guard.lease().value().expires_at == 1053; });
}

TEST(LeaseGuard, may_be_let_go_or_released_by_what_is_told_of_its_loss) {
  for (const bool let_go : {true, false}) {
    LeaseWorld world;
    Leases leases = world.leases();
    std::optional<LeaseGuard> guard = leases.hold(world.key, 30s).value();
    std::atomic<bool> told = false;
    const std::stop_callback on_loss(guard->lost(), [&] {
      if (let_go)
        guard.reset();
      else
        EXPECT_THAT(guard->release(), succeeds());
      told = true;
    });
    world.clock.advance(30s);
    eventually([&] { return told.load(); });
    EXPECT_EQ(world.row(), std::nullopt);
  }
}

TEST(LeaseGuard, can_be_released_early_and_twice) {
  LeaseWorld world;
  Leases leases = world.leases();
  LeaseGuard guard = leases.hold(world.key, 30s).value();
  ASSERT_THAT(guard.release(), succeeds());
  EXPECT_FALSE(guard.held());
  EXPECT_FALSE(guard.lost().stop_requested());
  EXPECT_THAT(guard.lease(), fails_with(Code::kLeaseNotOwned, "the lease was released"));
  EXPECT_EQ(world.row(), std::nullopt);
  EXPECT_THAT(guard.release(), succeeds());
}

TEST(LeaseGuard, leaves_the_row_alone_when_told_to_forget_it) {
  LeaseWorld world;
  Leases leases = world.leases();
  {
    LeaseGuard guard = leases.hold(world.key, 30s).value();
    guard.forget();
    EXPECT_FALSE(guard.held());
    EXPECT_THAT(guard.release(), succeeds());
  }
  EXPECT_EQ(world.row()->at("lease_expires_at"), AttributeValue(1030));
}

TEST(LeaseGuard, can_be_moved) {
  LeaseWorld world;
  Leases leases = world.leases();
  LeaseGuard a = leases.hold({"A"}, 30s).value();
  LeaseGuard b = leases.hold({"B"}, 30s).value();
  a = std::move(b);
  EXPECT_EQ(a.lease()->key.partition, "B");
  EXPECT_EQ(leases.status({"A"}).value(), std::nullopt);
  LeaseGuard& same = a;
  a = std::move(same);
  EXPECT_TRUE(a.held());
  const LeaseGuard c = std::move(a);
  EXPECT_TRUE(c.held());
}

/// Leases for which time passes by itself while somebody waits.
Leases patient_leases(LeaseWorld& world) {
  LeaseOptions options{.clock = world.clock.clock()};
  options.clock.wait_until = [&world](auto&, auto&, auto moment) {
    world.clock.advance(std::chrono::ceil<std::chrono::milliseconds>(moment - world.clock.steady_now()));
  };
  return Leases(*world.store, "cache", options);
}

TEST(LeaseGuard, waits_for_a_lease_as_long_as_it_is_told) {
  LeaseWorld world;
  Leases leases = world.leases();
  ASSERT_THAT(leases.acquire(world.key, 30s), succeeds());
  Leases patient = patient_leases(world);
  EXPECT_THAT(patient.hold(world.key, 10s, {.wait = 29s}), fails_with(Code::kLeaseHeld));
  EXPECT_EQ(world.clock.now().time_since_epoch(), 1029s);
  EXPECT_THAT(patient.hold(world.key, 10s, {.wait = 29s}), succeeds());
}

TEST(LeaseGuard, waits_for_ever_when_told_to_wait_for_longer_than_there_is_time) {
  LeaseWorld world;
  Leases leases = world.leases();
  ASSERT_THAT(leases.acquire(world.key, 30s), succeeds());
  Leases patient = patient_leases(world);
  EXPECT_THAT(patient.hold(world.key, 10s, {.wait = std::chrono::milliseconds::max()}), succeeds());
  EXPECT_EQ(patient.hold(world.key, 10s, {.wait = std::chrono::milliseconds::min()}).has_value(), true);
}

TEST(LeaseGuard, refuses_a_margin_or_pause_as_long_as_the_lease) {
  LeaseWorld world;
  Leases leases = world.leases();
  for (const std::chrono::milliseconds margin : {-1ms, 5000ms, 5001ms})
    EXPECT_THAT(leases.hold(world.key, 5s, {.margin = margin}),
                fails_with(Code::kInvalidArgument, "the margin must be shorter than the lease of 5000 ms"));
  EXPECT_THAT(leases.hold(world.key, 5s, {.refresh_every = 5s}), fails_with(Code::kInvalidArgument));
  EXPECT_THAT(leases.hold(world.key, 5s, {.refresh_every = 2s, .margin = 3s}),
              fails_with(Code::kInvalidArgument,
                         "a lease of 5000 ms with a margin of 3000 ms must be refreshed sooner than every 2000 ms"));
  EXPECT_EQ(world.row(), std::nullopt);
}

TEST(LeaseGuard, lets_one_of_many_threads_in_at_a_time) {
  LeaseWorld world;
  std::atomic<int> inside = 0;
  std::atomic<int> turns = 0;
  constexpr int kTurns = 200;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i)
      threads.emplace_back([&] {
        Leases leases(*world.store, "cache", {.clock = world.clock.clock()});
        while (turns < kTurns) {
          // The time of a lease runs from before it is asked for, and all the others may have had their turns since: it
          // is longer than they take together.
          const Result<LeaseGuard> guard = leases.hold(world.key, 10min, {.refresh_every = 10s});
          if (!guard) continue;
          EXPECT_EQ(++inside, 1);
          ++turns;
          // Long enough for a refresh by the thread of the guard.
          if (turns % 10 == 0) world.clock.advance(11s);
          EXPECT_TRUE(guard->held());
          --inside;
        }
      });
  }
  EXPECT_GE(turns, kTurns);
}

}  // namespace
}  // namespace dolmen
