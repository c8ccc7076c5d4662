#include "expr/search_condition.h"

#include <algorithm>

#include "base/fail.h"

namespace dolmen::expr {
namespace {

std::unexpected<Error> bad_search(std::string_view text) {
  return fail(Code::kValidation, "Invalid SearchConditionExpression: {}", text);
}

/// All operators are looked at before anything else.
Result<void> check_search_operators(const Node& node) {
  switch (node.kind) {
    case NodeKind::kAnd:
      for (const Node& child : node.children) DOLMEN_TRY_VOID(check_search_operators(child));
      return {};
    case NodeKind::kEqual:
      if (std::ranges::any_of(node.children, [](const Node& child) {
            return child.kind != NodeKind::kPath && child.kind != NodeKind::kValue;
          }))
        return bad_search("Invalid operator used in SearchConditionExpression");
      return {};
    case NodeKind::kNotEqual:
    case NodeKind::kLess:
    case NodeKind::kLessOrEqual:
    case NodeKind::kGreater:
    case NodeKind::kGreaterOrEqual: return bad_search("Invalid comparator used in SearchConditionExpression");
    default: return bad_search("Invalid operator used in SearchConditionExpression");
  }
}

Result<void> collect_search(const Node& node, std::vector<SearchCondition>& out) {
  if (node.kind == NodeKind::kAnd) {
    for (const Node& child : node.children) DOLMEN_TRY_VOID(collect_search(child, out));
    return {};
  }
  const auto is_path = [](const Node& child) { return child.kind == NodeKind::kPath; };
  const auto paths = std::ranges::count_if(node.children, is_path);
  if (std::ranges::any_of(node.children, [&](const Node& child) { return is_path(child) && child.path.is_nested(); }))
    return bad_search("SearchConditionExpression cannot have conditions on nested attributes");
  if (paths > 1)
    return bad_search("Invalid condition in SearchConditionExpression: Multiple attribute names used in one condition");
  if (paths == 0) return bad_search("Invalid condition in SearchConditionExpression: No attribute specified");
  const bool path_first = is_path(node.children[0]);
  out.push_back({.attribute = node.children[path_first ? 0 : 1].path.attribute(),
                 .value = *node.children[path_first ? 1 : 0].value});
  return {};
}

}  // namespace

Result<std::vector<SearchCondition>> search_conditions_of(const Node& condition) {
  DOLMEN_TRY_VOID(check_search_operators(condition));
  std::vector<SearchCondition> conditions;
  DOLMEN_TRY_VOID(collect_search(condition, conditions));
  return conditions;
}

}  // namespace dolmen::expr
