#include "partiql/conditions.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"
#include "base/fail.h"
#include "base/limits.h"
#include "expr/operand_check.h"
#include "partiql/functions.h"
#include "partiql/literal.h"
#include "partiql/path.h"

namespace dolmen::partiql {
namespace {

using expr::Node;
using expr::NodeKind;

std::optional<NodeKind> comparison_kind(std::string_view op) {
  if (op == "=") return NodeKind::kEqual;
  if (op == "<>") return NodeKind::kNotEqual;
  if (op == "<") return NodeKind::kLess;
  if (op == "<=") return NodeKind::kLessOrEqual;
  if (op == ">") return NodeKind::kGreater;
  if (op == ">=") return NodeKind::kGreaterOrEqual;
  return std::nullopt;
}

Node negated(Node node) {
  Node outer{.kind = NodeKind::kNot};
  outer.children.push_back(std::move(node));
  return outer;
}

/// What IS compares with, as attribute_type names it. Empty for types that IS does not know.
std::string_view type_after_is(std::string_view type) {
  if (type == "NULL") return "NULL";
  if (type == "BOOLEAN") return "BOOL";
  if (type == "STRING") return "S";
  if (type == "NUMERIC") return "N";
  if (type == "BLOB") return "B";
  if (type == "LIST") return "L";
  if (type == "STRUCT" || type == "TUPLE") return "M";
  return "";
}

/// A statement that stands where a value or condition is needed.
std::unexpected<Error> unsupported_token(const Term& term) {
  return fail(Code::kValidation, "Unsupported token in expression: {}{}", term_name(term), at_text(term.position));
}

bool is_test(const Node& node) { return expr::is_condition(node); }

std::unexpected<Error> wrong_argument(std::string_view op) {
  return fail(Code::kValidation,
              "Incorrect operand type for operator or function; operator or function: {}, operand type: N", op);
}

/// What cannot be a condition because it is a value.
bool is_value_term(const Term& term) {
  return is_literal(term) || term.kind == TermKind::kName || term.kind == TermKind::kPath ||
         term.kind == TermKind::kParameter || term.kind == TermKind::kMissing;
}

}  // namespace

Result<Node> Lowering::where(const Term& term) {
  operators_ = 0;
  constexpr std::string_view kNotBoolean = "WHERE clause must contain an expression that resolves to a boolean";
  if (is_value_term(term)) return fail(Code::kValidation, "{}", kNotBoolean);
  DOLMEN_TRY(Node node, condition(term));
  if (!is_test(node)) return fail(Code::kValidation, "{}", kNotBoolean);
  return node;
}

Result<void> Lowering::count_operator() {
  if (++operators_ > dolmen::limits::kExpressionOperators)
    return fail(Code::kValidation, "The expression contains too many operators; operator count: {}", operators_);
  return {};
}

Node Lowering::value(AttributeValue value) {
  values_.push_back(std::make_unique<const AttributeValue>(std::move(value)));
  return Node{.kind = NodeKind::kValue, .value = values_.back().get()};
}

Result<Node> Lowering::checked(Node node) {
  DOLMEN_TRY_VOID(expr::check_condition_operands(node));
  return node;
}

Result<Node> Lowering::condition(const Term& term) {
  switch (term.kind) {
    case TermKind::kUnary:
      if (term.text == "not") return negation(term);
      return fail(Code::kValidation, "Unsupported operator in Condition Expression. Operator: {}", term.text);
    case TermKind::kBinary:
      if (term.text == "and" || term.text == "or") return connective(term);
      if (term.text == "in" || term.text == "not in") return membership(term);
      return comparison(term);
    case TermKind::kBetween: return between(term);
    case TermKind::kIs: return type_test(term);
    case TermKind::kCall: return call(term);
    default: return unsupported_token(term);
  }
}

Result<Node> Lowering::connective(const Term& term) {
  Node node{.kind = term.text == "and" ? NodeKind::kAnd : NodeKind::kOr};
  for (const Term& child : term.children) {
    if (is_value_term(child)) return fail(Code::kValidation, "The arguments to AND/OR must be Expressions");
    DOLMEN_TRY(Node part, condition(child));
    if (!is_test(part)) return wrong_argument(expr::operator_text(node));
    node.children.push_back(std::move(part));
  }
  for (std::size_t i = 1; i < node.children.size(); ++i) DOLMEN_TRY_VOID(count_operator());
  return node;
}

Result<Node> Lowering::negation(const Term& term) {
  const Term& child = term.children.front();
  if (is_value_term(child)) return fail(Code::kValidation, "The argument to NOT must be a Type or Expression");
  DOLMEN_TRY(Node part, condition(child));
  if (!is_test(part)) return wrong_argument("NOT");
  DOLMEN_TRY_VOID(count_operator());
  return negated(std::move(part));
}

Result<void> Lowering::operands(const Term& term, Node& node) {
  for (const Term& child : term.children) {
    DOLMEN_TRY(Node part, operand(child));
    node.children.push_back(std::move(part));
  }
  return {};
}

Result<Node> Lowering::comparison(const Term& term) {
  const std::optional<NodeKind> kind = comparison_kind(term.text);
  if (!kind) return fail(Code::kValidation, "Unsupported operator in Condition Expression. Operator: {}", term.text);
  Node node{.kind = *kind};
  DOLMEN_TRY_VOID(operands(term, node));
  DOLMEN_TRY_VOID(count_operator());
  return checked(std::move(node));
}

Result<Node> Lowering::membership(const Term& term) {
  const Term& list = term.children[1];
  if ((list.kind != TermKind::kList && list.kind != TermKind::kBag) || list.children.empty())
    return fail(Code::kValidation,
                "IN operator must have a left hand argument of type Variable Reference and right hand argument of type "
                "Seq with at least one member");
  Node node{.kind = NodeKind::kIn};
  DOLMEN_TRY(Node left, operand(term.children[0]));
  node.children.push_back(std::move(left));
  DOLMEN_TRY_VOID(operands(list, node));
  DOLMEN_TRY_VOID(count_operator());
  DOLMEN_TRY(node, checked(std::move(node)));
  return term.text == "in" ? node : negated(std::move(node));
}

Result<Node> Lowering::between(const Term& term) {
  Node node{.kind = NodeKind::kBetween};
  DOLMEN_TRY_VOID(operands(term, node));
  DOLMEN_TRY_VOID(count_operator());
  DOLMEN_TRY(node, checked(std::move(node)));
  return term.text == "between" ? node : negated(std::move(node));
}

Result<Node> Lowering::type_test(const Term& term) {
  const Term& tested = term.children.front();
  if (!is_literal(tested) && tested.kind != TermKind::kName && tested.kind != TermKind::kPath)
    return fail(Code::kValidation, "The left hand side argument to IS must be a Variable Reference, Literal, or Path");
  Node node{.kind = NodeKind::kFunction};
  if (term.type == "MISSING") {
    node.text = "attribute_not_exists";
  } else {
    const std::string_view type = type_after_is(term.type);
    if (type.empty())
      return fail(Code::kValidation,
                  "Unsupported data type for IS operator: {}. Supported data types are [MISSING, NULL, BOOLEAN, BLOB, "
                  "STRING, NUMERIC, STRUCT, TUPLE, LIST]{}",
                  term.type, at_text(term.position));
    node.text = "attribute_type";
    node.children.push_back(value(std::string(type)));
  }
  DOLMEN_TRY(Node left, operand(tested));
  node.children.insert(node.children.begin(), std::move(left));
  DOLMEN_TRY_VOID(count_operator());
  DOLMEN_TRY(node, checked(std::move(node)));
  return term.text == "is" ? node : negated(std::move(node));
}

Result<Node> Lowering::call(const Term& term) {
  const Function* function = find_function(term.text);
  if (function == nullptr || !function->known)
    return fail(Code::kValidation, "Unrecognized function: {}{}", term.text, at_text(term.position));
  if (!function->in_conditions)
    return fail(Code::kValidation, "The function is not allowed in a condition expression; function: {}",
                function->name);
  Node node{.kind = NodeKind::kFunction, .text = std::string(function->name)};
  DOLMEN_TRY_VOID(operands(term, node));
  DOLMEN_TRY_VOID(count_operator());
  if (function->name == "attribute_type" && node.children.size() == 2)
    DOLMEN_TRY_VOID(check_attribute_type_name(node.children[1]));
  return checked(std::move(node));
}

Result<Node> Lowering::operand(const Term& term) {
  if (term.kind == TermKind::kName || term.kind == TermKind::kPath) {
    DOLMEN_TRY(expr::Path path, path_of(term));
    return Node{.kind = NodeKind::kPath, .path = std::move(path)};
  }
  if (term.kind == TermKind::kParameter) return value(parameters_[term.parameter]);
  if (term.kind == TermKind::kMissing) return fail(Code::kValidation, "MISSING must be compared using IS operator");
  if (is_literal(term)) {
    DOLMEN_TRY(AttributeValue literal, literal_value(term));
    return value(std::move(literal));
  }
  return condition(term);
}

}  // namespace dolmen::partiql
