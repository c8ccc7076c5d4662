#include <algorithm>
#include <array>

#include "service/settings_requests.h"

namespace dolmen {
namespace {

constexpr std::array<std::string_view, 2> kInsightsModes{"ACCESSED_AND_THROTTLED_KEYS", "THROTTLED_KEYS"};
constexpr std::array<std::string_view, 5> kInsightsStatuses{"ENABLING", "ENABLED", "DISABLING", "DISABLED", "FAILED"};
constexpr std::array<std::string_view, 6> kKinesisStatuses{"ENABLING", "ACTIVE",        "DISABLING",
                                                           "DISABLED", "ENABLE_FAILED", "UPDATING"};
constexpr std::array<std::string_view, 2> kKinesisPrecisions{"MILLISECOND", "MICROSECOND"};

/// The names of an enumeration stand in its order.
template <class Enum, std::size_t kCount>
std::optional<Enum> value_named(const std::array<std::string_view, kCount>& names, std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

}  // namespace

std::string_view insights_mode_name(InsightsMode mode) { return kInsightsModes[static_cast<std::size_t>(mode)]; }
std::optional<InsightsMode> insights_mode_of(std::string_view name) {
  return value_named<InsightsMode>(kInsightsModes, name);
}

std::string_view insights_status_name(InsightsStatus status) {
  return kInsightsStatuses[static_cast<std::size_t>(status)];
}
std::optional<InsightsStatus> insights_status_of(std::string_view name) {
  return value_named<InsightsStatus>(kInsightsStatuses, name);
}

std::string_view kinesis_status_name(KinesisStatus status) {
  return kKinesisStatuses[static_cast<std::size_t>(status)];
}
std::optional<KinesisStatus> kinesis_status_of(std::string_view name) {
  return value_named<KinesisStatus>(kKinesisStatuses, name);
}

std::string_view kinesis_precision_name(KinesisPrecision precision) {
  return kKinesisPrecisions[static_cast<std::size_t>(precision)];
}
std::optional<KinesisPrecision> kinesis_precision_of(std::string_view name) {
  return value_named<KinesisPrecision>(kKinesisPrecisions, name);
}

}  // namespace dolmen
