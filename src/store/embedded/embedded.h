#pragma once

#include <filesystem>
#include <memory>

#include "api/service.h"
#include "dolmen/error.h"
#include "storage/options.h"

namespace dolmen {

struct EmbeddedOptions {
  /// Not used in memory.
  std::filesystem::path directory;
  storage::Durability durability = storage::Durability::kSync;
};

/// The engine on a directory of its own, or in memory.
Result<std::unique_ptr<Service>> open_embedded(const EmbeddedOptions& options);

}  // namespace dolmen
