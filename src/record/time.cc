#include <fmt/format.h>
#include <limits>

#include "dolmen/detail/record_context.h"
#include "dolmen/timestamp.h"

namespace dolmen::mapping {
namespace {

// Holds every count of ticks in nanoseconds.
__extension__ typedef __int128 int128;  // NOLINT(modernize-use-using): __extension__ needs a typedef

using Int64 = std::numeric_limits<std::int64_t>;

constexpr std::int64_t kNanoseconds = 1'000'000'000;

int128 floor_divide(int128 dividend, int128 divisor) {
  const int128 quotient = dividend / divisor;
  return dividend % divisor < 0 ? quotient - 1 : quotient;
}

bool fits(int128 count) { return count >= Int64::min() && count <= Int64::max(); }

/// `tick_unit` guarantees that a tick has a whole number of nanoseconds.
int128 tick_nanoseconds(const TickUnit& unit) { return int128{kNanoseconds} * unit.numerator / unit.denominator; }

/// Whole ticks. Fails when the C++ type cannot hold them.
bool to_ticks(Context& context, int128 nanoseconds, const TickUnit& unit, std::string_view found, std::int64_t& ticks) {
  const int128 count = floor_divide(nanoseconds, tick_nanoseconds(unit));
  if (count < unit.least || count > unit.most)
    return context.fail("range", fmt::format("{} is out of the range that the member can hold", found));
  ticks = static_cast<std::int64_t>(count);
  return true;
}

}  // namespace

AttributeValue write_time(Context& context, std::int64_t ticks, const TickUnit& unit) {
  const int128 nanoseconds = ticks * tick_nanoseconds(unit);
  const int128 seconds = floor_divide(nanoseconds, kNanoseconds);
  if (fits(seconds)) {
    const Timestamp moment{.seconds = static_cast<std::int64_t>(seconds),
                           .nanoseconds = static_cast<std::int32_t>(nanoseconds - seconds * kNanoseconds)};
    Result<std::string> text = format_timestamp(moment, context.timestamp_form());
    if (text) return std::move(*text);
  }
  context.fail("range", "the time is outside the years 0000 to 9999");
  return nullptr;
}

bool read_time(Context& context, const AttributeValue& value, const TickUnit& unit, std::int64_t& ticks) {
  const auto* text = value.get_if<std::string>();
  if (text == nullptr) return context.wrong_type({Type::kString}, value);
  const Result<Timestamp> timestamp = parse_timestamp(*text);
  if (!timestamp)
    return context.fail("format", fmt::format("expected a time such as 2026-11-02T08:30:00Z, found \"{}\"", *text));
  return to_ticks(context, int128{timestamp->seconds} * kNanoseconds + timestamp->nanoseconds, unit, *text, ticks);
}

AttributeValue write_ticks(Context& context, std::int64_t ticks, const TickUnit& unit, const TickUnit& stored) {
  const int128 count = floor_divide(ticks * tick_nanoseconds(unit), tick_nanoseconds(stored));
  if (fits(count)) return static_cast<std::int64_t>(count);
  context.fail("range", "the time does not fit into a 64-bit count");
  return nullptr;
}

bool read_ticks(Context& context, const AttributeValue& value, const TickUnit& unit, const TickUnit& stored,
                std::int64_t& ticks) {
  std::uint64_t count = 0;
  if (!read_integer(context, value, Int64::min(), Int64::max(), count)) return false;
  return to_ticks(context, static_cast<std::int64_t>(count) * tick_nanoseconds(stored), unit,
                  value.number().to_string(), ticks);
}

}  // namespace dolmen::mapping
