#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "dolmen/error.h"
#include "dolmen/table.h"
#include "engine/catalogue.h"
#include "engine/table.h"
#include "storage/storage.h"

/// The number of rows of each table and index, and their size by DynamoDB's rules. Every batch that writes rows also
/// carries the change of these numbers, so they are always exact, even after a crash.
namespace dolmen::engine::extents {

/// What a write changes.
struct Change {
  std::int64_t item_count = 0;
  std::int64_t size_bytes = 0;
};

/// The change in a table or index where a write replaces a row of `old_bytes`, or none, by one of `new_bytes`, or none.
Change change_of(std::optional<std::size_t> old_bytes, std::optional<std::size_t> new_bytes);

/// Creates the counters of a new table or index.
void begin(storage::Batch& batch, TableId id);
/// Adds nothing when nothing changes.
void change(storage::Batch& batch, TableId id, Change change);
void end(storage::Batch& batch, TableId id);

/// Adds to what the vectors of a vector index are smaller as floats than as lists, which the table's size is less by.
void change_savings(storage::Batch& batch, TableId index, std::int64_t bytes);
Result<std::int64_t> read_savings(const storage::Storage& storage, TableId index);

/// Costs one read, independent of the number of rows.
Result<Extent> read(const storage::Storage& storage, TableId id);

/// Counts the rows of tables without counters, which a store of an earlier version can have.
Result<void> count_uncounted(storage::Storage& storage, const Catalogue& catalogue);

}  // namespace dolmen::engine::extents
