// What can be wrong with memberships, unique values and accounts, and with records that nothing leads to.
#include <fmt/format.h>

#include "base/fail.h"
#include "relation/examination.h"
#include "relation/reserved.h"
#include "relation/rules.h"

namespace dolmen::relation {
namespace {

std::string name_of(const Item& item) { return fmt::format("{} / {}", text_of(item, "PK"), text_of(item, "SK")); }

}  // namespace

Result<void> Examination::members(const Row& row) {
  DOLMEN_TRY(const std::vector<Item> items, graph_.all_in(collection_key_text(row.urn)));
  for (const Item& item : items) {
    const std::string member = text_of(item, "memberUrn");
    DOLMEN_TRY(const bool member_exists, exists(member));
    if (member_exists) continue;
    Plan plan(graph_.table);
    plan_drop(plan, item);
    DOLMEN_TRY_VOID(found({"dangling-membership", row.urn, fmt::format("its member {} does not exist", member), {}},
                          plan, "removed the membership"));
  }
  if (items.empty() || row.links > 0) return {};
  Plan plan(graph_.table);
  plan.row(row.urn).require_count("_links", row.links).add("_links", 1);
  return found({"counters", row.urn, "its counters do not include its members", {}}, plan, "counted again");
}

Result<void> Examination::collections(const Row& row) {
  DOLMEN_TRY(const std::vector<Item> items, graph_.all_in(member_key_text(row.urn), kInvertedIndex));
  std::uint64_t count = 0;
  for (const Item& item : items) {
    const std::string collection = text_of(item, "collectionUrn");
    DOLMEN_TRY(const bool collection_exists, exists(collection));
    if (collection_exists) {
      ++count;
      continue;
    }
    Plan plan(graph_.table);
    plan_drop(plan, item);
    DOLMEN_TRY_VOID(
        found({"dangling-membership", row.urn, fmt::format("its collection {} does not exist", collection), {}}, plan,
              "removed the membership"));
    if (!repair_) ++count;
  }
  if (row.member_of == count) return {};
  Plan plan(graph_.table);
  plan.row(row.urn)
      .require_count("_memberOf", row.member_of)
      .require_count("_links", row.links)
      .set("_memberOf", Number(count))
      .add("_links", 1);
  return found({"counters", row.urn, fmt::format("it counts {} collections and is in {}", row.member_of, count), {}},
               plan, "counted again");
}

Result<void> Examination::unique(const Row& row) {
  for (const auto& [key, value] : row.unique)
    DOLMEN_TRY_VOID(unique_record_of(row, {.type = row.type, .key = key, .value = value}));
  return declared_unique(row);
}

Result<void> Examination::unique_record_of(const Row& row, const UniqueName& name) {
  DOLMEN_TRY(const std::optional<Item> item, graph_.find_record(unique_key(name)));
  const std::string owner = item ? text_of(*item, "associatedRecordUrn") : "";
  if (item && owner == row.urn) return {};
  if (item)
    return found(
        "unique-conflict", row.urn,
        fmt::format("its {} \"{}\" belongs to {}", name.key, name.value, owner.empty() ? "no resource" : owner));
  Plan plan(graph_.table);
  plan.row(row.urn).require_updated_at(row.updated_at);
  plan_claim(plan, name, row.urn, row.updated_at);
  return found({"missing-unique", row.urn, fmt::format("nothing keeps its {} \"{}\" unique", name.key, name.value), {}},
               plan, "added the record");
}

/// Values of attributes that the type declares unique, and that the record does not know to be.
Result<void> Examination::declared_unique(const Row& row) {
  const ResourceType* type = graph_.types.find(row.type);
  if (type == nullptr || !row.live() || row.schema_version != type->schema_version) return {};
  const auto values = unique_values_of(*type, row);
  if (!values) return found("malformed-resource", row.urn, values.error().message());
  for (const auto& [key, value] : *values) {
    const auto known = row.unique.find(key);
    if (known != row.unique.end() && known->second == value) continue;
    const UniqueName name{.type = row.type, .key = key, .value = value};
    DOLMEN_TRY(const std::optional<Item> item, graph_.find_record(unique_key(name)));
    const std::string owner = item ? text_of(*item, "associatedRecordUrn") : "";
    if (item && owner != row.urn) {
      DOLMEN_TRY_VOID(found("unique-conflict", row.urn, fmt::format("its {} \"{}\" is taken", key, value)));
      continue;
    }
    Row after = row;
    after.unique[key] = value;
    Plan plan(graph_.table);
    plan.row(row.urn)
        .require_updated_at(row.updated_at)
        .set("_uniqueValues", resource_record(after).at("_uniqueValues"));
    if (!item) plan_claim(plan, name, row.urn, row.updated_at);
    if (known != row.unique.end()) plan_release(plan, {.type = row.type, .key = key, .value = known->second}, row.urn);
    DOLMEN_TRY_VOID(found({"unrecorded-unique", row.urn, fmt::format("it does not own its {} \"{}\"", key, value), {}},
                          plan, "recorded the value"));
  }
  return {};
}

Result<void> Examination::account(const Row& row) {
  const ResourceType* type = graph_.types.find(row.type);
  if (!row.account) {
    if (type != nullptr && type->account == AccountScope::kRequired)
      return found("missing-account", row.urn, "its type requires an account");
    return {};
  }
  DOLMEN_TRY(const bool account_exists, exists(*row.account));
  if (account_exists) return {};
  return found("missing-account", row.urn, fmt::format("its account {} does not exist", *row.account));
}

Result<void> Examination::record(const Item& item) {
  const std::string kind = text_of(item, "_recordType");
  if (kind == "Resource") {
    const std::string urn = text_of(item, "urn");
    if (text_of(item, "PK") != resource_key_text(urn))
      return found("malformed-resource", name_of(item), "its key is not that of its URN");
    return resource(urn);
  }
  if (kind == "ParentChildRelationship") return edge_record_found(item);
  if (kind == "CollectionMemberRelationship" || kind == "CollectionMembershipRelationship")
    return membership_record_found(item);
  if (kind == "UniqueKeyValue") return unique_record_found(item);
  return found("unknown-record", name_of(item), fmt::format("\"{}\" is not a record type", kind));
}

Result<void> Examination::edge_record_found(const Item& item) {
  const Result<Edge> edge = read_edge(item);
  if (!edge) return found("malformed-edge", name_of(item), edge.error().message());
  DOLMEN_TRY(const bool parent_exists, exists(edge->parent));
  DOLMEN_TRY(const bool child_exists, exists(edge->child));
  // What its ends say about it is found when they are looked at.
  if (child_exists || parent_exists) return {};
  Plan plan(graph_.table);
  plan_drop(plan, item);
  return found({"dangling-edge", name_of(item), "neither end exists", {}}, plan, "removed the edge");
}

Result<void> Examination::membership_record_found(const Item& item) {
  const Result<Membership> membership = read_membership(item);
  if (!membership) return found("malformed-membership", name_of(item), membership.error().message());
  DOLMEN_TRY(const bool collection_exists, exists(membership->collection));
  DOLMEN_TRY(const bool member_exists, exists(membership->member));
  if (collection_exists || member_exists) return {};
  Plan plan(graph_.table);
  plan_drop(plan, item);
  return found({"dangling-membership", name_of(item), "neither end exists", {}}, plan, "removed the membership");
}

Result<void> Examination::unique_record_found(const Item& item) {
  const Result<UniqueRecord> record = read_unique(item);
  if (!record) return found("malformed-unique", name_of(item), record.error().message());
  if (!record->holder.owner) return {};
  Plan plan(graph_.table);
  DOLMEN_TRY(const bool owner_exists, exists(*record->holder.owner));
  if (owner_exists) {
    DOLMEN_TRY(const std::optional<Row> owner, graph_.find_row(*record->holder.owner));
    if (!owner) return {};
    const auto known = owner->unique.find(record->name.key);
    if (known != owner->unique.end() && known->second == record->name.value) return {};
    // One that the owner should know is found with the owner.
    const ResourceType* type = graph_.types.find(owner->type);
    if (type != nullptr && type->find_unique(attribute_of_unique(record->name.key)) != nullptr) {
      const auto values = unique_values_of(*type, *owner);
      if (values && values->contains(record->name.key) && values->at(record->name.key) == record->name.value) return {};
    }
    plan.row(owner->urn).require_updated_at(owner->updated_at);
  }
  plan.erase(unique_key(record->name), attr("associatedRecordUrn") == *record->holder.owner);
  return found({"foreign-unique", name_of(item), fmt::format("{} does not have this value", *record->holder.owner), {}},
               plan, "removed the record");
}

}  // namespace dolmen::relation
