#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "config/node.h"
#include "dolmen/error.h"
#include "dolmen/model/logical_value.h"

namespace dolmen {

/// What is read as JSON from items and cursors comes from anybody. An item has at most 400 KB.
inline constexpr std::size_t kJsonTextBytes = 1024 * 1024;
inline constexpr unsigned kJsonTextDepth = 256;

/// Strict JSON with the limits above. Fails with kInvalidModel and the place.
Result<config::Node> read_json_text(std::string_view text);

/// Fails with kInvalidModel when lists and maps stand too deep inside each other for read_json_text. The text is JSON.
Result<void> check_json_depth(std::string_view text);

/// canonical_json of a value that can be read again.
Result<std::string> readable_json(const LogicalValue& value);

/// The value of a tree that was read from JSON or YAML.
LogicalValue logical_value(const config::Node& node);

}  // namespace dolmen
