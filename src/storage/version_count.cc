#include "storage/version_count.h"

#include <rocksdb/perf_context.h>
#include <rocksdb/perf_level.h>

namespace dolmen::storage {

VersionCount::VersionCount()
    : level_before_(rocksdb::GetPerfLevel()), passed_before_(rocksdb::get_perf_context()->internal_key_skipped_count) {
  rocksdb::SetPerfLevel(rocksdb::PerfLevel::kEnableCount);
}

VersionCount::~VersionCount() { rocksdb::SetPerfLevel(static_cast<rocksdb::PerfLevel>(level_before_)); }

std::uint64_t VersionCount::passed() const {
  return rocksdb::get_perf_context()->internal_key_skipped_count - passed_before_;
}

}  // namespace dolmen::storage
