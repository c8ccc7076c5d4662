#include <chrono>
#include <gtest/gtest.h>
#include <set>

#include "dolmen/record.h"
#include "record/test_box.h"

using namespace std::chrono_literals;

namespace shop {

using Clock = std::chrono::system_clock;
using Ticks = std::chrono::time_point<Clock, std::chrono::nanoseconds>;

struct Session {
  Ticks started;
  std::optional<Ticks> expires;
  std::chrono::minutes limit{};
  std::unique_ptr<std::chrono::milliseconds> pause;
};
DOLMEN_RECORD(Session, (started, as_milliseconds), (expires, "ttl", as_seconds), (limit, as_seconds),
              (pause, as_nanoseconds));

}  // namespace shop

namespace dolmen {
namespace {

TEST(RecordTime, is_text_in_utc_with_nine_fraction_digits) {
  using Nanoseconds = std::chrono::time_point<std::chrono::system_clock, std::chrono::nanoseconds>;
  using Seconds = std::chrono::sys_seconds;
  using Days = std::chrono::sys_days;
  expect_form(Nanoseconds(1'793'608'200'000'000'005ns), "2026-11-02T08:30:00.000000005Z");
  expect_form(Nanoseconds(-1ns), "1969-12-31T23:59:59.999999999Z");
  expect_form(Nanoseconds::max(), "2262-04-11T23:47:16.854775807Z");
  expect_form(Nanoseconds::min(), "1677-09-21T00:12:43.145224192Z");
  expect_form(Seconds(-62'167'219'200s), "0000-01-01T00:00:00.000000000Z");
  expect_form(Days(std::chrono::days(-1)), "1969-12-31T00:00:00.000000000Z");
  expect_form(std::set<Seconds>{Seconds(0s)}, StringSet{"1970-01-01T00:00:00.000000000Z"});
}

TEST(RecordTime, is_read_in_every_form_and_rounded_down) {
  using Milliseconds = std::chrono::time_point<std::chrono::system_clock, std::chrono::milliseconds>;
  EXPECT_EQ(read<Milliseconds>("1970-01-01T01:00:00.0019+01:00"), Milliseconds(1ms));
  EXPECT_EQ(read<Milliseconds>("1969-12-31T23:59:59.9999Z"), Milliseconds(-1ms));
  EXPECT_EQ(read<std::chrono::sys_days>("1969-12-31T23:59:59Z"), std::chrono::sys_days(std::chrono::days(-1)));
}

TEST(RecordTime, refuses_what_cannot_be_written_or_held) {
  using Nanoseconds = std::chrono::time_point<std::chrono::system_clock, std::chrono::nanoseconds>;
  using Hours = std::chrono::time_point<std::chrono::system_clock, std::chrono::hours>;
  EXPECT_EQ(write_problem(std::chrono::sys_seconds::max()), "Box.value: the time is outside the years 0000 to 9999");
  EXPECT_EQ(write_problem(Hours::max()), "Box.value: the time is outside the years 0000 to 9999");
  EXPECT_EQ(write_problem(Hours::min()), "Box.value: the time is outside the years 0000 to 9999");
  EXPECT_EQ(read_problem<Nanoseconds>("2262-04-11T23:47:16.854775808Z"),
            "Box.value: 2262-04-11T23:47:16.854775808Z is out of the range that the member can hold");
  EXPECT_EQ(read_problem<Nanoseconds>("1677-09-21T00:12:43.145224191Z"),
            "Box.value: 1677-09-21T00:12:43.145224191Z is out of the range that the member can hold");
  EXPECT_EQ(read_problem<Nanoseconds>("yesterday"),
            "Box.value: expected a time such as 2026-11-02T08:30:00Z, found \"yesterday\"");
  EXPECT_EQ(read_problem<Nanoseconds>(5), "Box.value: expected S, found N");
}

TEST(RecordTime, is_a_number_of_units_when_asked_for) {
  shop::Session session{.started = shop::Ticks(1'999'999ns), .expires = shop::Ticks(-1ns), .limit = 2min};
  session.pause = std::make_unique<std::chrono::milliseconds>(3ms);
  const Item item{{"started", 1}, {"ttl", -1}, {"limit", 120}, {"pause", 3'000'000}};
  EXPECT_EQ(to_item(session).value(), item);
  const shop::Session read = from_item<shop::Session>(item).value();
  EXPECT_EQ(read.started, shop::Ticks(1ms));
  EXPECT_EQ(read.expires, shop::Ticks(-1s));
  EXPECT_EQ(read.limit, 2min);
  EXPECT_EQ(*read.pause, 3ms);
  EXPECT_EQ(to_item(shop::Session{}).value(), (Item{{"started", 0}, {"limit", 0}}));
}

TEST(RecordTime, refuses_numbers_of_units_that_do_not_fit) {
  const Item item{
      {"started", Number::parse("9223372036855").value()}, {"ttl", Number::parse("0.5").value()}, {"limit", "x"}};
  EXPECT_EQ(from_item<shop::Session>(item).error().message(),
            "Session.started: 9223372036855 is out of the range that the member can hold; "
            "Session.expires: expected an integer from -9223372036854775808 to 9223372036854775807, found 0.5; "
            "Session.limit: expected N, found S");
  EXPECT_EQ(to_item(shop::Session{.limit = std::chrono::minutes::max()}).error().message(),
            "Session.limit: the time does not fit into a 64-bit count");
}

}  // namespace
}  // namespace dolmen
