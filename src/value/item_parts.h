#pragma once

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include "dolmen/value.h"

namespace dolmen {

/// The order of attributes' names: below 0, 0 or above. The first byte mostly tells.
inline int compare_names(std::string_view a, std::string_view b) noexcept {
  if (a.empty() || b.empty()) return static_cast<int>(!a.empty()) - static_cast<int>(!b.empty());
  const int first = static_cast<unsigned char>(a[0]) - static_cast<unsigned char>(b[0]);
  if (first != 0) return first;
  const int rest = std::memcmp(a.data(), b.data(), std::min(a.size(), b.size()));
  if (rest != 0) return rest;
  return a.size() < b.size() ? -1 : static_cast<int>(a.size() > b.size());
}

/// The inside of an `Item` for the code that makes one attribute by attribute, or changes many at once. The attributes
/// must be in the order of their names, and no two may have the same, whenever anybody else sees the item.
struct ItemParts {
  static std::vector<Item::Attribute>& of(Item& item) noexcept { return item.attributes_; }
};

}  // namespace dolmen
