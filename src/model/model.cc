#include "dolmen/model/model.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/check.h"

namespace dolmen {

std::string role_text(const AttributeRole& role) {
  switch (role.role) {
    case Role::kPartitionKey: return "pk";
    case Role::kSortKey: return "sk";
    case Role::kCreatedAt: return "created_at";
    case Role::kUpdatedAt: return "updated_at";
    case Role::kVersion: return "version";
    case Role::kTtl: return "ttl";
    case Role::kIndexPartitionKey: return fmt::format("index_pk:{}", role.index);
    case Role::kIndexSortKey: return fmt::format("index_sk:{}", role.index);
  }
  DOLMEN_UNREACHABLE("a role outside the closed list");
}

bool ModelAttribute::has_role(Role role) const {
  return std::ranges::find(roles, role, &AttributeRole::role) != roles.end();
}

const ModelAttribute* Model::find(std::string_view attribute) const {
  const auto found = std::ranges::find(attributes, attribute, &ModelAttribute::name);
  return found == attributes.end() ? nullptr : &*found;
}

const ModelIndex* Model::find_index(std::string_view index) const {
  const auto found = std::ranges::find(indexes, index, &ModelIndex::name);
  return found == indexes.end() ? nullptr : &*found;
}

const ModelVectorIndex* Model::find_vector_index(std::string_view index) const {
  const auto found = std::ranges::find(vector_indexes, index, &ModelVectorIndex::name);
  return found == vector_indexes.end() ? nullptr : &*found;
}

const ModelAttribute* Model::with_role(Role role) const {
  const auto found = std::ranges::find_if(attributes, [&](const ModelAttribute& a) { return a.has_role(role); });
  return found == attributes.end() ? nullptr : &*found;
}

bool Model::is_key(std::string_view attribute) const {
  return partition_key.name == attribute || (sort_key && sort_key->name == attribute);
}

bool Model::is_index_key(std::string_view attribute) const {
  const bool is_key_of_one = std::ranges::any_of(indexes, [&](const ModelIndex& index) {
    return index.partition_key.name == attribute || (index.sort_key && index.sort_key->name == attribute);
  });
  return is_key_of_one || std::ranges::any_of(vector_indexes, [&](const ModelVectorIndex& index) {
           return std::ranges::any_of(index.search, [&](const SearchAttribute& one) {
             return one.role == SearchRole::kHash && one.name == attribute;
           });
         });
}

bool Model::is_searched(std::string_view attribute) const {
  return std::ranges::any_of(vector_indexes, [&](const ModelVectorIndex& index) {
    return index.attribute == attribute ||
           std::ranges::find(index.search, attribute, &SearchAttribute::name) != index.search.end();
  });
}

bool Model::has_encrypted_attributes() const { return std::ranges::any_of(attributes, &ModelAttribute::encrypted); }

const Model* ModelSet::find(std::string_view name) const {
  const auto found = std::ranges::find(models, name, &Model::name);
  return found == models.end() ? nullptr : &*found;
}

TableDefinition table_definition(const Model& model) {
  TableDefinition table{.name = model.table, .partition_key = model.partition_key, .sort_key = model.sort_key};
  for (const ModelIndex& index : model.indexes) {
    IndexDefinition definition{.name = index.name,
                               .partition_keys = {index.partition_key},
                               .projection = index.projection,
                               .included_attributes = index.included_attributes};
    if (index.sort_key) definition.sort_keys.push_back(*index.sort_key);
    (index.type == IndexType::kLocal ? table.local_indexes : table.global_indexes).push_back(std::move(definition));
  }
  for (const ModelVectorIndex& index : model.vector_indexes) {
    const ModelAttribute* attribute = model.find(index.attribute);
    table.vector_indexes.push_back({.name = index.name,
                                    .attribute = index.attribute,
                                    .dimensions = attribute == nullptr ? 0 : attribute->dimensions,
                                    .distance = index.distance,
                                    .search = index.search,
                                    .projection = index.projection,
                                    .included_attributes = index.included_attributes});
  }
  if (const ModelAttribute* ttl = model.with_role(Role::kTtl)) table.ttl = ttl->name;
  return table;
}

}  // namespace dolmen
