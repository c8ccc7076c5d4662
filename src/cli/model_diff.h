#pragma once

#include <string>

#include "cli/store_flags.h"

namespace dolmen::cli {

struct ModelDiffFlags {
  std::string file;
  StoreFlags store;
  bool json = false;
};

/// Says how live tables differ from what the models of a file want. Returns the exit status: 0 when they do not, 1 when
/// they do or cannot be looked at.
int diff_models(const ModelDiffFlags& flags);

}  // namespace dolmen::cli
