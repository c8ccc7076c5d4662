#include "engine/table_record.h"

#include <optional>
#include <utility>

#include "base/fail.h"
#include "engine/record_reader.h"
#include "value/encoded_item.h"

namespace dolmen::engine {
namespace {

using engine::record_of;

Item record_of(const std::string& name) { return {{"name", name}}; }

template <class Element>
List list_of(const std::vector<Element>& elements) {
  List list;
  for (const Element& element : elements) list.emplace_back(record_of(element));
  return list;
}

void set_time(Item& record, std::string_view name, const std::optional<TableTime>& time) {
  if (time) record.set(std::string(name), time->time_since_epoch().count());
}

void set_number(Item& record, std::string_view name, const std::optional<std::int64_t>& number) {
  if (number) record.set(std::string(name), *number);
}

Item record_of(const ThroughputChanges& changes) {
  Item record{{"decreases_today", changes.decreases_today}};
  set_time(record, "last_increase_ms", changes.last_increase);
  set_time(record, "last_decrease_ms", changes.last_decrease);
  return record;
}

Item record_of(const WarmThroughput& warm) {
  return {{"read_units", warm.read_units}, {"write_units", warm.write_units}};
}

Item record_of(const OnDemandThroughput& limits) {
  Item record;
  set_number(record, "max_read_units", limits.max_read_units);
  set_number(record, "max_write_units", limits.max_write_units);
  return record;
}

Item record_of(const History& history) {
  return {{"id", history.id}, {"since_ms", history.since.time_since_epoch().count()}, {"days", history.days}};
}

Item record_of(const TableSeal& seal) { return {{"key", seal.key}, {"state", static_cast<int>(seal.state)}}; }

Item record_of(const RestoreSummary& restore) {
  Item record{{"table_arn", restore.table_arn}, {"time_ms", restore.time.time_since_epoch().count()}};
  if (restore.backup_arn) record.set("backup_arn", *restore.backup_arn);
  return record;
}

Item record_of(const Insights& insights) {
  return {{"mode", insights_mode_name(insights.mode)}, {"changed_ms", insights.changed.time_since_epoch().count()}};
}

Item record_of_kinesis(const KinesisTarget& target) {
  Item record{{"stream_arn", target.stream_arn},
              {"status", kinesis_status_name(target.status)},
              {"problem", target.problem},
              {"records", target.records}};
  if (target.precision) record.set("precision", kinesis_precision_name(*target.precision));
  return record;
}

List list_of_kinesis(const Table& table) {
  List list;
  for (const KinesisTarget& target : table.kinesis) list.emplace_back(record_of_kinesis(target));
  return list;
}

/// A list, since a policy that is not that of a stream has no label.
List list_of_policies(const Table& table) {
  List list;
  for (const auto& [label, policy] : table.policies) {
    Item record{{"stream", label}, {"revision", policy.revision}};
    if (policy.text != nullptr) record.set("text", *policy.text);
    list.emplace_back(std::move(record));
  }
  return list;
}

Item record_of(const Index& index) {
  const IndexDefinition& definition = index.definition;
  Item record{{"id", index.id},
              {"state", static_cast<int>(index.state)},
              {"name", definition.name},
              {"partition_keys", list_of(definition.partition_keys)},
              {"sort_keys", list_of(definition.sort_keys)},
              {"projection", static_cast<int>(definition.projection)},
              {"included_attributes", list_of(definition.included_attributes)},
              {"read_units", definition.throughput.read_units},
              {"write_units", definition.throughput.write_units},
              {"on_demand", record_of(definition.on_demand)},
              {"throughput_changes", record_of(index.throughput_changes)},
              {"warm", record_of(index.warm)}};
  if (definition.warm) record.set("wanted_warm", record_of(*definition.warm));
  if (index.insights) record.set("insights", record_of(*index.insights));
  return record;
}

Item record_of_vectors(const VectorIndex& index) {
  const VectorIndexDefinition& definition = index.definition;
  List search;
  for (const SearchAttribute& attribute : definition.search)
    search.emplace_back(Item{
        {"name", attribute.name}, {"type", key_type_name(attribute.type)}, {"role", search_role_name(attribute.role)}});
  return {{"id", index.id},
          {"state", static_cast<int>(index.state)},
          {"name", definition.name},
          {"attribute", definition.attribute},
          {"dimensions", definition.dimensions},
          {"distance", vector_distance_name(definition.distance)},
          {"search", std::move(search)},
          {"projection", static_cast<int>(definition.projection)},
          {"included_attributes", list_of(definition.included_attributes)},
          {"allocated_ms", index.allocated_at.time_since_epoch().count()},
          {"ready_ms", index.ready_at.time_since_epoch().count()}};
}

List list_of_vectors(const Table& table) {
  List list;
  for (const VectorIndex& index : table.vector_indexes) list.emplace_back(record_of_vectors(index));
  return list;
}

List list_of_indexes(const Table& table, bool local) {
  List list;
  for (const Index& index : table.indexes)
    if (index.local == local) list.emplace_back(record_of(index));
  return list;
}

Item table_record(const Table& table) {
  const TableDefinition& definition = table.definition;
  Item record{
      {"id", table.id},
      {"uuid", table.uuid},
      {"created_ms", table.created.time_since_epoch().count()},
      {"name", definition.name},
      {"partition_key", record_of(definition.partition_key)},
      {"local_indexes", list_of_indexes(table, true)},
      {"global_indexes", list_of_indexes(table, false)},
      {"provisioned", definition.billing_mode == BillingMode::kProvisioned},
      {"read_units", definition.throughput.read_units},
      {"write_units", definition.throughput.write_units},
      {"deletion_protection", definition.deletion_protection},
      {"stream_id", table.stream_id},
      {"stream_label", table.stream_label},
      {"stream_shards", table.stream_shards},
      {"expiry_building", table.expiry_building},
      {"on_demand", record_of(definition.on_demand)},
      {"throughput_changes", record_of(table.throughput_changes)},
      {"warm", record_of(table.warm)},
  };
  if (definition.stream) record.set("stream_view", stream_view_name(*definition.stream));
  if (definition.ttl) record.set("ttl", *definition.ttl);
  if (definition.table_class) record.set("table_class", table_class_name(*definition.table_class));
  if (definition.kms_key) record.set("kms_key", *definition.kms_key);
  if (definition.warm) record.set("wanted_warm", record_of(*definition.warm));
  Item tags;
  for (const auto& [name, value] : definition.tags) tags.set(name, value);
  record.set("tags", std::move(tags));
  set_time(record, "pay_per_request_ms", table.pay_per_request_since);
  set_time(record, "table_class_changed_ms", table.table_class_changed);
  if (definition.sort_key) record.set("sort_key", record_of(*definition.sort_key));
  if (table.history) record.set("history", record_of(*table.history));
  if (table.seal) record.set("seal", record_of(*table.seal));
  if (table.restore) record.set("restore", record_of(*table.restore));
  if (table.insights) record.set("insights", record_of(*table.insights));
  if (!table.vector_indexes.empty()) record.set("vector_indexes", list_of_vectors(table));
  if (!table.policies.empty()) record.set("policies", list_of_policies(table));
  if (!table.kinesis.empty()) record.set("kinesis", list_of_kinesis(table));
  return record;
}

/// The facts about an index that its definition does not have.
struct StoredIndex {
  IndexDefinition definition;
  std::optional<TableId> id;
  IndexState state = IndexState::kActive;
  ThroughputChanges throughput_changes;
  WarmThroughput warm;
  std::optional<Insights> insights;
};

std::string read_name(RecordReader& reader) { return reader.text("name"); }

Throughput read_throughput(RecordReader& reader) {
  return {reader.integer("read_units"), reader.integer("write_units")};
}

WarmThroughput read_warm(RecordReader& reader) { return {reader.integer("read_units"), reader.integer("write_units")}; }

OnDemandThroughput read_on_demand(RecordReader& reader) {
  return {reader.number("max_read_units"), reader.number("max_write_units")};
}

ThroughputChanges read_changes(RecordReader& reader) {
  return {reader.time("last_increase_ms"), reader.time("last_decrease_ms"), reader.integer("decreases_today")};
}

TableTime read_moment(RecordReader& reader, std::string_view name) {
  return TableTime(std::chrono::milliseconds(reader.integer(name)));
}

History read_history(RecordReader& reader) {
  return {.id = static_cast<TableId>(reader.integer("id")),
          .since = read_moment(reader, "since_ms"),
          .days = static_cast<int>(reader.integer("days"))};
}

TableSeal read_seal(RecordReader& reader) {
  return {.key = static_cast<TableId>(reader.integer("key")), .state = static_cast<SealState>(reader.integer("state"))};
}

RestoreSummary read_restore(RecordReader& reader) {
  RestoreSummary restore{.table_arn = reader.text("table_arn"), .time = read_moment(reader, "time_ms")};
  if (reader.has("backup_arn")) restore.backup_arn = reader.text("backup_arn");
  return restore;
}

Insights read_insights(RecordReader& reader) {
  return {.mode = reader.named("mode", insights_mode_of),
          .changed = TableTime(std::chrono::milliseconds(reader.integer("changed_ms")))};
}

KinesisTarget read_kinesis(RecordReader& reader) {
  KinesisTarget target{.stream_arn = reader.text("stream_arn"),
                       .status = reader.named("status", kinesis_status_of),
                       .problem = reader.text("problem"),
                       .records = static_cast<TableId>(reader.integer("records"))};
  if (reader.has("precision")) target.precision = reader.named("precision", kinesis_precision_of);
  return target;
}

std::pair<std::string, StoredPolicy> read_policy(RecordReader& reader) {
  StoredPolicy policy{.text = nullptr, .revision = reader.integer("revision")};
  if (reader.has("text")) policy.text = std::make_shared<const std::string>(reader.text("text"));
  return {reader.text("stream"), std::move(policy)};
}

void read_side_settings(RecordReader& reader, Table& table) {
  table.insights = reader.inner_if_there("insights", read_insights);
  if (reader.has("policies"))
    for (auto& [label, policy] : reader.list("policies", read_policy)) table.policies.emplace(label, std::move(policy));
  if (reader.has("kinesis")) table.kinesis = reader.list("kinesis", read_kinesis);
  set_counts(table);
}

StoredIndex read_index(RecordReader& reader) {
  StoredIndex stored{.definition = {.name = read_name(reader),
                                    .partition_keys = reader.list("partition_keys", read_key_attribute),
                                    .sort_keys = reader.list("sort_keys", read_key_attribute),
                                    .projection = static_cast<ProjectionType>(reader.integer("projection")),
                                    .included_attributes = reader.list("included_attributes", read_name),
                                    .throughput = read_throughput(reader),
                                    .on_demand = reader.inner_or_default("on_demand", read_on_demand),
                                    .warm = reader.inner_if_there("wanted_warm", read_warm)},
                     .state = static_cast<IndexState>(reader.number("state").value_or(0)),
                     .throughput_changes = reader.inner_or_default("throughput_changes", read_changes),
                     .warm = reader.inner_or_default("warm", read_warm),
                     .insights = reader.inner_if_there("insights", read_insights)};
  if (const auto id = reader.number("id")) stored.id = static_cast<TableId>(*id);
  return stored;
}

SearchAttribute read_search_attribute(RecordReader& reader) {
  KeyAttribute attribute = read_key_attribute(reader);
  return {std::move(attribute.name), attribute.type, reader.named("role", search_role_of)};
}

/// The projection follows from the keys of the table.
VectorIndex read_vector_index(RecordReader& reader, const TableDefinition& table) {
  const VectorIndexDefinition definition{.name = read_name(reader),
                                         .attribute = reader.text("attribute"),
                                         .dimensions = reader.integer("dimensions"),
                                         .distance = reader.named("distance", vector_distance_of),
                                         .search = reader.list("search", read_search_attribute),
                                         .projection = static_cast<ProjectionType>(reader.integer("projection")),
                                         .included_attributes = reader.list("included_attributes", read_name)};
  VectorIndex index = make_vector_index(table, definition, static_cast<TableId>(reader.integer("id")));
  index.state = static_cast<IndexState>(reader.integer("state"));
  index.allocated_at = read_moment(reader, "allocated_ms");
  index.ready_at = read_moment(reader, "ready_ms");
  return index;
}

TableDefinition definition_of(RecordReader& reader) {
  TableDefinition definition{
      .name = read_name(reader),
      .partition_key = reader.inner("partition_key", read_key_attribute),
      .sort_key = reader.inner_if_there("sort_key", read_key_attribute),
      .billing_mode = reader.get<bool>("provisioned") ? BillingMode::kProvisioned : BillingMode::kPayPerRequest,
      .throughput = read_throughput(reader),
      .deletion_protection = reader.get<bool>("deletion_protection"),
      .on_demand = reader.inner_or_default("on_demand", read_on_demand),
      .warm = reader.inner_if_there("wanted_warm", read_warm)};
  if (reader.has("stream_view")) definition.stream = stream_view_of(reader.text("stream_view"));
  if (reader.has("ttl")) definition.ttl = reader.text("ttl");
  if (reader.has("table_class")) definition.table_class = table_class_of(reader.text("table_class"));
  if (reader.has("kms_key")) definition.kms_key = reader.text("kms_key");
  const Item tags = reader.get_or<Item>("tags", {});
  for (const auto& [name, value] : tags)
    if (const auto* text = value.get_if<std::string>()) definition.tags.emplace(name, *text);
  return definition;
}

/// Indexes of older versions have no ids of their own: those of a table follow each other.
void add_indexes(Table& table, const std::vector<StoredIndex>& stored, bool local, TableId& next_id) {
  for (const StoredIndex& from : stored) {
    (local ? table.definition.local_indexes : table.definition.global_indexes).push_back(from.definition);
    Index index = make_index(table.definition, from.definition, local, from.id.value_or(next_id++));
    index.state = from.state;
    index.throughput_changes = from.throughput_changes;
    index.warm = from.warm;
    index.insights = from.insights;
    table.indexes.push_back(std::move(index));
  }
}

}  // namespace

std::string encode_table(const Table& table) { return encode_item(table_record(table)).bytes; }

Result<Table> decode_table(std::string_view key, std::string_view bytes) {
  DOLMEN_TRY(const Item record, decode_item(bytes));
  bool ok = true;
  RecordReader reader(record, ok);
  Table table = make_table(definition_of(reader), 0);
  auto next_id = static_cast<TableId>(reader.number("first_index_id").value_or(0));
  for (const bool local : {true, false})
    add_indexes(table, reader.list(local ? "local_indexes" : "global_indexes", read_index), local, next_id);
  if (reader.has("vector_indexes"))
    table.vector_indexes =
        reader.list("vector_indexes", [&](RecordReader& inner) { return read_vector_index(inner, table.definition); });
  for (const VectorIndex& index : table.vector_indexes) table.definition.vector_indexes.push_back(index.definition);
  table.id = static_cast<TableId>(reader.integer("id"));
  table.uuid = reader.text("uuid");
  table.created = TableTime(std::chrono::milliseconds(reader.integer("created_ms")));
  table.stream_id = static_cast<TableId>(reader.number("stream_id").value_or(0));
  table.stream_label = reader.get_or<std::string>("stream_label", {});
  // Streams of older versions always had as many.
  table.stream_shards = static_cast<std::uint8_t>(reader.number("stream_shards").value_or(kStreamShardsMax));
  table.expiry_building = reader.get_or<bool>("expiry_building", false);
  table.throughput_changes = reader.inner_or_default("throughput_changes", read_changes);
  // Tables of older versions have never changed.
  const bool by_requests = table.definition.billing_mode == BillingMode::kPayPerRequest;
  table.pay_per_request_since = by_requests && !reader.has("pay_per_request_ms") ? std::optional(table.created)
                                                                                 : reader.time("pay_per_request_ms");
  table.table_class_changed = reader.time("table_class_changed_ms");
  if (reader.has("warm")) {
    table.warm = reader.inner("warm", read_warm);
  } else {
    set_first_warm(table);
  }
  table.history = reader.inner_if_there("history", read_history);
  table.seal = reader.inner_if_there("seal", read_seal);
  table.restore = reader.inner_if_there("restore", read_restore);
  read_side_settings(reader, table);
  if (!ok || table.stream_shards == 0 || table.stream_shards > kStreamShardsMax)
    return fail(Code::kCorruption, "the catalogue entry \"{}\" is damaged", key);
  return table;
}

}  // namespace dolmen::engine
