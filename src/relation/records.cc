#include "relation/records.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/fail.h"
#include "base/limits.h"
#include "relation/reserved.h"
#include "value/encoded_item.h"

namespace dolmen::relation {
namespace {

constexpr std::string_view kResource = "Resource";
constexpr std::string_view kEdge = "ParentChildRelationship";
constexpr std::string_view kMembership = "CollectionMemberRelationship";
/// What the specification calls it once; read, never written.
constexpr std::string_view kMembershipElsewhere = "CollectionMembershipRelationship";
constexpr std::string_view kUnique = "UniqueKeyValue";

Item key_item(std::string partition, std::string sort) {
  return Item{{"PK", std::move(partition)}, {"SK", std::move(sort)}};
}

std::optional<std::string> optional_text(const Item& item, std::string_view name) {
  const AttributeValue* value = item.find(name);
  if (value == nullptr) return std::nullopt;
  const auto* text = value->get_if<std::string>();
  return text == nullptr ? std::nullopt : std::optional(*text);
}

std::uint64_t count_of(const Item& item, std::string_view name) {
  const AttributeValue* value = item.find(name);
  const Number* number = value == nullptr ? nullptr : value->get_if<Number>();
  return number == nullptr ? 0 : number->to_uint64().value_or(0);
}

void set_if(Item& item, std::string name, const std::optional<std::string>& value) {
  if (value) item.set(std::move(name), *value);
}

std::unexpected<Error> damaged(const Item& item, std::string_view what) {
  return fail(Code::kCorruption, "the record {} / {} is not a {}", text_of(item, "PK"), text_of(item, "SK"), what);
}

bool has_key(const Item& item, const Item& key) {
  return text_of(item, "PK") == key.at("PK").string() && text_of(item, "SK") == key.at("SK").string();
}

}  // namespace

std::string resource_key_text(std::string_view urn) { return fmt::format("Resource#{}", urn); }
std::string parent_key_text(std::string_view urn) { return fmt::format("Parent#{}", urn); }
std::string child_key_text(std::string_view urn) { return fmt::format("Child#{}", urn); }
std::string collection_key_text(std::string_view urn) { return fmt::format("Collection#{}", urn); }
std::string member_key_text(std::string_view urn) { return fmt::format("Member#{}", urn); }
std::string unique_sort_text(std::string_view type, std::string_view key) {
  return fmt::format("UniqueKeyValue#{}#{}", type, key);
}

Item resource_key(std::string_view urn) { return key_item(resource_key_text(urn), resource_key_text(urn)); }
Item edge_key(std::string_view parent, std::string_view child) {
  return key_item(parent_key_text(parent), child_key_text(child));
}
Item membership_key(std::string_view collection, std::string_view member) {
  return key_item(collection_key_text(collection), member_key_text(member));
}
Item unique_key(const UniqueName& name) {
  const std::string sort = unique_sort_text(name.type, name.key);
  return key_item(fmt::format("{}#{}", sort, name.value), sort);
}

Result<void> check_key_lengths(const Item& key) {
  for (const char* part : {"PK", "SK"}) {
    const std::size_t length = key.at(part).string().size();
    if (length > limits::kSortKeyBytes)
      return fail(Code::kInvalidResource, "the key {} would have {} bytes; at most {} are allowed", part, length,
                  limits::kSortKeyBytes);
  }
  return {};
}

Result<Row> read_row(const Item& item) {
  if (text_of(item, "_recordType") != kResource) return damaged(item, "Resource");
  Row row{.urn = text_of(item, "urn"),
          .type = text_of(item, "_resourceType"),
          .id = text_of(item, "_id"),
          .created_at = text_of(item, "_createdAt"),
          .updated_at = text_of(item, "_updatedAt"),
          .account = optional_text(item, "_accountUrn"),
          .parent = optional_text(item, "_parentUrn"),
          .delete_job = optional_text(item, "_deleteJob"),
          .account_move = optional_text(item, "_accountMove"),
          .unique = {},
          .links = count_of(item, "_links"),
          .member_of = count_of(item, "_memberOf"),
          .account_links = count_of(item, "_accountLinks"),
          .height = std::nullopt,
          .attributes = {},
          .bytes = item_size(item)};
  if (item.contains("_height")) row.height = count_of(item, "_height");
  if (!has_key(item, resource_key(row.urn))) return damaged(item, "Resource");
  row.schema_version = static_cast<std::int64_t>(count_of(item, "_schemaVersion"));
  if (const AttributeValue* unique = item.find("_uniqueValues"))
    if (const Item* values = unique->get_if<Item>())
      for (const auto& [key, value] : *values)
        if (const auto* text = value.get_if<std::string>()) row.unique.emplace(key, *text);
  for (const auto& [name, value] : item)
    if (!is_reserved_attribute(name)) row.attributes.set(name, value);
  return row;
}

Item resource_record(const Row& row) {
  Item item = row.attributes;
  const std::string key = resource_key_text(row.urn);
  item.set("PK", key);
  item.set("SK", key);
  item.set("_recordType", kResource);
  item.set("_resourceType", row.type);
  item.set("_id", row.id);
  item.set("urn", row.urn);
  item.set("_schemaVersion", Number(row.schema_version));
  item.set("_createdAt", row.created_at);
  item.set("_updatedAt", row.updated_at);
  set_if(item, "_accountUrn", row.account);
  set_if(item, "_parentUrn", row.parent);
  set_if(item, "_deleteJob", row.delete_job);
  set_if(item, "_accountMove", row.account_move);
  item.set("_links", Number(row.links));
  item.set("_memberOf", Number(row.member_of));
  if (row.account_links > 0) item.set("_accountLinks", Number(row.account_links));
  if (row.height) item.set("_height", Number(*row.height));
  if (!row.unique.empty()) {
    Item unique;
    for (const auto& [name, value] : row.unique) unique.set(name, value);
    item.set("_uniqueValues", std::move(unique));
  }
  return item;
}

Resource resource_of(Row row) {
  return {.urn = std::move(row.urn),
          .type = std::move(row.type),
          .id = std::move(row.id),
          .schema_version = row.schema_version,
          .created_at = std::move(row.created_at),
          .updated_at = std::move(row.updated_at),
          .account = std::move(row.account),
          .parent = std::move(row.parent),
          .attributes = std::move(row.attributes)};
}

Item edge_record(const Edge& edge) {
  Item item = edge_key(edge.parent, edge.child);
  item.set("_recordType", kEdge);
  item.set("parentUrn", edge.parent);
  item.set("childUrn", edge.child);
  item.set("_createdAt", edge.created_at);
  set_if(item, "_accountUrn", edge.account);
  return item;
}

Result<Edge> read_edge(const Item& item) {
  Edge edge{.parent = text_of(item, "parentUrn"),
            .child = text_of(item, "childUrn"),
            .created_at = text_of(item, "_createdAt"),
            .account = optional_text(item, "_accountUrn")};
  if (text_of(item, "_recordType") != kEdge || !has_key(item, edge_key(edge.parent, edge.child)))
    return damaged(item, kEdge);
  return edge;
}

Item membership_record(const Membership& membership) {
  Item item = membership_key(membership.collection, membership.member);
  item.set("_recordType", kMembership);
  item.set("collectionUrn", membership.collection);
  item.set("memberUrn", membership.member);
  item.set("_createdAt", membership.created_at);
  item.set("conveysAuthorization", membership.conveys_authorization);
  set_if(item, "_accountUrn", membership.account);
  return item;
}

Result<Membership> read_membership(const Item& item) {
  Membership membership{.collection = text_of(item, "collectionUrn"),
                        .member = text_of(item, "memberUrn"),
                        .conveys_authorization = false,
                        .created_at = text_of(item, "_createdAt"),
                        .account = optional_text(item, "_accountUrn")};
  if (const AttributeValue* conveys = item.find("conveysAuthorization"))
    if (const bool* flag = conveys->get_if<bool>()) membership.conveys_authorization = *flag;
  const std::string kind = text_of(item, "_recordType");
  if ((kind != kMembership && kind != kMembershipElsewhere) ||
      !has_key(item, membership_key(membership.collection, membership.member)))
    return damaged(item, kMembership);
  return membership;
}

Item unique_record(const UniqueName& name, const UniqueHolder& holder) {
  Item item = unique_key(name);
  item.set("_recordType", kUnique);
  item.set("_resourceType", name.type);
  item.set("key", name.key);
  item.set("value", name.value);
  set_if(item, "associatedRecordUrn", holder.owner);
  item.set("_createdAt", holder.created_at);
  item.set("_updatedAt", holder.updated_at);
  return item;
}

Result<UniqueRecord> read_unique(const Item& item) {
  UniqueRecord record{
      .name = {.type = text_of(item, "_resourceType"), .key = text_of(item, "key"), .value = text_of(item, "value")},
      .holder = {.value = text_of(item, "value"),
                 .owner = optional_text(item, "associatedRecordUrn"),
                 .created_at = text_of(item, "_createdAt"),
                 .updated_at = text_of(item, "_updatedAt")}};
  if (text_of(item, "_recordType") != kUnique || !has_key(item, unique_key(record.name))) return damaged(item, kUnique);
  return record;
}

std::string time_text(Timestamp time) {
  const Result<std::string> nine_digits = format_timestamp(time);
  // Three of the nine digits of the fraction are kept. A clock outside the years 0 to 9999 is no clock.
  constexpr std::size_t kToMilliseconds = std::string_view("2026-11-02T10:15:30.123").size();
  return nine_digits ? nine_digits->substr(0, kToMilliseconds) + "Z" : "0000-01-01T00:00:00.000Z";
}

std::string later_time_text(Timestamp time, const std::string& last) {
  std::string text = time_text(time);
  if (text > last) return text;
  Result<Timestamp> before = parse_timestamp(last);
  if (!before) return text;
  before->nanoseconds += 1'000'000;
  if (before->nanoseconds >= 1'000'000'000) {
    before->nanoseconds -= 1'000'000'000;
    ++before->seconds;
  }
  return time_text(*before);
}

}  // namespace dolmen::relation
