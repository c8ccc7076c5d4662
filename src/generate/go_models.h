#pragma once

#include "generate/models.h"

namespace dolmen::generate {

/// A file with a struct for each model, its rules and functions that build keys and queries, on
/// support/dolmen_support.go. Tags are those of the AWS SDK and of TableTheory. In the form of gofmt.
Result<GeneratedCode> generate_go_models(const ModelSet& set, const ModelCodeOptions& options);

}  // namespace dolmen::generate
