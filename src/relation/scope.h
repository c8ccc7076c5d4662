#pragma once

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

/// All records of the table.
Result<RecordPage> read_table(Graph& graph, const ListOptions& page);

}  // namespace dolmen::relation
