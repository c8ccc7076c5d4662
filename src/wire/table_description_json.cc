#include <fmt/format.h>
#include <optional>
#include <vector>

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
    case TableStatus::kUpdating: return "UPDATING";
    case TableStatus::kDeleting: return "DELETING";
    case TableStatus::kInaccessible: return "INACCESSIBLE_ENCRYPTION_CREDENTIALS";
  }
  return "";
}

void append_seconds(ObjectWriter& object, std::string_view name, const std::optional<TableTime>& time) {
  if (time) object.member(name).append(seconds_of(*time));
}

void append_number(ObjectWriter& object, std::string_view name, const std::optional<std::int64_t>& number) {
  if (number) object.member(name).append(std::to_string(*number));
}

/// Capacity that a table and a global index have.
struct Capacity {
  const Throughput& throughput;
  const ThroughputChanges& changes;
  const OnDemandThroughput& on_demand;
  const std::optional<WarmThroughput>& warm;
  TableStatus warm_status;
};

void append_throughput(ObjectWriter& object, const Capacity& capacity) {
  ObjectWriter throughput(object.member("ProvisionedThroughput"));
  append_seconds(throughput, "LastIncreaseDateTime", capacity.changes.last_increase);
  append_seconds(throughput, "LastDecreaseDateTime", capacity.changes.last_decrease);
  append_number(throughput, "NumberOfDecreasesToday", capacity.changes.decreases_today);
  append_number(throughput, "ReadCapacityUnits", capacity.throughput.read_units);
  append_number(throughput, "WriteCapacityUnits", capacity.throughput.write_units);
  throughput.end();
}

/// OnDemandThroughput and WarmThroughput, where there is one.
void append_other_capacity(ObjectWriter& object, const Capacity& capacity) {
  if (capacity.on_demand != OnDemandThroughput{}) {
    ObjectWriter limits(object.member("OnDemandThroughput"));
    append_number(limits, "MaxReadRequestUnits", capacity.on_demand.max_read_units);
    append_number(limits, "MaxWriteRequestUnits", capacity.on_demand.max_write_units);
    limits.end();
  }
  if (!capacity.warm) return;
  ObjectWriter warm(object.member("WarmThroughput"));
  append_number(warm, "ReadUnitsPerSecond", capacity.warm->read_units);
  append_number(warm, "WriteUnitsPerSecond", capacity.warm->write_units);
  json::append_string(warm.member("Status"), status_name(capacity.warm_status));
  warm.end();
}

/// What local and global indexes have in common.
void append_index(ObjectWriter& object, const TableDescription& table, const IndexDefinition& index,
                  const Extent& extent) {
  json::append_string(object.member("IndexName"), index.name);
  append_key_schema(object.member("KeySchema"), index.partition_keys, index.sort_keys);
  append_projection(object.member("Projection"), index);
  object.member("IndexSizeBytes").append(std::to_string(extent.size_bytes));
  object.member("ItemCount").append(std::to_string(extent.item_count));
  json::append_string(object.member("IndexArn"), fmt::format("{}/index/{}", table.arn, index.name));
}

void append_global_index(std::string& out, const TableDescription& table, const IndexDefinition& index,
                         const GlobalIndexState& state) {
  ObjectWriter object(out);
  append_index(object, table, index, state.extent);
  json::append_string(object.member("IndexStatus"), status_name(state.status));
  if (state.backfilling) object.member("Backfilling").append(*state.backfilling ? "true" : "false");
  const Capacity capacity{index.throughput, state.throughput_changes, index.on_demand, state.warm, state.warm_status};
  append_throughput(object, capacity);
  append_other_capacity(object, capacity);
  object.end();
}

void append_local_indexes(ObjectWriter& object, const TableDescription& table) {
  const auto& indexes = table.definition.local_indexes;
  if (indexes.empty()) return;
  std::string& out = object.member("LocalSecondaryIndexes");
  std::size_t position = 0;
  append_array(out, indexes, [&](const IndexDefinition& index) {
    // The answer to CreateTable has no counts yet.
    const bool counted = position < table.local_index_extents.size();
    ObjectWriter one(out);
    append_index(one, table, index, counted ? table.local_index_extents[position] : Extent{});
    one.end();
    ++position;
  });
}

void append_global_indexes(ObjectWriter& object, const TableDescription& table) {
  const auto& indexes = table.definition.global_indexes;
  if (indexes.empty()) return;
  std::string& out = object.member("GlobalSecondaryIndexes");
  std::size_t position = 0;
  append_array(out, indexes, [&](const IndexDefinition& index) {
    append_global_index(out, table, index, table.global_index_states[position++]);
  });
}

void append_vector_indexes(ObjectWriter& object, const TableDescription& table) {
  const auto& indexes = table.definition.vector_indexes;
  if (indexes.empty()) return;
  std::size_t position = 0;
  object.objects("VectorIndexes", indexes, [&](ObjectWriter& one, const VectorIndexDefinition& index) {
    const VectorIndexState& state = table.vector_index_states[position++];
    append_vector_index(one, index);
    one.text("IndexStatus", status_name(state.status));
    if (state.backfilling) one.flag("Backfilling", *state.backfilling);
    one.number("IndexSizeBytes", state.extent.size_bytes).number("ItemCount", state.extent.item_count);
    one.text("IndexArn", fmt::format("{}/index/{}", table.arn, index.name));
  });
}

/// A table that was always provisioned has no summary.
void append_billing(ObjectWriter& object, const TableDescription& table) {
  const bool by_requests = table.definition.billing_mode == BillingMode::kPayPerRequest;
  if (!by_requests && !table.pay_per_request_since) return;
  ObjectWriter billing(object.member("BillingModeSummary"));
  json::append_string(billing.member("BillingMode"), by_requests ? "PAY_PER_REQUEST" : "PROVISIONED");
  if (table.status != TableStatus::kCreating)
    append_seconds(billing, "LastUpdateToPayPerRequestDateTime", table.pay_per_request_since);
  billing.end();
}

void append_stream(ObjectWriter& object, const TableDescription& table) {
  if (table.definition.stream) {
    ObjectWriter stream(object.member("StreamSpecification"));
    stream.member("StreamEnabled").append("true");
    json::append_string(stream.member("StreamViewType"), stream_view_name(*table.definition.stream));
    stream.end();
  }
  if (table.stream_arn.empty()) return;
  json::append_string(object.member("LatestStreamLabel"), table.stream_label);
  json::append_string(object.member("LatestStreamArn"), table.stream_arn);
}

void append_encryption(ObjectWriter& object, const TableDescription& table) {
  if (!table.definition.kms_key) return;
  ObjectWriter encryption(object.member("SSEDescription"));
  json::append_string(encryption.member("Status"),
                      table.encryption_status == TableStatus::kUpdating ? "UPDATING" : "ENABLED");
  json::append_string(encryption.member("SSEType"), "KMS");
  json::append_string(encryption.member("KMSMasterKeyArn"), *table.definition.kms_key);
  append_seconds(encryption, "InaccessibleEncryptionDateTime", table.inaccessible_since);
  encryption.end();
}

void append_class(ObjectWriter& object, const TableDescription& table) {
  if (!table.definition.table_class) return;
  ObjectWriter summary(object.member("TableClassSummary"));
  json::append_string(summary.member("TableClass"), table_class_name(*table.definition.table_class));
  append_seconds(summary, "LastUpdateDateTime", table.table_class_changed);
  summary.end();
}

void append_restore(ObjectWriter& object, const TableDescription& table) {
  if (!table.restore) return;
  ObjectWriter summary(object.member("RestoreSummary"));
  if (table.restore->backup_arn) summary.text("SourceBackupArn", *table.restore->backup_arn);
  summary.text("SourceTableArn", table.restore->table_arn)
      .json("RestoreDateTime", seconds_of(table.restore->time))
      .flag("RestoreInProgress", true);
  summary.end();
}

void append_keys(ObjectWriter& object, const TableDescription& table) {
  const TableDefinition& definition = table.definition;
  append_attribute_definitions(object.member("AttributeDefinitions"), definition);
  append_key_schema(object.member("KeySchema"), {definition.partition_key},
                    definition.sort_key ? std::vector{*definition.sort_key} : std::vector<KeyAttribute>{});
  object.member("CreationDateTime").append(seconds_of(table.created));
}

}  // namespace

std::string seconds_of(TableTime time) {
  const auto milliseconds = time.time_since_epoch().count();
  return fmt::format("{}.{:03}", milliseconds / 1000, milliseconds % 1000);
}

void append_table_description(std::string& out, const TableDescription& table) {
  const TableDefinition& definition = table.definition;
  // DynamoDB tells neither keys nor indexes of a table that it deletes.
  const bool whole = table.status != TableStatus::kDeleting;
  const Capacity capacity{definition.throughput, table.throughput_changes, definition.on_demand, table.warm,
                          table.warm_status};
  ObjectWriter object(out);
  json::append_string(object.member("TableName"), definition.name);
  json::append_string(object.member("TableStatus"), status_name(table.status));
  if (whole) append_keys(object, table);
  append_throughput(object, capacity);
  append_billing(object, table);
  object.member("TableSizeBytes").append(std::to_string(table.extent.size_bytes));
  object.member("ItemCount").append(std::to_string(table.extent.item_count));
  json::append_string(object.member("TableArn"), table.arn);
  json::append_string(object.member("TableId"), table.id);
  if (whole) {
    append_local_indexes(object, table);
    append_global_indexes(object, table);
    append_vector_indexes(object, table);
    append_other_capacity(object, capacity);
  }
  append_stream(object, table);
  append_encryption(object, table);
  append_class(object, table);
  append_restore(object, table);
  object.member("DeletionProtectionEnabled").append(definition.deletion_protection ? "true" : "false");
  object.end();
}

}  // namespace dolmen::wire
