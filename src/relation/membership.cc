// Members of collections.
#include "base/fail.h"
#include "dolmen/relation/relations.h"
#include "relation/rules.h"

namespace dolmen {
namespace {

using relation::Graph;
using relation::Plan;
using relation::Row;

Result<std::optional<Membership>> find(Graph& graph, const std::string& member, const std::string& collection) {
  DOLMEN_TRY_VOID(relation::check_urn(member));
  DOLMEN_TRY_VOID(relation::check_urn(collection));
  DOLMEN_TRY(const std::optional<Item> item, graph.find_record(relation::membership_key(collection, member)));
  if (!item) return std::nullopt;
  return relation::read_membership(*item);
}

Result<Row> row_to_link(Graph& graph, const std::string& urn) {
  DOLMEN_TRY(std::optional<Row> row, graph.find_row(urn));
  if (!row) return relation::not_found(urn);
  if (!row->live()) return relation::is_deleting(urn);
  return *std::move(row);
}

Result<bool> attempt_add(Graph& graph, const std::string& member_urn, const JoinCollection& into) {
  DOLMEN_TRY(const Row collection, row_to_link(graph, into.collection));
  DOLMEN_TRY(const Row member, row_to_link(graph, member_urn));
  DOLMEN_TRY(const std::optional<std::string> account, relation::membership_account(graph, collection, member, into));
  DOLMEN_TRY(const std::optional<Membership> existing, find(graph, member_urn, into.collection));
  if (existing && existing->conveys_authorization == into.conveys_authorization) return false;

  Plan plan(graph.table);
  plan.row(collection.urn)
      .require_live()
      .require_account(collection.account)
      .on_refusal(relation::deleting_or_stale(collection.urn, Code::kResourceNotFound, "resource"));
  plan.row(member.urn)
      .require_live()
      .require_account(member.account)
      .add("_links", 1)
      .on_refusal(relation::deleting_or_stale(member.urn, Code::kResourceNotFound, "resource"));
  Membership membership{
      .collection = collection.urn,
      .member = member.urn,
      .conveys_authorization = into.conveys_authorization,
      .created_at = existing ? existing->created_at : relation::time_text(Timestamp::from(graph.options.now())),
      .account = account};
  if (existing) {
    plan.put(relation::membership_record(membership), relation::record_exists());
  } else {
    plan.row(collection.urn).add("_links", 1);
    plan.row(member.urn).add("_memberOf", 1);
    plan.create(relation::membership_record(membership));
  }
  DOLMEN_TRY_VOID(plan.carry_out(graph.store));
  return !existing;
}

Result<bool> attempt_remove(Graph& graph, const std::string& member, const std::string& collection) {
  DOLMEN_TRY(const std::optional<Membership> existing, find(graph, member, collection));
  if (!existing) return false;
  Plan plan(graph.table);
  plan.row(member).add("_memberOf", -1);
  plan.erase(relation::membership_key(collection, member), relation::record_exists());
  DOLMEN_TRY_VOID(plan.carry_out(graph.store));
  return true;
}

}  // namespace

Result<bool> Relations::add_member(const std::string& member, const JoinCollection& into) {
  DOLMEN_TRY_VOID(relation::check_urn_of_user(member));
  DOLMEN_TRY_VOID(relation::check_urn_of_user(into.collection));
  if (member == into.collection) return fail(Code::kInvalidResource, "{} cannot be a member of itself", member);
  return graph_->repeat<bool>([&] { return attempt_add(*graph_, member, into); });
}

Result<bool> Relations::remove_member(const std::string& member, const std::string& collection) {
  return graph_->repeat<bool>([&] { return attempt_remove(*graph_, member, collection); });
}

Result<std::optional<Membership>> Relations::find_membership(const std::string& member, const std::string& collection) {
  return find(*graph_, member, collection);
}

}  // namespace dolmen
