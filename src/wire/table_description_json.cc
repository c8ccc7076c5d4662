#include <fmt/format.h>
#include <iterator>

#include "protocol/table_forms.h"
#include "value/json.h"
#include "wire/response_json.h"
#include "wire/table_json.h"

namespace dolmen::wire {
namespace {

std::string_view status_name(TableStatus status) {
  switch (status) {
    case TableStatus::kCreating: return "CREATING";
    case TableStatus::kActive: return "ACTIVE";
    case TableStatus::kDeleting: return "DELETING";
  }
  return "";
}

/// Seconds since 1970 with milliseconds, as DynamoDB writes times.
std::string seconds_of(TableDescription::TimePoint time) {
  const auto milliseconds = time.time_since_epoch().count();
  return fmt::format("{}.{:03}", milliseconds / 1000, milliseconds % 1000);
}

void append_throughput(std::string& out, const Throughput& throughput) {
  fmt::format_to(std::back_inserter(out),
                 R"({{"NumberOfDecreasesToday":0,"ReadCapacityUnits":{},"WriteCapacityUnits":{}}})",
                 throughput.read_units, throughput.write_units);
}

/// One index; a `global` one has its own status and throughput.
void append_index(std::string& out, const TableDescription& table, const IndexDefinition& index, const Extent& extent,
                  bool global) {
  ObjectWriter object(out);
  json::append_string(object.member("IndexName"), index.name);
  append_key_schema(object.member("KeySchema"), index.partition_keys, index.sort_keys);
  append_projection(object.member("Projection"), index);
  if (global) {
    json::append_string(object.member("IndexStatus"), status_name(table.status));
    append_throughput(object.member("ProvisionedThroughput"), index.throughput);
  }
  object.member("IndexSizeBytes").append(std::to_string(extent.size_bytes));
  object.member("ItemCount").append(std::to_string(extent.item_count));
  json::append_string(object.member("IndexArn"), fmt::format("{}/index/{}", table.arn, index.name));
  object.end();
}

void append_indexes(ObjectWriter& object, const TableDescription& table, bool global) {
  const auto& indexes = global ? table.definition.global_indexes : table.definition.local_indexes;
  const auto& extents = global ? table.global_index_extents : table.local_index_extents;
  if (indexes.empty()) return;
  std::string& out = object.member(global ? "GlobalSecondaryIndexes" : "LocalSecondaryIndexes");
  std::size_t position = 0;
  append_array(out, indexes, [&](const IndexDefinition& index) {
    append_index(out, table, index, position < extents.size() ? extents[position] : Extent{}, global);
    ++position;
  });
}

}  // namespace

void append_table_description(std::string& out, const TableDescription& table) {
  const TableDefinition& definition = table.definition;
  ObjectWriter object(out);
  append_attribute_definitions(object.member("AttributeDefinitions"), definition);
  json::append_string(object.member("TableName"), definition.name);
  append_key_schema(object.member("KeySchema"), {definition.partition_key},
                    definition.sort_key ? std::vector{*definition.sort_key} : std::vector<KeyAttribute>{});
  json::append_string(object.member("TableStatus"), status_name(table.status));
  object.member("CreationDateTime").append(seconds_of(table.created));
  append_throughput(object.member("ProvisionedThroughput"), definition.throughput);
  if (definition.billing_mode == BillingMode::kPayPerRequest) {
    ObjectWriter billing(object.member("BillingModeSummary"));
    json::append_string(billing.member("BillingMode"), "PAY_PER_REQUEST");
    if (table.status != TableStatus::kCreating)
      billing.member("LastUpdateToPayPerRequestDateTime").append(seconds_of(table.created));
    billing.end();
  }
  object.member("TableSizeBytes").append(std::to_string(table.extent.size_bytes));
  object.member("ItemCount").append(std::to_string(table.extent.item_count));
  json::append_string(object.member("TableArn"), table.arn);
  json::append_string(object.member("TableId"), table.id);
  append_indexes(object, table, false);
  // DynamoDB does not name the global indexes of a table that it deletes.
  if (table.status != TableStatus::kDeleting) append_indexes(object, table, true);
  object.member("DeletionProtectionEnabled").append(definition.deletion_protection ? "true" : "false");
  object.end();
}

}  // namespace dolmen::wire
