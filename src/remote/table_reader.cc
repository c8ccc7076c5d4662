#include <algorithm>
#include <cmath>
#include <map>

#include "remote/json_fields.h"
#include "remote/response_reader.h"

namespace dolmen::remote {
namespace {

using Types = std::map<std::string_view, KeyType>;

struct Keys {
  std::vector<KeyAttribute> partition;
  std::vector<KeyAttribute> sort;
};

Result<Types> read_types(const Fields& table) {
  Types types;
  DOLMEN_TRY(const std::optional<json::Array> list, table.optional<json::Array>("AttributeDefinitions"));
  if (!list) return types;
  for (const json::Element element : *list) {
    DOLMEN_TRY(const Fields fields, Fields::of(element));
    DOLMEN_TRY(const auto name, fields.required<std::string_view>("AttributeName"));
    DOLMEN_TRY(const auto type, fields.required<std::string_view>("AttributeType"));
    types[name] = type == "S" ? KeyType::kString : type == "N" ? KeyType::kNumber : KeyType::kBinary;
  }
  return types;
}

Result<Keys> read_keys(const Fields& fields, const Types& types) {
  Keys keys;
  DOLMEN_TRY(const json::Array schema, fields.required<json::Array>("KeySchema"));
  for (const json::Element element : schema) {
    DOLMEN_TRY(const Fields key, Fields::of(element));
    DOLMEN_TRY(const auto name, key.required<std::string_view>("AttributeName"));
    DOLMEN_TRY(const auto kind, key.required<std::string_view>("KeyType"));
    const auto type = types.find(name);
    if (type == types.end()) return unexpected_response("a key attribute has no definition");
    (kind == "HASH" ? keys.partition : keys.sort).push_back({std::string(name), type->second});
  }
  if (keys.partition.empty()) return unexpected_response("KeySchema");
  return keys;
}

Result<std::uint64_t> read_count(const Fields& fields, std::string_view name) {
  DOLMEN_TRY(const std::optional<std::int64_t> count, fields.optional<std::int64_t>(name));
  return static_cast<std::uint64_t>(std::max<std::int64_t>(count.value_or(0), 0));
}

Result<Extent> read_extent(const Fields& fields, std::string_view bytes_name) {
  Extent extent;
  DOLMEN_TRY(extent.item_count, read_count(fields, "ItemCount"));
  DOLMEN_TRY(extent.size_bytes, read_count(fields, bytes_name));
  return extent;
}

Result<Throughput> read_throughput(const Fields& fields) {
  DOLMEN_TRY(const std::optional<json::Object> throughput, fields.optional<json::Object>("ProvisionedThroughput"));
  if (!throughput) return Throughput{};
  DOLMEN_TRY(const auto read, Fields(*throughput).optional<std::int64_t>("ReadCapacityUnits"));
  DOLMEN_TRY(const auto write, Fields(*throughput).optional<std::int64_t>("WriteCapacityUnits"));
  return Throughput{read.value_or(0), write.value_or(0)};
}

Result<void> read_projection(const Fields& fields, IndexDefinition& index) {
  DOLMEN_TRY(const json::Object projection, fields.required<json::Object>("Projection"));
  DOLMEN_TRY(const auto type, Fields(projection).required<std::string_view>("ProjectionType"));
  index.projection = type == "ALL"         ? ProjectionType::kAll
                     : type == "KEYS_ONLY" ? ProjectionType::kKeysOnly
                                           : ProjectionType::kInclude;
  DOLMEN_TRY(const auto names, Fields(projection).optional<json::Array>("NonKeyAttributes"));
  if (!names) return {};
  for (const json::Element element : *names) {
    std::string_view name;
    if (element.get(name) != simdjson::SUCCESS) return unexpected_response("NonKeyAttributes");
    index.included_attributes.emplace_back(name);
  }
  return {};
}

Result<void> read_indexes(const Fields& table, std::string_view name, const Types& types,
                          std::vector<IndexDefinition>& indexes, std::vector<Extent>& extents) {
  DOLMEN_TRY(const std::optional<json::Array> list, table.optional<json::Array>(name));
  if (!list) return {};
  for (const json::Element element : *list) {
    DOLMEN_TRY(const Fields fields, Fields::of(element));
    IndexDefinition index;
    DOLMEN_TRY(index.name, fields.required<std::string_view>("IndexName"));
    DOLMEN_TRY(Keys keys, read_keys(fields, types));
    index.partition_keys = std::move(keys.partition);
    index.sort_keys = std::move(keys.sort);
    DOLMEN_TRY_VOID(read_projection(fields, index));
    DOLMEN_TRY(index.throughput, read_throughput(fields));
    DOLMEN_TRY(const Extent extent, read_extent(fields, "IndexSizeBytes"));
    indexes.push_back(std::move(index));
    extents.push_back(extent);
  }
  return {};
}

/// A table can be used while it is being changed.
Result<TableStatus> read_status(const Fields& table) {
  DOLMEN_TRY(const std::optional<std::string_view> status, table.optional<std::string_view>("TableStatus"));
  if (!status || *status == "ACTIVE" || *status == "UPDATING") return TableStatus::kActive;
  if (*status == "CREATING") return TableStatus::kCreating;
  if (*status == "DELETING") return TableStatus::kDeleting;
  return fail(Code::kUnavailable, "the table is {}", *status);
}

/// An older table that was never changed has no summary and is provisioned.
Result<BillingMode> read_billing(const Fields& table) {
  DOLMEN_TRY(const auto summary, table.optional<json::Object>("BillingModeSummary"));
  if (!summary) return BillingMode::kProvisioned;
  DOLMEN_TRY(const auto mode, Fields(*summary).optional<std::string_view>("BillingMode"));
  return mode == "PAY_PER_REQUEST" ? BillingMode::kPayPerRequest : BillingMode::kProvisioned;
}

Result<TableDescription> read_description(const Fields& table) {
  TableDescription description;
  TableDefinition& definition = description.definition;
  DOLMEN_TRY(definition.name, table.required<std::string_view>("TableName"));
  DOLMEN_TRY(description.status, read_status(table));
  DOLMEN_TRY(const Types types, read_types(table));
  // The description of a table that is being deleted may lack its keys.
  if (table.find("KeySchema")) {
    DOLMEN_TRY(Keys keys, read_keys(table, types));
    definition.partition_key = std::move(keys.partition[0]);
    if (!keys.sort.empty()) definition.sort_key = std::move(keys.sort[0]);
  }
  DOLMEN_TRY(definition.billing_mode, read_billing(table));
  DOLMEN_TRY(definition.throughput, read_throughput(table));
  DOLMEN_TRY_VOID(
      read_indexes(table, "LocalSecondaryIndexes", types, definition.local_indexes, description.local_index_extents));
  DOLMEN_TRY_VOID(read_indexes(table, "GlobalSecondaryIndexes", types, definition.global_indexes,
                               description.global_index_extents));
  DOLMEN_TRY(const auto protection, table.optional<bool>("DeletionProtectionEnabled"));
  definition.deletion_protection = protection.value_or(false);
  DOLMEN_TRY(const auto id, table.optional<std::string_view>("TableId"));
  DOLMEN_TRY(const auto arn, table.optional<std::string_view>("TableArn"));
  description.id = id.value_or("");
  description.arn = arn.value_or("");
  DOLMEN_TRY(const auto created_s, table.optional<double>("CreationDateTime"));
  constexpr double kLatestSeconds = 1e12;
  description.created = TableDescription::TimePoint(
      std::chrono::milliseconds(std::llround(std::clamp(created_s.value_or(0), 0.0, kLatestSeconds) * 1000)));
  DOLMEN_TRY(description.extent, read_extent(table, "TableSizeBytes"));
  return description;
}

Result<TableDescription> read_table(std::string_view body, std::string_view member) {
  Document document;
  DOLMEN_TRY(const Fields fields, document.parse(body));
  DOLMEN_TRY(const json::Object table, fields.required<json::Object>(member));
  return read_description(Fields(table));
}

}  // namespace

Result<TableDescription> read_response(CreateTable /*operation*/, std::string_view body,
                                       const TableDefinition& /*asked*/) {
  return read_table(body, "TableDescription");
}

Result<TableDescription> read_response(DescribeTable /*operation*/, std::string_view body,
                                       const DescribeTableRequest& /*asked*/) {
  return read_table(body, "Table");
}

Result<TableDescription> read_response(DeleteTable /*operation*/, std::string_view body,
                                       const DeleteTableRequest& /*asked*/) {
  return read_table(body, "TableDescription");
}

}  // namespace dolmen::remote
