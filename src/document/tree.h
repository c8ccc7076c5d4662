#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "config/node.h"

/// Changes of a document that was read as a tree. Paths such as "address.city" lead through maps.
namespace dolmen::document {

/// Null when there is no such value.
config::Node* find_value(config::Node& root, std::string_view path);

/// Removes a value and returns it; nothing when there is none.
std::optional<config::Node> take_value(config::Node& root, std::string_view path);

/// Adds a value at the end of its map, which is made when there is none. False, changing nothing, when there is a value
/// already or the path leads through something that is not a map.
bool add_value(config::Node& root, std::string_view path, config::Node value);

/// As JSON without insignificant space; numbers stay as they were written.
std::string tree_text(const config::Node& root);

}  // namespace dolmen::document
