#include "storage/rocks_options.h"

#include <algorithm>
#include <rocksdb/cache.h>
#include <rocksdb/convenience.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/statistics.h>

namespace dolmen::storage {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr int kBloomBitsPerKey = 10;
/// Blocks of 4 KB hold three items of 1 KB, which LZ4 makes hardly smaller; these take 15 % less space, and reading an
/// item or a page costs the same. Twice the size would save 2 % more.
constexpr std::size_t kBlockBytes = 8 * 1024;
/// The share of the write buffer that a filter of its keys takes. Without a filter, looking up a key that is not in the
/// buffer costs as much as writing one.
constexpr double kBufferFilterShare = 0.01;
/// Each open file keeps its index and filter in memory, about 1 % of its size. Partitioned in the block cache they
/// would be bounded, but every read from a file would cost a quarter more.
constexpr int kOpenFilesMax = 512;
/// So many older versions of a key are passed one by one before RocksDB searches for the next key, which costs about
/// as much as passing so many.
constexpr std::uint64_t kVersionsPassed = 16;

rocksdb::CompressionType best_compression() {
  const auto supported = rocksdb::GetSupportedCompressions();
  for (const auto wanted : {rocksdb::kLZ4Compression, rocksdb::kSnappyCompression}) {
    if (std::ranges::find(supported, wanted) != supported.end()) return wanted;
  }
  return rocksdb::kNoCompression;
}

rocksdb::BlockBasedTableOptions block_options(const Options& options) {
  rocksdb::BlockBasedTableOptions blocks;
  blocks.block_size = kBlockBytes;
  blocks.block_cache = rocksdb::NewLRUCache(options.block_cache_bytes);
  blocks.filter_policy.reset(rocksdb::NewBloomFilterPolicy(kBloomBitsPerKey));
  return blocks;
}

void set_memory(rocksdb::Options& rocks, const Options& options) {
  rocks.write_buffer_size = options.write_buffer_bytes;
  rocks.db_write_buffer_size = options.write_buffer_bytes;
  rocks.max_write_buffer_number = 3;
  rocks.memtable_whole_key_filtering = true;
  rocks.memtable_prefix_bloom_size_ratio = kBufferFilterShare;
  rocks.arena_block_size = 64 * 1024;
  rocks.max_total_wal_size = 2 * options.write_buffer_bytes;
  rocks.max_open_files = kOpenFilesMax;
  rocks.max_sequential_skip_in_iterations = kVersionsPassed;
}

void set_files(rocksdb::Options& rocks) {
  rocks.compression = best_compression();
  rocks.target_file_size_base = 32 * kMiB;
  rocks.max_bytes_for_level_base = 128 * kMiB;
  rocks.level_compaction_dynamic_level_bytes = true;
  rocks.max_background_jobs = 2;
  rocks.bytes_per_sync = kMiB;
  rocks.manifest_preallocation_size = 64 * 1024;
}

void set_safety(rocksdb::Options& rocks) {
  rocks.paranoid_checks = true;
  // A power cut can tear the last record. Only that one may be dropped.
  rocks.wal_recovery_mode = rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords;
  // A store that failed stays failed until it is reopened; see CommitQueue.
  rocks.max_bgerror_resume_count = 0;
}

void set_logging(rocksdb::Options& rocks) {
  rocks.info_log_level = rocksdb::InfoLogLevel::WARN_LEVEL;
  rocks.max_log_file_size = 256 * 1024;
  rocks.keep_log_file_num = 4;
  rocks.stats_dump_period_sec = 0;
  rocks.stats_persist_period_sec = 0;
}

/// Histograms and timers would cost more than they tell.
std::shared_ptr<rocksdb::Statistics> counters() {
  auto statistics = rocksdb::CreateDBStatistics();
  statistics->set_stats_level(rocksdb::StatsLevel::kExceptHistogramOrTimers);
  return statistics;
}

}  // namespace

rocksdb::Options rocks_options(const Options& options, rocksdb::Env* env) {
  rocksdb::Options rocks;
  rocks.env = env;
  rocks.table_factory.reset(rocksdb::NewBlockBasedTableFactory(block_options(options)));
  set_memory(rocks, options);
  set_files(rocks);
  set_safety(rocks);
  set_logging(rocks);
  // Beside whole keys: with prefixes alone, reading a row would take several times as long.
  if (options.prefix_bytes > 0) rocks.prefix_extractor.reset(rocksdb::NewFixedPrefixTransform(options.prefix_bytes));
  if (options.counts_blocks) rocks.statistics = counters();
  return rocks;
}

}  // namespace dolmen::storage
