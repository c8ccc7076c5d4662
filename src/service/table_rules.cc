#include "service/table_rules.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "base/fail.h"
#include "base/limits.h"
#include "base/unicode.h"
#include "service/internal_tables.h"
#include "service/tag_rules.h"
#include "service/throughput_rules.h"
#include "service/vector_rules.h"

namespace dolmen {
namespace {

Result<void> check_key_attribute_name(const std::string& name) {
  if (name.empty() || name.size() > limits::kKeyAttributeNameBytes || !is_utf8(name))
    return fail(
        Code::kValidation,
        "1 validation error detected: Value '{}' at 'attributeName' failed to satisfy constraint: Member must have "
        "length between 1 and {}",
        name, limits::kKeyAttributeNameBytes);
  return {};
}

Result<void> check_units(std::string_view name, std::int64_t units) {
  if (units < 1)
    return fail(
        Code::kValidation,
        "One or more parameter values were invalid: ReadCapacityUnits and WriteCapacityUnits must both be specified "
        "when BillingMode is PROVISIONED");
  if (units > limits::kCapacityUnitsMax)
    return fail(Code::kValidation, "Given value {} for {} is out of bounds", units, name);
  return {};
}

/// Checks the parts that local and global indexes have in common. What comes over the wire has been checked before,
/// with DynamoDB's messages.
Result<void> check_index(const IndexDefinition& index, std::size_t each_max) {
  DOLMEN_TRY_VOID(check_table_name(index.name));
  if (index.partition_keys.empty() || index.partition_keys.size() > each_max || index.sort_keys.size() > each_max)
    return fail(Code::kValidation, "Index {} needs 1 to {} partition and at most {} sort attributes", index.name,
                each_max, each_max);
  std::set<std::string_view> names;
  for (const auto* keys : {&index.partition_keys, &index.sort_keys})
    for (const KeyAttribute& key : *keys) {
      DOLMEN_TRY_VOID(check_key_attribute_name(key.name));
      if (!names.insert(key.name).second)
        return fail(Code::kValidation, "The KeySchema contains multiple key attributes with the same name");
    }
  return {};
}

Result<void> check_local_index(const TableDefinition& table, const IndexDefinition& index) {
  DOLMEN_TRY_VOID(check_index(index, 1));
  if (!table.sort_key || index.sort_keys.empty() || index.partition_keys[0] != table.partition_key)
    return fail(Code::kValidation,
                "Local index {} needs a table with a sort key, that table's partition key, and a sort key", index.name);
  return {};
}

/// The settings of a table and of its global indexes, which have the same rules.
template <class Definition>
Result<void> check_capacity(const Definition& definition, BillingMode mode, std::string_view index) {
  if (mode == BillingMode::kProvisioned) DOLMEN_TRY_VOID(refuse_on_demand(definition.on_demand, false));
  DOLMEN_TRY_VOID(check_on_demand_range(definition.on_demand, index, false));
  if (!definition.warm) return {};
  return check_new_warm(*definition.warm, mode, definition.throughput, index);
}

Result<void> check_indexes(const TableDefinition& table) {
  if (table.local_indexes.size() > limits::kLocalIndexes || table.global_indexes.size() > limits::kGlobalIndexes)
    return fail(Code::kValidation, "A table has at most {} local and {} global indexes", limits::kLocalIndexes,
                limits::kGlobalIndexes);
  std::set<std::string_view> names;
  for (const auto* indexes : {&table.local_indexes, &table.global_indexes})
    for (const IndexDefinition& index : *indexes) {
      DOLMEN_TRY_VOID(indexes == &table.local_indexes ? check_local_index(table, index) : check_global_index(index));
      if (!names.insert(index.name).second)
        return fail(Code::kValidation, "One or more parameter values were invalid: Duplicate index name: {}",
                    index.name);
    }
  return {};
}

Result<void> check_tags_of(const TableDefinition& definition) {
  std::vector<Tag> tags;
  for (const auto& [key, value] : definition.tags) tags.push_back({.key = key, .value = value});
  DOLMEN_TRY_VOID(check_tags(tags));
  return check_tag_count(tags.size());
}

}  // namespace

Result<void> check_global_index(const IndexDefinition& index) {
  return check_index(index, limits::kIndexKeyAttributes);
}

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

Result<void> check_table_name(const std::string& name) {
  if (is_internal_table(name)) return {};
  const auto violation = [&](const std::string& rule) {
    return fail(Code::kValidation,
                "1 validation error detected: Value '{}' at 'tableName' failed to satisfy constraint: {}", name, rule);
  };
  if (name.size() < limits::kTableNameMin)
    return violation(fmt::format("Member must have length greater than or equal to {}", limits::kTableNameMin));
  if (name.size() > limits::kTableNameMax)
    return violation(fmt::format("Member must have length less than or equal to {}", limits::kTableNameMax));
  if (!std::ranges::all_of(name, is_name_character))
    return violation("Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+");
  return {};
}

Result<void> check_table_definition(const TableDefinition& definition) {
  DOLMEN_TRY_VOID(check_table_name(definition.name));
  DOLMEN_TRY_VOID(check_key_attribute_name(definition.partition_key.name));
  if (definition.sort_key) {
    DOLMEN_TRY_VOID(check_key_attribute_name(definition.sort_key->name));
    if (definition.sort_key->name == definition.partition_key.name)
      return fail(Code::kValidation, "Both the Hash Key and the Range Key element in the KeySchema have the same name");
  }
  const bool provisioned = definition.billing_mode == BillingMode::kProvisioned;
  if (!provisioned && definition.throughput != Throughput{})
    return fail(Code::kValidation,
                "One or more parameter values were invalid: Neither ReadCapacityUnits nor WriteCapacityUnits can be "
                "specified when BillingMode is PAY_PER_REQUEST");
  if (provisioned) {
    DOLMEN_TRY_VOID(check_units("ReadCapacityUnits", definition.throughput.read_units));
    DOLMEN_TRY_VOID(check_units("WriteCapacityUnits", definition.throughput.write_units));
  }
  DOLMEN_TRY_VOID(check_indexes(definition));
  DOLMEN_TRY_VOID(check_vector_indexes(definition));
  DOLMEN_TRY_VOID(check_capacity(definition, definition.billing_mode, {}));
  for (const IndexDefinition& index : definition.global_indexes)
    DOLMEN_TRY_VOID(check_capacity(index, definition.billing_mode, index.name));
  if (definition.ttl) DOLMEN_TRY_VOID(check_time_to_live_attribute(*definition.ttl));
  return check_tags_of(definition);
}

Result<void> check_time_to_live_attribute(std::string_view name) {
  const std::size_t length = utf16_length(name);
  if (is_utf8(name) && length >= 1 && length <= limits::kTimeToLiveNameMax) return {};
  return fail(Code::kValidation,
              "1 validation error detected: Value '{}' at 'timeToLiveSpecification.attributeName' failed to satisfy "
              "constraint: Member must have length {} than or equal to {}",
              name, length < 1 ? "greater" : "less", length < 1 ? 1 : limits::kTimeToLiveNameMax);
}

}  // namespace dolmen
