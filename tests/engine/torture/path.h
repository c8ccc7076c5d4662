#pragma once

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "dolmen/value.h"

namespace dolmen::torture {

/// A way into an item: an attribute, then members of maps and elements of lists.
struct Path {
  using Step = std::variant<std::string, std::size_t>;
  std::string root;
  std::vector<Step> steps = {};

  friend bool operator==(const Path&, const Path&) = default;
};

/// Nothing when the path leads nowhere.
const AttributeValue* look(const Item& item, const Path& path);

/// Where the path's last step starts from. Only for a path with steps.
AttributeValue* look_above(Item& item, const Path& path);
const AttributeValue* look_above(const Item& item, const Path& path);

/// True when an expression may name both: neither lies inside the other, and no place is taken for a map by one and for
/// a list by the other.
bool compatible(const Path& a, const Path& b);

/// What of an item lies on the paths.
Item project(const Item& item, const std::vector<Path>& paths);

}  // namespace dolmen::torture
