#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/embedded.h"
#include "storage/options.h"

namespace dolmen {

/// What opening a store has found and put right.
struct RecoveryReport {
  std::size_t schemas = 0;
  std::uint64_t log_records = 0;
  /// Writes of documents among them, each of which names a schema that is published.
  std::uint64_t log_notes = 0;
  std::uint64_t torn_bytes = 0;
  /// A line for each publication that was interrupted.
  std::vector<std::string> publications;
};

/// For people: a line for each thing out of the ordinary; none after a clean stop.
std::vector<std::string> lines_of(const RecoveryReport& report);

/// What the other parts of Dolmen want from a start.
struct StartOptions {
  /// Takes what the gates of bound tables have to say, for as long as the service lives; see contract::Warn.
  std::function<void(std::string line)> warn = {};
  /// Filled in when it is given.
  RecoveryReport* report = nullptr;
  /// For tests; see storage::Options::faults and FileWriter.
  std::shared_ptr<storage::FaultPlan> faults = nullptr;
  std::function<Result<void>(std::string_view step, const std::filesystem::path& path)> before_schema_step = {};
};

/// `open_embedded` with more options. The order of a start: schema files, then the log (every write of
/// documents in it must name a published schema), and only then is anything applied or changed; so a start that is
/// refused changes no byte.
Result<std::unique_ptr<Store>> open_embedded_store(const EmbeddedOptions& options, const StartOptions& start = {});

}  // namespace dolmen
