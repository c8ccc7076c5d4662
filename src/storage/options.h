#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_writer.h"
#include "dolmen/durability.h"
#include "dolmen/error.h"
#include "storage/keyspace.h"

namespace dolmen::storage {

class FaultPlan;
class RowSeals;

using dolmen::Durability;

/// What opening the store found in the log.
struct Recovery {
  /// The number of records that were not in files yet.
  std::uint64_t log_records = 0;
  /// The bytes of an incomplete last record, which was never acknowledged and is dropped.
  std::uint64_t torn_bytes = 0;
};

inline constexpr std::size_t kKeyspacesMax = 64;

/// How to open a store.
struct Options {
  /// The data directory. Unused for a store in memory.
  std::filesystem::path directory;
  Durability durability = Durability::kSync;

  /// The names of the keyspaces, at most kKeyspacesMax. Missing keyspaces are created. A keyspace keeps its data when
  /// the list is reordered; keyspaces that are not named are left unchanged.
  std::vector<std::string> keyspaces;

  /// Memory for data read from files. Allocated as needed.
  std::size_t block_cache_bytes = std::size_t{16} << 20;
  /// Memory for data not yet in files, over all keyspaces together. The log is kept to twice this size.
  std::size_t write_buffer_bytes = std::size_t{16} << 20;
  /// Ranges whose bounds have the same first bytes, so many, pass over files and memory that have no such key. Costs up
  /// to 10 bits for each row. Zero: no range does. A store may be opened with another number each time.
  std::size_t prefix_bytes = 0;
  /// The keyspace whose rows are kept in memory when they are read again and again (row_cache.h), and how much memory
  /// they may take. It has neither counters nor numbered rows.
  std::optional<Keyspace> cached_keyspace = std::nullopt;
  std::size_t row_cache_bytes = std::size_t{16} << 20;
  /// The largest batch that can be committed.
  std::size_t batch_bytes_max = std::size_t{256} << 20;
  /// How many bytes may wait to be committed. A commit that would exceed it is refused with
  /// kThrottled.
  std::size_t queued_bytes_max = std::size_t{256} << 20;

  /// Called while opening, before anything on the disk is changed, with the bytes of Batch::log_data in every record
  /// that is still in the log, oldest first. An error makes `open` fail with that error.
  std::function<Result<void>(std::string_view bytes)> inspect_log;

  /// Called while opening a directory, once it is locked for this process and before anything in it is changed. An
  /// error makes `open` fail with that error.
  std::function<Result<void>(const std::filesystem::path& directory)> inspect_directory;

  /// Keyspaces that are read completely while opening, before anything on the disk is changed; damage in them makes
  /// `open` fail. For small keyspaces without which the store is unusable.
  std::vector<std::string> verified_keyspaces;

  /// Which values are encrypted, shared with another storage, such as the one that this one is a copy of. Null: of this
  /// one alone.
  std::shared_ptr<RowSeals> seals = nullptr;

  /// Whether hits of the block cache, held-up writes and bytes of files are counted, for `Storage::describe`.
  bool counts_blocks = false;

  /// Called when a write has failed, with the reason why all later ones are refused, and without one when writes are
  /// accepted again. Must not block.
  std::function<void(const std::optional<Error>& failure)> on_write_failure;

  /// How often a store that refuses writes because of a full disk or the like looks whether the cause is gone.
  std::chrono::milliseconds recovery_pause = std::chrono::milliseconds(500);

  /// Failures that tests inject into the files of a store on disk. Null outside tests.
  std::shared_ptr<FaultPlan> faults;

  /// Writes the small files beside the database. Tests pass one that observes the steps.
  FileWriter files = FileWriter();
};

}  // namespace dolmen::storage
