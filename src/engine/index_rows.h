#pragma once

#include <string_view>

#include "dolmen/error.h"
#include "engine/table.h"
#include "storage/storage.h"
#include "value/encoded_item.h"

/// The rows of items in the indexes of their table. An item is null when there is none: before it is written for the
/// first time, and after it is removed.
namespace dolmen::engine {

/// Adds the changes of an item's rows in all indexes, and of the sizes of the indexes, to the batch. The caller holds
/// the lock of the item.
Result<void> stage_in_indexes(const Table& table, std::string_view row_key, const EncodedItem* old_item,
                              const EncodedItem* new_item, const storage::Storage& storage, storage::Batch& batch);

/// Adds the row of an item that may be missing from an index that is being built. The caller holds the lock of the
/// item.
Result<void> stage_in_new_index(const Index& index, std::string_view row_key, const EncodedItem& item,
                                const storage::Storage& storage, storage::Batch& batch);

/// The capacity that a write consumes in an index.
double write_units_in_index(const Index& index, std::string_view row_key, const EncodedItem* old_item,
                            const EncodedItem* new_item);

}  // namespace dolmen::engine
