#include <initializer_list>

#include "base/check.h"
#include "dolmen/stream.h"
#include "service/requests.h"

namespace dolmen {

std::string_view stream_event_name(StreamEvent event) {
  switch (event) {
    case StreamEvent::kInsert: return "INSERT";
    case StreamEvent::kModify: return "MODIFY";
    case StreamEvent::kRemove: return "REMOVE";
  }
  DOLMEN_UNREACHABLE("an event outside the closed list");
}

std::optional<StreamEvent> stream_event_of(std::string_view name) {
  for (const StreamEvent event : {StreamEvent::kInsert, StreamEvent::kModify, StreamEvent::kRemove})
    if (stream_event_name(event) == name) return event;
  return std::nullopt;
}

std::string_view stream_status_name(StreamStatus status) {
  switch (status) {
    case StreamStatus::kEnabling: return "ENABLING";
    case StreamStatus::kEnabled: return "ENABLED";
    case StreamStatus::kDisabling: return "DISABLING";
    case StreamStatus::kDisabled: return "DISABLED";
  }
  DOLMEN_UNREACHABLE("a status outside the closed list");
}

std::string_view shard_iterator_type_name(ShardIteratorType type) {
  switch (type) {
    case ShardIteratorType::kTrimHorizon: return "TRIM_HORIZON";
    case ShardIteratorType::kLatest: return "LATEST";
    case ShardIteratorType::kAtSequenceNumber: return "AT_SEQUENCE_NUMBER";
    case ShardIteratorType::kAfterSequenceNumber: return "AFTER_SEQUENCE_NUMBER";
    case ShardIteratorType::kAtTimestamp: return "AT_TIMESTAMP";
  }
  DOLMEN_UNREACHABLE("a type outside the closed list");
}

}  // namespace dolmen
