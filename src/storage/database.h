#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dolmen/error.h"
#include "storage/directory.h"
#include "storage/keyspace.h"
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

 private:
  Database();

  Result<void> open_in(const std::string& path, const Options& options, bool create);
  void keep_families(const Options& options, std::vector<rocksdb::ColumnFamilyHandle*> families);

  std::optional<Directory> directory_;  ///< Only on disk. Its lock outlives the database.
  std::shared_ptr<ManifestSeal> seal_;  ///< Only on disk, and not where faults are injected.
  std::unique_ptr<rocksdb::Env> env_;   ///< Null for the default environment.
  std::unique_ptr<rocksdb::DB> db_;
  Recovery recovery_;
  std::vector<rocksdb::ColumnFamilyHandle*> families_;      ///< By keyspace.
  std::vector<rocksdb::ColumnFamilyHandle*> all_families_;  ///< Those too, and others: RocksDB opens all or none.
};

}  // namespace dolmen::storage
