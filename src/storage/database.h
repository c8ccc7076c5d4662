#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dolmen/error.h"
#include "storage/directory.h"
#include "storage/keyspace.h"
#include "storage/log_keeper.h"
#include "storage/manifest_seal.h"
#include "storage/options.h"
#include "storage/rocks_forward.h"

namespace dolmen::storage {

/// An open RocksDB database with one column family for each keyspace. Closed by its destructor.
class Database {
 public:
  /// Opens the database of `options.directory`, or a fresh one in memory.
  ///
  /// The log and the list of files are checked before anything is changed: no byte changes in a store that is damaged
  /// or that `options.inspect_log` refuses. Fails as Directory::open does, and with kCorruption, kNoSpace, kIo or the
  /// error of `inspect_log`.
  static Result<std::unique_ptr<Database>> open(const Options& options);

  /// Opens the database of `options.directory` without changing anything, or locking it. It has no log. A keyspace
  /// that it lacks is empty.
  static Result<std::unique_ptr<Database>> open_for_reading(const Options& options);

  /// Opens the database of `options.directory` with its log, after the checks of `open`, without changing anything.
  /// Nobody may have it open for writing meanwhile. Fails as `open` does.
  static Result<std::unique_ptr<Database>> open_unchanged(const Options& options);

  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  [[nodiscard]] rocksdb::DB& db() const { return *db_; }
  /// Stops the process when the keyspace does not exist.
  [[nodiscard]] rocksdb::ColumnFamilyHandle* family(Keyspace keyspace) const;

  /// All keyspaces.
  [[nodiscard]] std::span<rocksdb::ColumnFamilyHandle* const> families() const { return families_; }

  [[nodiscard]] const Recovery& recovery() const { return recovery_; }

  /// Writes memory to files and syncs the log, so that the next start has nothing to replay.
  Result<void> flush();

  /// Why the newest log takes no further record, although RocksDB would go on; nothing while it does.
  [[nodiscard]] std::optional<Error> log_failure() const;
  /// A write has failed, and the newest log may hold its record.
  void doubt_log(const Error& reason);

  /// False once a failure was one after which nobody knows what is on the disk: the store must be opened again.
  [[nodiscard]] bool may_resume() const;

  /// Makes the database take writes again after a failed one: writes memory to files, which leaves nothing in the log
  /// whose end is in doubt, and begins a new log. No commit may be in progress. Returns false when the cause is still
  /// there, and fails when the store must be opened again.
  Result<bool> resume();

 private:
  Database();

  Result<void> open_read_only(const std::string& path, const Options& options, const rocksdb::Options& rocks);
  Result<void> open_in(const std::string& path, const Options& options, bool create);
  Result<void> renew_log();
  void keep_families(const Options& options, std::vector<rocksdb::ColumnFamilyHandle*> families);

  std::optional<Directory> directory_;      ///< Only on disk. Its lock outlives the database.
  std::shared_ptr<ManifestSeal> seal_;      ///< Only on disk, and not where faults are injected.
  std::unique_ptr<rocksdb::Env> base_env_;  ///< Below that of the keeper. Null in memory and for reading.
  std::unique_ptr<LogKeeper> keeper_;       ///< Only on disk.
  std::unique_ptr<rocksdb::Env> env_;       ///< The environment of the database, if it is not the default one.
  std::shared_ptr<std::atomic<bool>> must_reopen_ = std::make_shared<std::atomic<bool>>(false);
  std::unique_ptr<rocksdb::DB> db_;
  Recovery recovery_;
  std::vector<rocksdb::ColumnFamilyHandle*> families_;      ///< By keyspace.
  std::vector<rocksdb::ColumnFamilyHandle*> all_families_;  ///< Those too, and others: RocksDB opens all or none.
};

}  // namespace dolmen::storage
