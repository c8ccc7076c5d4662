#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dolmen/clock.h"
#include "dolmen/table.h"
#include "dolmen/value.h"

namespace dolmen {

/// What a write did to an item.
enum class StreamEvent : std::uint8_t { kInsert, kModify, kRemove };

/// INSERT, MODIFY or REMOVE.
std::string_view stream_event_name(StreamEvent event);
std::optional<StreamEvent> stream_event_of(std::string_view name);

/// The change of one item.
struct StreamRecord {
  /// Unique. The same record has the same id whenever it is read.
  std::string id;
  StreamEvent event = StreamEvent::kInsert;
  Item key;
  /// The item before and after the change, as far as the stream's view has them (TableDefinition::stream).
  std::optional<Item> old_item = std::nullopt;
  std::optional<Item> new_item = std::nullopt;
  /// In whole seconds.
  TableTime time;
  /// Grows within a shard; all changes of an item are in one shard.
  std::string sequence_number;
  std::string shard;
  /// Time to live removed the item.
  bool expired = false;
};

/// Where reading a stream begins when there is no saved position.
enum class StreamStart : std::uint8_t {
  kOldest,  ///< with the oldest record that is still there
  kNewest,  ///< with the first record that is written from now on
};

struct StreamOptions {
  /// What `StreamRange::position` returned: continues there. Empty means to begin at `start`.
  std::string position = {};
  StreamStart start = StreamStart::kOldest;
  /// How long the range waits for a record once it has read all; then it ends.
  std::chrono::milliseconds wait{0};
  /// How often it looks for new records while it waits.
  std::chrono::milliseconds interval{200};
  /// Waits; a test puts its own clock here.
  Sleep sleep = {};
};

}  // namespace dolmen
