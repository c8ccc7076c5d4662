#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "partiql/token.h"

/// Statements as trees, as they are written. Much that can be written is refused later (statement.h).
namespace dolmen::partiql {

struct SelectSyntax;
struct InsertSyntax;
struct ChangeSyntax;

enum class TermKind : std::uint8_t {
  kName,
  kString,
  kNumber,  ///< with its sign
  kTrue,
  kFalse,
  kNull,
  kMissing,
  kIon,
  kParameter,
  kPath,         ///< the first child is what the path begins with, then one child for each step
  kDotStep,      ///< .name; the text is the name
  kIndexStep,    ///< [expression], the child
  kAllMembers,   ///< .*
  kAllElements,  ///< [*]
  kCall,         ///< of a function
  kAggregate,    ///< count, sum, avg, min, max
  kUnary,        ///< not, +, -
  kBinary,       ///< all infix operators; a chain of the same AND or OR has all of its operands
  kBetween,      ///< operand, lower, upper; the text is "between" or "not between"
  kIs,           ///< the text is "is" or "is not"; the type is in `type`
  kList,
  kBag,
  kTuple,  ///< its children are name, value, name, value, ...
  kCase,
  kCast,
  kDate,
  kSelect,
  kInsert,
  kChange,     ///< UPDATE, DELETE, FROM ... SET
  kDefinition  ///< CREATE, DROP, EXEC; the text is the name of the node
};

struct Term {
  TermKind kind = TermKind::kNull;
  /// A name, an operator in lower case, the content of a literal.
  std::string text;
  Position position;
  std::vector<Term> children;
  /// The data type after IS.
  std::string type;
  /// The number of a parameter in the statement, from 0.
  std::size_t parameter = 0;
  /// True inside parentheses of its own.
  bool grouped = false;
  std::shared_ptr<const SelectSyntax> select;
  std::shared_ptr<const InsertSyntax> insert;
  std::shared_ptr<const ChangeSyntax> change;
};

/// What a FROM clause names.
struct SourceSyntax {
  Term term;
  bool aliased = false;
  bool several = false;  ///< a join, a comma or UNPIVOT
};

struct ColumnSyntax {
  Term term;
  bool aliased = false;
};

struct OrderSyntax {
  Term term;
  bool descending = false;
};

struct SelectSyntax {
  Position position;
  bool distinct = false;
  bool value = false;  ///< SELECT VALUE or PIVOT
  bool star = false;
  std::vector<ColumnSyntax> columns;
  SourceSyntax source;
  std::optional<Term> where;
  std::vector<OrderSyntax> order;
  bool group = false;
  std::optional<Term> having;
  std::optional<Term> limit;
};

struct ReturningSyntax {
  struct Element {
    std::string words;  ///< "all old"
    bool star = false;
  };
  std::vector<Element> elements;
};

struct InsertSyntax {
  Position position;
  Term target;
  bool has_value = false;  ///< VALUE, and not VALUES or a query
  Term value;
  bool at = false;
  bool on_conflict = false;
  std::optional<ReturningSyntax> returning;
};

struct ActionSyntax {
  enum class Kind : std::uint8_t { kSet, kRemove, kInsert };
  Kind kind = Kind::kSet;
  Term target;
  Term value;  ///< of kSet
};

struct ChangeSyntax {
  Position position;
  bool deletes = false;
  /// FROM ... SET: the source can be anything, and not only a path.
  bool from_first = false;
  std::optional<SourceSyntax> source;  ///< none of a SET or REMOVE without a table
  std::vector<ActionSyntax> actions;
  std::optional<Term> where;
  std::optional<ReturningSyntax> returning;
};

/// A whole statement.
struct Syntax {
  Term root;
  std::size_t parameters = 0;
};

}  // namespace dolmen::partiql
