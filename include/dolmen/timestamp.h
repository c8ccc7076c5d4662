#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "dolmen/clock.h"
#include "dolmen/error.h"

namespace dolmen {

/// A moment in UTC to the nanosecond. Wider than std::chrono's nanoseconds, which end in the years 1677 and 2262.
struct Timestamp {
  /// Since 1970-01-01T00:00:00Z; negative before it.
  std::int64_t seconds = 0;
  /// 0 to 999,999,999, counted forward from `seconds`.
  std::int32_t nanoseconds = 0;

  static Timestamp from(TimePoint time);
  /// The nearest moment that std::chrono has.
  [[nodiscard]] TimePoint to_time_point() const noexcept;

  /// The year 1, which stands for "no time" in Go.
  [[nodiscard]] bool is_zero() const noexcept { return seconds == -62'135'596'800 && nanoseconds == 0; }

  friend auto operator<=>(const Timestamp&, const Timestamp&) = default;
};

/// How the fraction of a second is written.
enum class TimestampForm : std::uint8_t {
  kNineDigits,  ///< always nine digits, so that texts sort as moments do
  kTrimmed,     ///< Go's RFC3339Nano: without trailing zeros, and without a fraction when it is zero
};

/// Which texts are read as times.
enum class TimestampSyntax : std::uint8_t {
  /// Every form of RFC 3339: any offset, T and Z in either case, a fraction of any length, of which nine digits count.
  kRfc3339,
  /// What Go reads: T and Z are capitals, the fraction has one to nine digits and may follow a comma.
  kGo,
};

/// RFC 3339 in UTC, such as 2026-01-16T01:02:03.000005116Z. Fails with kInvalidArgument outside the years 0 to 9999.
Result<std::string> format_timestamp(const Timestamp& timestamp, TimestampForm form = TimestampForm::kNineDigits);

/// Fails with kInvalidArgument for other text, and for days and hours that do not exist; leap seconds are among those.
Result<Timestamp> parse_timestamp(std::string_view text, TimestampSyntax syntax = TimestampSyntax::kRfc3339);

}  // namespace dolmen
