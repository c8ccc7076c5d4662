#pragma once

#include "generate/models.h"

namespace dolmen::generate {

/// A module with interfaces for each model: of its records, of what a program says of a new one, and of the items of
/// the document client; with its rules and functions that build keys and queries, on support/dolmen_support.ts. In the
/// form of prettier.
Result<GeneratedCode> generate_typescript_models(const ModelSet& set, const ModelCodeOptions& options);

}  // namespace dolmen::generate
