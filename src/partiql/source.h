#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/table.h"
#include "partiql/statement.h"

namespace dolmen::partiql {

/// What a SELECT reads: a table or one of its indexes. Points into the table's definition, which must outlive it.
struct Source {
  const TableDefinition* table = nullptr;
  const IndexDefinition* index = nullptr;  ///< null for the table itself
  bool local = false;
  KeyAttribute hash;
  std::optional<KeyAttribute> range;

  /// Whether the rows have the attribute, if their items do.
  [[nodiscard]] bool carries(std::string_view attribute) const;
  [[nodiscard]] bool is_key(std::string_view attribute) const {
    return attribute == hash.name || (range && attribute == range->name);
  }
};

/// Fails with kValidation when the index has several attributes in its partition or sort key, which statements cannot
/// read. DynamoDB looks at that before it checks the statement.
Result<void> check_single_attribute_keys(const Target& target, const TableDefinition& table);

/// Fails with kValidation when the table does not have the index.
Result<Source> find_source(const std::optional<std::string>& index, const TableDefinition& table);

/// The names in the order in which a HashSet of Java returns them, in which DynamoDB lists them.
std::vector<std::string> in_java_order(const std::vector<std::string>& names);

}  // namespace dolmen::partiql
