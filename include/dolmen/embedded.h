#pragma once

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
};

/// Fails with kDirectoryInUse, kDirectoryUnusable, kForeignDirectory, kFormatVersion, kCorruption, kNoSpace or kIo.
Result<std::unique_ptr<Store>> open_embedded(const EmbeddedOptions& options);

}  // namespace dolmen
