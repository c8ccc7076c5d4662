#include "expr/key_condition.h"

#include <algorithm>
#include <optional>

#include "base/fail.h"
#include "expr/mistakes.h"

namespace dolmen::expr {
namespace {

std::unexpected<Error> not_on_keys(std::string message) {
  return std::unexpected(
      Error(Code::kValidation, std::move(message), std::shared_ptr<const ErrorPayload>(new KeyConditionMistake)));
}

Result<void> check_operator(const Node& node) {
  switch (node.kind) {
    case NodeKind::kOr:
    case NodeKind::kNot:
    case NodeKind::kIn:
    case NodeKind::kNotEqual:
      return fail(Code::kValidation, "Invalid operator used in KeyConditionExpression: {}", operator_text(node));
    case NodeKind::kFunction:
      if (node.text != "begins_with")
        return fail(Code::kValidation, "Invalid operator used in KeyConditionExpression: {}", node.text);
      return {};
    default: return {};
  }
}

/// The comparison with its sides exchanged: `:v < a` is `a > :v`.
KeyOperator operator_of(NodeKind kind, bool exchanged) {
  switch (kind) {
    case NodeKind::kLess: return exchanged ? KeyOperator::kGreater : KeyOperator::kLess;
    case NodeKind::kLessOrEqual: return exchanged ? KeyOperator::kGreaterOrEqual : KeyOperator::kLessOrEqual;
    case NodeKind::kGreater: return exchanged ? KeyOperator::kLess : KeyOperator::kGreater;
    case NodeKind::kGreaterOrEqual: return exchanged ? KeyOperator::kLessOrEqual : KeyOperator::kGreaterOrEqual;
    case NodeKind::kBetween: return KeyOperator::kBetween;
    case NodeKind::kFunction: return KeyOperator::kBeginsWith;
    default: return KeyOperator::kEqual;
  }
}

/// Which operand is the key attribute.
Result<std::size_t> key_operand(const Node& node) {
  std::optional<std::size_t> key;
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const Node& child = node.children[i];
    if (child.kind == NodeKind::kFunction)
      return not_on_keys("KeyConditionExpressions cannot contain nested operations");
    if (child.kind != NodeKind::kPath) continue;
    if (child.path.is_nested())
      return not_on_keys("KeyConditionExpressions cannot have conditions on nested attributes");
    if (key)
      return fail(Code::kValidation,
                  "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition");
    key = i;
  }
  if (!key) return fail(Code::kValidation, "Invalid condition in KeyConditionExpression: No key attribute specified");
  const bool first_only = node.kind == NodeKind::kBetween || node.kind == NodeKind::kFunction;
  if (first_only && *key != 0)
    return fail(
        Code::kValidation,
        "Invalid condition in KeyConditionExpression: {} operator must have the key attribute as its first operand",
        operator_text(node));
  return *key;
}

Result<void> collect(const Node& node, std::vector<KeyCondition>& out) {
  DOLMEN_TRY_VOID(check_operator(node));
  if (node.kind == NodeKind::kAnd) {
    for (const Node& child : node.children) DOLMEN_TRY_VOID(collect(child, out));
    return {};
  }
  DOLMEN_TRY(const std::size_t key, key_operand(node));
  KeyCondition condition{.attribute = node.children[key].path.attribute(), .op = operator_of(node.kind, key == 1)};
  if (std::ranges::find(out, condition.attribute, &KeyCondition::attribute) != out.end())
    return not_on_keys("KeyConditionExpressions must only contain one condition per key");
  condition.value = *node.children[key == 0 ? 1 : 0].value;
  if (node.kind == NodeKind::kBetween) condition.upper = *node.children[2].value;
  out.push_back(std::move(condition));
  return {};
}

}  // namespace

Result<std::vector<KeyCondition>> key_conditions_of(const Node& condition) {
  std::vector<KeyCondition> conditions;
  DOLMEN_TRY_VOID(collect(condition, conditions));
  return conditions;
}

}  // namespace dolmen::expr
