#include "expr/document.h"

#include <span>

namespace dolmen::expr {
namespace {

/// One step down from a value.
AttributeValue* step(AttributeValue& from, const Path::Part& part) {
  if (const auto* name = std::get_if<std::string>(&part)) {
    Item* map = from.get_if<Item>();
    return map == nullptr ? nullptr : map->find(*name);
  }
  List* list = from.get_if<List>();
  const std::size_t index = std::get<std::uint32_t>(part);
  return list == nullptr || index >= list->size() ? nullptr : &(*list)[index];
}

AttributeValue* walk(Item& item, std::span<const Path::Part> parts) {
  AttributeValue* at = item.find(std::get<std::string>(parts.front()));
  for (const Path::Part& part : parts.subspan(1)) {
    if (at == nullptr) return nullptr;
    at = step(*at, part);
  }
  return at;
}

}  // namespace

AttributeValue* find(Item& item, const Path& path) { return walk(item, path.parts); }

const AttributeValue* find(const Item& item, const Path& path) {
  // The walk changes nothing.
  return walk(const_cast<Item&>(item), path.parts);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

AttributeValue* find_parent(Item& item, const Path& path) {
  return walk(item, std::span(path.parts).first(path.parts.size() - 1));
}

}  // namespace dolmen::expr
