#pragma once

#include "generate/models.h"

namespace dolmen::generate {

/// A module with a dataclass for each model, its rules, and functions that build keys and queries, on
/// support/dolmen_support.py. In the form of black.
Result<GeneratedCode> generate_python_models(const ModelSet& set, const ModelCodeOptions& options);

/// A name that `import` takes.
std::string python_module_name(std::string_view stem);

}  // namespace dolmen::generate
