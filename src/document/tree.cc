#include "document/tree.h"

#include <algorithm>

#include "protocol/object_writer.h"
#include "value/json.h"

namespace dolmen::document {
namespace {

using config::Node;

/// The first name of a path, which is removed from it.
std::string_view take_name(std::string_view& path) {
  const std::size_t dot = std::min(path.find('.'), path.size());
  const std::string_view name = path.substr(0, dot);
  path.remove_prefix(std::min(dot + 1, path.size()));
  return name;
}

Node* entry_of(Node& map, std::string_view name) {
  const auto found = std::ranges::find(map.entries, name, &Node::Entry::name);
  return found == map.entries.end() ? nullptr : &found->value;
}

void append_tree(std::string& out, const Node& node) {
  switch (node.kind) {
    case Node::Kind::kNull: out.append("null"); break;
    case Node::Kind::kBoolean: out.append(node.boolean ? "true" : "false"); break;
    case Node::Kind::kNumber: out.append(node.text); break;
    case Node::Kind::kString: json::append_string(out, node.text); break;
    case Node::Kind::kList:
      append_array(out, node.elements, [&](const Node& element) { append_tree(out, element); });
      break;
    case Node::Kind::kMap: {
      ObjectWriter object(out);
      for (const Node::Entry& entry : node.entries) append_tree(object.member(entry.name), entry.value);
      object.end();
      break;
    }
  }
}

}  // namespace

Node* find_value(Node& root, std::string_view path) {
  Node* node = &root;
  while (node != nullptr && !path.empty()) node = entry_of(*node, take_name(path));
  return node;
}

std::optional<Node> take_value(Node& root, std::string_view path) {
  const std::size_t dot = path.rfind('.');
  const bool nested = dot != std::string_view::npos;
  Node* map = nested ? find_value(root, path.substr(0, dot)) : &root;
  if (map == nullptr) return std::nullopt;
  const auto found = std::ranges::find(map->entries, nested ? path.substr(dot + 1) : path, &Node::Entry::name);
  if (found == map->entries.end()) return std::nullopt;
  Node value = std::move(found->value);
  map->entries.erase(found);
  return value;
}

bool add_value(Node& root, std::string_view path, Node value) {
  Node* map = &root;
  while (true) {
    if (map->kind != Node::Kind::kMap) return false;
    const std::string_view name = take_name(path);
    Node* next = entry_of(*map, name);
    if (next != nullptr && path.empty()) return false;
    if (next == nullptr) {
      map->entries.push_back({.name = std::string(name), .name_position = {}, .value = {.kind = Node::Kind::kMap}});
      next = &map->entries.back().value;
    }
    if (path.empty()) {
      *next = std::move(value);
      return true;
    }
    map = next;
  }
}

std::string tree_text(const Node& root) {
  std::string out;
  append_tree(out, root);
  return out;
}

}  // namespace dolmen::document
