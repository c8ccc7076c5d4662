#include "engine/index_rows.h"

#include <optional>
#include <string>

#include "engine/capacity.h"
#include "engine/extents.h"
#include "engine/keyspaces.h"
#include "engine/row_key.h"

namespace dolmen::engine {
namespace {

/// The rows of an item in an index, before and after a write.
struct IndexRows {
  std::optional<std::string> old_key;
  std::optional<std::string> new_key;
  EncodedItem old_row;
  EncodedItem new_row;
};

EncodedItem row_of(const Index& index, const EncodedItem& item) {
  return index.projected.empty() ? item : select_attributes(item.bytes, index.projected);
}

IndexRows index_rows(const Index& index, std::string_view row_key, const EncodedItem* old_item,
                     const EncodedItem* new_item) {
  IndexRows rows;
  if (old_item != nullptr) rows.old_key = row_key_in_index(index, old_item->bytes, row_key);
  if (new_item != nullptr) rows.new_key = row_key_in_index(index, new_item->bytes, row_key);
  if (rows.old_key) rows.old_row = row_of(index, *old_item);
  if (rows.new_key) rows.new_row = row_of(index, *new_item);
  return rows;
}

extents::Change change_of(const IndexRows& rows) {
  const auto bytes = [](const std::optional<std::string>& key, const EncodedItem& row) {
    return key ? std::optional(item_size(row.bytes)) : std::nullopt;
  };
  return extents::change_of(bytes(rows.old_key, rows.old_row), bytes(rows.new_key, rows.new_row));
}

Result<bool> has_row(const storage::Storage& storage, const std::string& key) {
  std::string unused;
  return storage.get(keyspaces::kItems, key, unused);
}

void stage_rows(const Index& index, const IndexRows& rows, storage::Batch& batch) {
  if (rows.old_key && rows.old_key != rows.new_key) batch.remove(keyspaces::kItems, *rows.old_key);
  if (rows.new_key && (rows.old_key != rows.new_key || rows.old_row != rows.new_row))
    batch.put(keyspaces::kItems, *rows.new_key, rows.new_row.bytes);
  extents::change(batch, index.id, change_of(rows));
}

}  // namespace

Result<void> stage_in_indexes(const Table& table, std::string_view row_key, const EncodedItem* old_item,
                              const EncodedItem* new_item, const storage::Storage& storage, storage::Batch& batch) {
  for (const Index& index : table.indexes) {
    if (index.state == IndexState::kDeleting) continue;
    IndexRows rows = index_rows(index, row_key, old_item, new_item);
    // An index that is being built may not have the old row yet. Then there is nothing to remove, and nothing that the
    // index's size includes.
    if (index.state == IndexState::kBuilding && rows.old_key) {
      DOLMEN_TRY(const bool there, has_row(storage, *rows.old_key));
      if (!there) rows.old_key.reset();
    }
    stage_rows(index, rows, batch);
  }
  return {};
}

Result<void> stage_in_new_index(const Index& index, std::string_view row_key, const EncodedItem& item,
                                const storage::Storage& storage, storage::Batch& batch) {
  const IndexRows rows = index_rows(index, row_key, nullptr, &item);
  if (!rows.new_key) return {};
  DOLMEN_TRY(const bool there, has_row(storage, *rows.new_key));
  if (!there) stage_rows(index, rows, batch);
  return {};
}

double write_units_in_index(const Index& index, std::string_view row_key, const EncodedItem* old_item,
                            const EncodedItem* new_item) {
  if (index.state == IndexState::kDeleting) return 0;
  const IndexRows rows = index_rows(index, row_key, old_item, new_item);
  const auto units = [](const EncodedItem& row) { return capacity::write_units(item_size(row.bytes), 0); };
  if (rows.old_key && rows.new_key && *rows.old_key == *rows.new_key)
    return rows.old_row == rows.new_row
               ? 0
               : capacity::write_units(item_size(rows.old_row.bytes), item_size(rows.new_row.bytes));
  return (rows.old_key ? units(rows.old_row) : 0) + (rows.new_key ? units(rows.new_row) : 0);
}

}  // namespace dolmen::engine
