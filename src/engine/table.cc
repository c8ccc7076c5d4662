#include "engine/table.h"

#include <algorithm>
#include <set>

#include "engine/vector_sets.h"
#include "service/throughput_rules.h"

namespace dolmen::engine {

Index make_index(const TableDefinition& table, const IndexDefinition& definition, bool local, TableId id) {
  Index index{
      .id = id, .local = local, .keys = {definition.partition_keys, definition.sort_keys}, .definition = definition};
  if (definition.projection == ProjectionType::kAll) return index;
  std::set<std::string> projected(definition.included_attributes.begin(), definition.included_attributes.end());
  for (const auto& keys : {definition.partition_keys, definition.sort_keys, {table.partition_key}})
    for (const KeyAttribute& key : keys) projected.insert(key.name);
  if (table.sort_key) projected.insert(table.sort_key->name);
  index.projected.assign(projected.begin(), projected.end());
  return index;
}

VectorIndex make_vector_index(const TableDefinition& table, const VectorIndexDefinition& definition, TableId id) {
  VectorIndex index{.id = id, .definition = definition, .sets = std::make_shared<VectorSets>(definition)};
  if (definition.projection == ProjectionType::kAll) return index;
  std::set<std::string> projected(definition.included_attributes.begin(), definition.included_attributes.end());
  projected.insert(table.partition_key.name);
  if (table.sort_key) projected.insert(table.sort_key->name);
  for (const SearchAttribute& attribute : definition.search) projected.insert(attribute.name);
  projected.erase(definition.attribute);
  index.projected.assign(projected.begin(), projected.end());
  return index;
}

const VectorIndex* Table::find_vector_index(std::string_view name) const {
  const auto found = std::ranges::find(
      vector_indexes, name, [](const VectorIndex& index) -> std::string_view { return index.definition.name; });
  return found == vector_indexes.end() ? nullptr : &*found;
}

const Index* Table::find_index(std::string_view name) const {
  const auto found =
      std::ranges::find(indexes, name, [](const Index& index) -> std::string_view { return index.definition.name; });
  return found == indexes.end() ? nullptr : &*found;
}

bool Table::is_key(std::string_view attribute) const {
  return attribute == definition.partition_key.name || (definition.sort_key && attribute == definition.sort_key->name);
}

void set_first_warm(Index& index, BillingMode mode) {
  index.warm = index.definition.warm.value_or(usual_warm(mode, index.definition.throughput));
}

void set_first_warm(Table& table) {
  const TableDefinition& definition = table.definition;
  table.warm = definition.warm.value_or(usual_warm(definition.billing_mode, definition.throughput));
  for (Index& index : table.indexes)
    if (!index.local) set_first_warm(index, definition.billing_mode);
}

void copy_index_definitions(Table& table) {
  table.definition.global_indexes.clear();
  for (const Index& index : table.indexes)
    if (!index.local) table.definition.global_indexes.push_back(index.definition);
  table.definition.vector_indexes.clear();
  for (const VectorIndex& index : table.vector_indexes) table.definition.vector_indexes.push_back(index.definition);
}

Table make_table(TableDefinition definition, TableId first_index_id) {
  Table table{.definition = std::move(definition)};
  table.keys.partition = {table.definition.partition_key};
  if (table.definition.sort_key) table.keys.sort = {*table.definition.sort_key};
  for (const IndexDefinition& index : table.definition.local_indexes)
    table.indexes.push_back(make_index(table.definition, index, true, first_index_id++));
  for (const IndexDefinition& index : table.definition.global_indexes)
    table.indexes.push_back(make_index(table.definition, index, false, first_index_id++));
  for (const VectorIndexDefinition& index : table.definition.vector_indexes)
    table.vector_indexes.push_back(make_vector_index(table.definition, index, first_index_id++));
  return table;
}

}  // namespace dolmen::engine
