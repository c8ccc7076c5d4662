#pragma once

#include "storage/options.h"
#include "storage/rocks_forward.h"

namespace dolmen::storage {

/// How RocksDB is set up for `options`: a small store with bounded memory, a bounded log and few threads. Every
/// keyspace uses the same settings and shares one block cache. Creates no files.
rocksdb::Options rocks_options(const Options& options, rocksdb::Env* env);

}  // namespace dolmen::storage
