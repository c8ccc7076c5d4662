#include "engine/token_clock.h"

#include <gtest/gtest.h>

#include "base/test_result.h"
#include "engine/keyspaces.h"

namespace dolmen::engine {
namespace {

using std::chrono::hours;
using std::chrono::minutes;

class MovedClock final : public Clock {
 public:
  [[nodiscard]] TimePoint now() const override { return time; }
  TimePoint time{hours(10'000)};
};

class TokenClocks : public testing::Test {
 protected:
  /// As a program that starts on this machine makes one.
  [[nodiscard]] std::unique_ptr<TokenClock> start() {
    return TokenClock::load(*storage_, wall_, {.since_boot = [this] { return since_boot_; }, .boot = boot_}).value();
  }

  void save(const TokenClock& clock) {
    storage::Batch batch;
    clock.save(batch);
    ASSERT_THAT(storage_->commit(std::move(batch)), succeeds());
  }

  MovedClock wall_;
  std::chrono::nanoseconds since_boot_ = hours(5);
  std::string boot_ = "one";
  std::unique_ptr<storage::Storage> storage_ =
      storage::Storage::open({.durability = Durability::kMemory, .keyspaces = keyspaces::names()}).value();
};

TEST_F(TokenClocks, begin_with_the_wall_clock_and_do_not_follow_its_jumps) {
  const auto clock = start();
  const Clock::TimePoint begin = wall_.time;
  EXPECT_EQ(clock->now(), begin);
  wall_.time += hours(3);
  EXPECT_EQ(clock->now(), begin);
  since_boot_ += minutes(2);
  EXPECT_EQ(clock->now(), begin + minutes(2));
  wall_.time -= hours(30);
  EXPECT_EQ(clock->now(), begin + minutes(2));
}

TEST_F(TokenClocks, go_on_when_the_program_starts_again_after_a_jump) {
  const Clock::TimePoint begin = wall_.time;
  save(*start());
  wall_.time += hours(3);
  since_boot_ += minutes(1);
  EXPECT_EQ(start()->now(), begin + minutes(1));
}

TEST_F(TokenClocks, begin_anew_when_the_machine_does) {
  save(*start());
  wall_.time += hours(3);
  since_boot_ = minutes(1);
  boot_ = "two";
  EXPECT_EQ(start()->now(), wall_.time);
}

TEST_F(TokenClocks, are_saved_once) {
  const auto clock = start();
  save(*clock);
  storage::Batch batch;
  clock->save(batch);
  EXPECT_TRUE(batch.empty());
  storage::Batch after_restart;
  start()->save(after_restart);
  EXPECT_TRUE(after_restart.empty());
}

TEST_F(TokenClocks, follow_the_wall_clock_of_a_test) {
  const auto clock = TokenClock::load(*storage_, wall_, {}).value();
  wall_.time += hours(3);
  EXPECT_EQ(clock->now(), wall_.time);
  storage::Batch batch;
  clock->save(batch);
  EXPECT_TRUE(batch.empty());
}

}  // namespace
}  // namespace dolmen::engine
