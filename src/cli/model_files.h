#pragma once

#include <string>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/model/model.h"

namespace dolmen::cli {

/// All models of files and of folders of them. Fails as `load_models` does, and with kInvalidModel when two files have
/// a model of the same name.
Result<std::vector<Model>> models_in(const std::vector<std::string>& files);

}  // namespace dolmen::cli
