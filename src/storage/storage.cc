#include "storage/storage.h"

#include <atomic>
#include <condition_variable>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <mutex>
#include <optional>
#include <rocksdb/db.h>
#include <set>
#include <utility>

#include "base/check.h"
#include "base/fail.h"
#include "base/random.h"
#include "base/round.h"
#include "storage/checkpoint.h"
#include "storage/commit_queue.h"
#include "storage/database.h"
#include "storage/database_report.h"
#include "storage/directory.h"
#include "storage/file_list.h"
#include "storage/fork.h"
#include "storage/patient_read.h"
#include "storage/range_copy.h"
#include "storage/reclaim.h"
#include "storage/rocks_error.h"
#include "storage/rocks_writer.h"
#include "storage/row_cache.h"
#include "storage/thinner.h"
#include "storage/uncounted.h"

namespace dolmen::storage {
namespace {

Result<void> check_keyspaces(const std::vector<std::string>& names) {
  if (names.empty() || names.size() > kKeyspacesMax) {
    return fail(Code::kInvalidArgument, "a store has 1 to {} keyspaces, not {}", kKeyspacesMax, names.size());
  }
  std::set<std::string_view> seen;
  for (const std::string& name : names) {
    if (name.empty()) return fail(Code::kInvalidArgument, "a keyspace needs a name");
    if (!seen.insert(name).second) return fail(Code::kInvalidArgument, "the keyspace {} is named twice", name);
  }
  return {};
}

/// Lets a thread wait for the `done` of a commit.
class Completion {
 public:
  void set(Result<void> result) {
    const std::scoped_lock lock(result_mutex_);
    result_ = std::move(result);
    is_set_.notify_one();
  }
  Result<void> wait() {
    std::unique_lock lock(result_mutex_);
    is_set_.wait(lock, [this] { return result_.has_value(); });
    return *std::move(result_);
  }

 private:
  std::mutex result_mutex_;
  std::condition_variable is_set_;
  std::optional<Result<void>> result_;
};

/// Finds values that cannot be written because the keys that seal them are unknown.
class SealCheck {
 public:
  explicit SealCheck(const RowSeals& seals) : seals_(seals) {}

  [[nodiscard]] bool passed() const { return passed_; }

  void put(Keyspace keyspace, std::string_view key, std::string_view /*value*/) { look(keyspace, key); }
  void append(Keyspace rows, Keyspace /*counters*/, std::string_view key, std::string_view /*value*/) {
    look(rows, key);
  }
  void remove(Keyspace, std::string_view) {}
  void remove_range(Keyspace, KeyRangeView) {}
  void add(Keyspace, std::string_view, std::string_view) {}
  void remove_counters(Keyspace, std::string_view) {}
  void rewrite(Keyspace, std::string_view) {}
  void log_data(std::string_view) {}

 private:
  void look(Keyspace keyspace, std::string_view key) { passed_ = passed_ && seals_.can_write(keyspace, key); }

  const RowSeals& seals_;
  bool passed_ = true;
};

/// Whether all keys of a range begin with the same `bytes` bytes. An iterator of any other range must look at the order
/// of all keys: by prefixes it would miss some.
bool has_one_prefix(KeyRangeView range, std::size_t bytes) {
  return bytes > 0 && range.lower.size() >= bytes && range.upper.size() >= bytes &&
         range.lower.substr(0, bytes) == range.upper.substr(0, bytes);
}

std::unexpected<Error> closed() { return fail(Code::kClosed, "the store is closed"); }

}  // namespace

struct Storage::State {
  State(std::unique_ptr<Database> opened, const Options& options)
      : database(std::move(opened)),
        thinner(*database),
        seals(options.seals != nullptr ? options.seals : std::make_shared<RowSeals>()),
        writer(make_rocks_writer(*database, *seals, options.durability)),
        rows(options.cached_keyspace ? std::make_unique<RowCache>(*options.cached_keyspace, options.row_cache_bytes,
                                                                  system_random().next_u64())
                                     : nullptr),
        queue(*writer,
              options.durability == Durability::kSync ? CommitQueue::Mode::kGrouped : CommitQueue::Mode::kInline,
              {.batch_bytes_max = options.batch_bytes_max,
               .queued_bytes_max = options.queued_bytes_max,
               .recovery_pause = options.recovery_pause},
              options.on_write_failure),
        in_memory(options.durability == Durability::kMemory),
        files(options.files),
        directory(in_memory ? std::filesystem::path() : options.directory),
        keyspaces(options.keyspaces),
        prefix_bytes(options.prefix_bytes),
        recovery(database->recovery()) {}

  std::unique_ptr<Database> database;  ///< Null once the store is closed.
  bool writable = true;
  mutable Thinner thinner;  ///< Stopped before the database is closed.
  const std::shared_ptr<RowSeals> seals;
  const std::unique_ptr<CommitSink> writer;
  // These two outlive the queue, whose last commits may add to them.
  RowNotes notes;
  const std::unique_ptr<RowCache> rows;  ///< Null when no keyspace is cached.
  CommitQueue queue;
  const rocksdb::ReadOptions read_options;
  const bool in_memory;
  const FileWriter files;
  const std::filesystem::path directory;
  const std::vector<std::string> keyspaces;
  const std::size_t prefix_bytes;
  const Recovery recovery;

  /// Null when the rows of the keyspace are not cached.
  [[nodiscard]] RowCache* rows_of(Keyspace keyspace) const {
    return rows != nullptr && rows->keyspace() == keyspace ? rows.get() : nullptr;
  }

  mutable metrics::Counter cold_reads;
  mutable std::atomic<std::size_t> reader_count = 0;  ///< The number of living snapshots and iterators.
};

Storage::Storage(std::unique_ptr<State> state) : state_(std::move(state)) {}

Storage::~Storage() { static_cast<void>(close()); }

Result<std::unique_ptr<Storage>> Storage::open(const Options& options) {
  DOLMEN_TRY_VOID(check_keyspaces(options.keyspaces));
  DOLMEN_TRY(std::unique_ptr<Database> database, Database::open(options));
  return std::unique_ptr<Storage>(new Storage(std::make_unique<State>(std::move(database), options)));
}

Result<std::unique_ptr<Storage>> Storage::open_unchanged(const Options& options) {
  DOLMEN_TRY_VOID(check_keyspaces(options.keyspaces));
  Options reading = options;
  reading.durability = Durability::kOs;
  DOLMEN_TRY(std::unique_ptr<Database> database, Database::open_unchanged(reading));
  std::unique_ptr<Storage> storage(new Storage(std::make_unique<State>(std::move(database), reading)));
  storage->state_->writable = false;
  return storage;
}

Result<std::unique_ptr<Storage>> Storage::open_left(const Options& options) {
  DOLMEN_TRY(std::unique_ptr<Database> database, Database::open_for_reading(options));
  std::unique_ptr<Storage> storage(new Storage(std::make_unique<State>(std::move(database), options)));
  storage->state_->writable = false;
  return storage;
}

Result<void> Storage::close() {
  if (!state_->database) return {};
  state_->queue.stop();
  state_->thinner.stop();
  DOLMEN_CHECK(state_->reader_count.load(std::memory_order_acquire) == 0, "no snapshot or iterator outlives its store");
  const bool flushes = state_->writable && !state_->queue.failure();
  const Result<void> flushed = flushes ? state_->database->flush() : Result<void>();
  state_->database.reset();
  return flushed;
}

Result<bool> Storage::get(Keyspace keyspace, std::string_view key, std::string& value, const Snapshot* snapshot) const {
  const Database* database = state_->database.get();
  if (database == nullptr) return closed();
  RowCache* const rows = snapshot == nullptr ? state_->rows_of(keyspace) : nullptr;
  RowCache::Miss miss;
  if (rows != nullptr && rows->find(key, value, miss)) return true;
  const rocksdb::ReadOptions& options = snapshot != nullptr ? snapshot->read_options() : state_->read_options;
  if (PatientRead::must_refuse()) [[unlikely]]
    return fail(Code::kIo, "{}", kRefusedRead);
  const PatientRead step;
  const Uncounted uncounted;
  const rocksdb::Status status = database->db().Get(options, database->family(keyspace), key, &value);
  if (status.ok()) {
    if (state_->seals->is_sealed(keyspace, value)) [[unlikely]] {
      const std::string stored = std::exchange(value, {});
      DOLMEN_TRY_VOID(state_->seals->open(keyspace, key, stored, value));
    } else if (rows != nullptr) {
      rows->keep(miss, key, value);
    }
    return true;
  }
  if (status.IsNotFound()) return false;
  return std::unexpected(error_from(status, "read from the store"));
}

void Storage::warm(Keyspace keyspace, std::span<const std::string> keys) const {
  const Database* database = state_->database.get();
  if (database == nullptr) return;
  const std::vector<rocksdb::Slice> wanted(keys.begin(), keys.end());
  std::vector<rocksdb::PinnableSlice> values(keys.size());
  std::vector<rocksdb::Status> statuses(keys.size());
  const PatientRead step;
  const Uncounted uncounted;
  database->db().MultiGet(state_->read_options, database->family(keyspace), wanted.size(), wanted.data(), values.data(),
                          statuses.data());
}

void Storage::count_cold_read() const { state_->cold_reads.add(); }

Snapshot Storage::snapshot() const {
  if (!state_->database) return {};
  return {state_->database->db(), state_->reader_count};
}

Iterator Storage::iterate(Keyspace keyspace, KeyRangeView range, const Snapshot* snapshot) const {
  Iterator rows = iterate_stored(keyspace, range, snapshot);
  rows.open_with(state_->seals.get(), keyspace);
  return rows;
}

Iterator Storage::iterate_stored(Keyspace keyspace, KeyRangeView range, const Snapshot* snapshot) const {
  const Database* database = state_->database.get();
  if (database == nullptr) return {};
  rocksdb::ReadOptions options = snapshot != nullptr ? snapshot->read_options() : state_->read_options;
  options.total_order_seek = state_->prefix_bytes > 0 && !has_one_prefix(range, state_->prefix_bytes);
  return Iterator::make(database->db(), database->family(keyspace), range, std::move(options), state_->reader_count);
}

void Storage::tell_passed(Keyspace keyspace, std::uint64_t rows, std::uint64_t passed) const {
  if (state_->writable) state_->thinner.tell(keyspace, rows, passed);
}

Result<void> Storage::mark_sealed() {
  if (!state_->database) return closed();
  if (state_->in_memory || Directory::format_in(state_->directory) == kDirectoryFormatSealed) return {};
  return Directory::mark(state_->directory, state_->files, kDirectoryFormatSealed);
}

const std::shared_ptr<RowSeals>& Storage::seals() const { return state_->seals; }

RowNotes& Storage::notes() const { return state_->notes; }

const Recovery& Storage::recovery() const { return state_->recovery; }

std::optional<Error> Storage::write_failure() const { return state_->queue.failure(); }

std::uint64_t Storage::appended_rows() const { return state_->writer->appended_rows(); }

void Storage::describe(metrics::Report& report) const {
  const CommitQueue::Statistics& commits = state_->queue.statistics();
  report.histogram("dolmen_commit_group_size", "Commits that were written together", commits.commits);
  report.histogram("dolmen_commit_group_bytes", "Bytes that were written together", commits.bytes);
  report.histogram("dolmen_commit_seconds", "Time to write a group to the log, with its sync", commits.time);
  report.counter("dolmen_inline_commits_total", "Commits that were written without a sync, each by its request",
                 commits.inline_commits.value());
  report.counter("dolmen_limits_hit_total", "How often a limit was reached", state_->queue.refused(),
                 {{"limit", "commit_queue_bytes_max"}});
  report.counter("dolmen_cold_reads_total", "Requests that went elsewhere because they had to wait for the disk",
                 state_->cold_reads.value());
  if (state_->rows) state_->rows->describe(report);
  if (state_->database) describe_database(*state_->database, report);
}

Result<std::uint64_t> Storage::approximate_size(Keyspace keyspace, KeyRangeView range) const {
  if (!state_->database) return closed();
  std::string upper(range.upper);
  if (upper.empty()) {  // RocksDB requires an upper bound, so the range ends just after the last key.
    Iterator last = iterate(keyspace, range);
    last.seek_last();
    DOLMEN_TRY_VOID(last.status());
    if (!last.valid()) return 0;
    upper.assign(last.key()).push_back('\0');
  }
  rocksdb::SizeApproximationOptions options;
  options.include_memtables = true;
  options.include_files = true;
  const rocksdb::Range rocks_range(range.lower, upper);
  std::uint64_t size = 0;
  const rocksdb::Status status =
      state_->database->db().GetApproximateSizes(options, state_->database->family(keyspace), &rocks_range, 1, &size);
  if (!status.ok()) return std::unexpected(error_from(status, "measure the store"));
  return size;
}

Result<void> Storage::commit(Batch batch) {
  DOLMEN_CHECK(!state_->queue.is_own_thread(), "a commit's callback cannot wait for another commit");
  const Round::Pause pause;
  Completion completion;
  commit_async(std::move(batch), [&completion](Result<void> result) { completion.set(std::move(result)); });
  return completion.wait();
}

void Storage::commit_async(Batch batch, std::move_only_function<void(Result<void>)> done) {
  RowCache::Writing rows = state_->rows != nullptr ? state_->rows->begin(batch) : RowCache::Writing();
  if (batch.has_effects() || rows.has_any())
    done = [rows = std::move(rows), effects = batch.take_effects(),
            done = std::move(done)](Result<void> result) mutable {
      rows.end(result.has_value());
      if (result)
        for (auto& effect : effects) effect();
      done(std::move(result));
    };
  if (state_->seals->lacks_keys()) [[unlikely]] {
    SealCheck check(*state_->seals);
    batch.replay(check);
    if (!check.passed())
      return done(fail(Code::kAccessDenied, "the row is to be encrypted, and the key for it is not there"));
  }
  state_->queue.submit(std::move(batch), std::move(done));
}

Result<bool> Storage::reclaim(Keyspace keyspace, KeyRangeView range, const std::stop_token& stop) {
  DOLMEN_CHECK(!range.upper.empty(), "a range to reclaim has an upper bound");
  if (!state_->database) return closed();
  if (range.lower >= range.upper) return true;
  DOLMEN_TRY_VOID(drop_files(*state_->database, keyspace, range, stop));
  // A dropped file may have held the removal of keys that are in other files, so they are removed once more.
  Batch batch;
  batch.remove_range(keyspace, range);
  DOLMEN_TRY_VOID(commit(std::move(batch)));
  // A rewrite that runs out of space would stop all writes.
  DOLMEN_TRY(const std::uint64_t free, free_bytes());
  if (free < kReclaimFreeBytesMin)
    return fail(Code::kNoSpace, "only {} MB are free on the disk, too few to rewrite files", free >> 20);
  return compact(*state_->database, keyspace, range, stop);
}

Result<bool> Storage::rewrite_files(Keyspace keyspace, KeyRangeView range, const std::stop_token& stop) {
  DOLMEN_CHECK(!range.upper.empty(), "a range whose files are rewritten has an upper bound");
  if (!state_->database) return closed();
  // All keyspaces, since they share the logs.
  DOLMEN_TRY_VOID(state_->database->flush());
  DOLMEN_TRY(const std::uint64_t free, free_bytes());
  if (free < kReclaimFreeBytesMin)
    return fail(Code::kNoSpace, "only {} MB are free on the disk, too few to rewrite files", free >> 20);
  return compact(*state_->database, keyspace, range, stop);
}

Result<void> Storage::verify_files(std::uint64_t& files) const {
  if (!state_->database) return closed();
  std::vector<rocksdb::LiveFileMetaData> live;
  state_->database->db().GetLiveFilesMetaData(&live);
  files = live.size();
  const rocksdb::Status status = state_->database->db().VerifyChecksum();
  if (!status.ok()) return std::unexpected(error_from(status, "verify the files of the store"));
  return {};
}

Result<std::uint64_t> Storage::free_bytes() const {
  if (!state_->database) return closed();
  if (state_->in_memory) return std::numeric_limits<std::uint64_t>::max();
  return free_bytes_of(*state_->database);
}

Result<void> Storage::checkpoint(const std::filesystem::path& directory) {
  if (!state_->database) return closed();
  if (state_->in_memory) return fail(Code::kUnsupported, "a store in memory cannot be copied to a directory");
  return make_checkpoint(state_->database->db(), directory, state_->files);
}

Result<void> Storage::fork(const std::filesystem::path& directory) {
  if (!state_->database) return closed();
  if (state_->in_memory) return fail(Code::kUnsupported, "a store in memory cannot be copied to a directory");
  return fork_database(state_->database->db(), state_->directory, directory, state_->files);
}

Result<void> Storage::copy_rows_to(Storage& other) const {
  constexpr std::size_t kCopiedBytes = std::size_t{1} << 20;
  DOLMEN_CHECK(state_->keyspaces == other.state_->keyspaces, "rows are copied between equal stores");
  const Snapshot moment = snapshot();
  Batch batch;
  for (std::uint8_t index = 0; index < state_->keyspaces.size(); ++index) {
    Iterator row = iterate_stored(Keyspace{index}, {}, &moment);
    for (row.seek_first(); row.valid(); row.next()) {
      batch.put(Keyspace{index}, row.key(), row.value());
      if (batch.byte_size() < kCopiedBytes) continue;
      DOLMEN_TRY_VOID(other.commit(std::exchange(batch, Batch())));
    }
    DOLMEN_TRY_VOID(row.status());
  }
  return other.commit(std::move(batch));
}

Result<void> Storage::copy_ranges(const std::filesystem::path& directory, std::span<const KeptRange> kept) {
  if (!state_->database) return closed();
  if (state_->in_memory) return fail(Code::kUnsupported, "a store in memory cannot be copied to a directory");
  std::vector<NamedRange> named;
  for (const KeptRange& range : kept)
    named.push_back({.keyspace = state_->keyspaces[range.keyspace.index], .lower = range.lower, .upper = range.upper});
  return make_range_copy(state_->database->db(), directory, named, state_->files);
}

Result<std::unique_ptr<Storage>> Storage::open_copy(const std::filesystem::path& directory,
                                                    std::vector<std::string> keyspaces,
                                                    std::shared_ptr<RowSeals> seals) {
  DOLMEN_TRY_VOID(check_keyspaces(keyspaces));
  DOLMEN_TRY(const std::vector<std::string> damaged, damaged_files(directory));
  if (!damaged.empty())
    return fail(Code::kCorruption, "the copy in {} is damaged: {}", directory.native(), fmt::join(damaged, "; "));
  const Options options{.directory = directory,
                        .durability = Durability::kOs,
                        .keyspaces = std::move(keyspaces),
                        .seals = std::move(seals)};
  return open_left(options);
}

const std::filesystem::path& Storage::directory() const { return state_->directory; }

}  // namespace dolmen::storage
