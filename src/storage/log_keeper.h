#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/file_writer.h"
#include "dolmen/error.h"
#include "storage/log_note.h"
#include "storage/log_tail.h"
#include "storage/options.h"
#include "storage/rocks_forward.h"

namespace dolmen::storage {

/// Stands between RocksDB and the files of one database, and watches over its logs:
///
/// - It keeps the note of what was synced (log_note.h), and `check` compares the logs with it.
/// - It shows RocksDB a log without the torn record at its end.
/// - A log that ran out of space is cut back to what it had, and takes no further record; `needs_new_log` says so. Such
///   a failure, or too few descriptors, is told to RocksDB as one that passes.
/// - A log that somebody has deleted or moved is noticed at the next commit.
///
/// Thread-safe.
class LogKeeper {
 public:
  /// `data` is the data directory with the database in it.
  explicit LogKeeper(const std::filesystem::path& data, FileWriter files = FileWriter());
  ~LogKeeper();
  LogKeeper(const LogKeeper&) = delete;
  LogKeeper& operator=(const LogKeeper&) = delete;

  /// Compares the logs with the note, before the database is opened. Changes nothing on the disk. `torn_bytes` of the
  /// result says what was never acknowledged and will be dropped. Fails with kCorruption, which names the log.
  Result<Recovery> check();

  /// An environment whose files this object watches; both it and `base` must outlive the environment.
  std::unique_ptr<rocksdb::Env> watch(rocksdb::Env& base);

  /// Begins or goes on with the note, once the logs are checked and before anything is changed.
  Result<void> begin(rocksdb::Env& base);

  /// A write has failed, and the newest log, unless it is empty, may hold its record: nothing may follow it there.
  void doubt_newest_log(const Error& reason);

  /// Why the newest log takes no further record; nothing while it does.
  [[nodiscard]] std::optional<Error> needs_new_log() const;

 private:
  class Files;
  class LogFile;
  class Folder;
  struct NoteFile;

  void log_created(std::uint64_t number);
  /// Something is about to be written to it.
  void log_begun(std::uint64_t number);
  void log_failed(std::uint64_t number, Error reason);
  void log_synced(std::uint64_t number, std::uint64_t bytes);
  /// The logs whose entries in the folder may not be durable: a power cut may take them, synced or not.
  [[nodiscard]] std::vector<std::uint64_t> hidden_logs() const;
  /// The folder was synced while it had these logs.
  void folder_synced(const std::vector<std::uint64_t>& logs);
  /// Returns once the note is durable without the log.
  Result<void> log_leaves(std::uint64_t number);
  void manifest_created(std::uint64_t number);
  /// How many bytes of a log RocksDB may read.
  [[nodiscard]] std::optional<std::uint64_t> limit_of(std::uint64_t number) const;

  using Extents = std::map<std::uint64_t, LogExtent>;
  /// What every log in the database holds, by its number.
  [[nodiscard]] Result<Extents> measure_logs() const;
  [[nodiscard]] Result<void> check_noted(const LogNote& note, const Extents& logs) const;
  bool publish();
  [[nodiscard]] std::optional<std::uint64_t> current_manifest() const;

  const std::filesystem::path database_;
  const std::filesystem::path note_path_;
  const FileWriter files_;

  mutable std::mutex note_mutex_;  ///< Guards all members below.
  LogNote note_;
  std::size_t next_place_ = 0;
  bool has_note_ = false;
  std::map<std::uint64_t, std::uint64_t> limits_;
  std::map<std::uint64_t, std::uint64_t> hidden_;  ///< How many bytes of each hidden log were synced.
  std::uint64_t newest_log_ = 0;
  bool newest_is_empty_ = true;
  std::optional<Error> failure_;
  std::unique_ptr<NoteFile> note_file_;
};

}  // namespace dolmen::storage
