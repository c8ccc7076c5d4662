#pragma once

#include <optional>
#include <string>
#include <vector>

#include "relation/graph.h"

namespace dolmen::relation {

struct ScopePage {
  std::vector<std::string> urns;
  std::string token;
};

/// The resources of a scope, page by page. Fails with kInvalidArgument unless it names one of a resource and an
/// account.
Result<ScopePage> read_scope(Graph& graph, const Scope& scope, const ListOptions& page);

struct RecordPage {
  std::vector<Item> records;
  std::string token;
};

/// Where a list of the whole table goes on: behind a record, or nothing for an empty token.
std::string table_token(const std::string& identity, const Item& record);
Result<std::optional<Item>> table_position(const std::string& identity, const std::string& token);

/// All records of the table.
Result<RecordPage> read_table(Graph& graph, const ListOptions& page);

}  // namespace dolmen::relation
