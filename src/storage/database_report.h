#pragma once

#include "base/metrics.h"
#include "storage/database.h"

namespace dolmen::storage {

/// What RocksDB knows about itself: levels, waiting work, slowed and stopped writes, memory and the block cache, over
/// all keyspaces. Takes about a millisecond.
void describe_database(const Database& database, metrics::Report& report);

}  // namespace dolmen::storage
