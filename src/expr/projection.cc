#include "expr/projection.h"

#include <optional>
#include <utility>
#include <variant>

namespace dolmen::expr {

Projection::Projection(const std::vector<Path>& paths) {
  for (const Path& path : paths) {
    Node* node = &root_;
    for (const Path::Part& part : path.parts) {
      const auto* name = std::get_if<std::string>(&part);
      node = name != nullptr ? &node->members[*name] : &node->elements[std::get<std::uint32_t>(part)];
    }
  }
}

Item Projection::of(const Item& item) const { return part_of_map(item, root_); }

Item Projection::part_of_map(const Item& map, const Node& wanted) {
  Item out;
  const auto take = [&out](const std::string& name, const AttributeValue& value, const Node& inner) {
    if (auto part = part_of(value, inner)) out.set(name, std::move(*part));
  };
  // By whichever is fewer; both are in the order of names.
  if (wanted.members.size() > map.size()) {
    for (const auto& [name, value] : map)
      if (const auto found = wanted.members.find(name); found != wanted.members.end()) take(name, value, found->second);
  } else {
    for (const auto& [name, inner] : wanted.members)
      if (const AttributeValue* found = map.find(name)) take(name, *found, inner);
  }
  return out;
}

List Projection::part_of_list(const List& list, const Node& wanted) {
  List out;
  for (const auto& [index, inner] : wanted.elements) {
    if (index >= list.size()) break;
    if (auto part = part_of(list[index], inner)) out.push_back(std::move(*part));
  }
  return out;
}

/// Nothing when none of the paths exists in the value.
std::optional<AttributeValue> Projection::part_of(const AttributeValue& value, const Node& wanted) {
  if (wanted.wants_all()) return value;
  if (const auto* map = value.get_if<Item>()) {
    Item part = part_of_map(*map, wanted);
    return part.empty() ? std::nullopt : std::optional<AttributeValue>(std::move(part));
  }
  if (const auto* list = value.get_if<List>()) {
    List part = part_of_list(*list, wanted);
    return part.empty() ? std::nullopt : std::optional<AttributeValue>(std::move(part));
  }
  return std::nullopt;
}

Item project(const Item& item, const std::vector<Path>& paths) { return Projection(paths).of(item); }

}  // namespace dolmen::expr
