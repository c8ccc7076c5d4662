// What DynamoDB answers to UpdateTable, which is not quite what it has done.
#include <algorithm>

#include "engine/table_update.h"
#include "service/table_update_rules.h"

namespace dolmen::engine {
namespace {

/// Capacity is shown as it was before.
void show_old_capacity(const Table& old, TableDescription& description) {
  TableDefinition& definition = description.definition;
  definition.billing_mode = old.definition.billing_mode;
  definition.throughput = old.definition.throughput;
  description.throughput_changes = old.throughput_changes;
  description.pay_per_request_since = old.pay_per_request_since;
  description.warm = old.warm;
  for (std::size_t i = 0; i < definition.global_indexes.size(); ++i) {
    const Index* before = old.find_index(definition.global_indexes[i].name);
    if (before == nullptr) continue;
    definition.global_indexes[i].throughput = before->definition.throughput;
    description.global_index_states[i].throughput_changes = before->throughput_changes;
    description.global_index_states[i].warm = before->warm;
  }
}

/// A limit that is removed is shown as -1.
void show_removed_limits(const OnDemandThroughput& asked, OnDemandThroughput& shown) {
  if (asked.max_read_units == -1) shown.max_read_units = -1;
  if (asked.max_write_units == -1) shown.max_write_units = -1;
}

void show_index_change(const IndexChange& change, TableDescription& description) {
  auto& indexes = description.definition.global_indexes;
  const auto found = std::ranges::find(indexes, name_of(change), &IndexDefinition::name);
  GlobalIndexState& state = description.global_index_states[static_cast<std::size_t>(found - indexes.begin())];
  if (const auto* created = std::get_if<CreateIndex>(&change)) {
    state.backfilling = false;
    state.warm = created->definition.warm;
    if (state.warm) state.warm_status = TableStatus::kUpdating;
  }
  const auto* updated = std::get_if<UpdateIndex>(&change);
  if (updated == nullptr) return;
  if (updated->throughput || updated->on_demand) state.status = TableStatus::kUpdating;
  if (updated->on_demand) show_removed_limits(*updated->on_demand, found->on_demand);
  if (updated->warm) state.warm_status = TableStatus::kUpdating;
}

}  // namespace

bool shows_updating(const TableUpdate& update) {
  return update.billing_mode || update.throughput || update.table_class || update.stream ||
         std::ranges::any_of(update.indexes, changes_index_list) || !update.vector_indexes.empty();
}

void show_as_answered(const Table& old, const TableUpdate& update, TableDescription& description) {
  show_old_capacity(old, description);
  description.definition.table_class = old.definition.table_class;
  description.table_class_changed = old.table_class_changed;
  if (update.on_demand) show_removed_limits(*update.on_demand, description.definition.on_demand);
  if (update.warm) description.warm_status = TableStatus::kUpdating;
  if (update.encryption) {
    if (old.definition.kms_key) description.definition.kms_key = old.definition.kms_key;
    description.encryption_status = TableStatus::kUpdating;
  }
  for (const IndexChange& change : update.indexes) show_index_change(change, description);
  for (const VectorIndexChange& change : update.vector_indexes)
    if (std::holds_alternative<CreateVectorIndex>(change)) description.vector_index_states.back().backfilling = false;
}

}  // namespace dolmen::engine
