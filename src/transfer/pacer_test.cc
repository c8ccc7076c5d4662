#include "transfer/pacer.h"

#include <gtest/gtest.h>

namespace dolmen::transfer {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class PacerTest : public ::testing::Test {
 protected:
  Pacer::Options options(double units, unsigned readers = 1) {
    return {.units_per_second = units,
            .readers = readers,
            .now = [this] { return now_; },
            .sleep =
                [this](milliseconds time) {
                  now_ += time;
                  ++naps_;
                }};
  }

  const TimePoint start_{std::chrono::hours(500'000)};
  TimePoint now_ = start_;
  int naps_ = 0;
};

TEST_F(PacerTest, takes_as_long_as_the_units_need) {
  Pacer pacer(options(10));
  for (int i = 0; i < 20; ++i) pacer.spend(5, 10);
  EXPECT_EQ(now_ - start_, seconds(10));
}

TEST_F(PacerTest, does_not_save_up_what_was_not_used) {
  Pacer pacer(options(10));
  now_ += seconds(100);
  pacer.spend(20, 10);
  EXPECT_EQ(now_ - start_, seconds(102));
}

TEST_F(PacerTest, lets_everything_through_without_a_limit) {
  Pacer pacer(options(0));
  pacer.spend(1e9, 10);
  EXPECT_EQ(now_, start_);
  EXPECT_EQ(pacer.page_size(), 0U);
}

TEST_F(PacerTest, asks_for_pages_of_about_a_second) {
  Pacer pacer(options(100, 4));
  EXPECT_EQ(pacer.page_size(), 50U);
  pacer.spend(500, 100);
  EXPECT_EQ(pacer.page_size(), 5U);
  EXPECT_EQ(Pacer(options(0.1, 8)).page_size(), 1U);
  EXPECT_EQ(Pacer(options(1e6)).page_size(), 1'000U);
}

TEST_F(PacerTest, ends_its_wait_when_somebody_says_stop) {
  Pacer::Options stopping = options(1);
  stopping.stopped = [this] { return naps_ == 3; };
  Pacer pacer(std::move(stopping));
  pacer.spend(1'000, 1);
  EXPECT_EQ(naps_, 3);
}

}  // namespace
}  // namespace dolmen::transfer
