#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/table.h"
#include "expr/syntax.h"
#include "partiql/statement.h"

namespace dolmen::partiql {

/// What a statement becomes, for people.
struct Explanation {
  /// Query, Scan, PutItem, UpdateItem, DeleteItem or ConditionCheck.
  std::string operation;
  std::string table;
  std::optional<std::string> index = std::nullopt;
  /// Of each Query, in the order in which they are carried out; of a write, the key of its item.
  std::vector<std::string> keys = {};
  /// What each Query, or the Scan, leaves out; empty where it leaves out nothing.
  std::vector<std::string> filters = {};
  /// Of a write.
  std::optional<std::string> condition = std::nullopt;
  std::optional<std::string> update = std::nullopt;
  bool descending = false;
};

/// The plan of a statement, without carrying anything out. Fails as the statement would.
Result<Explanation> explain(const std::shared_ptr<const Statement>& statement, const TableDefinition& table);

/// Some lines of text.
std::string to_text(const Explanation& explanation);

/// A condition or operand as text.
std::string to_text(const expr::Node& node);

}  // namespace dolmen::partiql
