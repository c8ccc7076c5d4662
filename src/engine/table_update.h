#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "dolmen/error.h"
#include "dolmen/table_update.h"
#include "engine/table.h"
#include "storage/storage.h"

/// UpdateTable: what may be changed, and how it changes the table. Changes take effect at once, except that a new index
/// is filled in the background and the space of a deleted one comes back in the background.
namespace dolmen::engine {

/// Fails with kTableInUse or kLimitExceeded while an index that is being built or deleted is in the way.
Result<void> check_not_busy(const Table& table, const TableUpdate& update, TableTime now);

/// The rules that depend on the table, in DynamoDB's order: what the table is busy with, then what it is. Fails as
/// `check_not_busy` does, and with kTableNotFound (for an index) or kValidation.
Result<void> check_update(const Table& table, const TableUpdate& update, std::string_view region, TableTime now);

/// The part of them that is about vector indexes; `mode` is the one that the table will have.
Result<void> check_vector_update(const Table& table, const TableUpdate& update, BillingMode mode);

/// What a change needs besides the table.
struct UpdateContext {
  const storage::Storage& storage;
  storage::Batch& batch;
  TableTime now;
  /// How long a new vector index is allocated, and filled at the least.
  std::chrono::milliseconds vector_index_phase{0};
  /// Gives an id that no table, index or stream ever had.
  std::function<TableId()> take_id;
};

/// Changes a table. The update has passed `check_update`.
Result<void> apply_update(Table& table, const TableUpdate& update, const UpdateContext& context);

/// The number of decreases since midnight UTC.
std::int64_t decreases_on(const ThroughputChanges& changes, TableTime now);

/// The part of a build's name that ItemWalk keeps: "index/7".
std::string build_name(TableId index);

/// Whether DynamoDB shows the table as being updated in its response to the change.
bool shows_updating(const TableUpdate& update);

/// Makes the description of a changed table what DynamoDB answers: some settings as they were before.
void show_as_answered(const Table& old, const TableUpdate& update, TableDescription& description);

}  // namespace dolmen::engine
