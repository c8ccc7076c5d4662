#include "relation/doomed.h"

#include "base/fail.h"
#include "relation/lists.h"
#include "relation/rules.h"

namespace dolmen::relation {
namespace {

constexpr std::uint32_t kMembershipsRead = 100;

Result<std::vector<Membership>> read_some(Graph& graph, const PartitionList& list, bool& has_more) {
  DOLMEN_TRY(const ItemsPage page, read_list(graph, list, {.limit = kMembershipsRead}));
  std::vector<Membership> memberships;
  for (const Item& item : page.items) {
    DOLMEN_TRY(Membership membership, read_membership(item));
    memberships.push_back(std::move(membership));
  }
  has_more = has_more || !page.token.empty();
  return memberships;
}

Result<void> find_unrecorded_values(Graph& graph, Row& row) {
  const ResourceType* type = graph.types.find(row.type);
  if (type == nullptr) return {};
  const auto values = unique_values_of(*type, row, {});
  // Attributes that cannot be unique values have no records.
  if (!values) return {};
  for (const auto& [key, value] : *values) {
    DOLMEN_TRY(const std::optional<Item> record,
               graph.find_record(unique_key({.type = row.type, .key = key, .value = value})));
    if (record && text_of(*record, "associatedRecordUrn") == row.urn) row.unique.emplace(key, value);
  }
  return {};
}

}  // namespace

Result<std::set<std::string>> find_unrecorded(Graph& graph, Row& row) {
  std::set<std::string> parents;
  if (row.parent) parents.insert(*row.parent);
  if (row.height) return parents;
  DOLMEN_TRY_VOID(find_unrecorded_values(graph, row));
  DOLMEN_TRY(const std::vector<Item> edges, graph.all_in(child_key_text(row.urn), kInvertedIndex));
  for (const Item& item : edges) {
    DOLMEN_TRY(Edge edge, read_edge(item));
    parents.insert(std::move(edge.parent));
  }
  return parents;
}

Result<Doomed> inspect(Graph& graph, Row row) {
  Doomed doomed{.row = std::move(row), .parents = {}, .members = {}, .collections = {}};
  DOLMEN_TRY(doomed.parents, find_unrecorded(graph, doomed.row));
  if (doomed.row.may_have_members()) {
    DOLMEN_TRY(doomed.members, read_some(graph, members_list(doomed.row.urn), doomed.has_more));
  }
  if (doomed.row.may_be_member()) {
    bool more_collections = false;
    DOLMEN_TRY(doomed.collections, read_some(graph, collections_list(doomed.row.urn), more_collections));
    if (doomed.row.height && !more_collections && doomed.collections.size() != doomed.row.member_of)
      return fail(Code::kTransactionConflict,
                  "the index of memberships of {} is not up to date; unless others write, verify the table",
                  doomed.row.urn);
    doomed.has_more = doomed.has_more || more_collections;
  }
  return doomed;
}

void plan_leave(Plan& plan, const std::vector<Membership>& memberships, DeleteCount& count) {
  for (const Membership& membership : memberships) {
    if (!plan.erase(membership_key(membership.collection, membership.member), record_exists())) continue;
    plan.row(membership.member).add("_memberOf", -1);
    ++count.memberships;
  }
}

RowChange& plan_removal(Plan& plan, const Doomed& doomed, DeleteCount& count) {
  const Row& row = doomed.row;
  for (const std::string& parent : doomed.parents)
    if (plan.erase(edge_key(parent, row.urn))) ++count.edges;
  for (const auto& [key, value] : row.unique) {
    plan_release(plan, {.type = row.type, .key = key, .value = value}, row.urn);
    ++count.unique_values;
  }
  plan_leave(plan, doomed.members, count);
  for (const Membership& membership : doomed.collections)
    if (plan.erase(membership_key(membership.collection, membership.member))) ++count.memberships;
  plan.weigh(row.bytes);
  ++count.resources;
  return plan.row(row.urn).erase().require_count("_memberOf", row.member_of);
}

bool is_too_large(const Error& error) {
  return error.code() == Code::kValidation || error.code() == Code::kLimitExceeded;
}

void add(DeleteCount& sum, const DeleteCount& more) {
  sum.resources += more.resources;
  sum.edges += more.edges;
  sum.memberships += more.memberships;
  sum.unique_values += more.unique_values;
}

}  // namespace dolmen::relation
