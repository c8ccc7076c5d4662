#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/operations.h"
#include "dolmen/value.h"
#include "expr/syntax.h"
#include "partiql/syntax.h"

/// Statements as DynamoDB understands them: what was written (syntax.h), with the values of its parameters, after all
/// checks that need no table. Conditions, updates and paths are those of expressions (expr/syntax.h).
namespace dolmen::partiql {

enum class StatementKind : std::uint8_t { kSelect, kInsert, kUpdate, kDelete, kExists };

/// A column of a SELECT: what is read, and under which name it is returned.
struct Column {
  expr::Path path;
  std::string name;
};

struct OrderTerm {
  std::string attribute;
  bool descending = false;
};

/// Owns the values that its trees point to, and so cannot be copied.
struct Statement {
  StatementKind kind = StatementKind::kSelect;
  std::string table;
  std::optional<std::string> index;

  // SELECT and EXISTS.
  bool star = false;
  std::vector<Column> columns;
  std::vector<OrderTerm> order;
  std::optional<std::string> bad_order;  ///< why ORDER BY is refused once the table is known to exist

  /// Of all but INSERT.
  std::optional<expr::Node> where;

  std::vector<expr::UpdateAction> actions;  ///< of an UPDATE
  Item item;                                ///< of an INSERT

  std::optional<ReturnValues> returning;
  std::string returning_words;  ///< as they were written, in capitals: "ALL NEW"

  std::vector<std::unique_ptr<const AttributeValue>> values;

  [[nodiscard]] bool reads() const { return kind == StatementKind::kSelect; }
};

/// What a statement is about, as far as that can be seen before it is checked.
struct Target {
  StatementKind kind = StatementKind::kSelect;
  std::string table;
  std::optional<std::string> index = std::nullopt;
};

/// Nothing for a statement that is refused whatever the tables are.
std::optional<Target> target_of(const Syntax& syntax);

/// Where a statement stands, which decides whether EXISTS is allowed.
enum class Place : std::uint8_t { kAlone, kTransaction };

/// Checks a statement as far as that is possible without its table: clauses, paths, literals, operators and the number
/// of parameters. Fails with kValidation in DynamoDB's words.
Result<std::shared_ptr<const Statement>> prepare(const Syntax& syntax, std::span<const AttributeValue> parameters,
                                                 Place place = Place::kAlone);

/// Whether the text begins like a statement that only reads. For a caller who repeats requests.
bool begins_as_read(std::string_view text);

}  // namespace dolmen::partiql
