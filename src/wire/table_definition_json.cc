#include "wire/table_json.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <set>
#include <vector>

#include "base/fail.h"
#include "base/limits.h"
#include "service/throughput_rules.h"
#include "wire/index_json.h"
#include "wire/table_settings.h"
#include "wire/vector_index_json.h"

namespace dolmen::wire {
namespace {

constexpr std::string_view kInvalid = "One or more parameter values were invalid: ";

Result<void> read_billing(const Parameters& parameters, TableDefinition& definition) {
  const std::optional<Throughput> throughput = read_throughput(parameters);
  if (parameters.string("BillingMode") == "PAY_PER_REQUEST") {
    if (throughput)
      return fail(
          Code::kValidation,
          "{}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST",
          kInvalid);
    return {};
  }
  definition.billing_mode = BillingMode::kProvisioned;
  if (!throughput)
    return fail(Code::kValidation,
                "{}ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED",
                kInvalid);
  definition.throughput = *throughput;
  return check_throughput_bounds(*throughput);
}

/// DynamoDB checks the throughput before it counts the keys.
Result<void> check_key_count(const std::vector<KeyElement>& keys) {
  if (keys.size() <= 2) return {};
  std::vector<std::string> printed;
  for (const KeyElement& key : keys)
    printed.push_back(
        fmt::format("KeySchemaElement(attributeName={}, keyType={})", key.name, key.is_hash ? "HASH" : "RANGE"));
  return fail(
      Code::kValidation,
      "1 validation error detected: Value '[{}]' at 'keySchema' failed to satisfy constraint: Member must have length "
      "less than or equal to 2",
      fmt::join(printed, ", "));
}

Result<void> check_key_schema(const std::vector<KeyElement>& keys, const std::vector<KeyAttribute>& definitions) {
  const auto defined = [&](const KeyElement& key) {
    return std::ranges::find(definitions, key.name, &KeyAttribute::name) != definitions.end();
  };
  if (!std::ranges::all_of(keys, defined)) {
    if (keys.size() > 1 || definitions.empty())
      return fail(Code::kValidation, "Invalid KeySchema: Some index key attribute have no definition");
    std::vector<std::string_view> names;
    for (const KeyAttribute& definition : definitions) names.push_back(definition.name);
    return fail(
        Code::kValidation,
        "{}Some index key attributes are not defined in AttributeDefinitions. Keys: [{}], AttributeDefinitions: [{}]",
        kInvalid, keys[0].name, fmt::join(names, ", "));
  }
  if (keys.size() == 2 && keys[0].name == keys[1].name)
    return fail(Code::kValidation, "Both the Hash Key and the Range Key element in the KeySchema have the same name");
  if (!keys[0].is_hash)
    return fail(Code::kValidation, "Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
  if (keys.size() == 2 && keys[1].is_hash)
    return fail(Code::kValidation, "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type");
  return {};
}

Result<void> read_local_indexes(const Parameters& parameters, const Definitions& definitions, TableDefinition& table) {
  const auto list = parameters.find("LocalSecondaryIndexes");
  if (!list) return {};
  const json::Array array = json::array_of(*list);
  if (array.size() == 0) return fail(Code::kValidation, "{}List of LocalSecondaryIndexes is empty", kInvalid);
  if (!table.sort_key)
    return fail(Code::kValidation,
                "{}Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex",
                kInvalid);
  for (const json::Element element : array) {
    DOLMEN_TRY(IndexDefinition index, read_index(Parameters(element), definitions, 1));
    if (index.sort_keys.empty())
      return fail(Code::kValidation, "{}Index KeySchema does not have a range key for index: {}", kInvalid, index.name);
    if (index.partition_keys[0].name != table.partition_key.name)
      return fail(
          Code::kValidation,
          "{}Index KeySchema does not have the same leading hash key as table KeySchema for index: {}. index hash key: "
          "{}, table hash key: {}",
          kInvalid, index.name, index.partition_keys[0].name, table.partition_key.name);
    table.local_indexes.push_back(std::move(index));
  }
  if (table.local_indexes.size() > limits::kLocalIndexes)
    return fail(Code::kValidation, "{}Number of LocalSecondaryIndexes exceeds per-table limit of {}", kInvalid,
                limits::kLocalIndexes);
  return {};
}

Result<void> read_index_throughput(const Parameters& parameters, const TableDefinition& table, IndexDefinition& index) {
  const std::optional<Throughput> throughput = read_throughput(parameters);
  const bool provisioned = table.billing_mode == BillingMode::kProvisioned;
  if (!provisioned && throughput)
    return fail(Code::kValidation,
                "{}ProvisionedThroughput should not be specified for index: {} when BillingMode is PAY_PER_REQUEST",
                kInvalid, index.name);
  if (provisioned && !throughput)
    return fail(Code::kValidation, "{}ProvisionedThroughput is not specified for index: {}", kInvalid, index.name);
  index.throughput = throughput.value_or(Throughput{});
  index.on_demand = read_on_demand(parameters).value_or(OnDemandThroughput{});
  index.warm = read_new_warm(parameters, table.billing_mode, index.throughput);
  return {};
}

Result<void> read_global_indexes(const Parameters& parameters, const Definitions& definitions, TableDefinition& table) {
  const auto list = parameters.find("GlobalSecondaryIndexes");
  if (!list) return {};
  const json::Array array = json::array_of(*list);
  if (array.size() == 0) return fail(Code::kValidation, "{}List of GlobalSecondaryIndexes is empty", kInvalid);
  for (const json::Element element : array) {
    const Parameters fields(element);
    DOLMEN_TRY(IndexDefinition index, read_index(fields, definitions, limits::kIndexKeyAttributes));
    DOLMEN_TRY_VOID(read_index_throughput(fields, table, index));
    table.global_indexes.push_back(std::move(index));
  }
  if (table.global_indexes.size() > limits::kGlobalIndexes)
    return fail(Code::kValidation, "{}GlobalSecondaryIndex count exceeds the per-table limit of {}", kInvalid,
                limits::kGlobalIndexes);
  return {};
}

Result<void> check_index_names(const TableDefinition& table) {
  std::set<std::string_view> names;
  for (const auto* indexes : {&table.local_indexes, &table.global_indexes})
    for (const IndexDefinition& index : *indexes)
      if (!names.insert(index.name).second)
        return fail(Code::kValidation, "{}Duplicate index name: {}", kInvalid, index.name);
  return {};
}

/// Counts over all indexes; a name in two of them counts twice.
Result<void> check_projected_attributes(const TableDefinition& table) {
  std::size_t count = 0;
  for (const auto* indexes : {&table.local_indexes, &table.global_indexes})
    for (const IndexDefinition& index : *indexes) count += index.included_attributes.size();
  if (count > limits::kProjectedAttributes)
    return fail(Code::kValidation, "{}Number of projected attributes of all indexes exceeds per-table limit of {}",
                kInvalid, limits::kProjectedAttributes);
  return {};
}

/// Every defined attribute must be a key of the table or of an index.
Result<void> check_definitions_used(const Definitions& definitions, const TableDefinition& table) {
  std::set<std::string_view> used{table.partition_key.name};
  if (table.sort_key) used.insert(table.sort_key->name);
  for (const auto* indexes : {&table.local_indexes, &table.global_indexes})
    for (const IndexDefinition& index : *indexes)
      for (const auto* keys : {&index.partition_keys, &index.sort_keys})
        for (const KeyAttribute& key : *keys) used.insert(key.name);
  for (const VectorIndexDefinition& index : table.vector_indexes)
    for (const SearchAttribute& attribute : index.search) used.insert(attribute.name);
  if (used.size() == definitions.size()) return {};
  if (table.local_indexes.empty() && table.global_indexes.empty() && table.vector_indexes.empty())
    return fail(Code::kValidation,
                "{}Number of attributes in KeySchema does not exactly match number of attributes defined in "
                "AttributeDefinitions",
                kInvalid);
  std::vector<std::string_view> names;
  for (const KeyAttribute& definition : definitions) names.push_back(definition.name);
  return fail(Code::kValidation,
              "{}Some AttributeDefinitions are not used. AttributeDefinitions: [{}], keys used: [{}]", kInvalid,
              fmt::join(names, ", "), fmt::join(used, ", "));
}

}  // namespace

Result<TableDefinition> read_table_definition(const Parameters& parameters) {
  TableDefinition definition{.name = parameters.required_string("TableName"), .partition_key = {}};
  DOLMEN_TRY_VOID(read_billing(parameters, definition));
  const std::vector<KeyElement> keys = read_key_schema(parameters);
  DOLMEN_TRY_VOID(check_key_count(keys));
  DOLMEN_TRY(const Definitions attributes, read_attribute_definitions(parameters));
  DOLMEN_TRY_VOID(check_key_schema(keys, attributes));
  const auto attribute = [&](const KeyElement& key) {
    return *std::ranges::find(attributes, key.name, &KeyAttribute::name);
  };
  definition.partition_key = attribute(keys[0]);
  if (keys.size() == 2) definition.sort_key = attribute(keys[1]);
  DOLMEN_TRY_VOID(check_vector_list(parameters));
  DOLMEN_TRY_VOID(read_local_indexes(parameters, attributes, definition));
  DOLMEN_TRY_VOID(read_global_indexes(parameters, attributes, definition));
  DOLMEN_TRY_VOID(read_vector_indexes(parameters, attributes, definition));
  DOLMEN_TRY_VOID(check_definitions_used(attributes, definition));
  DOLMEN_TRY_VOID(check_index_names(definition));
  DOLMEN_TRY_VOID(check_projected_attributes(definition));
  DOLMEN_TRY_VOID(read_table_settings(parameters, definition));
  return definition;
}

}  // namespace dolmen::wire
