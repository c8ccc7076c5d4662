#include "relation/references.h"

#include <fmt/format.h>

#include "base/fail.h"
#include "dolmen/relation/relations.h"

namespace dolmen {
namespace relation {

Result<std::vector<std::string>> children_of(Graph& graph, const Row& row, std::uint32_t most) {
  std::vector<std::string> urns;
  if (!row.may_have_children()) return urns;
  const QueryOptions query{
      .key = key("PK") == parent_key_text(row.urn), .limit = most, .page_size = most, .consistent_read = true};
  DOLMEN_TRY(const std::vector<Item> edges, graph.store.query(graph.table, query).all());
  for (const Item& item : edges) {
    DOLMEN_TRY(Edge edge, read_edge(item));
    urns.push_back(std::move(edge.child));
  }
  return urns;
}

Result<References> count_references(Graph& graph, const Row& row) {
  References made;
  if (row.may_have_children()) {
    const QueryOptions children{.key = key("PK") == parent_key_text(row.urn), .consistent_read = true};
    DOLMEN_TRY(const Counted counted, graph.store.count(graph.table, children));
    made.children = counted.count;
  }
  DOLMEN_TRY(const bool is_account, graph.is_account(row));
  if (!is_account) return made;
  const QueryOptions members{.key = key("_accountUrn") == row.urn, .index = kAccountIndex};
  DOLMEN_TRY(const Counted counted, graph.store.count(graph.table, members));
  made.of_account = counted.count;
  return made;
}

Result<void> check_unused(Graph& graph, const Row& row) {
  DOLMEN_TRY(const References found, count_references(graph, row));
  if (found == References{}) return {};
  if (found.of_account == 0) return fail(Code::kResourceInUse, "{} has {} children", row.urn, found.children);
  return fail(Code::kResourceInUse, "{} has {} children, and {} resources belong to it as their account", row.urn,
              found.children, found.of_account);
}

}  // namespace relation

Result<References> Relations::references(const std::string& urn) {
  DOLMEN_TRY(const relation::Row row, graph_->live_row(urn));
  return relation::count_references(*graph_, row);
}

}  // namespace dolmen
