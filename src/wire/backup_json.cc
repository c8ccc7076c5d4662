#include "wire/backup_json.h"

#include <cmath>
#include <string>
#include <vector>

#include "protocol/table_forms.h"
#include "wire/response_json.h"
#include "wire/table_json.h"

namespace dolmen::wire {
namespace {

void append_details(ObjectWriter& object, const BackupDetails& details) {
  object.text("BackupArn", details.arn)
      .text("BackupName", details.name)
      .number("BackupSizeBytes", details.size_bytes)
      .text("BackupStatus", backup_status_name(details.status))
      .text("BackupType", backup_type_name(details.type))
      .json("BackupCreationDateTime", seconds_of(details.created));
  if (details.expires) object.json("BackupExpiryDateTime", seconds_of(*details.expires));
}

void append_units(ObjectWriter& object, const Throughput& throughput) {
  ObjectWriter units(object.member("ProvisionedThroughput"));
  units.number("ReadCapacityUnits", throughput.read_units).number("WriteCapacityUnits", throughput.write_units);
  units.end();
}

void append_limits(ObjectWriter& object, const OnDemandThroughput& on_demand) {
  if (on_demand == OnDemandThroughput{}) return;
  ObjectWriter limits(object.member("OnDemandThroughput"));
  if (on_demand.max_read_units) limits.number("MaxReadRequestUnits", *on_demand.max_read_units);
  if (on_demand.max_write_units) limits.number("MaxWriteRequestUnits", *on_demand.max_write_units);
  limits.end();
}

void append_source(ObjectWriter& object, const BackupDescription& backup) {
  const TableDefinition& table = backup.definition;
  ObjectWriter source(object.member("SourceTableDetails"));
  source.text("TableName", table.name)
      .text("TableId", backup.table_id)
      .text("TableArn", backup.table_arn)
      .number("TableSizeBytes", backup.extent.size_bytes);
  append_key_schema(source.member("KeySchema"), {table.partition_key},
                    table.sort_key ? std::vector{*table.sort_key} : std::vector<KeyAttribute>{});
  source.json("TableCreationDateTime", seconds_of(backup.table_created));
  append_units(source, table.throughput);
  append_limits(source, table.on_demand);
  source.number("ItemCount", backup.extent.item_count)
      .text("BillingMode", table.billing_mode == BillingMode::kProvisioned ? "PROVISIONED" : "PAY_PER_REQUEST");
  source.end();
}

void append_index_info(ObjectWriter& object, const IndexDefinition& index) {
  object.text("IndexName", index.name);
  append_key_schema(object.member("KeySchema"), index.partition_keys, index.sort_keys);
  append_projection(object.member("Projection"), index);
}

/// Only what is set.
void append_features(ObjectWriter& object, const TableDefinition& table) {
  ObjectWriter features(object.member("SourceTableFeatureDetails"));
  if (!table.local_indexes.empty()) features.objects("LocalSecondaryIndexes", table.local_indexes, append_index_info);
  if (!table.global_indexes.empty())
    features.objects("GlobalSecondaryIndexes", table.global_indexes, [](ObjectWriter& one, const auto& index) {
      append_index_info(one, index);
      append_units(one, index.throughput);
      append_limits(one, index.on_demand);
    });
  if (!table.vector_indexes.empty()) features.objects("VectorIndexes", table.vector_indexes, append_vector_index);
  if (table.stream) {
    ObjectWriter stream(features.member("StreamDescription"));
    stream.flag("StreamEnabled", true).text("StreamViewType", stream_view_name(*table.stream));
    stream.end();
  }
  if (table.ttl) {
    ObjectWriter ttl(features.member("TimeToLiveDescription"));
    ttl.text("TimeToLiveStatus", "ENABLED").text("AttributeName", *table.ttl);
    ttl.end();
  }
  if (table.kms_key) {
    ObjectWriter encryption(features.member("SSEDescription"));
    encryption.text("Status", "ENABLED").text("SSEType", "KMS").text("KMSMasterKeyArn", *table.kms_key);
    encryption.end();
  }
  features.end();
}

}  // namespace

std::string continuous_backups_body(const ContinuousBackups& backups) {
  return object_text([&](ObjectWriter& object) {
    ObjectWriter described(object.member("ContinuousBackupsDescription"));
    described.text("ContinuousBackupsStatus", backups.enabled ? "ENABLED" : "DISABLED");
    ObjectWriter point(described.member("PointInTimeRecoveryDescription"));
    const PointInTimeRecovery& recovery = backups.point_in_time;
    point.text("PointInTimeRecoveryStatus", recovery.enabled ? "ENABLED" : "DISABLED");
    if (recovery.period_days) point.number("RecoveryPeriodInDays", *recovery.period_days);
    if (recovery.earliest) point.json("EarliestRestorableDateTime", seconds_of(*recovery.earliest));
    if (recovery.latest) point.json("LatestRestorableDateTime", seconds_of(*recovery.latest));
    point.end();
    described.end();
  });
}

std::string backup_details_body(const BackupDetails& details) {
  return object_text([&](ObjectWriter& object) {
    ObjectWriter one(object.member("BackupDetails"));
    append_details(one, details);
    one.end();
  });
}

std::string backup_description_body(const BackupDescription& description) {
  return object_text([&](ObjectWriter& object) {
    ObjectWriter described(object.member("BackupDescription"));
    ObjectWriter details(described.member("BackupDetails"));
    append_details(details, description.details);
    details.end();
    append_source(described, description);
    append_features(described, description.definition);
    described.end();
  });
}

std::string backup_page_body(const BackupPage& page) {
  return object_text([&](ObjectWriter& object) {
    object.objects("BackupSummaries", page.backups, [](ObjectWriter& one, const BackupSummary& backup) {
      one.text("TableName", backup.table).text("TableId", backup.table_id).text("TableArn", backup.table_arn);
      append_details(one, backup.details);
    });
    if (page.last_arn) object.text("LastEvaluatedBackupArn", *page.last_arn);
  });
}

}  // namespace dolmen::wire
