#include "cli/table_view.h"

#include <chrono>
#include <fmt/format.h>
#include <vector>

#include "dolmen/timestamp.h"

namespace dolmen::cli {
namespace {

std::string keys_text(const std::vector<KeyAttribute>& partition, const std::vector<KeyAttribute>& sort) {
  std::string text;
  for (const auto* keys : {&partition, &sort})
    for (const KeyAttribute& key : *keys)
      text += fmt::format("{}{}:{}", text.empty() ? "" : ",", key.name, key_type_name(key.type));
  return text;
}

std::string_view table_status_text(TableStatus status) {
  switch (status) {
    case TableStatus::kCreating: return "creating";
    case TableStatus::kActive: return "active";
    case TableStatus::kUpdating: return "updating";
    case TableStatus::kDeleting: return "deleting";
    case TableStatus::kInaccessible: return "inaccessible: the key that encrypts it is missing";
  }
  return "";
}

/// Of an index of any kind.
template <class AnyIndex>
std::string projection_text(const AnyIndex& index) {
  switch (index.projection) {
    case ProjectionType::kAll: return "all";
    case ProjectionType::kKeysOnly: return "keys";
    case ProjectionType::kInclude: return fmt::format("{}", fmt::join(index.included_attributes, ","));
  }
  return "";
}

/// Its attribute, and those by which searches choose, as `dolmen table create --vector` takes them.
std::string vector_keys_text(const VectorIndexDefinition& index) {
  std::string text = index.attribute;
  for (const SearchAttribute& search : index.search)
    text += fmt::format(",{}={}:{}", search.role == SearchRole::kHash ? "hash" : "filter", search.name,
                        key_type_name(search.type));
  return text;
}

std::string creation_text(TableTime time) {
  const Result<std::string> text = format_timestamp(
      Timestamp::from(std::chrono::time_point_cast<std::chrono::nanoseconds>(time)), TimestampForm::kTrimmed);
  return text ? *text : "";
}

struct IndexView {
  const IndexDefinition* index;
  Extent extent;
  TableStatus status = TableStatus::kActive;
  bool local = false;
};

std::vector<IndexView> indexes_of(const TableDescription& table) {
  std::vector<IndexView> all;
  for (std::size_t i = 0; i < table.definition.global_indexes.size(); ++i) {
    const GlobalIndexState state =
        i < table.global_index_states.size() ? table.global_index_states[i] : GlobalIndexState{};
    all.push_back({.index = &table.definition.global_indexes[i], .extent = state.extent, .status = state.status});
  }
  for (std::size_t i = 0; i < table.definition.local_indexes.size(); ++i)
    all.push_back({.index = &table.definition.local_indexes[i],
                   .extent = i < table.local_index_extents.size() ? table.local_index_extents[i] : Extent{},
                   .local = true});
  return all;
}

struct VectorIndexView {
  const VectorIndexDefinition* index;
  VectorIndexState state;
};

std::vector<VectorIndexView> vector_indexes_of(const TableDescription& table) {
  std::vector<VectorIndexView> all;
  for (std::size_t i = 0; i < table.definition.vector_indexes.size(); ++i)
    all.push_back({.index = &table.definition.vector_indexes[i],
                   .state = i < table.vector_index_states.size() ? table.vector_index_states[i] : VectorIndexState{}});
  return all;
}

/// Says what an index is, unless it is as it should be.
std::string suffix_of(TableStatus status) {
  return status == TableStatus::kActive ? "" : fmt::format(", {}", table_status_text(status));
}

bool has_time_to_live(const TimeToLive& ttl) {
  return ttl.attribute && (ttl.status == TimeToLiveStatus::kEnabled || ttl.status == TimeToLiveStatus::kEnabling);
}

}  // namespace

std::string keys_text(const TableDefinition& table) {
  std::vector<KeyAttribute> sort;
  if (table.sort_key) sort.push_back(*table.sort_key);
  return keys_text({table.partition_key}, sort);
}

Result<TableView> view_of(Store& store, TableDescription table) {
  TableView view{.table = std::move(table), .time_to_live = {}, .tags = {}};
  DOLMEN_TRY(view.time_to_live, store.describe_time_to_live(view.table.definition.name));
  DOLMEN_TRY(view.tags, store.tags_of(view.table.arn));
  return view;
}

std::string view_text(const TableView& view) {
  const TableDefinition& table = view.table.definition;
  std::string text;
  const auto line = [&](std::string_view name, const std::string& value) {
    text += fmt::format("{:<12}{}\n", name, value);
  };
  line("table", table.name);
  line("status", std::string(table_status_text(view.table.status)));
  line("key", keys_text(table));
  line("items", fmt::format("{} ({} bytes)", view.table.extent.item_count, view.table.extent.size_bytes));
  line("created", creation_text(view.table.created));
  for (const IndexView& index : indexes_of(view.table))
    line(index.local ? "local index" : "index",
         fmt::format("{}  {}  {} items, projects {}{}", index.index->name,
                     keys_text(index.index->partition_keys, index.index->sort_keys), index.extent.item_count,
                     projection_text(*index.index), suffix_of(index.status)));
  for (const VectorIndexView& index : vector_indexes_of(view.table))
    line("vectors", fmt::format("{}  {}  {} items, {} dimensions, {}, projects {}{}", index.index->name,
                                vector_keys_text(*index.index), index.state.extent.item_count, index.index->dimensions,
                                vector_distance_name(index.index->distance), projection_text(*index.index),
                                suffix_of(index.state.status)));
  if (table.billing_mode == BillingMode::kProvisioned)
    line("throughput",
         fmt::format("{} read and {} write units a second", table.throughput.read_units, table.throughput.write_units));
  if (has_time_to_live(view.time_to_live)) line("ttl", *view.time_to_live.attribute);
  if (table.stream) line("stream", std::string(stream_view_name(*table.stream)));
  if (table.deletion_protection) line("protected", "yes: it cannot be deleted");
  for (const auto& [key, value] : view.tags) line("tag", key + "=" + value);
  return text;
}

LogicalItem view_object(const TableView& view) {
  const TableDefinition& table = view.table.definition;
  LogicalValue::List indexes;
  for (const IndexView& index : indexes_of(view.table))
    indexes.emplace_back(LogicalItem{{"name", index.index->name},
                                     {"key", keys_text(index.index->partition_keys, index.index->sort_keys)},
                                     {"kind", index.local ? "local" : "global"},
                                     {"projection", projection_text(*index.index)},
                                     {"status", table_status_text(index.status)},
                                     {"items", index.extent.item_count},
                                     {"bytes", index.extent.size_bytes}});
  for (const auto& [index, state] : vector_indexes_of(view.table))
    indexes.emplace_back(LogicalItem{{"name", index->name},
                                     {"key", vector_keys_text(*index)},
                                     {"kind", "vector"},
                                     {"dimensions", index->dimensions},
                                     {"distance", vector_distance_name(index->distance)},
                                     {"projection", projection_text(*index)},
                                     {"status", table_status_text(state.status)},
                                     {"items", state.extent.item_count},
                                     {"bytes", state.extent.size_bytes}});
  LogicalItem tags;
  for (const auto& [key, value] : view.tags) tags.emplace(key, value);
  LogicalItem object{{"name", table.name},
                     {"status", table_status_text(view.table.status)},
                     {"key", keys_text(table)},
                     {"items", view.table.extent.item_count},
                     {"bytes", view.table.extent.size_bytes},
                     {"created", creation_text(view.table.created)},
                     {"id", view.table.id},
                     {"arn", view.table.arn},
                     {"billing", table.billing_mode == BillingMode::kProvisioned ? "provisioned" : "on-demand"},
                     {"protected", table.deletion_protection},
                     {"indexes", std::move(indexes)},
                     {"tags", std::move(tags)}};
  if (table.billing_mode == BillingMode::kProvisioned) {
    object["readUnits"] = table.throughput.read_units;
    object["writeUnits"] = table.throughput.write_units;
  }
  if (has_time_to_live(view.time_to_live)) object["ttl"] = *view.time_to_live.attribute;
  if (table.stream) object["stream"] = stream_view_name(*table.stream);
  return object;
}

}  // namespace dolmen::cli
