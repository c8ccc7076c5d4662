#pragma once

#include <functional>
#include <string>

#include "relation/graph.h"
#include "relation/page_token.h"

namespace dolmen::relation {

/// A list that is one partition of the table or of an index.
struct PartitionList {
  /// What the list is, for its tokens: "children", ...
  std::string name;
  /// The partition key's value.
  std::string partition;
  /// Of the index, or empty for the table, which is then read consistently.
  const char* index = "";
  /// Attributes of the keys of the table or index.
  const char* partition_name = "PK";
  const char* sort_name = "SK";
  /// What stands before the URN in the sort key.
  const char* sort_prefix = "";
  /// Narrows the sort key. Part of the list's identity through `name`.
  Condition sort_condition = {};
  /// The whole key that a position, a value of the sort key, stands for.
  std::function<Item(const std::string& position)> start_key;
};

struct ItemsPage {
  std::vector<Item> items;
  std::string token;
};

/// Fails with kInvalidArgument for a limit that is not 1 to 1000, and with kInvalidPageToken.
Result<ItemsPage> read_list(Graph& graph, const PartitionList& list, const ListOptions& page);

Result<void> check_limit(const ListOptions& page);

/// What a token of the list is bound to.
std::string list_identity(const Graph& graph, std::string_view name, std::string_view partition, bool descending);

/// Each before what is below it.
Result<ListPage<Descendant>> read_descendants(Graph& graph, const std::string& urn, unsigned depth_max,
                                              const ListOptions& page);

/// Only URNs of that domain and type; all when the type is empty.
void narrow_to_type(PartitionList& list, std::string_view domain, std::string_view type);

PartitionList children_list(const std::string& parent);
PartitionList members_list(const std::string& collection);
PartitionList collections_list(const std::string& member);
PartitionList account_list(const std::string& account);

}  // namespace dolmen::relation
