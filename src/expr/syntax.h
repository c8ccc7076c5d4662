#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "dolmen/value.h"

/// Expressions as trees. The parser leaves placeholders (#name, :value) in them; `Binder` replaces those by the names
/// and values of a request.
namespace dolmen::expr {

/// A document path: an attribute name, then names of map members and indexes of list elements.
struct Path {
  using Part = std::variant<std::string, std::uint32_t>;
  std::vector<Part> parts;

  [[nodiscard]] const std::string& attribute() const { return std::get<std::string>(parts.front()); }
  [[nodiscard]] bool is_nested() const { return parts.size() > 1; }

  friend bool operator==(const Path&, const Path&) = default;
};

/// As DynamoDB prints a path: [a, b, [1]].
std::string path_text(const Path& path);

enum class NodeKind : std::uint8_t {
  // Operands.
  kPath,
  kValue,
  kFunction,  ///< size is an operand, the others are conditions
  kPlus,
  kMinus,
  // Conditions.
  kEqual,
  kNotEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kBetween,  ///< operand, lower, upper
  kIn,       ///< operand, then the list
  kAnd,      ///< two or more
  kOr,       ///< two or more
  kNot,
};

struct Node {
  NodeKind kind = NodeKind::kPath;
  /// The name of a function, or the placeholder of a value.
  std::string text;
  Path path;
  /// Set for a bound value.
  const AttributeValue* value = nullptr;
  std::vector<Node> children;
  /// The index of its first token in the expression.
  std::uint32_t position = 0;
  /// True when it was in parentheses. Decides only whether more parentheses would be redundant.
  bool in_parentheses = false;
};

/// True when the node is a test, which holds or does not. Statements may use one as an operand: then it is a BOOL.
bool is_condition(const Node& node);

/// The operator or function as DynamoDB prints it: =, <>, BETWEEN, size.
std::string_view operator_text(const Node& node);

enum class Section : std::uint8_t { kSet, kRemove, kAdd, kDelete };

std::string_view section_text(Section section);

/// One action of an update expression. `operand` is what is set, added or deleted; REMOVE does not use it.
struct UpdateAction {
  Section section = Section::kSet;
  Path path;
  Node operand;
};

}  // namespace dolmen::expr
