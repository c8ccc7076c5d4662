#include "storage/uncounted.h"

#include <rocksdb/perf_level.h>

namespace dolmen::storage {

Uncounted::Uncounted() : level_before_(rocksdb::GetPerfLevel()) { rocksdb::SetPerfLevel(rocksdb::PerfLevel::kDisable); }

Uncounted::~Uncounted() { rocksdb::SetPerfLevel(static_cast<rocksdb::PerfLevel>(level_before_)); }

}  // namespace dolmen::storage
