#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dolmen {

/// A moment: whole seconds since the beginning of 1970 in UTC, and the nanoseconds after that second.
struct Timestamp {
  std::int64_t seconds = 0;
  /// 0 to 999,999,999.
  std::int32_t nanoseconds = 0;

  friend bool operator==(const Timestamp&, const Timestamp&) = default;
};

/// RFC 3339 in UTC with nine fraction digits, such as "2026-11-02T08:30:00.000000000Z". The texts sort as the moments
/// do. Nothing outside of the years 0000 to 9999.
std::optional<std::string> format_timestamp(const Timestamp& timestamp);

/// Reads every form of RFC 3339: any offset, a fraction of any length (what is beyond nine digits is cut off), T and Z
/// in either case. Nothing for other text and for days and hours that do not exist; leap seconds are among those.
std::optional<Timestamp> parse_timestamp(std::string_view text);

}  // namespace dolmen
