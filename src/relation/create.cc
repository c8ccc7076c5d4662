// Creating resources.
#include <algorithm>

#include "base/fail.h"
#include "dolmen/relation/relations.h"
#include "relation/reserved.h"
#include "relation/rules.h"

namespace dolmen {
namespace relation {
namespace {

/// A collection that the new resource joins, as it was found.
struct Joined {
  JoinCollection request;
  Row collection;
};

std::unexpected<Error> exists_already(const std::string& urn) {
  return fail(Code::kResourceExists, "the resource {} already exists", urn);
}

/// One creation, from the request to its transaction.
class Creation {
 public:
  Creation(Graph& graph, const CreateResource& request) : graph_(graph), request_(request) {}

  /// All that can be said without reading anything.
  Result<void> prepare() {
    DOLMEN_TRY_VOID(check_resource_type(request_.type));
    if (request_.type.starts_with(kReservedTypePrefix))
      return fail(Code::kInvalidResource, "types that begin with \"{}\" are reserved", kReservedTypePrefix);
    DOLMEN_TRY(type_, graph_.types.get(request_.type));
    row_.type = request_.type;
    row_.schema_version = type_.schema_version;
    row_.attributes = request_.attributes;
    DOLMEN_TRY_VOID(take_unique());
    DOLMEN_TRY_VOID(check_attributes(type_, row_.attributes));
    DOLMEN_TRY_VOID(take_id());
    row_.parent = request_.parent;
    if (request_.parent) DOLMEN_TRY_VOID(check_urn_of_user(*request_.parent));
    if (request_.account) DOLMEN_TRY_VOID(check_urn_of_user(*request_.account));
    for (const JoinCollection& join : request_.collections) DOLMEN_TRY_VOID(check_urn_of_user(join.collection));
    return {};
  }

  Result<Resource> attempt() {
    row_.created_at = row_.updated_at = time_text(Timestamp::from(graph_.options.now()));
    row_.member_of = row_.links = request_.collections.size();
    Plan plan(graph_.table);
    DOLMEN_TRY(const std::vector<Row> chain, read_chain());
    DOLMEN_TRY_VOID(resolve_account(chain));
    DOLMEN_TRY(row_.unique, unique_values_of(type_, row_, undeclared_));
    if (!chain.empty()) DOLMEN_TRY_VOID(graph_.check_family(chain.front(), row_));
    DOLMEN_TRY(const std::vector<Joined> joined, read_collections());
    DOLMEN_TRY_VOID(check_size(row_));

    if (!chain.empty()) {
      DOLMEN_TRY_VOID(plan_parent(plan, chain));
      if (std::ranges::find(chain, row_.urn, &Row::urn) != chain.end()) return exists_already(row_.urn);
    }
    if (row_.account)
      plan.row(*row_.account)
          .require_live()
          .add("_accountLinks", 1)
          .on_refusal(deleting_or_stale(*row_.account, Code::kAccountMismatch, "account"));
    for (const Joined& join : joined) plan_membership(plan, join);
    plan.create(resource_record(row_), [urn = row_.urn](const std::optional<Item>& found) -> std::optional<Error> {
      if (!found) return std::nullopt;
      if (found->contains("_deleteJob")) return is_deleting(urn).error();
      return exists_already(urn).error();
    });
    for (const auto& [key, value] : row_.unique)
      plan_claim(plan, {.type = row_.type, .key = key, .value = value}, row_.urn, row_.created_at);
    DOLMEN_TRY_VOID(plan.carry_out(graph_.store));
    return resource_of(row_);
  }

 private:
  Result<void> take_unique() {
    for (const auto& [key, value] : request_.unique) {
      if (type_.find_unique(key) == nullptr) {
        DOLMEN_TRY_VOID(unique_name(graph_.types, {.type = request_.type, .key = key, .value = value}));
        undeclared_.insert(key);
      }
      const AttributeValue* given = row_.attributes.find(key);
      if (given != nullptr && *given != AttributeValue(value))
        return fail(Code::kInvalidResource, "{} is given twice, with different values", key);
      row_.attributes.set(key, value);
    }
    return {};
  }

  Result<void> take_id() {
    row_.id = request_.id.empty() ? graph_.ids.next() : request_.id;
    if (!request_.id.empty() && graph_.types.ids == IdPolicy::kUuidV7 && !is_uuid_v7(request_.id))
      return fail(Code::kInvalidUrn,
                  "\"{}\" is not a UUID of version 7 in lower case; other ids need the policy \"any\"", request_.id);
    DOLMEN_TRY(row_.urn, Urn({.domain = graph_.types.domain, .type = row_.type, .id = row_.id}).format());
    return {};
  }

  Result<std::vector<Row>> read_chain() {
    if (!request_.parent) return std::vector<Row>{};
    DOLMEN_TRY(std::optional<Row> parent, graph_.find_row(*request_.parent));
    if (!parent) return fail(Code::kParentNotFound, "the parent {} does not exist", *request_.parent);
    if (!parent->live()) return is_deleting(*request_.parent);
    DOLMEN_TRY(std::vector<Row> chain, graph_.chain_of(*std::move(parent)));
    for (const Row& ancestor : chain)
      if (!ancestor.live()) return is_deleting(ancestor.urn);
    return chain;
  }

  /// The account that was asked for, or else the parent's. It must be one.
  Result<void> resolve_account(const std::vector<Row>& chain) {
    row_.account = request_.account;
    if (!row_.account && !chain.empty() && type_.account != AccountScope::kNone && type_.account != AccountScope::kSelf)
      row_.account = graph_.scope_of(chain.front());
    if (!row_.account) {
      if (type_.account == AccountScope::kRequired)
        return fail(Code::kAccountMismatch, "a {} needs an account", row_.type);
      return {};
    }
    if (type_.account == AccountScope::kNone || type_.account == AccountScope::kSelf)
      return takes_no_account(row_.type);
    DOLMEN_TRY_VOID(graph_.account_row(*row_.account));
    return {};
  }

  Result<std::vector<Joined>> read_collections() {
    std::vector<std::string> urns;
    for (const JoinCollection& join : request_.collections) urns.push_back(join.collection);
    DOLMEN_TRY(std::vector<std::optional<Row>> rows, graph_.find_rows(urns));
    std::vector<Joined> joined;
    std::set<std::string> seen;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (urns[i] == row_.urn) return fail(Code::kInvalidResource, "{} cannot be a member of itself", urns[i]);
      if (!rows[i]) return not_found(urns[i]);
      if (!rows[i]->live()) return is_deleting(urns[i]);
      if (!seen.insert(urns[i]).second) return fail(Code::kInvalidResource, "{} is named twice", urns[i]);
      joined.push_back({request_.collections[i], *std::move(rows[i])});
      DOLMEN_TRY_VOID(membership_account(graph_, joined.back().collection, row_, joined.back().request));
    }
    return joined;
  }

  Result<void> plan_parent(Plan& plan, const std::vector<Row>& chain) {
    const std::string& parent = chain.front().urn;
    plan.row(parent)
        .require_live()
        .require_account(chain.front().account)
        .add("_links", 1)
        .on_refusal(deleting_or_stale(parent, Code::kParentNotFound, "parent"));
    DOLMEN_TRY_VOID(plan_height(graph_, plan, chain, 0));
    plan.put(
        edge_record({.parent = parent, .child = row_.urn, .created_at = row_.created_at, .account = row_.account}));
    return {};
  }

  void plan_membership(Plan& plan, const Joined& join) {
    const std::string& collection = join.collection.urn;
    plan.row(collection)
        .require_live()
        .require_account(join.collection.account)
        .add("_links", 1)
        .on_refusal(deleting_or_stale(collection, Code::kResourceNotFound, "collection"));
    plan.put(membership_record({.collection = collection,
                                .member = row_.urn,
                                .conveys_authorization = join.request.conveys_authorization,
                                .created_at = row_.created_at,
                                .account = membership_account(graph_, join.collection, row_, join.request).value()}));
  }

  Graph& graph_;
  const CreateResource& request_;
  ResourceType type_;
  Row row_;
  /// Unique keys that only the request knows.
  std::set<std::string> undeclared_;
};

}  // namespace

Result<std::optional<std::string>> membership_account(const Graph& graph, const Row& collection, const Row& member,
                                                      const JoinCollection& request) {
  const std::optional<std::string> of_collection = graph.scope_of(collection);
  const std::optional<std::string> of_member = graph.scope_of(member);
  if (of_collection && of_member && of_collection != of_member && !request.allow_cross_account)
    return fail(Code::kAccountMismatch, "{} belongs to the account {} and {} to {}", collection.urn, *of_collection,
                member.urn, *of_member);
  return of_collection ? of_collection : of_member;
}

}  // namespace relation

Result<Resource> Relations::create(const CreateResource& request) {
  relation::Creation creation(*graph_, request);
  DOLMEN_TRY_VOID(creation.prepare());
  return graph_->repeat<Resource>([&] { return creation.attempt(); });
}

}  // namespace dolmen
