#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dolmen/error.h"
#include "engine/table.h"
#include "storage/storage.h"
#include "value/encoded_item.h"

/// The history of tables that ask for it. The batch that changes an item also writes the item as it was before, under
/// the moment of the change:
///
///     kHistory   history id | moment      row key of the item without the table id, the old item or that there was
///     none
///
/// A table as it was at a time is the table as it is now, with every later change undone, the newest first. So the
/// table itself is the base, a restore costs as much as the table and its later changes, and what is older than the
/// period can be removed as one range.
///
/// A moment is a number that rises with every change of the table: milliseconds since 1970 in the upper 48 bits, then
/// a counter. It never falls, even when the machine's clock does.
namespace dolmen::engine::history {

/// The change of an item.
struct Change {
  std::string_view row_key;
  const EncodedItem* old_item = nullptr;
  const EncodedItem* new_item = nullptr;
  TableTime now;
};

/// Adds what the change replaces to the batch. Nothing when the item stays as it was or the table keeps no history. The
/// caller holds the lock of the item.
void stage(storage::Batch& batch, const Table& table, const Change& change);

/// Lets the moments of a table go on where they were when the store was closed.
Result<void> resume(const storage::Storage& storage, const Table& table);

/// The first key whose moment is not before `time`.
std::string first_key_at(TableId history, TableTime time);

/// A row, taken apart. The views refer to its value.
struct RowView {
  TableTime time;
  /// Without the table id.
  std::string_view row_key;
  /// Nothing when there was no item.
  std::optional<std::string_view> old_item;
};
/// Fails with kCorruption.
Result<RowView> read_row(std::string_view key, std::string_view value);

/// The time of a row, from its key. Fails with kCorruption.
Result<TableTime> time_of(std::string_view key);

/// From when on a table can be restored.
TableTime earliest(const History& history, TableTime now);

/// Starts or ends the history of a table, or changes its period. `id` is a new one.
void begin(Table& table, TableId id, int days, TableTime now);
void end(storage::Batch& batch, Table& table);

}  // namespace dolmen::engine::history
