#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dolmen/model/model.h"

namespace dolmen {

/// Whom a change of a model breaks.
enum class Breaks : std::uint8_t {
  kReaders,  ///< programs with the old model that read what the new one writes, or the reverse
  kWriters,  ///< programs with the old model whose writes the new one refuses, or the reverse
  kTable,    ///< the table itself must be made anew
};

/// "readers", "writers" or "table".
std::string_view breaks_name(Breaks breaks);

/// One thing that changed between two versions of a model.
struct ModelChange {
  std::string model;
  /// "attributes.status.type"
  std::string path;
  Breaks breaks = Breaks::kReaders;
  /// What changed, and what would happen.
  std::string message;
};

/// What in the new models would break programs that use the old ones, or items that they have stored, while both are at
/// work: sorted by model, as the old file has them. New models and attributes that need not be there break nobody.
std::vector<ModelChange> breaking_changes(const std::vector<Model>& old_models, const std::vector<Model>& new_models);

}  // namespace dolmen
