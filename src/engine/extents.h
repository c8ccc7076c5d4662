#pragma once

#include <cstdint>

#include "dolmen/error.h"
#include "dolmen/table.h"
#include "engine/catalogue.h"
#include "engine/table.h"
#include "storage/storage.h"

/// How many rows each table and each index has, and how large they are as DynamoDB counts sizes. Every batch that
/// writes rows carries the change of these numbers too, so they are exact at any moment, after a crash as well.
namespace dolmen::engine::extents {

/// What a write changes.
struct Change {
  std::int64_t item_count = 0;
  std::int64_t size_bytes = 0;
};

/// Begins to count the rows of a new table or index.
void begin(storage::Batch& batch, TableId id);
/// Adds nothing when nothing changes.
void change(storage::Batch& batch, TableId id, Change change);
void end(storage::Batch& batch, TableId id);

/// One read, whatever there is to count.
Result<Extent> read(const storage::Storage& storage, TableId id);

/// Counts, row by row, what no number is kept of: tables of a store that was last open when there were none.
Result<void> count_uncounted(storage::Storage& storage, const Catalogue& catalogue);

}  // namespace dolmen::engine::extents
