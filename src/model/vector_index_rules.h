#pragma once

#include <vector>

#include "model/rules.h"

namespace dolmen {

/// What the vectors and vector indexes of a model break, in the order of the file.
void check_vectors(const Model& model, std::vector<Violation>& violations);

}  // namespace dolmen
