#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/embedded.h"
#include "objects/object_store.h"
#include "storage/options.h"

namespace dolmen {

/// What opening a store found and repaired.
struct RecoveryReport {
  std::size_t schemas = 0;
  std::uint64_t log_records = 0;
  /// The writes of documents among them, each of which names a published schema.
  std::uint64_t log_notes = 0;
  std::uint64_t torn_bytes = 0;
  /// A line for each publication that was interrupted.
  std::vector<std::string> publications;
};

/// The report as text: a line for each unusual finding; none after a clean stop.
std::vector<std::string> lines_of(const RecoveryReport& report);

/// A fork of a store (Store::fork) whose clock and faults are its own. A companion of an embedded Store.
class StoreForker {
 public:
  struct Options {
    /// As of Store::fork.
    std::string directory = {};
    Now now = {};
    std::shared_ptr<FaultLab> faults = nullptr;
  };

  virtual ~StoreForker() = default;
  virtual Result<std::unique_ptr<Store>> fork_with(const Options& options) = 0;
};

/// Options of a start for other parts of Dolmen.
struct StartOptions {
  /// Receives the warnings of the gates of bound tables, during the lifetime of the service; see contract::Warn.
  std::function<void(std::string line)> warn = {};
  /// Filled in when it is given.
  RecoveryReport* report = nullptr;
  /// Hears that a write has failed, and that the store therefore refuses all later ones; and, without a failure, that
  /// it accepts them again. Must not block.
  std::function<void(const std::optional<Error>& failure)> on_write_failure = {};
  /// See storage::Options.
  bool counts_blocks = false;
  /// How many bytes may wait to be committed; see storage::Options::queued_bytes_max.
  std::size_t commit_queue_bytes_max = storage::Options{}.queued_bytes_max;
  /// The buckets of exports and imports, instead of the folders of EmbeddedOptions::buckets.
  std::shared_ptr<Buckets> buckets = nullptr;
  /// For tests; see storage::Options::faults and FileWriter.
  std::shared_ptr<storage::FaultPlan> faults = nullptr;
  std::function<Result<void>(std::string_view step, const std::filesystem::path& path)> before_schema_step = {};
};

/// `open_embedded` with more options. A start checks the schema files, then the log, in which every write of documents
/// must name a published schema. Only then is anything applied or changed, so a refused start changes no byte.
Result<std::unique_ptr<Store>> open_embedded_store(const EmbeddedOptions& options, const StartOptions& start = {});

}  // namespace dolmen
