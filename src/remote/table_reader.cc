#include <algorithm>
#include <cmath>
#include <map>

#include "remote/json_fields.h"
#include "remote/response_reader.h"
#include "remote/vector_json.h"

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

Result<std::optional<TableTime>> read_time(const Fields& fields, std::string_view name) {
  DOLMEN_TRY(const auto seconds, fields.optional<double>(name));
  if (!seconds) return std::nullopt;
  constexpr double kLatestSeconds = 1e12;
  return TableTime(std::chrono::milliseconds(std::llround(std::clamp(*seconds, 0.0, kLatestSeconds) * 1000)));
}

/// An object in a response, which may be missing.
Result<std::optional<Fields>> read_object(const Fields& fields, std::string_view name) {
  DOLMEN_TRY(const std::optional<json::Object> object, fields.optional<json::Object>(name));
  return object ? std::optional(Fields(*object)) : std::nullopt;
}

Result<void> read_throughput(const Fields& fields, Throughput& throughput, ThroughputChanges& changes) {
  DOLMEN_TRY(const std::optional<Fields> found, read_object(fields, "ProvisionedThroughput"));
  if (!found) return {};
  DOLMEN_TRY(const auto read, found->optional<std::int64_t>("ReadCapacityUnits"));
  DOLMEN_TRY(const auto write, found->optional<std::int64_t>("WriteCapacityUnits"));
  throughput = {read.value_or(0), write.value_or(0)};
  DOLMEN_TRY(changes.last_increase, read_time(*found, "LastIncreaseDateTime"));
  DOLMEN_TRY(changes.last_decrease, read_time(*found, "LastDecreaseDateTime"));
  DOLMEN_TRY(const auto decreases, found->optional<std::int64_t>("NumberOfDecreasesToday"));
  changes.decreases_today = decreases.value_or(0);
  return {};
}

/// A limit of -1 is none.
Result<OnDemandThroughput> read_on_demand(const Fields& fields) {
  DOLMEN_TRY(const std::optional<Fields> found, read_object(fields, "OnDemandThroughput"));
  if (!found) return OnDemandThroughput{};
  OnDemandThroughput limits;
  DOLMEN_TRY(limits.max_read_units, found->optional<std::int64_t>("MaxReadRequestUnits"));
  DOLMEN_TRY(limits.max_write_units, found->optional<std::int64_t>("MaxWriteRequestUnits"));
  return limits;
}

Result<void> read_warm(const Fields& fields, std::optional<WarmThroughput>& warm, TableStatus& status) {
  DOLMEN_TRY(const std::optional<Fields> found, read_object(fields, "WarmThroughput"));
  if (!found) return {};
  DOLMEN_TRY(const auto read, found->optional<std::int64_t>("ReadUnitsPerSecond"));
  DOLMEN_TRY(const auto write, found->optional<std::int64_t>("WriteUnitsPerSecond"));
  warm = WarmThroughput{read.value_or(0), write.value_or(0)};
  DOLMEN_TRY(const auto name, found->optional<std::string_view>("Status"));
  status = name == "UPDATING" ? TableStatus::kUpdating : TableStatus::kActive;
  return {};
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

/// The status of a table or of a global index.
Result<TableStatus> read_status(const Fields& fields, std::string_view name) {
  DOLMEN_TRY(const std::optional<std::string_view> status, fields.optional<std::string_view>(name));
  if (!status || *status == "ACTIVE") return TableStatus::kActive;
  if (*status == "UPDATING") return TableStatus::kUpdating;
  if (*status == "CREATING") return TableStatus::kCreating;
  if (*status == "DELETING") return TableStatus::kDeleting;
  if (*status == "INACCESSIBLE_ENCRYPTION_CREDENTIALS") return TableStatus::kInaccessible;
  return fail(Code::kUnavailable, "the table is {}", *status);
}

/// What local and global indexes have in common.
Result<IndexDefinition> read_index(const Fields& fields, const Types& types) {
  IndexDefinition index;
  DOLMEN_TRY(index.name, fields.required<std::string_view>("IndexName"));
  DOLMEN_TRY(Keys keys, read_keys(fields, types));
  index.partition_keys = std::move(keys.partition);
  index.sort_keys = std::move(keys.sort);
  DOLMEN_TRY_VOID(read_projection(fields, index));
  return index;
}

Result<void> read_local_indexes(const Fields& table, const Types& types, TableDescription& description) {
  DOLMEN_TRY(const std::optional<json::Array> list, table.optional<json::Array>("LocalSecondaryIndexes"));
  if (!list) return {};
  for (const json::Element element : *list) {
    DOLMEN_TRY(const Fields fields, Fields::of(element));
    DOLMEN_TRY(IndexDefinition index, read_index(fields, types));
    DOLMEN_TRY(const Extent extent, read_extent(fields, "IndexSizeBytes"));
    description.definition.local_indexes.push_back(std::move(index));
    description.local_index_extents.push_back(extent);
  }
  return {};
}

Result<void> read_global_indexes(const Fields& table, const Types& types, TableDescription& description) {
  DOLMEN_TRY(const std::optional<json::Array> list, table.optional<json::Array>("GlobalSecondaryIndexes"));
  if (!list) return {};
  for (const json::Element element : *list) {
    DOLMEN_TRY(const Fields fields, Fields::of(element));
    DOLMEN_TRY(IndexDefinition index, read_index(fields, types));
    GlobalIndexState state;
    DOLMEN_TRY(state.status, read_status(fields, "IndexStatus"));
    DOLMEN_TRY(state.backfilling, fields.optional<bool>("Backfilling"));
    DOLMEN_TRY(state.extent, read_extent(fields, "IndexSizeBytes"));
    DOLMEN_TRY_VOID(read_throughput(fields, index.throughput, state.throughput_changes));
    DOLMEN_TRY(index.on_demand, read_on_demand(fields));
    DOLMEN_TRY_VOID(read_warm(fields, state.warm, state.warm_status));
    description.definition.global_indexes.push_back(std::move(index));
    description.global_index_states.push_back(state);
  }
  return {};
}

Result<void> read_vector_indexes(const Fields& table, const Types& types, TableDescription& description) {
  DOLMEN_TRY(const std::optional<json::Array> list, table.optional<json::Array>("VectorIndexes"));
  if (!list) return {};
  for (const json::Element element : *list) {
    DOLMEN_TRY(const Fields fields, Fields::of(element));
    DOLMEN_TRY(VectorIndexDefinition index, read_vector_index(fields));
    for (SearchAttribute& attribute : index.search) {
      const auto type = types.find(attribute.name);
      if (type != types.end()) attribute.type = type->second;
    }
    VectorIndexState state;
    DOLMEN_TRY(state.status, read_status(fields, "IndexStatus"));
    DOLMEN_TRY(state.backfilling, fields.optional<bool>("Backfilling"));
    DOLMEN_TRY(state.extent, read_extent(fields, "IndexSizeBytes"));
    description.definition.vector_indexes.push_back(std::move(index));
    description.vector_index_states.push_back(state);
  }
  return {};
}

/// An older table that was never changed has no summary and is provisioned.
Result<void> read_billing(const Fields& table, TableDescription& description) {
  DOLMEN_TRY(const std::optional<Fields> summary, read_object(table, "BillingModeSummary"));
  description.definition.billing_mode = BillingMode::kProvisioned;
  if (!summary) return {};
  DOLMEN_TRY(const auto mode, summary->optional<std::string_view>("BillingMode"));
  if (mode == "PAY_PER_REQUEST") description.definition.billing_mode = BillingMode::kPayPerRequest;
  DOLMEN_TRY(description.pay_per_request_since, read_time(*summary, "LastUpdateToPayPerRequestDateTime"));
  return {};
}

Result<void> read_stream(const Fields& table, TableDescription& description) {
  DOLMEN_TRY(const std::optional<Fields> stream, read_object(table, "StreamSpecification"));
  if (stream) {
    DOLMEN_TRY(const auto enabled, stream->optional<bool>("StreamEnabled"));
    DOLMEN_TRY(const auto view, stream->optional<std::string_view>("StreamViewType"));
    if (enabled.value_or(false)) description.definition.stream = stream_view_of(view.value_or(""));
  }
  DOLMEN_TRY(const auto arn, table.optional<std::string_view>("LatestStreamArn"));
  DOLMEN_TRY(const auto label, table.optional<std::string_view>("LatestStreamLabel"));
  description.stream_arn = arn.value_or("");
  description.stream_label = label.value_or("");
  return {};
}

Result<void> read_encryption(const Fields& table, TableDescription& description) {
  DOLMEN_TRY(const std::optional<Fields> encryption, read_object(table, "SSEDescription"));
  if (!encryption) return {};
  DOLMEN_TRY(const auto key, encryption->optional<std::string_view>("KMSMasterKeyArn"));
  DOLMEN_TRY(const auto status, encryption->optional<std::string_view>("Status"));
  if (key) description.definition.kms_key = *key;
  if (status == "UPDATING") description.encryption_status = TableStatus::kUpdating;
  DOLMEN_TRY(description.inaccessible_since, read_time(*encryption, "InaccessibleEncryptionDateTime"));
  return {};
}

Result<void> read_class(const Fields& table, TableDescription& description) {
  DOLMEN_TRY(const std::optional<Fields> summary, read_object(table, "TableClassSummary"));
  if (!summary) return {};
  DOLMEN_TRY(const auto name, summary->optional<std::string_view>("TableClass"));
  description.definition.table_class = table_class_of(name.value_or(""));
  DOLMEN_TRY(description.table_class_changed, read_time(*summary, "LastUpdateDateTime"));
  return {};
}

Result<void> read_restore(const Fields& table, TableDescription& description) {
  DOLMEN_TRY(const std::optional<Fields> summary, read_object(table, "RestoreSummary"));
  if (!summary) return {};
  DOLMEN_TRY(const auto in_progress, summary->optional<bool>("RestoreInProgress"));
  // Some endpoints keep it when the restore has ended.
  if (!in_progress.value_or(false)) return {};
  RestoreSummary restore;
  DOLMEN_TRY(const auto backup, summary->optional<std::string_view>("SourceBackupArn"));
  DOLMEN_TRY(const auto source, summary->optional<std::string_view>("SourceTableArn"));
  DOLMEN_TRY(const std::optional<TableTime> time, read_time(*summary, "RestoreDateTime"));
  if (backup) restore.backup_arn = *backup;
  restore.table_arn = source.value_or("");
  restore.time = time.value_or(TableTime());
  description.restore = std::move(restore);
  return {};
}

Result<void> read_settings(const Fields& table, TableDescription& description) {
  TableDefinition& definition = description.definition;
  DOLMEN_TRY_VOID(read_billing(table, description));
  DOLMEN_TRY_VOID(read_throughput(table, definition.throughput, description.throughput_changes));
  DOLMEN_TRY(definition.on_demand, read_on_demand(table));
  DOLMEN_TRY_VOID(read_warm(table, description.warm, description.warm_status));
  DOLMEN_TRY_VOID(read_stream(table, description));
  DOLMEN_TRY_VOID(read_encryption(table, description));
  DOLMEN_TRY_VOID(read_class(table, description));
  DOLMEN_TRY_VOID(read_restore(table, description));
  DOLMEN_TRY(const auto protection, table.optional<bool>("DeletionProtectionEnabled"));
  definition.deletion_protection = protection.value_or(false);
  return {};
}

Result<TableDescription> read_description(const Fields& table) {
  TableDescription description;
  TableDefinition& definition = description.definition;
  DOLMEN_TRY(definition.name, table.required<std::string_view>("TableName"));
  DOLMEN_TRY(description.status, read_status(table, "TableStatus"));
  DOLMEN_TRY(const Types types, read_types(table));
  // The description of a table that is being deleted may lack its keys.
  if (table.find("KeySchema")) {
    DOLMEN_TRY(Keys keys, read_keys(table, types));
    definition.partition_key = std::move(keys.partition[0]);
    if (!keys.sort.empty()) definition.sort_key = std::move(keys.sort[0]);
  }
  DOLMEN_TRY_VOID(read_settings(table, description));
  DOLMEN_TRY_VOID(read_local_indexes(table, types, description));
  DOLMEN_TRY_VOID(read_global_indexes(table, types, description));
  DOLMEN_TRY_VOID(read_vector_indexes(table, types, description));
  DOLMEN_TRY(const auto id, table.optional<std::string_view>("TableId"));
  DOLMEN_TRY(const auto arn, table.optional<std::string_view>("TableArn"));
  description.id = id.value_or("");
  description.arn = arn.value_or("");
  DOLMEN_TRY(const std::optional<TableTime> created, read_time(table, "CreationDateTime"));
  description.created = created.value_or(TableTime());
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

Result<TableDescription> read_response(RestoreTableToPointInTime /*operation*/, std::string_view body,
                                       const RestoreToPointInTime& /*asked*/) {
  return read_table(body, "TableDescription");
}

Result<TableDescription> read_response(RestoreTableFromBackup /*operation*/, std::string_view body,
                                       const RestoreFromBackup& /*asked*/) {
  return read_table(body, "TableDescription");
}

Result<TableDescription> read_response(UpdateTable /*operation*/, std::string_view body, const TableUpdate& /*asked*/) {
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
