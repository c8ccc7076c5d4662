#pragma once

#include <string>
#include <string_view>

#include "config/node.h"

namespace dolmen::config {

/// What a YAML scalar without quotes means.
struct Scalar {
  Node::Kind kind = Node::Kind::kString;
  bool boolean = false;
  /// A string, or a number as JSON writes it.
  std::string text;
  /// Why it is refused and what to write instead; empty when it is not.
  std::string refusal = {};
};

/// By the core schema of YAML 1.2, without what JSON does not have or other readers of YAML take for something else.
Scalar resolve_plain_scalar(std::string_view text);

/// The string that stands between single quotes: two quotes are one, and lines are folded. libfyaml is wrong about
/// pairs of quotes that follow each other, and forgets memory over them.
std::string read_single_quoted(std::string_view text);

}  // namespace dolmen::config
