#include "dolmen/timestamp.h"

#include <optional>

#include "base/ascii.h"
#include "base/fail.h"

namespace dolmen {
namespace {

namespace chrono = std::chrono;

constexpr int kFractionDigits = 9;

/// Several times as fast as a general formatter, and timestamps are written often.
void write_digits(char* out, std::size_t width, std::uint32_t number) {
  for (char* digit = out + width; digit != out; number /= 10) *--digit = static_cast<char>('0' + number % 10);
}

/// Takes a number of exactly `width` digits from the front of `text`.
std::optional<int> take_number(std::string_view& text, std::size_t width) {
  if (text.size() < width) return std::nullopt;
  int number = 0;
  for (const char c : text.substr(0, width)) {
    if (!is_digit(c)) return std::nullopt;
    number = number * 10 + (c - '0');
  }
  text.remove_prefix(width);
  return number;
}

/// Takes one of the characters from the front of `text`.
bool take(std::string_view& text, std::string_view any_of) {
  if (text.empty() || any_of.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

std::optional<chrono::sys_days> take_date(std::string_view& text) {
  const auto year = take_number(text, 4);
  if (!year || !take(text, "-")) return std::nullopt;
  const auto month = take_number(text, 2);
  if (!month || !take(text, "-")) return std::nullopt;
  const auto day = take_number(text, 2);
  if (!day) return std::nullopt;
  const chrono::year_month_day date{chrono::year(*year), chrono::month(static_cast<unsigned>(*month)),
                                    chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  return chrono::sys_days(date);
}

/// Takes hours and minutes, with a colon between them.
std::optional<chrono::seconds> take_hours_and_minutes(std::string_view& text) {
  const auto hours = take_number(text, 2);
  if (!hours || *hours > 23 || !take(text, ":")) return std::nullopt;
  const auto minutes = take_number(text, 2);
  if (!minutes || *minutes > 59) return std::nullopt;
  return chrono::hours(*hours) + chrono::minutes(*minutes);
}

std::optional<chrono::seconds> take_time_of_day(std::string_view& text) {
  const auto minutes = take_hours_and_minutes(text);
  if (!minutes || !take(text, ":")) return std::nullopt;
  const auto seconds = take_number(text, 2);
  if (!seconds || *seconds > 59) return std::nullopt;
  return *minutes + chrono::seconds(*seconds);
}

/// Takes an optional fraction of a second.
std::optional<std::int32_t> take_fraction(std::string_view& text, TimestampSyntax syntax) {
  const bool go = syntax == TimestampSyntax::kGo;
  if (!take(text, go ? ".," : ".")) return 0;
  std::int32_t nanoseconds = 0;
  int digits = 0;
  for (; !text.empty() && is_digit(text.front()); text.remove_prefix(1), ++digits)
    if (digits < kFractionDigits) nanoseconds = nanoseconds * 10 + (text.front() - '0');
  if (digits == 0 || (go && digits > kFractionDigits)) return std::nullopt;
  for (; digits < kFractionDigits; ++digits) nanoseconds *= 10;
  return nanoseconds;
}

/// Takes the offset from UTC.
std::optional<chrono::seconds> take_offset(std::string_view& text, TimestampSyntax syntax) {
  if (take(text, syntax == TimestampSyntax::kGo ? "Z" : "Zz")) return chrono::seconds(0);
  const bool west = text.starts_with('-');
  if (!take(text, "+-")) return std::nullopt;
  const auto distance = take_hours_and_minutes(text);
  if (!distance) return std::nullopt;
  return west ? -*distance : *distance;
}

std::optional<Timestamp> read(std::string_view text, TimestampSyntax syntax) {
  const auto date = take_date(text);
  if (!date || !take(text, syntax == TimestampSyntax::kGo ? "T" : "Tt")) return std::nullopt;
  const auto time = take_time_of_day(text);
  if (!time) return std::nullopt;
  const auto nanoseconds = take_fraction(text, syntax);
  if (!nanoseconds) return std::nullopt;
  const auto offset = take_offset(text, syntax);
  if (!offset || !text.empty()) return std::nullopt;
  const chrono::sys_seconds moment = *date + *time - *offset;
  return Timestamp{.seconds = moment.time_since_epoch().count(), .nanoseconds = *nanoseconds};
}

}  // namespace

Timestamp Timestamp::from(TimePoint time) {
  const auto seconds = chrono::floor<chrono::seconds>(time);
  return {.seconds = seconds.time_since_epoch().count(),
          .nanoseconds = static_cast<std::int32_t>((time - seconds).count())};
}

TimePoint Timestamp::to_time_point() const noexcept {
  constexpr auto kFirst = chrono::ceil<chrono::seconds>(TimePoint::min()).time_since_epoch().count();
  constexpr auto kLast = chrono::floor<chrono::seconds>(TimePoint::max()).time_since_epoch().count();
  if (seconds < kFirst) return TimePoint::min();
  if (seconds >= kLast) return TimePoint::max();
  return TimePoint(chrono::seconds(seconds) + chrono::nanoseconds(nanoseconds));
}

Result<std::string> format_timestamp(const Timestamp& timestamp, TimestampForm form) {
  constexpr std::int64_t kBegin =
      chrono::sys_seconds(chrono::sys_days(chrono::year(0) / 1 / 1)).time_since_epoch().count();
  constexpr std::int64_t kEnd =
      chrono::sys_seconds(chrono::sys_days(chrono::year(10000) / 1 / 1)).time_since_epoch().count();
  constexpr std::int32_t kNanosecondsPerSecond = 1'000'000'000;
  const auto [seconds, nanoseconds] = timestamp;
  if (seconds < kBegin || seconds >= kEnd || nanoseconds < 0 || nanoseconds >= kNanosecondsPerSecond)
    return fail(Code::kInvalidArgument, "a time of {} s and {} ns is outside the years 0000 to 9999", seconds,
                nanoseconds);
  const chrono::sys_seconds moment{chrono::seconds(seconds)};
  const auto day = chrono::floor<chrono::days>(moment);
  const chrono::year_month_day date(day);
  const chrono::hh_mm_ss time(moment - day);
  std::string text = "0000-00-00T00:00:00.000000000Z";
  write_digits(&text[0], 4, static_cast<std::uint32_t>(static_cast<int>(date.year())));
  write_digits(&text[5], 2, static_cast<unsigned>(date.month()));
  write_digits(&text[8], 2, static_cast<unsigned>(date.day()));
  write_digits(&text[11], 2, static_cast<std::uint32_t>(time.hours().count()));
  write_digits(&text[14], 2, static_cast<std::uint32_t>(time.minutes().count()));
  write_digits(&text[17], 2, static_cast<std::uint32_t>(time.seconds().count()));
  write_digits(&text[20], kFractionDigits, static_cast<std::uint32_t>(nanoseconds));
  if (form == TimestampForm::kTrimmed) {
    text.erase(text.find_last_not_of("0Z") + 1);
    if (text.back() == '.') text.pop_back();
    text.push_back('Z');
  }
  return text;
}

Result<Timestamp> parse_timestamp(std::string_view text, TimestampSyntax syntax) {
  if (const std::optional<Timestamp> timestamp = read(text, syntax)) return *timestamp;
  return fail(Code::kInvalidArgument,
              "\"{}\" is not a time such as 2026-01-16T01:02:03.5Z or 2026-01-16T03:02:03+02:00", text);
}

}  // namespace dolmen
