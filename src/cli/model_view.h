#pragma once

#include <string>

#include "dolmen/model/model.h"

namespace dolmen::cli {

/// A model for people: its table and keys, a box of its attributes, its indexes.
std::string render_model(const Model& model);

}  // namespace dolmen::cli
