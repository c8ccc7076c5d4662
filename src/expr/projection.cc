#include "expr/projection.h"

#include <map>
#include <optional>
#include <span>

namespace dolmen::expr {
namespace {

using Parts = std::span<const Path::Part>;

std::optional<AttributeValue> part_of(const AttributeValue& value, std::span<const Parts> tails);

/// The paths below each member or element, in the order of names or indexes.
template <class Key>
std::map<Key, std::vector<Parts>> by_first_part(std::span<const Parts> tails) {
  std::map<Key, std::vector<Parts>> groups;
  for (const Parts& tail : tails)
    if (const auto* key = std::get_if<Key>(&tail.front())) groups[*key].push_back(tail.subspan(1));
  return groups;
}

Item part_of_map(const Item& map, std::span<const Parts> tails) {
  Item out;
  for (const auto& [name, inner] : by_first_part<std::string>(tails)) {
    const AttributeValue* found = map.find(name);
    if (found == nullptr) continue;
    if (auto part = part_of(*found, inner)) out.set(name, std::move(*part));
  }
  return out;
}

List part_of_list(const List& list, std::span<const Parts> tails) {
  List out;
  for (const auto& [index, inner] : by_first_part<std::uint32_t>(tails)) {
    if (index >= list.size()) continue;
    if (auto part = part_of(list[index], inner)) out.push_back(std::move(*part));
  }
  return out;
}

/// Nothing when none of the paths exists in the value.
std::optional<AttributeValue> part_of(const AttributeValue& value, std::span<const Parts> tails) {
  if (tails.front().empty()) return value;
  if (const auto* map = value.get_if<Item>()) {
    Item part = part_of_map(*map, tails);
    return part.empty() ? std::nullopt : std::optional<AttributeValue>(std::move(part));
  }
  if (const auto* list = value.get_if<List>()) {
    List part = part_of_list(*list, tails);
    return part.empty() ? std::nullopt : std::optional<AttributeValue>(std::move(part));
  }
  return std::nullopt;
}

}  // namespace

Item project(const Item& item, const std::vector<Path>& paths) {
  std::vector<Parts> tails;
  tails.reserve(paths.size());
  for (const Path& path : paths) tails.emplace_back(path.parts);
  return part_of_map(item, tails);
}

}  // namespace dolmen::expr
