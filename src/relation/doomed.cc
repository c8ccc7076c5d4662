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

}  // namespace

Result<Doomed> inspect(Graph& graph, Row row) {
  Doomed doomed{.row = std::move(row), .members = {}, .collections = {}};
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
  if (row.parent && plan.erase(edge_key(*row.parent, row.urn))) ++count.edges;
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

void add(DeleteCount& sum, const DeleteCount& more) {
  sum.resources += more.resources;
  sum.edges += more.edges;
  sum.memberships += more.memberships;
  sum.unique_values += more.unique_values;
}

}  // namespace dolmen::relation
