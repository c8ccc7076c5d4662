#pragma once

#include "generate/models.h"

namespace dolmen::generate {

/// A header with a struct for each of the models, ready for Table<T>, a function that gives the model, and functions
/// that build keys.
Result<GeneratedCode> generate_cpp_models(const ModelSet& set, const ModelCodeOptions& options);

}  // namespace dolmen::generate
