#pragma once

#include <memory>
#include <span>

#include "storage/batch.h"
#include "storage/commit_queue.h"
#include "storage/database.h"
#include "storage/options.h"
#include "storage/row_seals.h"

namespace dolmen::storage {

/// Writes batches to a database, with their values sealed where `seals` says so. Both must outlive the sink.
std::unique_ptr<CommitSink> make_rocks_writer(Database& database, const RowSeals& seals, Durability durability);

}  // namespace dolmen::storage
