#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "dolmen/value.h"
#include "expr/syntax.h"

namespace dolmen::expr {

/// The paths of a projection, put together once, so that the cost of an item depends on the item and not on how many
/// paths there are.
class Projection {
 public:
  /// Paths must not overlap or conflict.
  explicit Projection(const std::vector<Path>& paths);

  /// The parts of an item at the paths. Paths that do not exist in the item are left out; list elements close up.
  [[nodiscard]] Item of(const Item& item) const;

 private:
  /// What is wanted of a value: all of it, or parts of it.
  struct Node {
    std::map<std::string, Node, std::less<>> members;
    std::map<std::uint32_t, Node> elements;

    [[nodiscard]] bool wants_all() const { return members.empty() && elements.empty(); }
  };

  static Item part_of_map(const Item& map, const Node& wanted);
  static List part_of_list(const List& list, const Node& wanted);
  static std::optional<AttributeValue> part_of(const AttributeValue& value, const Node& wanted);

  Node root_;
};

Item project(const Item& item, const std::vector<Path>& paths);

}  // namespace dolmen::expr
