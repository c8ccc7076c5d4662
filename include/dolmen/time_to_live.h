#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dolmen {

/// Whether items of a table are removed when their time is over. Dolmen is never between the two; AWS may be.
enum class TimeToLiveStatus : std::uint8_t { kDisabled, kEnabling, kEnabled, kDisabling };

/// DISABLED, ENABLING, ENABLED or DISABLING.
std::string_view time_to_live_status_name(TimeToLiveStatus status);

/// The time to live of a table, as it is described.
struct TimeToLive {
  TimeToLiveStatus status = TimeToLiveStatus::kDisabled;
  /// The attribute with the time, in seconds since 1970, after which an item is removed. Nothing when it is disabled.
  std::optional<std::string> attribute = std::nullopt;

  friend bool operator==(const TimeToLive&, const TimeToLive&) = default;
};

/// A change of it. To disable it, name the attribute that it has.
struct TimeToLiveChange {
  std::string attribute;
  bool enabled = true;

  friend bool operator==(const TimeToLiveChange&, const TimeToLiveChange&) = default;
};

}  // namespace dolmen
