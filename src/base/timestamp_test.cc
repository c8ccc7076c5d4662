#include "dolmen/timestamp.h"

#include <gtest/gtest.h>
#include <random>

#include "base/test_result.h"
#include "base/test_seed.h"

namespace dolmen {
namespace {

TEST(Timestamp, is_written_in_utc_with_nine_fraction_digits) {
  EXPECT_EQ(format_timestamp({}), "1970-01-01T00:00:00.000000000Z");
  EXPECT_EQ(format_timestamp({.seconds = 1'793'608'200, .nanoseconds = 5}), "2026-11-02T08:30:00.000000005Z");
  EXPECT_EQ(format_timestamp({.seconds = -1, .nanoseconds = 999'999'999}), "1969-12-31T23:59:59.999999999Z");
}

TEST(Timestamp, is_written_only_for_years_of_four_digits) {
  EXPECT_EQ(format_timestamp({.seconds = -62'167'219'200}), "0000-01-01T00:00:00.000000000Z");
  EXPECT_FALSE(format_timestamp({.seconds = -62'167'219'201}));
  EXPECT_EQ(format_timestamp({.seconds = 253'402'300'799}), "9999-12-31T23:59:59.000000000Z");
  EXPECT_FALSE(format_timestamp({.seconds = 253'402'300'800}));
  EXPECT_FALSE(format_timestamp({.seconds = 0, .nanoseconds = 1'000'000'000}));
}

TEST(Timestamp, is_read_in_every_form_of_rfc_3339) {
  const Timestamp half_past{.seconds = 1'793'608'200};
  EXPECT_EQ(parse_timestamp("2026-11-02T08:30:00Z"), half_past);
  EXPECT_EQ(parse_timestamp("2026-11-02t08:30:00z"), half_past);
  EXPECT_EQ(parse_timestamp("2026-11-02T10:00:00.000+01:30"), half_past);
  EXPECT_EQ(parse_timestamp("2026-11-01T23:30:00-09:00"), half_past);
  EXPECT_EQ(parse_timestamp("2026-11-02T08:30:00.5Z")->nanoseconds, 500'000'000);
  EXPECT_EQ(parse_timestamp("2026-11-02T08:30:00.1234567899Z")->nanoseconds, 123'456'789);
  EXPECT_EQ(parse_timestamp("2024-02-29T00:00:00Z")->seconds, 1'709'164'800);
}

TEST(Timestamp, is_not_read_from_anything_else) {
  for (const char* text : {"",
                           "2026",
                           "2026-11-02",
                           "2026-11-02T08:30Z",
                           "2026-11-02T08:30:00",
                           "2026-11-02 08:30:00Z",
                           "2026-11-02T08:30:00.Z",
                           "2026-11-02T08:30:00Z ",
                           "2026-11-02T08:30:00+0100",
                           "2026-11-02T08:30:00+24:00",
                           "2026-11-02T08:30:00+01:60",
                           "2026-13-02T08:30:00Z",
                           "2026-00-02T08:30:00Z",
                           "2025-02-29T00:00:00Z",
                           "2026-11-00T08:30:00Z",
                           "2026-11-02T24:00:00Z",
                           "2026-11-02T08:60:00Z",
                           "2026-11-02T08:30:60Z",
                           "+2026-11-02T08:30:00Z",
                           "2026-1-02T08:30:00Z",
                           "2026-11-02T08:30:00,5Z",
                           "2026/11/02T08:30:00Z"})
    EXPECT_THAT(parse_timestamp(text), fails_with(Code::kInvalidArgument)) << text;
}

TEST(Timestamp, is_read_as_it_was_written_and_sorts_as_time_does) {
  std::mt19937_64 random(test_seed("Timestamp"));
  std::uniform_int_distribution<std::int64_t> seconds(-62'167'219'200, 253'402'300'799);
  std::uniform_int_distribution<std::int32_t> nanoseconds(0, 999'999'999);
  const auto any = [&] { return Timestamp{.seconds = seconds(random), .nanoseconds = nanoseconds(random)}; };
  for (int round = 0; round < 10'000; ++round) {
    const Timestamp a = any();
    const Timestamp b = any();
    EXPECT_EQ(parse_timestamp(*format_timestamp(a)), a);
    EXPECT_EQ(*format_timestamp(a) < *format_timestamp(b),
              std::pair(a.seconds, a.nanoseconds) < std::pair(b.seconds, b.nanoseconds));
  }
}

// Section 2.5: what other implementations of DMS write and read.

TEST(Timestamp, is_written_as_go_writes_it_when_asked) {
  const auto trimmed = [](Timestamp time) { return format_timestamp(time, TimestampForm::kTrimmed); };
  EXPECT_EQ(trimmed({.seconds = 1768525323, .nanoseconds = 0}), "2026-01-16T01:02:03Z");
  EXPECT_EQ(trimmed({.seconds = 1768525323, .nanoseconds = 100'000'000}), "2026-01-16T01:02:03.1Z");
  EXPECT_EQ(trimmed({.seconds = 1768525320, .nanoseconds = 5116}), "2026-01-16T01:02:00.000005116Z");
}

TEST(Timestamp, is_read_as_go_reads_it_when_asked) {
  const auto read = [](std::string_view text) { return parse_timestamp(text, TimestampSyntax::kGo); };
  EXPECT_EQ(read("2026-01-16T01:02:03,5Z"), (Timestamp{1768525323, 500'000'000}));
  EXPECT_EQ(read("2026-01-15T20:02:03.000000001-05:00"), (Timestamp{1768525323, 1}));
  EXPECT_TRUE(read("0001-01-01T00:00:00Z").value().is_zero());
  for (const char* text :
       {"2026-01-16t01:02:03Z", "2026-01-16T01:02:03z", "2026-01-16T01:02:03.1234567890Z", "2026-01-16T01:02:03.Z"})
    EXPECT_FALSE(read(text)) << text;
}

TEST(Timestamp, is_made_from_the_clock_also_before_1970) {
  using std::chrono::nanoseconds;
  const auto at = [](std::int64_t ns) {
    return Timestamp::from(std::chrono::time_point<std::chrono::system_clock, nanoseconds>(nanoseconds(ns)));
  };
  EXPECT_EQ(at(1), (Timestamp{0, 1}));
  EXPECT_EQ(at(-1), (Timestamp{-1, 999'999'999}));
}

TEST(Timestamp, becomes_the_nearest_moment_that_chrono_has) {
  EXPECT_EQ((Timestamp{.seconds = -2, .nanoseconds = 500'000'000}.to_time_point()),
            TimePoint(std::chrono::milliseconds(-1500)));
  EXPECT_EQ((Timestamp{.seconds = -62'135'596'800}.to_time_point()), TimePoint::min());
  EXPECT_EQ((Timestamp{.seconds = 253'402'300'799}.to_time_point()), TimePoint::max());
  const TimePoint now{std::chrono::nanoseconds(1'700'000'000'123'456'789)};
  EXPECT_EQ(Timestamp::from(now).to_time_point(), now);
}

}  // namespace
}  // namespace dolmen
