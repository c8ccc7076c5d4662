#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/table.h"
#include "storage/storage.h"
#include "value/encoded_item.h"

/// The items of tables with a time to live, in the order in which they expire. The batch that writes an item also
/// writes its row here, so that expired items are found without looking at any other item:
///
///     kExpiry   table id | time in milliseconds | the item's row key without the table id
namespace dolmen::engine::expiry {

/// The time at which an item expires, in milliseconds since 1970. Nothing when the attribute is missing, is not a
/// number or is not a time after 1970.
std::optional<std::int64_t> time_of(std::string_view item, std::string_view attribute);

/// Items whose time is further back do not expire: somebody took their attribute for something else.
inline constexpr std::chrono::years kOldest{5};

/// The times of items that have expired: those from `begin` on that are before `end`.
struct Due {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  [[nodiscard]] bool contains(std::int64_t time) const { return time >= begin && time < end; }
};
Due due_at(TableTime now);

/// The row of an item that expires.
std::string row_of(TableId table, std::int64_t time, std::string_view item_row_key);
/// The first row of a table that is not before `time`.
std::string first_row_of(TableId table, std::int64_t time);

/// A row, taken apart.
struct Row {
  std::int64_t time = 0;
  std::string item_row_key;
};
Row read_row(std::string_view row);

/// Adds the change of an item's row to the batch. Does nothing for a table without a time to live.
void stage(storage::Batch& batch, const Table& table, std::string_view row_key, const EncodedItem* old_item,
           const EncodedItem* new_item);

/// Adds the row of an item that may be missing, because it is older than the table's time to live. The caller holds the
/// lock of the item.
void stage_row(storage::Batch& batch, const Table& table, std::string_view row_key, const EncodedItem& item);

/// Removes the rows of a table.
void end(storage::Batch& batch, TableId table);

}  // namespace dolmen::engine::expiry
