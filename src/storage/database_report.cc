#include "storage/database_report.h"

#include <array>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <rocksdb/db.h>
#include <rocksdb/statistics.h>
#include <string>

namespace dolmen::storage {
namespace {

using metrics::Report;

/// The sum of a property over all keyspaces.
double sum_of(const Database& database, const std::string& property) {
  std::uint64_t sum = 0;
  for (rocksdb::ColumnFamilyHandle* family : database.families()) {
    std::uint64_t value = 0;
    if (database.db().GetIntProperty(family, property, &value)) sum += value;
  }
  return static_cast<double>(sum);
}

/// A property of the whole database, which every keyspace shares.
double value_of(const Database& database, const std::string& property) {
  std::uint64_t value = 0;
  return database.db().GetIntProperty(database.families().front(), property, &value) ? static_cast<double>(value) : 0;
}

void describe_levels(const Database& database, Report& report) {
  struct Level {
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;
  };
  std::map<int, Level> levels;
  for (rocksdb::ColumnFamilyHandle* family : database.families()) {
    rocksdb::ColumnFamilyMetaData data;
    database.db().GetColumnFamilyMetaData(family, &data);
    for (const rocksdb::LevelMetaData& level : data.levels) {
      levels[level.level].files += level.files.size();
      levels[level.level].bytes += level.size;
    }
  }
  for (const auto& [number, level] : levels) {
    const std::string name = fmt::format("{}", number);
    report.gauge("dolmen_rocksdb_level_files", "Files of each level", static_cast<double>(level.files),
                 {{"level", name}});
    report.gauge("dolmen_rocksdb_level_bytes", "Bytes in the files of each level", static_cast<double>(level.bytes),
                 {{"level", name}});
  }
}

/// How often writes were slowed down or stopped, by cause.
void describe_stalls(const Database& database, Report& report) {
  struct Cause {
    const char* property;
    const char* label;
  };
  constexpr std::array<Cause, 6> kCauses{{{"io_stalls.level0_slowdown", "level0_slowdown"},
                                          {"io_stalls.level0_numfiles", "level0_stop"},
                                          {"io_stalls.memtable_slowdown", "memtable_slowdown"},
                                          {"io_stalls.memtable_compaction", "memtable_stop"},
                                          {"io_stalls.slowdown_for_pending_compaction_bytes", "pending_slowdown"},
                                          {"io_stalls.stop_for_pending_compaction_bytes", "pending_stop"}}};
  std::array<std::uint64_t, kCauses.size()> counts{};
  for (rocksdb::ColumnFamilyHandle* family : database.families()) {
    std::map<std::string, std::string> values;
    if (!database.db().GetMapProperty(family, rocksdb::DB::Properties::kCFStats, &values)) continue;
    for (std::size_t i = 0; i < kCauses.size(); ++i) {
      const std::string& text = values[kCauses[i].property];
      std::uint64_t count = 0;
      std::from_chars(text.data(), text.data() + text.size(), count);
      counts[i] += count;
    }
  }
  for (std::size_t i = 0; i < kCauses.size(); ++i)
    report.counter("dolmen_rocksdb_stalls_total", "How often writes were slowed down or stopped", counts[i],
                   {{"cause", kCauses[i].label}});
}

void describe_tickers(const Database& database, Report& report) {
  const std::shared_ptr<rocksdb::Statistics> statistics = database.db().GetDBOptions().statistics;
  if (statistics == nullptr) return;
  const auto count = [&](rocksdb::Tickers ticker) { return statistics->getTickerCount(ticker); };
  report.counter("dolmen_rocksdb_cache_hits_total", "Blocks that were found in the cache",
                 count(rocksdb::BLOCK_CACHE_HIT));
  report.counter("dolmen_rocksdb_cache_misses_total", "Blocks that had to be read", count(rocksdb::BLOCK_CACHE_MISS));
  report.counter("dolmen_rocksdb_stall_microseconds_total", "Time for which writes were held up",
                 count(rocksdb::STALL_MICROS));
  report.counter("dolmen_rocksdb_compaction_read_bytes_total", "Bytes read to rewrite files",
                 count(rocksdb::COMPACT_READ_BYTES));
  report.counter("dolmen_rocksdb_compaction_written_bytes_total", "Bytes written to rewrite files",
                 count(rocksdb::COMPACT_WRITE_BYTES));
  report.counter("dolmen_rocksdb_flushed_bytes_total", "Bytes written from memory to files",
                 count(rocksdb::FLUSH_WRITE_BYTES));
  report.counter("dolmen_rocksdb_log_bytes_total", "Bytes written to the log", count(rocksdb::WAL_FILE_BYTES));
}

}  // namespace

void describe_database(const Database& database, Report& report) {
  using Properties = rocksdb::DB::Properties;
  describe_levels(database, report);
  describe_stalls(database, report);
  describe_tickers(database, report);
  report.gauge("dolmen_rocksdb_writes_stopped", "1 while RocksDB stops writes",
               value_of(database, Properties::kIsWriteStopped));
  report.gauge("dolmen_rocksdb_delayed_write_bytes_per_second",
               "The rate to which writes are slowed down; 0 when they are not",
               value_of(database, Properties::kActualDelayedWriteRate));
  report.gauge("dolmen_rocksdb_background_errors", "Errors of flushes and compactions",
               value_of(database, Properties::kBackgroundErrors));
  report.gauge("dolmen_rocksdb_pending_compaction_bytes", "Bytes that wait to be rewritten",
               sum_of(database, Properties::kEstimatePendingCompactionBytes));
  report.gauge("dolmen_rocksdb_running_compactions", "Compactions under way",
               value_of(database, Properties::kNumRunningCompactions));
  report.gauge("dolmen_rocksdb_running_flushes", "Flushes under way",
               value_of(database, Properties::kNumRunningFlushes));
  report.gauge("dolmen_rocksdb_memtable_bytes", "Memory for data that is not in files yet",
               sum_of(database, Properties::kCurSizeAllMemTables));
  report.gauge("dolmen_rocksdb_table_reader_bytes", "Memory for the indexes and filters of open files",
               sum_of(database, Properties::kEstimateTableReadersMem));
  report.gauge("dolmen_rocksdb_files_bytes", "Bytes of all files that are in use",
               sum_of(database, Properties::kTotalSstFilesSize));
  report.gauge("dolmen_rocksdb_cache_bytes", "Bytes in the block cache",
               value_of(database, Properties::kBlockCacheUsage));
  report.gauge("dolmen_rocksdb_cache_capacity_bytes", "The size of the block cache",
               value_of(database, Properties::kBlockCacheCapacity));
}

}  // namespace dolmen::storage
