// Leases through a proxy that loses answers, in front of a real Dolmen server.
#include <gtest/gtest.h>
#include <thread>

#include "base/test_result.h"
#include "lease_world.h"
#include "losing_proxy.h"

namespace dolmen {
namespace {

class BrokenNetwork : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override { ASSERT_THAT(store_->create_table(leases().table_definition()), succeeds()); }

  Leases leases() { return Leases(*store_, "cache", {.fencing = GetParam()}); }

  LosingProxy proxy_;
  std::unique_ptr<Store> store_ = proxy_.connect();
};

TEST_P(BrokenNetwork, knows_its_own_lease_when_the_answer_was_lost) {
  proxy_.lose = 1;
  const Result<Lease> lease = leases().acquire({"A"}, 30s);
  ASSERT_THAT(lease, succeeds());
  EXPECT_EQ(lease->generation.has_value(), GetParam());
  EXPECT_THAT(leases().acquire({"A"}, 30s), fails_with(Code::kLeaseHeld));
  proxy_.lose = 1;
  EXPECT_THAT(leases().refresh(*lease, 40s), succeeds());
  proxy_.lose = 1;
  EXPECT_THAT(leases().release(*lease), succeeds());
  EXPECT_THAT(leases().acquire({"A"}, 30s), succeeds());
}

TEST_P(BrokenNetwork, knows_its_own_lease_also_when_nobody_waits_for_the_answer) {
  Leases leases = this->leases();
  const auto acquire = [&] {
    return answer_of<Lease>([&](Callback<Lease> done) { leases.async_acquire({"A"}, 30s, std::move(done)); });
  };
  proxy_.lose = 1;
  const Result<Lease> lease = acquire();
  ASSERT_THAT(lease, succeeds());
  EXPECT_EQ(lease->generation.has_value(), GetParam());
  EXPECT_THAT(acquire(), fails_with(Code::kLeaseHeld));
  proxy_.lose = 1;
  EXPECT_THAT(answer_of<void>([&](Callback<void> done) { leases.async_release(*lease, std::move(done)); }), succeeds());
  EXPECT_THAT(acquire(), succeeds());
}

TEST_P(BrokenNetwork, does_not_take_the_lease_of_another_for_its_own) {
  ASSERT_THAT(leases().acquire({"A"}, 30s), succeeds());
  proxy_.lose = 1;
  const Result<Lease> lease = leases().acquire({"A"}, 30s);
  ASSERT_FALSE(lease.has_value());
  EXPECT_THAT(lease, testing::AnyOf(fails_with(Code::kUnknownOutcome), fails_with(Code::kLeaseHeld)));
}

TEST_P(BrokenNetwork, a_guard_that_has_gone_does_not_look_at_an_answer_that_comes_after_it) {
  std::atomic<bool> gone = false;
  std::atomic<bool> looked = false;
  LeaseOptions options{.fencing = GetParam()};
  options.clock.steady_now = [&] {
    if (gone) looked = true;
    return std::chrono::steady_clock::now();
  };
  Leases leases(*store_, "cache", options);
  {
    const LeaseGuard guard = leases.hold({"A"}, 30s, {.refresh_every = 1ms}).value();
    proxy_.hang = true;
    while (proxy_.hang) std::this_thread::yield();
  }
  gone = true;
  // The refresh under way fails now.
  store_.reset();
  EXPECT_FALSE(looked);
}

TEST_P(BrokenNetwork, a_guard_is_released_while_it_is_refreshed) {
  for (int i = 0; i < 30; ++i) {
    LeaseGuard guard = leases().hold({"A"}, 30s, {.refresh_every = 1ms}).value();
    const int before = proxy_.requests();
    while (proxy_.requests() == before) std::this_thread::yield();
    ASSERT_THAT(guard.release(), succeeds());
    EXPECT_FALSE(guard.held());
  }
}

TEST_P(BrokenNetwork, a_guard_counts_the_wait_for_its_lease_as_time_of_the_lease) {
  TestClock clock;
  proxy_.on_answer = [&] { clock.advance(5s); };
  Leases leases(*store_, "cache", {.fencing = GetParam(), .clock = clock.clock()});
  const LeaseGuard guard = leases.hold({"A"}, 30s, {.refresh_every = 29'999ms}).value();
  proxy_.on_answer = [] {};
  EXPECT_EQ(guard.lease()->expires_at, 1030);
  // Only the steady clock knows it now.
  clock.set_wall_by(-1h);
  clock.advance(24'998ms);
  EXPECT_TRUE(guard.held());
  clock.advance(2ms);
  EXPECT_FALSE(guard.held());
}

INSTANTIATE_TEST_SUITE_P(PlainAndFenced, BrokenNetwork, testing::Bool());

}  // namespace
}  // namespace dolmen
