#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "dolmen/clock.h"
#include "dolmen/durability.h"
#include "dolmen/error.h"
#include "dolmen/faults.h"
#include "dolmen/store.h"

namespace dolmen {

/// What happens to a request that meets a transaction.
enum class TransactionConflicts : std::uint8_t {
  kWait,    ///< it waits, and nobody hears of it
  kRefuse,  ///< kTransactionConflict, kTransactionCanceled or kTransactionInProgress, as on AWS
};

/// Whether the capacity of a table limits its use.
enum class Throttling : std::uint8_t {
  kOff,
  kProvisioned,  ///< kThrottled when a table with provisioned throughput is used more than that, as on AWS
};

/// A store in a directory of its own, or in memory.
struct EmbeddedOptions {
  /// Created when it is missing; not used in memory.
  std::string directory = {};
  Durability durability = Durability::kSync;
  /// Part of the ARNs of tables and streams.
  std::string region = "us-east-1";
  /// How many tables there may be, as many as AWS allows at first. Each takes a few kilobytes of memory. A store that
  /// has more already keeps them.
  std::size_t tables_max = 2500;
  /// A directory whose folders are the buckets of exports and imports; nothing else is read or written by them. Empty:
  /// there are no buckets.
  std::string buckets = {};
  /// A file of keys that encrypt tables (docs/security.md), in the form that `create_key_file` makes
  /// (dolmen/model/encryption.h). It is read again when it changes. Empty: there are none, and tables that are
  /// encrypted cannot be used.
  std::string table_keys = {};
  /// Receives lines about work in the background, such as the building of an index: for people, from any thread, until
  /// the store is destroyed. It must not block.
  std::function<void(std::string line)> log = {};

  // For tests of programs that will run on AWS (docs/testing.md).

  TransactionConflicts transactions = TransactionConflicts::kWait;
  Throttling throttling = Throttling::kOff;
  /// How long a vector index that is added to a table is being allocated, and then filled at the least.
  std::chrono::milliseconds vector_index_phase{0};
  /// By which capacity comes back; the machine's when it is empty.
  Now throttling_clock = {};
  /// What goes wrong on purpose; null: nothing.
  std::shared_ptr<FaultLab> faults = nullptr;
  /// By which items expire, streams are trimmed and tables are dated; the machine's when it is empty. dolmen/testing.h
  /// has one that tests move.
  Now now = {};
};

/// Fails with kDirectoryInUse, kDirectoryUnusable, kForeignDirectory, kFormatVersion, kCorruption, kNoSpace or kIo.
Result<std::unique_ptr<Store>> open_embedded(const EmbeddedOptions& options);

/// Copies the store of a directory that nobody has open to another one, which must be missing or empty, in
/// milliseconds: as `Store::fork`, but without opening the store, which does not change and may be read-only. Several
/// may do this at the same time. Fails with kDirectoryInUse, kForeignDirectory, kDirectoryUnusable, kFormatVersion,
/// kNoSpace, and with kInvalidArgument when `to` is inside of `from`.
Result<void> fork_directory(const std::string& from, const std::string& to);

}  // namespace dolmen
