#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_writer.h"
#include "dolmen/durability.h"
#include "dolmen/error.h"

namespace dolmen::storage {

class FaultPlan;

using dolmen::Durability;

/// What a start has found in the log.
struct Recovery {
  /// Records that were not in files yet.
  std::uint64_t log_records = 0;
  /// What a crash has left of a last record that was never acknowledged; it is dropped.
  std::uint64_t torn_bytes = 0;
};

inline constexpr std::size_t kKeyspacesMax = 64;

/// How to open a store.
struct Options {
  /// The data directory. Not used in memory.
  std::filesystem::path directory;
  Durability durability = Durability::kSync;

  /// The names of the keyspaces, at most kKeyspacesMax. Those that the store does not have yet are created. Names keep
  /// their data when the list is reordered; keyspaces that are not named are left alone.
  std::vector<std::string> keyspaces;

  /// Memory for data read from files. Used as reads come in, not taken at once.
  std::size_t block_cache_bytes = std::size_t{16} << 20;
  /// Memory for data not yet in files, over all keyspaces together. The log is kept to twice this size.
  std::size_t write_buffer_bytes = std::size_t{16} << 20;
  /// The largest batch that can be committed.
  std::size_t batch_bytes_max = std::size_t{256} << 20;
  /// How much may wait to be committed. A commit that would exceed it is refused.
  std::size_t queued_bytes_max = std::size_t{256} << 20;

  /// Called while opening with what Batch::log_data put into every record that is still in the log, oldest first,
  /// before anything on the disk is changed. An error refuses the open and is what `open` returns.
  std::function<Result<void>(std::string_view bytes)> inspect_log;

  /// Called while opening a directory, once it is locked for this process and before anything in it is changed. An
  /// error refuses the open and is what `open` returns.
  std::function<Result<void>(const std::filesystem::path& directory)> inspect_directory;

  /// Keyspaces that are read through while opening, before anything on the disk is changed; damage in them refuses the
  /// open. For small ones without which the store is of no use.
  std::vector<std::string> verified_keyspaces;

  /// Failures for tests to inject into the files of a store on disk. Nullptr in every real program.
  std::shared_ptr<FaultPlan> faults;

  /// Writes the small files beside the database. A test puts one here that watches.
  FileWriter files = FileWriter();
};

}  // namespace dolmen::storage
