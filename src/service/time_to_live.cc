#include "dolmen/time_to_live.h"

#include "base/check.h"

namespace dolmen {

std::string_view time_to_live_status_name(TimeToLiveStatus status) {
  switch (status) {
    case TimeToLiveStatus::kDisabled: return "DISABLED";
    case TimeToLiveStatus::kEnabling: return "ENABLING";
    case TimeToLiveStatus::kEnabled: return "ENABLED";
    case TimeToLiveStatus::kDisabling: return "DISABLING";
  }
  DOLMEN_UNREACHABLE("a status outside the closed list");
}

}  // namespace dolmen
