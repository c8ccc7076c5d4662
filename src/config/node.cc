#include "config/node.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include "base/ascii.h"
#include "base/check.h"

namespace dolmen::config {

namespace {

/// The first step of a path, which is taken off it: a name, or an index in brackets.
std::string_view take_step(std::string_view& path) {
  if (path.starts_with('.')) path.remove_prefix(1);
  std::size_t end = 0;
  if (path.starts_with('[')) {
    end = path.find(']');
    end = end == std::string_view::npos ? path.size() : end + 1;
  } else {
    end = std::min(path.find_first_of(".["), path.size());
  }
  const std::string_view step = path.substr(0, end);
  path.remove_prefix(end);
  return step;
}

const Node* follow(const Node& node, std::string_view step) {
  if (!step.starts_with('[')) return node.find(step);
  std::size_t index = 0;
  for (const char digit : step.substr(1, step.size() - 2)) index = index * 10 + static_cast<std::size_t>(digit - '0');
  return node.kind == Node::Kind::kList && index < node.elements.size() ? &node.elements[index] : nullptr;
}

/// How many characters must be added, removed or replaced to make one of the other; at least, capitals count.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0U);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, diagonal + 1, replaced});
    }
  }
  return row.back();
}

}  // namespace

const Node* Node::find(std::string_view name) const {
  for (const Entry& entry : entries)
    if (entry.name == name) return &entry.value;
  return nullptr;
}

std::string_view kind_name(Node::Kind kind) {
  switch (kind) {
    case Node::Kind::kNull: return "null";
    case Node::Kind::kBoolean: return "boolean";
    case Node::Kind::kNumber: return "number";
    case Node::Kind::kString: return "string";
    case Node::Kind::kList: return "list";
    case Node::Kind::kMap: return "map";
  }
  DOLMEN_UNREACHABLE("a kind outside the closed list");
}

Position position_of(const Node& root, std::string_view path) {
  const Node* node = &root;
  while (!path.empty()) {
    const Node* next = follow(*node, take_step(path));
    if (next == nullptr) break;
    node = next;
  }
  return node->position;
}

std::string_view similar_name(const Node& map, std::string_view name) {
  constexpr std::size_t kDistanceMax = 2;
  for (const Node::Entry& entry : map.entries)
    if (entry.name.size() > kDistanceMax && entry.name.size() <= name.size() + kDistanceMax &&
        distance(entry.name, name) <= kDistanceMax)
      return entry.name;
  return {};
}

std::string_view nearest_name(std::string_view name, std::span<const std::string_view> known,
                              std::size_t distance_max) {
  const auto small = [](std::string_view text) {
    std::string out(text);
    std::ranges::transform(out, out.begin(), ascii_lower);
    return out;
  };
  std::string_view nearest;
  std::size_t least = distance_max + 1;
  for (const std::string_view candidate : known) {
    const std::size_t wrong = distance(small(name), small(candidate));
    if (wrong >= least) continue;
    least = wrong;
    nearest = candidate;
  }
  return nearest;
}

std::string child_path(std::string_view path, std::string_view name) {
  return path.empty() ? std::string(name) : fmt::format("{}.{}", path, name);
}

std::string child_path(std::string_view path, std::size_t index) { return fmt::format("{}[{}]", path, index); }

}  // namespace dolmen::config
