#pragma once

#include <map>
#include <string>
#include <string_view>

#include "dolmen/error.h"
#include "engine/table.h"
#include "storage/storage.h"
#include "value/encoded_item.h"

/// The rows of items in the vector indexes of their table: vectors as floats, beside what the index projects
/// (vector_entry.h). An item is null when there is none.
namespace dolmen::engine {

/// Adds the changes of an item's rows in all vector indexes to the batch, with the changes of their sizes. The vectors
/// in memory (vector_sets.h) change when the batch becomes visible. An item that cannot be in an index is not in it.
/// The caller holds the lock of the item.
Result<void> stage_in_vector_indexes(const Table& table, std::string_view row_key, const EncodedItem* old_item,
                                     const EncodedItem* new_item, const storage::Storage& storage,
                                     storage::Batch& batch);

/// Adds the row of an item that may be missing from an index that is being built. The caller holds the lock of the
/// item.
Result<void> stage_in_new_vector_index(const VectorIndex& index, std::string_view row_key, const EncodedItem& item,
                                       const storage::Storage& storage, storage::Batch& batch);

/// VectorWriteRequestBytes of a write, for the indexes in which it changes something.
std::map<std::string, double> vector_write_bytes(const Table& table, const EncodedItem* old_item,
                                                 const EncodedItem* new_item);

}  // namespace dolmen::engine
