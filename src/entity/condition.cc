#include "entity/condition.h"

#include <algorithm>
#include <array>
#include <utility>

#include "entity/refusal.h"

namespace dolmen::entity {

namespace {

using PieceKind = detail::ExpressionPiece::Kind;
using Value = std::optional<AttributeValue>;

constexpr std::array<std::string_view, 6> kComparators = {"=", "<>", "<", "<=", ">", ">="};

detail::ExpressionPiece text(std::string_view text) { return {.kind = PieceKind::kText, .text = std::string(text)}; }
detail::ExpressionPiece name(const std::string& name) { return {.kind = PieceKind::kName, .text = name}; }
detail::ExpressionPiece value(const AttributeValue& value) {
  return {.kind = PieceKind::kValue, .text = {}, .value = value};
}

/// Nothing, or null.
bool is_nil(const Value& value) { return !value || value->type() == Type::kNull; }

const Value& value_at(const EntityCondition& condition, std::size_t i) {
  static const Value kNone;
  return i < condition.values.size() ? condition.values[i] : kNone;
}

detail::ExpressionPieces compared(const EntityCondition& condition, std::string_view comparator, const Value& operand) {
  if (is_nil(operand)) return {};
  return {name(condition.property), text(" " + std::string(comparator) + " "), value(*operand)};
}

detail::ExpressionPieces called(const EntityCondition& condition) {
  return {text(condition.operation + "("), name(condition.property), text(", "), value(*value_at(condition, 0)),
          text(")")};
}

detail::ExpressionPieces begins_with(const EntityCondition& condition) {
  const Value& prefix = value_at(condition, 0);
  const bool says_nothing = is_nil(prefix) || (prefix->type() == Type::kString && prefix->string().empty());
  return says_nothing ? detail::ExpressionPieces{} : called(condition);
}

detail::ExpressionPieces between(const EntityCondition& condition) {
  const Value& from = value_at(condition, 0);
  const Value& to = value_at(condition, 1);
  if (is_nil(to)) return compared(condition, ">=", from);
  if (is_nil(from)) return compared(condition, "<=", to);
  return {name(condition.property), text(" BETWEEN "), value(*from), text(" AND "), value(*to)};
}

Result<detail::ExpressionPieces> in(const EntityCondition& condition, ConditionForm form) {
  detail::ExpressionPieces pieces{name(condition.property), text(" IN (")};
  bool first = true;
  for (const Value& member : condition.values) {
    if (!member && form == ConditionForm::kOwn) continue;
    if (!std::exchange(first, false)) pieces.push_back(text(", "));
    if (member) pieces.push_back(value(*member));
  }
  if (first && form == ConditionForm::kOwn)
    return refuse(Code::kInvalidArgument, "in needs at least one value", condition.property, "nothing could match");
  pieces.push_back(text(")"));
  return pieces;
}

Result<detail::ExpressionPieces> group(const EntityCondition& condition, std::string_view word, ConditionForm form) {
  std::vector<detail::ExpressionPieces> parts;
  for (const EntityCondition& part : condition.conditions) {
    DOLMEN_TRY(detail::ExpressionPieces pieces, pieces_of(part, ConditionUse::kFilter, form));
    parts.push_back(std::move(pieces));
  }
  return joined(parts, word);
}

Result<detail::ExpressionPieces> negated(const EntityCondition& condition, ConditionForm form) {
  if (condition.conditions.size() != 1)
    return refuse(Code::kInvalidArgument, "not needs one condition", condition.property, "it has none or several");
  DOLMEN_TRY(detail::ExpressionPieces pieces, pieces_of(condition.conditions.front(), ConditionUse::kFilter, form));
  if (pieces.empty()) return pieces;
  pieces.insert(pieces.begin(), text("NOT ("));
  pieces.push_back(text(")"));
  return pieces;
}

}  // namespace

detail::ExpressionPieces joined(const std::vector<detail::ExpressionPieces>& parts, std::string_view word) {
  detail::ExpressionPieces all;
  for (const detail::ExpressionPieces& part : parts) {
    if (part.empty()) continue;
    all.push_back(text(all.empty() ? "(" : ") " + std::string(word) + " ("));
    all.insert(all.end(), part.begin(), part.end());
  }
  if (!all.empty()) all.push_back(text(")"));
  return all;
}

Result<detail::ExpressionPieces> pieces_of(const EntityCondition& condition, ConditionUse use, ConditionForm form) {
  const std::string& operation = condition.operation;
  if (std::ranges::find(kComparators, operation) != kComparators.end())
    return compared(condition, operation, value_at(condition, 0));
  if (operation == "begins_with") return begins_with(condition);
  if (operation == "between") return between(condition);
  if (use == ConditionUse::kFilter) {
    if (operation == "contains") return value_at(condition, 0) ? called(condition) : detail::ExpressionPieces{};
    if (operation == "in") return in(condition, form);
    if (operation == "attribute_exists" || operation == "attribute_not_exists")
      return detail::ExpressionPieces{text(operation + "("), name(condition.property), text(")")};
    if (operation == "and") return group(condition, "AND", form);
    if (operation == "or") return group(condition, "OR", form);
    if (operation == "not") return negated(condition, form);
  }
  return refuse(Code::kInvalidArgument, "invalid operator", operation,
                use == ConditionUse::kRangeKey ? "a range key does not have it" : "there is no such operation");
}

}  // namespace dolmen::entity

namespace dolmen {

Result<Condition> condition_of(const EntityCondition& condition, ConditionUse use) {
  DOLMEN_TRY(detail::ExpressionPieces pieces, entity::pieces_of(condition, use, entity::ConditionForm::kOwn));
  return pieces.empty() ? Condition() : Condition::of(std::move(pieces));
}

}  // namespace dolmen
