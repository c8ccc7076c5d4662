#include "path.h"

#include <algorithm>
#include <optional>

namespace dolmen::torture {
namespace {

using Steps = std::vector<Path::Step>;

AttributeValue* down(AttributeValue* from, const Path::Step& step) {
  if (const auto* name = std::get_if<std::string>(&step)) {
    auto* map = from->get_if<Item>();
    return map == nullptr ? nullptr : map->find(*name);
  }
  auto* list = from->get_if<List>();
  const std::size_t index = std::get<std::size_t>(step);
  return list != nullptr && index < list->size() ? &(*list)[index] : nullptr;
}

/// Those of the ways that begin with `first`, without it.
std::vector<Steps> ways_through(const std::vector<Steps>& ways, const Path::Step& first) {
  std::vector<Steps> through;
  for (const Steps& way : ways)
    if (!way.empty() && way.front() == first) through.emplace_back(way.begin() + 1, way.end());
  return through;
}

/// Walks over what is there, not over the paths: every member asks whether a way leads to it.
std::optional<AttributeValue> cut(const AttributeValue& value, const std::vector<Steps>& ways) {
  if (ways.empty()) return std::nullopt;
  if (std::ranges::any_of(ways, &Steps::empty)) return value;
  if (const auto* map = value.get_if<Item>()) {
    Item kept;
    for (const auto& [name, member] : *map)
      if (auto part = cut(member, ways_through(ways, name))) kept.set(name, std::move(*part));
    if (!kept.empty()) return kept;
  } else if (const auto* list = value.get_if<List>()) {
    List kept;
    for (std::size_t i = 0; i < list->size(); ++i)
      if (auto part = cut((*list)[i], ways_through(ways, i))) kept.push_back(std::move(*part));
    if (!kept.empty()) return kept;
  }
  return std::nullopt;
}

}  // namespace

AttributeValue* look_above(Item& item, const Path& path) {
  AttributeValue* at = item.find(path.root);
  for (std::size_t i = 0; at != nullptr && i + 1 < path.steps.size(); ++i) at = down(at, path.steps[i]);
  return at;
}

const AttributeValue* look_above(const Item& item, const Path& path) {
  return look_above(const_cast<Item&>(item), path);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

const AttributeValue* look(const Item& item, const Path& path) {
  if (path.steps.empty()) return item.find(path.root);
  auto& changeable = const_cast<Item&>(item);  // NOLINT(cppcoreguidelines-pro-type-const-cast): looking changes nothing
  AttributeValue* above = look_above(changeable, path);
  return above == nullptr ? nullptr : down(above, path.steps.back());
}

bool compatible(const Path& a, const Path& b) {
  if (a.root != b.root) return true;
  for (std::size_t i = 0; i < std::min(a.steps.size(), b.steps.size()); ++i) {
    if (a.steps[i].index() != b.steps[i].index()) return false;
    if (a.steps[i] != b.steps[i]) return true;
  }
  return false;
}

Item project(const Item& item, const std::vector<Path>& paths) {
  Item kept;
  for (const auto& [name, value] : item) {
    std::vector<Steps> ways;
    for (const Path& path : paths)
      if (path.root == name) ways.push_back(path.steps);
    if (auto part = cut(value, ways)) kept.set(name, std::move(*part));
  }
  return kept;
}

}  // namespace dolmen::torture
