#include "engine/vector_rows.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "engine/extents.h"
#include "engine/keyspaces.h"
#include "engine/vector_entry.h"
#include "engine/vector_sets.h"

namespace dolmen::engine {
namespace {

/// The least that a write of an entry is charged.
constexpr std::size_t kWriteBytesMin = 1024;

/// An item that cannot be in the index is not.
std::optional<VectorEntry> entry_of(const VectorIndex& index, const EncodedItem* item) {
  if (item == nullptr) return std::nullopt;
  Result<std::optional<VectorEntry>> entry = derive_entry(index, item->bytes);
  return entry ? *std::move(entry) : std::nullopt;
}

Result<bool> has_vector_row(const storage::Storage& storage, const std::string& key) {
  std::string unused;
  return storage.get(keyspaces::kItems, key, unused);
}

/// An item in one index, before and after a write.
struct VectorRows {
  std::optional<VectorEntry> old_entry;
  std::optional<VectorEntry> new_entry;
  /// What the vector is smaller as floats than as a list.
  std::int64_t old_saved = 0;
  std::int64_t new_saved = 0;
};

void stage_rows(const VectorIndex& index, std::string_view row_key, VectorRows rows, storage::Batch& batch) {
  const auto size = [&](const std::optional<VectorEntry>& entry) {
    return entry ? std::optional(entry_size(index, *entry)) : std::nullopt;
  };
  extents::change(batch, index.id, extents::change_of(size(rows.old_entry), size(rows.new_entry)));
  extents::change_savings(batch, index.id, rows.new_saved - rows.old_saved);
  if (rows.old_entry == rows.new_entry) return;
  const std::string key = vector_row_key(index, row_key);
  if (rows.new_entry) {
    batch.put(keyspaces::kItems, key, encode_vector_row(*rows.new_entry));
  } else {
    batch.remove(keyspaces::kItems, key);
  }
  batch.when_visible([sets = index.sets, row = key.substr(sizeof(TableId)), entry = std::move(rows.new_entry)] {
    sets->apply(row, entry ? &*entry : nullptr);
  });
}

}  // namespace

Result<void> stage_in_vector_indexes(const Table& table, std::string_view row_key, const EncodedItem* old_item,
                                     const EncodedItem* new_item, const storage::Storage& storage,
                                     storage::Batch& batch) {
  for (const VectorIndex& index : table.live_vector_indexes()) {
    VectorRows rows{.old_entry = entry_of(index, old_item), .new_entry = entry_of(index, new_item)};
    // An index that is being built may not have the old row yet.
    if (index.state == IndexState::kBuilding && rows.old_entry) {
      DOLMEN_TRY(const bool there, has_vector_row(storage, vector_row_key(index, row_key)));
      if (!there) rows.old_entry.reset();
    }
    if (rows.old_entry) rows.old_saved = bytes_saved(index, old_item->bytes);
    if (rows.new_entry) rows.new_saved = bytes_saved(index, new_item->bytes);
    stage_rows(index, row_key, std::move(rows), batch);
  }
  return {};
}

Result<void> stage_in_new_vector_index(const VectorIndex& index, std::string_view row_key, const EncodedItem& item,
                                       const storage::Storage& storage, storage::Batch& batch) {
  VectorRows rows{.old_entry = std::nullopt, .new_entry = entry_of(index, &item)};
  if (!rows.new_entry) return {};
  DOLMEN_TRY(const bool there, has_vector_row(storage, vector_row_key(index, row_key)));
  if (there) return {};
  rows.new_saved = bytes_saved(index, item.bytes);
  stage_rows(index, row_key, std::move(rows), batch);
  return {};
}

std::map<std::string, double> vector_write_bytes(const Table& table, const EncodedItem* old_item,
                                                 const EncodedItem* new_item) {
  std::map<std::string, double> bytes;
  for (const VectorIndex& index : table.live_vector_indexes()) {
    const std::optional<VectorEntry> before = entry_of(index, old_item);
    const std::optional<VectorEntry> after = entry_of(index, new_item);
    if (before == after) continue;
    const std::size_t size = std::max(before ? entry_size(index, *before) : 0, after ? entry_size(index, *after) : 0);
    bytes[index.definition.name] = static_cast<double>(std::max(size, kWriteBytesMin));
  }
  return bytes;
}

}  // namespace dolmen::engine
