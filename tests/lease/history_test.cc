// The check of lease_torture finds what must not be, and nothing else.
#include "tests/lease/torture/history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dolmen::torture {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Acquired at a time by a clock that is right, one after the other.
Acquisition acquired(Moment moment, std::int64_t now_ms, std::int64_t expires_at) {
  return {.key = 0, .now_ms = now_ms, .acquired = {moment, moment + 1}, .expires_at = expires_at};
}

std::vector<std::string> violations(const std::vector<Acquisition>& history) { return check(history, 1).violations; }

TEST(LeaseHistory, is_good_when_each_follows_the_end_or_release_of_another) {
  Acquisition first = acquired(1, 10'000, 30);
  first.ended = Interval{3, 4};
  const HistoryReport report = check({first, acquired(5, 11'000, 20), acquired(7, 20'000, 25)}, 1);
  EXPECT_THAT(report.violations, IsEmpty());
  EXPECT_EQ(report.compared, 2U);
}

TEST(LeaseHistory, has_no_two_holders) {
  EXPECT_THAT(violations({acquired(1, 10'000, 30), acquired(3, 29'999, 50)}), ElementsAre(HasSubstr("two holders")));
  Acquisition released_later = acquired(1, 10'000, 30);
  released_later.ended = Interval{5, 6};
  EXPECT_THAT(violations({released_later, acquired(3, 20'000, 50)}), ElementsAre(HasSubstr("two holders")));
}

TEST(LeaseHistory, has_nobody_who_counts_on_a_lease_that_another_has) {
  Acquisition first = acquired(1, 10'000, 30);
  first.counted_on_ms = 29'000;
  Acquisition second = acquired(3, 30'000, 50);
  // By a clock that is ahead of the time.
  second.skew_ms = 2000;
  second.acquired_ms = 28'000;
  EXPECT_THAT(violations({first, second}), ElementsAre(HasSubstr("still counted on the lease at 29000 ms")));
  first.counted_on_ms = 28'000;
  EXPECT_THAT(violations({first, second}), IsEmpty());
}

TEST(LeaseHistory, has_generations_without_a_gap_in_the_order_of_time) {
  Acquisition first = acquired(1, 10'000, 11);
  Acquisition second = acquired(3, 20'000, 21);
  first.generation = 7;
  second.generation = 8;
  EXPECT_THAT(violations({first, second}), IsEmpty());
  second.generation = 9;
  EXPECT_THAT(violations({first, second}), ElementsAre(HasSubstr("the one before has generation 7")));
  std::swap(first.acquired, second.acquired);
  second.generation = 8;
  EXPECT_THAT(violations({first, second}), ElementsAre(HasSubstr("an earlier one has a lower generation")));
}

TEST(LeaseHistory, has_nobody_refused_without_a_reason) {
  Acquisition first = acquired(1, 10'000, 30);
  first.refused = {.asked = {3, 4}, .now_ms = 29'000};
  EXPECT_THAT(violations({first, acquired(5, 30'000, 50)}), ElementsAre(HasSubstr("refused at 29000 ms")));
  first.refused->now_ms = 30'000;
  EXPECT_THAT(violations({first, acquired(5, 30'000, 50)}), IsEmpty());
}

TEST(LeaseHistory, has_every_number_published_once) {
  Acquisition first = acquired(1, 10'000, 11);
  Acquisition second = acquired(3, 20'000, 21);
  first.published = 1;
  second.published = 2;
  EXPECT_THAT(violations({first, second}), IsEmpty());
  second.published = 1;
  EXPECT_THAT(violations({first, second}), ElementsAre(HasSubstr("a stale publication")));
}

}  // namespace
}  // namespace dolmen::torture
