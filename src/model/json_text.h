#pragma once

#include <cstddef>
#include <string_view>

#include "config/node.h"
#include "dolmen/error.h"
#include "dolmen/logical_value.h"

namespace dolmen {

/// What is read as JSON from items and cursors comes from anybody. An item has at most 400 KB.
inline constexpr std::size_t kJsonTextBytes = 1024 * 1024;
inline constexpr unsigned kJsonTextDepth = 256;

/// Strict JSON with the limits above. Fails with kInvalidModel and the place.
Result<config::Node> read_json_text(std::string_view text);

/// The value of a tree that was read from JSON or YAML.
LogicalValue logical_value(const config::Node& node);

}  // namespace dolmen
