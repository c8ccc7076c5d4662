#pragma once

#include <functional>
#include <memory>
#include <string>

#include "dolmen/durability.h"
#include "dolmen/error.h"
#include "dolmen/store.h"

namespace dolmen {

/// A store in a directory of its own, or in memory.
struct EmbeddedOptions {
  /// Created when it is missing; not used in memory.
  std::string directory = {};
  Durability durability = Durability::kSync;
  /// Part of the ARNs of tables and streams.
  std::string region = "us-east-1";
  /// Receives lines about work in the background, such as the building of an index: for people, from any thread, until
  /// the store is destroyed. It must not block.
  std::function<void(std::string line)> log = {};
};

/// Fails with kDirectoryInUse, kDirectoryUnusable, kForeignDirectory, kFormatVersion, kCorruption, kNoSpace or kIo.
Result<std::unique_ptr<Store>> open_embedded(const EmbeddedOptions& options);

}  // namespace dolmen
