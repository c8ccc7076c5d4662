#include "expr/syntax.h"

#include <fmt/format.h>

namespace dolmen::expr {

std::string path_text(const Path& path) {
  std::string out = "[";
  for (const Path::Part& part : path.parts) {
    if (out.size() > 1) out += ", ";
    if (const auto* name = std::get_if<std::string>(&part)) {
      out += *name;
    } else {
      out += fmt::format("[{}]", std::get<std::uint32_t>(part));
    }
  }
  return out + "]";
}

bool is_condition(const Node& node) {
  switch (node.kind) {
    case NodeKind::kPath:
    case NodeKind::kValue:
    case NodeKind::kPlus:
    case NodeKind::kMinus: return false;
    case NodeKind::kFunction: return node.text != "size" && node.text != "list_append" && node.text != "if_not_exists";
    default: return true;
  }
}

std::string_view operator_text(const Node& node) {
  switch (node.kind) {
    case NodeKind::kPath:
    case NodeKind::kValue:
    case NodeKind::kFunction: return node.text;
    case NodeKind::kPlus: return "+";
    case NodeKind::kMinus: return "-";
    case NodeKind::kEqual: return "=";
    case NodeKind::kNotEqual: return "<>";
    case NodeKind::kLess: return "<";
    case NodeKind::kLessOrEqual: return "<=";
    case NodeKind::kGreater: return ">";
    case NodeKind::kGreaterOrEqual: return ">=";
    case NodeKind::kBetween: return "BETWEEN";
    case NodeKind::kIn: return "IN";
    case NodeKind::kAnd: return "AND";
    case NodeKind::kOr: return "OR";
    case NodeKind::kNot: return "NOT";
  }
  return "";
}

std::string_view section_text(Section section) {
  switch (section) {
    case Section::kSet: return "SET";
    case Section::kRemove: return "REMOVE";
    case Section::kAdd: return "ADD";
    case Section::kDelete: return "DELETE";
  }
  return "";
}

}  // namespace dolmen::expr
