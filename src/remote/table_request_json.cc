// The bodies of CreateTable and UpdateTable.
#include <string>
#include <vector>

#include "protocol/object_writer.h"
#include "protocol/table_forms.h"
#include "remote/request_json.h"
#include "value/json.h"

namespace dolmen::remote {
namespace {

void append_text(ObjectWriter& object, std::string_view name, std::string_view value) {
  json::append_string(object.member(name), value);
}

void append_integer(ObjectWriter& object, std::string_view name, const std::optional<std::int64_t>& value) {
  if (value) object.member(name).append(std::to_string(*value));
}

void append_throughput(ObjectWriter& object, const Throughput& throughput) {
  ObjectWriter units(object.member("ProvisionedThroughput"));
  append_integer(units, "ReadCapacityUnits", throughput.read_units);
  append_integer(units, "WriteCapacityUnits", throughput.write_units);
  units.end();
}

/// Settings are left out where they are the default: not every compatible endpoint knows them.
void append_on_demand(ObjectWriter& object, const OnDemandThroughput& on_demand) {
  if (on_demand == OnDemandThroughput{}) return;
  ObjectWriter limits(object.member("OnDemandThroughput"));
  append_integer(limits, "MaxReadRequestUnits", on_demand.max_read_units);
  append_integer(limits, "MaxWriteRequestUnits", on_demand.max_write_units);
  limits.end();
}

void append_warm(ObjectWriter& object, const WarmThroughputUpdate& warm) {
  ObjectWriter units(object.member("WarmThroughput"));
  append_integer(units, "ReadUnitsPerSecond", warm.read_units);
  append_integer(units, "WriteUnitsPerSecond", warm.write_units);
  units.end();
}

void append_warm(ObjectWriter& object, const std::optional<WarmThroughput>& warm) {
  if (warm) append_warm(object, WarmThroughputUpdate{warm->read_units, warm->write_units});
}

void append_index(ObjectWriter& object, const IndexDefinition& index) {
  append_text(object, "IndexName", index.name);
  append_key_schema(object.member("KeySchema"), index.partition_keys, index.sort_keys);
  append_projection(object.member("Projection"), index);
}

void append_global_index(ObjectWriter& object, const IndexDefinition& index, bool with_throughput) {
  append_index(object, index);
  if (with_throughput) append_throughput(object, index.throughput);
  append_on_demand(object, index.on_demand);
  append_warm(object, index.warm);
}

void append_indexes(ObjectWriter& object, const TableDefinition& definition) {
  if (!definition.local_indexes.empty()) {
    std::string& out = object.member("LocalSecondaryIndexes");
    append_array(out, definition.local_indexes, [&](const IndexDefinition& index) {
      ObjectWriter one(out);
      append_index(one, index);
      one.end();
    });
  }
  if (definition.global_indexes.empty()) return;
  std::string& out = object.member("GlobalSecondaryIndexes");
  append_array(out, definition.global_indexes, [&](const IndexDefinition& index) {
    ObjectWriter one(out);
    append_global_index(one, index, definition.billing_mode == BillingMode::kProvisioned);
    one.end();
  });
}

std::string_view billing_name(BillingMode mode) {
  return mode == BillingMode::kProvisioned ? "PROVISIONED" : "PAY_PER_REQUEST";
}

void append_stream(ObjectWriter& object, const StreamUpdate& stream) {
  ObjectWriter specification(object.member("StreamSpecification"));
  specification.member("StreamEnabled").append(stream.enabled ? "true" : "false");
  if (stream.view) append_text(specification, "StreamViewType", stream_view_name(*stream.view));
  specification.end();
}

void append_encryption(ObjectWriter& object, const std::optional<std::string>& kms_key) {
  ObjectWriter specification(object.member("SSESpecification"));
  specification.member("Enabled").append(kms_key ? "true" : "false");
  if (kms_key) {
    append_text(specification, "SSEType", "KMS");
    append_text(specification, "KMSMasterKeyId", *kms_key);
  }
  specification.end();
}

void append_change(ObjectWriter& entry, const CreateIndex& created) {
  ObjectWriter action(entry.member("Create"));
  append_global_index(action, created.definition, created.definition.throughput != Throughput{});
  action.end();
}

void append_change(ObjectWriter& entry, const UpdateIndex& updated) {
  ObjectWriter action(entry.member("Update"));
  append_text(action, "IndexName", updated.name);
  if (updated.throughput) append_throughput(action, *updated.throughput);
  if (updated.on_demand) append_on_demand(action, *updated.on_demand);
  if (updated.warm) append_warm(action, *updated.warm);
  action.end();
}

void append_change(ObjectWriter& entry, const DeleteIndex& removed) {
  ObjectWriter action(entry.member("Delete"));
  append_text(action, "IndexName", removed.name);
  action.end();
}

void append_index_changes(ObjectWriter& object, const std::vector<IndexChange>& changes) {
  if (changes.empty()) return;
  for (const IndexChange& change : changes)
    if (const auto* created = std::get_if<CreateIndex>(&change))
      append_attribute_definitions(object.member("AttributeDefinitions"), created->definition);
  std::string& out = object.member("GlobalSecondaryIndexUpdates");
  append_array(out, changes, [&](const IndexChange& change) {
    ObjectWriter entry(out);
    std::visit([&](const auto& action) { append_change(entry, action); }, change);
    entry.end();
  });
}

void append_vector_changes(ObjectWriter& object, const std::vector<VectorIndexChange>& changes) {
  if (changes.empty()) return;
  // Only one index is created or deleted at a time.
  for (const VectorIndexChange& change : changes)
    if (const auto* created = std::get_if<CreateVectorIndex>(&change); created && !created->definition.search.empty())
      append_attribute_definitions(object.member("AttributeDefinitions"), created->definition);
  object.objects("VectorIndexUpdates", changes, [](ObjectWriter& entry, const VectorIndexChange& change) {
    const auto* created = std::get_if<CreateVectorIndex>(&change);
    ObjectWriter action(entry.member(created != nullptr ? "Create" : "Delete"));
    if (created != nullptr) {
      append_vector_index(action, created->definition);
    } else {
      action.text("IndexName", std::get<DeleteVectorIndex>(change).name);
    }
    action.end();
  });
}

}  // namespace

Result<std::string> request_body(const TableDefinition& definition) {
  std::string body;
  ObjectWriter object(body);
  append_text(object, "TableName", definition.name);
  append_attribute_definitions(object.member("AttributeDefinitions"), definition);
  append_key_schema(object.member("KeySchema"), {definition.partition_key},
                    definition.sort_key ? std::vector{*definition.sort_key} : std::vector<KeyAttribute>{});
  append_text(object, "BillingMode", billing_name(definition.billing_mode));
  if (definition.billing_mode == BillingMode::kProvisioned) append_throughput(object, definition.throughput);
  append_indexes(object, definition);
  if (!definition.vector_indexes.empty())
    object.objects("VectorIndexes", definition.vector_indexes, append_vector_index);
  if (definition.stream) append_stream(object, {.enabled = true, .view = definition.stream});
  if (definition.kms_key) append_encryption(object, definition.kms_key);
  if (definition.table_class) append_text(object, "TableClass", table_class_name(*definition.table_class));
  append_on_demand(object, definition.on_demand);
  append_warm(object, definition.warm);
  if (definition.deletion_protection) object.member("DeletionProtectionEnabled").append("true");
  if (definition.resource_policy) object.text("ResourcePolicy", *definition.resource_policy);
  if (!definition.tags.empty())
    object.objects("Tags", definition.tags,
                   [](ObjectWriter& tag, const auto& of) { tag.text("Key", of.first).text("Value", of.second); });
  object.end();
  return body;
}

Result<std::string> request_body(const TableUpdate& update) {
  std::string body;
  ObjectWriter object(body);
  append_text(object, "TableName", update.table);
  if (update.billing_mode) append_text(object, "BillingMode", billing_name(*update.billing_mode));
  if (update.throughput) append_throughput(object, *update.throughput);
  append_index_changes(object, update.indexes);
  append_vector_changes(object, update.vector_indexes);
  if (update.stream) append_stream(object, *update.stream);
  if (update.encryption) append_encryption(object, update.encryption->kms_key);
  if (update.table_class) append_text(object, "TableClass", table_class_name(*update.table_class));
  if (update.deletion_protection)
    object.member("DeletionProtectionEnabled").append(*update.deletion_protection ? "true" : "false");
  if (update.on_demand) append_on_demand(object, *update.on_demand);
  if (update.warm) append_warm(object, *update.warm);
  object.end();
  return body;
}

}  // namespace dolmen::remote
