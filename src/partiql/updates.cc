// The functions of Lowering for SET, REMOVE and INSERT.
#include <fmt/format.h>
#include <utility>

#include "base/ascii.h"
#include "base/fail.h"
#include "expr/operand_check.h"
#include "partiql/conditions.h"
#include "partiql/functions.h"
#include "partiql/literal.h"
#include "partiql/path.h"

namespace dolmen::partiql {
namespace {

bool is_set_type(Type type) { return type == Type::kStringSet || type == Type::kNumberSet || type == Type::kBinarySet; }

/// SET_ADD or SET_DELETE, when the term is a call of it.
std::string_view set_function(const Term& term) {
  if (term.kind != TermKind::kCall) return "";
  if (equals_ignoring_case(term.text, "set_add")) return "SET_ADD";
  return equals_ignoring_case(term.text, "set_delete") ? "SET_DELETE" : "";
}

std::unexpected<Error> unsupported_operator(std::string_view op) {
  return fail(Code::kValidation, "Unsupported operator in Update Expression. Operator: {}", op);
}

}  // namespace

Result<expr::UpdateAction> Lowering::action(const ActionSyntax& action) {
  DOLMEN_TRY(expr::Path target, path_of(action.target));
  if (action.kind == ActionSyntax::Kind::kRemove)
    return expr::UpdateAction{.section = expr::Section::kRemove, .path = std::move(target), .operand = {}};
  operators_ = 0;
  if (!set_function(action.value).empty()) return set_change(action, target);
  DOLMEN_TRY(expr::Node operand, assigned(action.value));
  expr::UpdateAction made{.section = expr::Section::kSet, .path = std::move(target), .operand = std::move(operand)};
  DOLMEN_TRY_VOID(expr::check_update_operands(made));
  return made;
}

/// a = set_add(a, s) and a = set_delete(a, s) are ADD and DELETE of update expressions.
Result<expr::UpdateAction> Lowering::set_change(const ActionSyntax& action, const expr::Path& target) {
  const Term& call = action.value;
  const std::string_view name = set_function(call);
  if (call.children.size() != 2)
    return fail(Code::kValidation, "{} must have exactly two arguments{}", name, at_text(call.position));
  const Term& changed = call.children[0];
  const bool is_path = changed.kind == TermKind::kName || changed.kind == TermKind::kPath;
  const Result<expr::Path> path = is_path ? path_of(changed) : Result<expr::Path>(expr::Path{});
  if (!path || *path != target)
    return fail(Code::kValidation, "The first argument to {} must equal the assignment value{}", name,
                at_text(call.position));
  const Term& members = call.children[1];
  if (is_literal(members) || members.kind == TermKind::kParameter) {
    DOLMEN_TRY(expr::Node operand, Lowering::operand(members));
    if (is_set_type(operand.value->type()))
      return expr::UpdateAction{.section = name == "SET_ADD" ? expr::Section::kAdd : expr::Section::kDelete,
                                .path = target,
                                .operand = std::move(operand)};
  }
  return fail(Code::kValidation, "The second argument to {} must be a value with type SET{}", name,
              at_text(changed.position));
}

Result<expr::Node> Lowering::assigned(const Term& term) {
  switch (term.kind) {
    case TermKind::kUnary:
      if (term.text == "not") return unsupported_operator("not");
      return fail(
          Code::kValidation,
          "Incorrect number of operands for operator or function; operator or function: {}, number of operands: 1",
          term.text);
    case TermKind::kBinary: return assigned_operator(term);
    case TermKind::kBetween: return unsupported_operator(term.text);
    case TermKind::kIs: return fail(Code::kValidation, "IS operator is not supported in update expressions");
    case TermKind::kCall: return assigned_call(term);
    default: return operand(term);
  }
}

Result<expr::Node> Lowering::assigned_operator(const Term& term) {
  // A comparison is a BOOL.
  if (term.text == "=") return comparison(term);
  if (term.text != "+" && term.text != "-") return unsupported_operator(term.text);
  expr::Node node{.kind = term.text == "+" ? expr::NodeKind::kPlus : expr::NodeKind::kMinus};
  for (const Term& child : term.children) {
    DOLMEN_TRY(expr::Node part, assigned(child));
    node.children.push_back(std::move(part));
  }
  DOLMEN_TRY_VOID(count_operator());
  return node;
}

Result<expr::Node> Lowering::assigned_call(const Term& term) {
  const Function* function = find_function(term.text);
  if (function == nullptr || !function->known)
    return fail(Code::kValidation, "Unrecognized function: {}{}", term.text, at_text(term.position));
  if (!function->in_updates)
    return fail(Code::kValidation, "The function is not allowed in an update expression; function: {}", function->name);
  expr::Node node{.kind = expr::NodeKind::kFunction, .text = std::string(function->name)};
  for (const Term& child : term.children) {
    DOLMEN_TRY(expr::Node part, assigned(child));
    node.children.push_back(std::move(part));
  }
  DOLMEN_TRY_VOID(count_operator());
  return node;
}

Result<AttributeValue> Lowering::inserted(const Term& term) const {
  if (term.kind == TermKind::kParameter) return parameters_[term.parameter];
  // Inside of a value DynamoDB says what a name is, here which one it is.
  if (term.kind == TermKind::kName)
    return fail(Code::kValidation, "Unsupported data type: {} under key root{}", term.text, at_text(term.position));
  return literal_value(term);
}

}  // namespace dolmen::partiql
