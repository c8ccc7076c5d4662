#pragma once

#include <string_view>
#include <vector>

#include "config/node.h"
#include "dolmen/model/model.h"

namespace dolmen {

struct LoadedModels {
  /// Good only when there are no problems.
  ModelSet set;
  /// All of them, in the order of the file.
  std::vector<config::Problem> problems;
};

/// The models of a file that has been read.
LoadedModels models_of(const config::Node& root);

/// What `parse_models` does, with the mistakes as data.
LoadedModels read_models(std::string_view text, std::string_view file_name);

}  // namespace dolmen
