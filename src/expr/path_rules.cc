#include "expr/path_rules.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "base/fail.h"

namespace dolmen::expr {
namespace {

std::unexpected<Error> two_paths(std::string_view how, const Path& one, const Path& two) {
  return fail(
      Code::kValidation,
      "Two document paths {} with each other; must remove or rewrite one of these paths; path one: {}, path two: {}",
      how, path_text(one), path_text(two));
}

enum class Relation : std::uint8_t { kApart, kOverlap, kConflict };

Relation relation(const Path& one, const Path& two) {
  const std::size_t shared = std::min(one.parts.size(), two.parts.size());
  for (std::size_t i = 0; i < shared; ++i) {
    if (one.parts[i].index() != two.parts[i].index()) return Relation::kConflict;
    if (one.parts[i] != two.parts[i]) return Relation::kApart;
  }
  return Relation::kOverlap;
}

}  // namespace

Result<void> check_apart(const std::vector<const Path*>& paths) {
  std::optional<Error> conflict;
  // Only paths into the same attribute can overlap; legacy parameters may name very many attributes.
  std::unordered_map<std::string_view, std::vector<const Path*>> by_attribute;
  for (const Path* later : paths) {
    std::vector<const Path*>& earlier_ones = by_attribute[later->attribute()];
    for (const Path* earlier : earlier_ones) {
      const Relation how = relation(*earlier, *later);
      if (how == Relation::kOverlap) return two_paths("overlap", *earlier, *later);
      if (how == Relation::kConflict && !conflict) conflict = two_paths("conflict", *earlier, *later).error();
    }
    earlier_ones.push_back(later);
  }
  if (conflict) return std::unexpected(std::move(*conflict));
  return {};
}

void collect_paths(const Node& node, std::vector<const Path*>& paths) {
  if (node.kind == NodeKind::kPath) paths.push_back(&node.path);
  for (const Node& child : node.children) collect_paths(child, paths);
}

void collect_paths(const UpdateAction& action, std::vector<const Path*>& paths) {
  paths.push_back(&action.path);
  if (action.section != Section::kRemove) collect_paths(action.operand, paths);
}

std::vector<std::string> attributes_of(std::span<const Path* const> paths) {
  std::vector<std::string> names;
  names.reserve(paths.size());
  for (const Path* path : paths) names.emplace_back(path->attribute());
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
  return names;
}

}  // namespace dolmen::expr
