// Parents and children.
#include "relation/family.h"
#include "base/fail.h"
#include "dolmen/relation/relations.h"
#include "relation/rules.h"

namespace dolmen {
namespace {

using relation::Graph;
using relation::Plan;
using relation::Row;

/// Nothing goes into a family that is being deleted, or out of it: what the delete takes is decided.
Result<bool> attempt_attach(Graph& graph, const std::string& child_urn, const std::string& parent_urn) {
  DOLMEN_TRY(const Row child, graph.live_row(child_urn));
  DOLMEN_TRY(std::optional<Row> parent, graph.find_row(parent_urn));
  if (!parent) return fail(Code::kParentNotFound, "the parent {} does not exist", parent_urn);
  if (!parent->live()) return relation::is_deleting(parent_urn);
  if (child.parent == parent_urn) return false;
  DOLMEN_TRY_VOID(graph.check_stays(child));
  DOLMEN_TRY(const std::vector<Row> chain, graph.chain_of_new_parent(child, *std::move(parent)));

  Plan plan(graph.table);
  const std::string time = relation::later_time_text(Timestamp::from(graph.options.now()), child.updated_at);
  DOLMEN_TRY_VOID(relation::plan_new_parent(graph, plan, chain, child));
  plan.row(child_urn)
      .require_updated_at(child.updated_at)
      .on_refusal(relation::gone_or_stale(child_urn))
      .set("_updatedAt", time);
  plan.row(parent_urn).on_refusal(relation::deleting_or_stale(parent_urn, Code::kParentNotFound, "parent"));
  if (child.parent) plan.erase(relation::edge_key(*child.parent, child_urn));
  plan.put(
      relation::edge_record({.parent = parent_urn, .child = child_urn, .created_at = time, .account = child.account}));
  DOLMEN_TRY_VOID(plan.carry_out(graph.store));
  return true;
}

Result<bool> attempt_detach(Graph& graph, const std::string& urn) {
  DOLMEN_TRY(const Row child, graph.live_row(urn));
  if (!child.parent) return false;
  DOLMEN_TRY_VOID(graph.check_stays(child));
  Plan plan(graph.table);
  plan.row(urn)
      .require_live()
      .require_settled()
      .require_parent(child.parent)
      .require_updated_at(child.updated_at)
      .on_refusal(relation::gone_or_stale(urn))
      .remove("_parentUrn")
      .set("_updatedAt", relation::later_time_text(Timestamp::from(graph.options.now()), child.updated_at));
  plan.erase(relation::edge_key(*child.parent, urn));
  DOLMEN_TRY_VOID(plan.carry_out(graph.store));
  return true;
}

/// A chain whose records were all as they are in it at one moment; else kTransactionConflict.
Result<std::vector<Row>> chain_at_once(Graph& graph, const std::string& urn) {
  DOLMEN_TRY(Row row, graph.live_row(urn));
  DOLMEN_TRY(std::vector<Row> chain, graph.chain_of(std::move(row)));
  if (chain.size() == 1) return chain;
  std::vector<std::string> urns;
  for (const Row& each : chain) urns.push_back(each.urn);
  DOLMEN_TRY(const std::vector<std::optional<Row>> again, graph.find_rows_at_once(urns));
  for (std::size_t i = 0; i < chain.size(); ++i)
    if (!again[i] || again[i]->parent != chain[i].parent || again[i]->delete_job != chain[i].delete_job)
      return fail(Code::kTransactionConflict, "{} was moved meanwhile", urns[i]);
  return chain;
}

}  // namespace

Result<bool> relation::attach(Graph& graph, const std::string& child, const std::string& parent) {
  return graph.repeat<bool>([&] { return attempt_attach(graph, child, parent); });
}

Result<bool> Relations::attach(const std::string& child, const std::string& parent) {
  DOLMEN_TRY_VOID(relation::check_urn_of_user(child));
  DOLMEN_TRY_VOID(relation::check_urn_of_user(parent));
  return relation::attach(*graph_, child, parent);
}

Result<bool> Relations::detach(const std::string& child) {
  DOLMEN_TRY_VOID(relation::check_urn_of_user(child));
  return graph_->repeat<bool>([&] { return attempt_detach(*graph_, child); });
}

Result<std::optional<std::string>> Relations::parent(const std::string& child) {
  DOLMEN_TRY(Row row, graph_->live_row(child));
  return std::move(row.parent);
}

Result<std::vector<std::string>> Relations::ancestors(const std::string& urn) {
  auto chain = graph_->repeat<std::vector<Row>>([&] { return chain_at_once(*graph_, urn); });
  if (!chain) return std::unexpected(chain.error());
  std::vector<std::string> urns;
  for (std::size_t i = chain->size() - 1; i > 0; --i) urns.push_back(std::move((*chain)[i].urn));
  return urns;
}

}  // namespace dolmen
