#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "dolmen/model/model.h"

namespace dolmen {

/// What a file may hold, by name.
inline constexpr std::size_t kModelsMax = 1000;
inline constexpr std::size_t kAttributesMax = 1000;

/// A rule that a model breaks: where ("attributes[2].type"), which one, and what to change. `related` is the other
/// place when the rule is about two of them; empty otherwise.
struct Violation {
  std::string path;
  std::string rule;
  std::string message;
  std::string related = {};
};

/// Every rule that a model breaks by itself, in the order of the file.
std::vector<Violation> violations_of(const Model& model);

}  // namespace dolmen
