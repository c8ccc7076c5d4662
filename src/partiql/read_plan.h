#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/table.h"
#include "expr/key_condition.h"
#include "partiql/statement.h"
#include "service/requests.h"

/// How a SELECT is carried out: by one Scan, or by one Query for each way in which its WHERE clause can hold.
namespace dolmen::partiql {

/// One Query, or the Scan.
struct ReadStep {
  std::optional<std::vector<expr::KeyCondition>> keys;  ///< none of a Scan
  std::shared_ptr<const BoundExpression> filter;        ///< null when every row is returned
  /// No item can have such a key.
  bool finds_nothing = false;
};

struct ReadPlan {
  std::vector<ReadStep> steps;
  bool forward = true;
  /// The steps come from a list of keys, of which a page reads only some.
  bool listed = false;
  /// The attributes that the columns need; null for all that the table or index has.
  std::shared_ptr<const BoundExpression> projection;

  [[nodiscard]] bool scans() const { return !steps.front().keys; }
  /// The request for a page of a step.
  [[nodiscard]] ReadManyRequest request(const Statement& statement, std::size_t step) const;
};

struct ReadPlanOptions {
  bool consistent_read = false;
};

/// Checks a SELECT against its table, in DynamoDB's order. Fails with kValidation in its words.
Result<ReadPlan> plan_read(const std::shared_ptr<const Statement>& statement, const TableDefinition& table,
                           ReadPlanOptions options = {});

/// The key of the one item that a SELECT names by its whole key and nothing else, as batches and transactions need it.
/// Nothing when it asks for anything else. Fails with kValidation when the WHERE clause divides into too many reads,
/// and with kKeyMismatch when a value has another type than its key.
Result<std::optional<Item>> whole_key(const Statement& statement, const TableDefinition& table);

/// The row that a SELECT returns for an item: its columns, or all of it.
Item row_of(const Statement& statement, const Item& item);

}  // namespace dolmen::partiql
