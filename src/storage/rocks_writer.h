#pragma once

#include <memory>
#include <span>

#include "storage/batch.h"
#include "storage/commit_queue.h"
#include "storage/database.h"
#include "storage/options.h"

namespace dolmen::storage {

/// Writes batches to a database, which must outlive the sink.
std::unique_ptr<CommitSink> make_rocks_writer(Database& database, Durability durability);

}  // namespace dolmen::storage
