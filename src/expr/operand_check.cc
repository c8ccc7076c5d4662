#include "expr/operand_check.h"

#include <algorithm>
#include <optional>

#include "base/check.h"
#include "base/fail.h"
#include "base/limits.h"
#include "expr/compare.h"

namespace dolmen::expr {
namespace {

/// The type that an operand is known to have before any item is seen.
std::optional<Type> known_type(const Node& node) {
  if (node.kind == NodeKind::kValue) return node.value->type();
  if (node.kind == NodeKind::kFunction && node.text == "size") return Type::kNumber;
  if (is_condition(node)) return Type::kBool;
  return std::nullopt;
}

std::unexpected<Error> wrong_type(const Node& node, std::string_view type) {
  return fail(Code::kValidation,
              "Incorrect operand type for operator or function; operator or function: {}, operand type: {}",
              operator_text(node), type);
}

/// Every operand of a known type must have one of `allowed`.
Result<void> check_types(const Node& node, std::initializer_list<Type> allowed) {
  for (const Node& child : node.children) {
    const std::optional<Type> type = known_type(child);
    if (type && std::ranges::find(allowed, *type) == allowed.end()) return wrong_type(node, type_name(*type));
  }
  return {};
}

Result<void> check_count(const Node& node) {
  for (const Node& child : node.children) DOLMEN_TRY_VOID(check_count(child));
  if (node.kind == NodeKind::kIn && node.children.size() - 1 > limits::kInOperands)
    return fail(Code::kValidation, "The IN operator is provided with too many operands; number of operands: {}",
                node.children.size() - 1);
  if (node.kind != NodeKind::kFunction) return {};
  const bool unary = node.text == "attribute_exists" || node.text == "attribute_not_exists" || node.text == "size";
  if (node.children.size() != (unary ? 1U : 2U))
    return fail(
        Code::kValidation,
        "Incorrect number of operands for operator or function; operator or function: {}, number of operands: {}",
        node.text, node.children.size());
  return {};
}

Result<void> check_distinct(const Node& node) {
  const auto same_path = [&](const Node& other) {
    return other.kind == NodeKind::kPath && other.path == node.children[0].path;
  };
  if (node.children.empty() || node.children[0].kind != NodeKind::kPath) return {};
  if (std::any_of(node.children.begin() + 1, node.children.end(), same_path))
    return fail(
        Code::kValidation,
        "The first operand must be distinct from the remaining operands for this operator or function; operator: {}, "
        "first operand: {}",
        operator_text(node), path_text(node.children[0].path));
  return {};
}

Result<void> check_attribute_type(const Node& node) {
  const Node& wanted = node.children[1];
  const std::optional<Type> type = known_type(wanted);
  if (!type) return wrong_type(node, "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}");
  if (*type != Type::kString) return wrong_type(node, type_name(*type));
  for (int named = 0; named <= static_cast<int>(Type::kBinarySet); ++named)
    if (wanted.value->string() == type_name(static_cast<Type>(named))) return {};
  return fail(Code::kValidation,
              "Invalid attribute type name found; type: {}, valid types: {{B,NULL,SS,BOOL,L,BS,N,NS,S,M}}",
              wanted.value->string());
}

/// A value as the messages about BETWEEN show it: {S:a}. Binaries are printed as Java prints a buffer.
std::string bound_text(const AttributeValue& value) {
  if (value.type() == Type::kString) return fmt::format("AttributeValue: {{S:{}}}", value.string());
  if (value.type() == Type::kNumber) return fmt::format("AttributeValue: {{N:{}}}", value.number().to_string());
  DOLMEN_CHECK(value.type() == Type::kBinary, "a bound is a string, a number or a binary");
  const std::size_t bytes = value.binary().size();
  return fmt::format("AttributeValue: {{B:java.nio.HeapByteBuffer[pos=0 lim={} cap={}]}}", bytes, bytes);
}

Result<void> check_between(const Node& node) {
  const Node& lower = node.children[1];
  const Node& upper = node.children[2];
  if (lower.kind != NodeKind::kValue || upper.kind != NodeKind::kValue) return {};
  std::string_view problem;
  if (lower.value->type() != upper.value->type()) {
    problem = "same data type for lower and upper bounds";
  } else if (order_of(*lower.value, *upper.value) == Order::kGreater) {
    problem = "upper bound to be greater than or equal to lower bound";
  } else {
    return {};
  }
  return fail(Code::kValidation, "The BETWEEN operator requires {}; lower bound operand: {}, upper bound operand: {}",
              problem, bound_text(*lower.value), bound_text(*upper.value));
}

Result<void> check_function(const Node& node) {
  if (node.text == "attribute_exists" || node.text == "attribute_not_exists") {
    if (node.children[0].kind != NodeKind::kPath)
      return fail(Code::kValidation, "Operator or function requires a document path; operator or function: {}",
                  node.text);
    return {};
  }
  if (node.text == "attribute_type") return check_attribute_type(node);
  if (node.text == "begins_with") return check_types(node, {Type::kString, Type::kBinary});
  if (node.text == "size")
    return check_types(node, {Type::kString, Type::kBinary, Type::kList, Type::kMap, Type::kStringSet, Type::kNumberSet,
                              Type::kBinarySet});
  return {};
}

Result<void> check_operand_types(const Node& node) {
  for (const Node& child : node.children) DOLMEN_TRY_VOID(check_operand_types(child));
  switch (node.kind) {
    case NodeKind::kLess:
    case NodeKind::kLessOrEqual:
    case NodeKind::kGreater:
    case NodeKind::kGreaterOrEqual: return check_types(node, {Type::kString, Type::kNumber, Type::kBinary});
    case NodeKind::kBetween:
      DOLMEN_TRY_VOID(check_types(node, {Type::kString, Type::kNumber, Type::kBinary}));
      return check_between(node);
    case NodeKind::kFunction: return check_function(node);
    default: return {};
  }
}

/// The names of types in the messages about ADD and DELETE.
std::string_view long_type_name(Type type) {
  switch (type) {
    case Type::kString: return "STRING";
    case Type::kNumber: return "NUMBER";
    case Type::kBinary: return "BINARY";
    case Type::kBool: return "BOOLEAN";
    case Type::kNull: return "NULL";
    case Type::kList: return "LIST";
    case Type::kMap: return "MAP";
    default: return type_name(type);
  }
}

bool is_set(Type type) { return type == Type::kStringSet || type == Type::kNumberSet || type == Type::kBinarySet; }

Result<void> check_set_operand(const Node& node) {
  for (const Node& child : node.children) DOLMEN_TRY_VOID(check_set_operand(child));
  if (node.kind == NodeKind::kPlus || node.kind == NodeKind::kMinus) return check_types(node, {Type::kNumber});
  if (node.kind != NodeKind::kFunction) return {};
  if (node.children.size() != 2)
    return fail(
        Code::kValidation,
        "Incorrect number of operands for operator or function; operator or function: {}, number of operands: {}",
        node.text, node.children.size());
  if (node.text == "list_append") return check_types(node, {Type::kList});
  if (node.children[0].kind != NodeKind::kPath)
    return fail(Code::kValidation, "Operator or function requires a document path; operator or function: {}",
                node.text);
  return check_distinct(node);
}

}  // namespace

Result<void> check_condition_operands(const Node& node) {
  DOLMEN_TRY_VOID(check_count(node));
  DOLMEN_TRY_VOID(check_distinct(node));
  return check_operand_types(node);
}

Result<void> check_update_operands(const UpdateAction& action) {
  if (action.section == Section::kRemove) return {};
  if (action.section == Section::kSet) return check_set_operand(action.operand);
  const Type type = action.operand.value->type();
  const bool allowed = is_set(type) || (action.section == Section::kAdd && type == Type::kNumber);
  if (allowed) return {};
  return fail(Code::kValidation, "Incorrect operand type for operator or function; operator: {}, operand type: {}",
              section_text(action.section), long_type_name(type));
}

}  // namespace dolmen::expr
