// Backups and points in time as JSON.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

#include "protocol/object_writer.h"
#include "protocol/table_forms.h"
#include "remote/json_fields.h"
#include "remote/request_json.h"
#include "remote/response_reader.h"
#include "remote/vector_json.h"

namespace dolmen::remote {
namespace {

std::string seconds_text(TableTime time) {
  const std::int64_t milliseconds = time.time_since_epoch().count();
  return fmt::format("{}.{:03}", milliseconds / 1000, milliseconds % 1000);
}

void append_units(ObjectWriter& object, std::string_view name, const Throughput& throughput) {
  ObjectWriter units(object.member(name));
  units.number("ReadCapacityUnits", throughput.read_units).number("WriteCapacityUnits", throughput.write_units);
  units.end();
}

void append_limits(ObjectWriter& object, std::string_view name, const OnDemandThroughput& on_demand) {
  ObjectWriter limits(object.member(name));
  if (on_demand.max_read_units) limits.number("MaxReadRequestUnits", *on_demand.max_read_units);
  if (on_demand.max_write_units) limits.number("MaxWriteRequestUnits", *on_demand.max_write_units);
  limits.end();
}

void append_index_override(ObjectWriter& object, const IndexOverride& index) {
  object.text("IndexName", index.name);
  std::vector<std::pair<std::string, std::string_view>> keys;
  for (const std::string& name : index.partition_keys) keys.emplace_back(name, "HASH");
  for (const std::string& name : index.sort_keys) keys.emplace_back(name, "RANGE");
  object.objects("KeySchema", keys, [](ObjectWriter& key, const auto& of) {
    key.text("AttributeName", of.first).text("KeyType", of.second);
  });
  ObjectWriter projection(object.member("Projection"));
  projection.text("ProjectionType", index.projection == ProjectionType::kAll        ? "ALL"
                                    : index.projection == ProjectionType::kKeysOnly ? "KEYS_ONLY"
                                                                                    : "INCLUDE");
  if (!index.included_attributes.empty()) projection.texts("NonKeyAttributes", index.included_attributes);
  projection.end();
  if (index.throughput) append_units(object, "ProvisionedThroughput", *index.throughput);
  if (index.on_demand != OnDemandThroughput{}) append_limits(object, "OnDemandThroughput", index.on_demand);
}

void append_overrides(ObjectWriter& object, const RestoreOverrides& overrides) {
  if (overrides.billing_mode)
    object.text("BillingModeOverride",
                *overrides.billing_mode == BillingMode::kProvisioned ? "PROVISIONED" : "PAY_PER_REQUEST");
  if (overrides.global_indexes)
    object.objects("GlobalSecondaryIndexOverride", *overrides.global_indexes, append_index_override);
  if (overrides.local_indexes)
    object.objects("LocalSecondaryIndexOverride", *overrides.local_indexes, append_index_override);
  if (overrides.vector_indexes) object.objects("VectorIndexOverride", *overrides.vector_indexes, append_vector_index);
  if (overrides.throughput) append_units(object, "ProvisionedThroughputOverride", *overrides.throughput);
  if (overrides.on_demand) append_limits(object, "OnDemandThroughputOverride", *overrides.on_demand);
  if (!overrides.encryption) return;
  ObjectWriter encryption(object.member("SSESpecificationOverride"));
  encryption.flag("Enabled", overrides.encryption->kms_key.has_value());
  if (overrides.encryption->kms_key)
    encryption.text("SSEType", "KMS").text("KMSMasterKeyId", *overrides.encryption->kms_key);
  encryption.end();
}

Result<std::optional<TableTime>> read_moment(const Fields& fields, std::string_view name) {
  DOLMEN_TRY(const auto seconds, fields.optional<double>(name));
  if (!seconds) return std::nullopt;
  constexpr double kLatestSeconds = 1e12;
  return TableTime(std::chrono::milliseconds(std::llround(std::clamp(*seconds, 0.0, kLatestSeconds) * 1000)));
}

Result<ContinuousBackups> read_continuous_backups(std::string_view body) {
  Document document;
  DOLMEN_TRY(const Fields fields, document.parse(body));
  DOLMEN_TRY(const json::Object described_object, fields.required<json::Object>("ContinuousBackupsDescription"));
  const Fields described(described_object);
  DOLMEN_TRY(const auto status, described.required<std::string_view>("ContinuousBackupsStatus"));
  ContinuousBackups backups{.enabled = status == "ENABLED"};
  DOLMEN_TRY(const auto point_object, described.optional<json::Object>("PointInTimeRecoveryDescription"));
  if (!point_object) return backups;
  const Fields point(*point_object);
  DOLMEN_TRY(const auto enabled, point.optional<std::string_view>("PointInTimeRecoveryStatus"));
  backups.point_in_time.enabled = enabled == "ENABLED";
  DOLMEN_TRY(const auto days, point.optional<std::int64_t>("RecoveryPeriodInDays"));
  if (days) backups.point_in_time.period_days = static_cast<int>(*days);
  DOLMEN_TRY(backups.point_in_time.earliest, read_moment(point, "EarliestRestorableDateTime"));
  DOLMEN_TRY(backups.point_in_time.latest, read_moment(point, "LatestRestorableDateTime"));
  return backups;
}

Result<BackupDetails> read_details(const Fields& fields) {
  BackupDetails details;
  DOLMEN_TRY(details.arn, fields.required<std::string_view>("BackupArn"));
  DOLMEN_TRY(details.name, fields.required<std::string_view>("BackupName"));
  DOLMEN_TRY(const auto bytes, fields.optional<std::int64_t>("BackupSizeBytes"));
  details.size_bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(bytes.value_or(0), 0));
  DOLMEN_TRY(const auto status, fields.required<std::string_view>("BackupStatus"));
  DOLMEN_TRY(const auto type, fields.required<std::string_view>("BackupType"));
  const std::optional<BackupStatus> known_status = backup_status_of(status);
  const std::optional<BackupType> known_type = backup_type_of(type);
  if (!known_status || !known_type) return unexpected_response("BackupStatus or BackupType");
  details.status = *known_status;
  details.type = *known_type;
  DOLMEN_TRY(const std::optional<TableTime> created, read_moment(fields, "BackupCreationDateTime"));
  details.created = created.value_or(TableTime());
  DOLMEN_TRY(details.expires, read_moment(fields, "BackupExpiryDateTime"));
  return details;
}

/// The description of a source has no types of key attributes; they are taken for texts.
Result<void> read_source_keys(const Fields& fields, std::vector<KeyAttribute>& partition,
                              std::vector<KeyAttribute>& sort) {
  DOLMEN_TRY(const json::Array schema, fields.required<json::Array>("KeySchema"));
  for (const json::Element element : schema) {
    DOLMEN_TRY(const Fields key, Fields::of(element));
    DOLMEN_TRY(const auto name, key.required<std::string_view>("AttributeName"));
    DOLMEN_TRY(const auto kind, key.required<std::string_view>("KeyType"));
    (kind == "HASH" ? partition : sort).push_back({std::string(name)});
  }
  if (partition.empty()) return unexpected_response("KeySchema");
  return {};
}

Result<Throughput> read_units(const Fields& fields) {
  DOLMEN_TRY(const auto object, fields.optional<json::Object>("ProvisionedThroughput"));
  if (!object) return Throughput{};
  DOLMEN_TRY(const auto read, Fields(*object).optional<std::int64_t>("ReadCapacityUnits"));
  DOLMEN_TRY(const auto write, Fields(*object).optional<std::int64_t>("WriteCapacityUnits"));
  return Throughput{read.value_or(0), write.value_or(0)};
}

Result<OnDemandThroughput> read_limits(const Fields& fields) {
  DOLMEN_TRY(const auto object, fields.optional<json::Object>("OnDemandThroughput"));
  OnDemandThroughput limits;
  if (!object) return limits;
  DOLMEN_TRY(limits.max_read_units, Fields(*object).optional<std::int64_t>("MaxReadRequestUnits"));
  DOLMEN_TRY(limits.max_write_units, Fields(*object).optional<std::int64_t>("MaxWriteRequestUnits"));
  return limits;
}

Result<void> read_source(const Fields& fields, BackupDescription& backup) {
  TableDefinition& table = backup.definition;
  DOLMEN_TRY(table.name, fields.required<std::string_view>("TableName"));
  std::vector<KeyAttribute> partition;
  std::vector<KeyAttribute> sort;
  DOLMEN_TRY_VOID(read_source_keys(fields, partition, sort));
  table.partition_key = partition.front();
  if (!sort.empty()) table.sort_key = sort.front();
  DOLMEN_TRY(const auto mode, fields.optional<std::string_view>("BillingMode"));
  table.billing_mode = mode == "PAY_PER_REQUEST" ? BillingMode::kPayPerRequest : BillingMode::kProvisioned;
  DOLMEN_TRY(table.throughput, read_units(fields));
  DOLMEN_TRY(table.on_demand, read_limits(fields));
  DOLMEN_TRY(const auto id, fields.optional<std::string_view>("TableId"));
  DOLMEN_TRY(const auto arn, fields.optional<std::string_view>("TableArn"));
  backup.table_id = id.value_or("");
  backup.table_arn = arn.value_or("");
  DOLMEN_TRY(const std::optional<TableTime> created, read_moment(fields, "TableCreationDateTime"));
  backup.table_created = created.value_or(TableTime());
  DOLMEN_TRY(const auto items, fields.optional<std::int64_t>("ItemCount"));
  DOLMEN_TRY(const auto bytes, fields.optional<std::int64_t>("TableSizeBytes"));
  backup.extent = {.item_count = static_cast<std::uint64_t>(std::max<std::int64_t>(items.value_or(0), 0)),
                   .size_bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(bytes.value_or(0), 0))};
  return {};
}

Result<void> read_source_indexes(const Fields& fields, std::string_view name, std::vector<IndexDefinition>& indexes) {
  DOLMEN_TRY(const auto list, fields.optional<json::Array>(name));
  if (!list) return {};
  for (const json::Element element : *list) {
    DOLMEN_TRY(const Fields one, Fields::of(element));
    IndexDefinition index;
    DOLMEN_TRY(index.name, one.required<std::string_view>("IndexName"));
    DOLMEN_TRY_VOID(read_source_keys(one, index.partition_keys, index.sort_keys));
    DOLMEN_TRY(const json::Object projection, one.required<json::Object>("Projection"));
    DOLMEN_TRY(const auto type, Fields(projection).required<std::string_view>("ProjectionType"));
    index.projection = type == "ALL"         ? ProjectionType::kAll
                       : type == "KEYS_ONLY" ? ProjectionType::kKeysOnly
                                             : ProjectionType::kInclude;
    DOLMEN_TRY(const auto names, Fields(projection).optional<json::Array>("NonKeyAttributes"));
    if (names)
      for (const json::Element attribute : *names) {
        std::string_view text;
        if (attribute.get(text) != simdjson::SUCCESS) return unexpected_response("NonKeyAttributes");
        index.included_attributes.emplace_back(text);
      }
    DOLMEN_TRY(index.throughput, read_units(one));
    DOLMEN_TRY(index.on_demand, read_limits(one));
    indexes.push_back(std::move(index));
  }
  return {};
}

Result<void> read_features(const Fields& fields, TableDefinition& table) {
  DOLMEN_TRY_VOID(read_source_indexes(fields, "LocalSecondaryIndexes", table.local_indexes));
  DOLMEN_TRY_VOID(read_source_indexes(fields, "GlobalSecondaryIndexes", table.global_indexes));
  DOLMEN_TRY(const auto vectors, fields.optional<json::Array>("VectorIndexes"));
  if (vectors)
    for (const json::Element element : *vectors) {
      DOLMEN_TRY(const Fields one, Fields::of(element));
      DOLMEN_TRY(table.vector_indexes.emplace_back(), read_vector_index(one));
    }
  DOLMEN_TRY(const auto stream, fields.optional<json::Object>("StreamDescription"));
  if (stream) {
    DOLMEN_TRY(const auto view, Fields(*stream).optional<std::string_view>("StreamViewType"));
    table.stream = stream_view_of(view.value_or(""));
  }
  DOLMEN_TRY(const auto ttl, fields.optional<json::Object>("TimeToLiveDescription"));
  if (ttl) {
    DOLMEN_TRY(const auto attribute, Fields(*ttl).optional<std::string_view>("AttributeName"));
    if (attribute) table.ttl = *attribute;
  }
  DOLMEN_TRY(const auto encryption, fields.optional<json::Object>("SSEDescription"));
  if (encryption) {
    DOLMEN_TRY(const auto key, Fields(*encryption).optional<std::string_view>("KMSMasterKeyArn"));
    if (key) table.kms_key = *key;
  }
  return {};
}

Result<BackupDescription> read_backup_description(std::string_view body) {
  Document document;
  DOLMEN_TRY(const Fields fields, document.parse(body));
  DOLMEN_TRY(const json::Object described, fields.required<json::Object>("BackupDescription"));
  DOLMEN_TRY(const json::Object details, Fields(described).required<json::Object>("BackupDetails"));
  BackupDescription backup;
  DOLMEN_TRY(backup.details, read_details(Fields(details)));
  DOLMEN_TRY(const json::Object source, Fields(described).required<json::Object>("SourceTableDetails"));
  DOLMEN_TRY_VOID(read_source(Fields(source), backup));
  DOLMEN_TRY(const auto features, Fields(described).optional<json::Object>("SourceTableFeatureDetails"));
  if (features) DOLMEN_TRY_VOID(read_features(Fields(*features), backup.definition));
  return backup;
}

}  // namespace

Result<std::string> request_body(const UpdateContinuousBackupsRequest& request) {
  return object_text([&](ObjectWriter& object) {
    object.text("TableName", request.table);
    ObjectWriter point(object.member("PointInTimeRecoverySpecification"));
    point.flag("PointInTimeRecoveryEnabled", request.change.enabled);
    if (request.change.period_days) point.number("RecoveryPeriodInDays", *request.change.period_days);
    point.end();
  });
}

Result<std::string> request_body(const DescribeContinuousBackupsRequest& request) {
  return object_text([&](ObjectWriter& object) { object.text("TableName", request.table); });
}

Result<std::string> request_body(const RestoreToPointInTime& request) {
  return object_text([&](ObjectWriter& object) {
    object.text(request.source.starts_with("arn:") ? "SourceTableArn" : "SourceTableName", request.source)
        .text("TargetTableName", request.target);
    if (request.time) {
      object.json("RestoreDateTime", seconds_text(*request.time));
    } else {
      object.flag("UseLatestRestorableTime", true);
    }
    append_overrides(object, request.overrides);
  });
}

Result<std::string> request_body(const CreateBackupRequest& request) {
  return object_text(
      [&](ObjectWriter& object) { object.text("TableName", request.table).text("BackupName", request.name); });
}

Result<std::string> request_body(const DescribeBackupRequest& request) {
  return object_text([&](ObjectWriter& object) { object.text("BackupArn", request.arn); });
}

Result<std::string> request_body(const DeleteBackupRequest& request) {
  return object_text([&](ObjectWriter& object) { object.text("BackupArn", request.arn); });
}

Result<std::string> request_body(const ListBackupsOptions& options) {
  return object_text([&](ObjectWriter& object) {
    if (options.of_table) object.text("TableName", *options.of_table);
    if (options.limit) object.number("Limit", *options.limit);
    if (options.from) object.json("TimeRangeLowerBound", seconds_text(*options.from));
    if (options.until) object.json("TimeRangeUpperBound", seconds_text(*options.until));
    if (options.after) object.text("ExclusiveStartBackupArn", *options.after);
    if (options.all_types) {
      object.text("BackupType", "ALL");
    } else if (options.type) {
      object.text("BackupType", backup_type_name(*options.type));
    }
  });
}

Result<std::string> request_body(const RestoreFromBackup& request) {
  return object_text([&](ObjectWriter& object) {
    object.text("TargetTableName", request.target).text("BackupArn", request.backup_arn);
    append_overrides(object, request.overrides);
  });
}

Result<ContinuousBackups> read_response(UpdateContinuousBackups /*operation*/, std::string_view body,
                                        const UpdateContinuousBackupsRequest& /*asked*/) {
  return read_continuous_backups(body);
}

Result<ContinuousBackups> read_response(DescribeContinuousBackups /*operation*/, std::string_view body,
                                        const DescribeContinuousBackupsRequest& /*asked*/) {
  return read_continuous_backups(body);
}

Result<BackupDetails> read_response(CreateBackup /*operation*/, std::string_view body,
                                    const CreateBackupRequest& /*asked*/) {
  Document document;
  DOLMEN_TRY(const Fields fields, document.parse(body));
  DOLMEN_TRY(const json::Object details, fields.required<json::Object>("BackupDetails"));
  return read_details(Fields(details));
}

Result<BackupDescription> read_response(DescribeBackup /*operation*/, std::string_view body,
                                        const DescribeBackupRequest& /*asked*/) {
  return read_backup_description(body);
}

Result<BackupDescription> read_response(DeleteBackup /*operation*/, std::string_view body,
                                        const DeleteBackupRequest& /*asked*/) {
  return read_backup_description(body);
}

Result<BackupPage> read_response(ListBackups /*operation*/, std::string_view body,
                                 const ListBackupsOptions& /*asked*/) {
  Document document;
  DOLMEN_TRY(const Fields fields, document.parse(body));
  DOLMEN_TRY(const auto list, fields.optional<json::Array>("BackupSummaries"));
  BackupPage page;
  if (list)
    for (const json::Element element : *list) {
      DOLMEN_TRY(const Fields one, Fields::of(element));
      BackupSummary backup;
      DOLMEN_TRY(backup.details, read_details(one));
      DOLMEN_TRY(backup.table, one.required<std::string_view>("TableName"));
      DOLMEN_TRY(const auto id, one.optional<std::string_view>("TableId"));
      DOLMEN_TRY(const auto arn, one.optional<std::string_view>("TableArn"));
      backup.table_id = id.value_or("");
      backup.table_arn = arn.value_or("");
      page.backups.push_back(std::move(backup));
    }
  DOLMEN_TRY(const auto last, fields.optional<std::string_view>("LastEvaluatedBackupArn"));
  if (last) page.last_arn = *last;
  return page;
}

}  // namespace dolmen::remote
