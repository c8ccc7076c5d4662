#include "wire/table_json.h"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include "base/fail.h"
#include "base/limits.h"
#include "value/json.h"

namespace dolmen::wire {
namespace {

constexpr std::string_view kInvalid = "One or more parameter values were invalid: ";

struct KeyElement {
  std::string name;
  bool is_hash = false;
};

std::vector<KeyElement> read_key_schema(const Parameters& parameters) {
  std::vector<KeyElement> elements;
  for (const json::Element element : json::array_of(*parameters.find("KeySchema"))) {
    const Parameters fields(element);
    elements.push_back({fields.required_string("AttributeName"), fields.required_string("KeyType") == "HASH"});
  }
  return elements;
}

Result<std::vector<KeyAttribute>> read_attribute_definitions(const Parameters& parameters) {
  std::vector<KeyAttribute> definitions;
  for (const json::Element element : json::array_of(*parameters.find("AttributeDefinitions"))) {
    const Parameters fields(element);
    const std::string type = fields.required_string("AttributeType");
    KeyAttribute attribute{fields.required_string("AttributeName"), type == "S"   ? KeyType::kString
                                                                    : type == "N" ? KeyType::kNumber
                                                                                  : KeyType::kBinary};
    if (std::ranges::find(definitions, attribute.name, &KeyAttribute::name) != definitions.end())
      return fail(Code::kValidation, "Attribute Name is duplicated: {}", attribute.name);
    definitions.push_back(std::move(attribute));
  }
  return definitions;
}

Result<void> read_billing(const Parameters& parameters, TableDefinition& definition) {
  const std::optional<Parameters> throughput = parameters.structure("ProvisionedThroughput");
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
  definition.throughput = {throughput->integer("ReadCapacityUnits").value_or(0),
                           throughput->integer("WriteCapacityUnits").value_or(0)};
  for (const auto& [name, units] : {std::pair("ReadCapacityUnits", definition.throughput.read_units),
                                    std::pair("WriteCapacityUnits", definition.throughput.write_units)})
    if (units > limits::kCapacityUnitsMax)
      return fail(Code::kValidation, "Given value {} for {} is out of bounds", units, name);
  return {};
}

/// DynamoDB looks at the throughput before it counts the keys.
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
  if (keys.size() != definitions.size())
    return fail(Code::kValidation,
                "{}Number of attributes in KeySchema does not exactly match number of attributes defined in "
                "AttributeDefinitions",
                kInvalid);
  return {};
}

std::string_view status_name(TableStatus status) {
  switch (status) {
    case TableStatus::kCreating: return "CREATING";
    case TableStatus::kActive: return "ACTIVE";
    case TableStatus::kDeleting: return "DELETING";
  }
  return "";
}

/// Seconds since 1970 with milliseconds, as DynamoDB writes times.
std::string seconds_of(TableDescription::TimePoint time) {
  const auto milliseconds = time.time_since_epoch().count();
  return fmt::format("{}.{:03}", milliseconds / 1000, milliseconds % 1000);
}

void append_keys(std::string& out, const TableDefinition& definition) {
  std::vector<KeyAttribute> attributes{definition.partition_key};
  if (definition.sort_key) attributes.push_back(*definition.sort_key);
  const auto append_list = [&](std::string_view name, auto append_element) {
    fmt::format_to(std::back_inserter(out), "\"{}\":[", name);
    for (std::size_t i = 0; i < attributes.size(); ++i) {
      out.append(i == 0 ? R"({"AttributeName":)" : R"(,{"AttributeName":)");
      json::append_string(out, attributes[i].name);
      append_element(i);
    }
    out.append("],");
  };
  append_list("KeySchema",
              [&](std::size_t i) { out.append(i == 0 ? R"(,"KeyType":"HASH"})" : R"(,"KeyType":"RANGE"})"); });
  std::ranges::sort(attributes, {}, &KeyAttribute::name);
  append_list("AttributeDefinitions", [&](std::size_t i) {
    fmt::format_to(std::back_inserter(out), R"(,"AttributeType":"{}"}})", key_type_name(attributes[i].type));
  });
}

}  // namespace

Result<TableDefinition> read_table_definition(const Parameters& parameters) {
  TableDefinition definition{.name = parameters.required_string("TableName"), .partition_key = {}};
  DOLMEN_TRY_VOID(read_billing(parameters, definition));
  const std::vector<KeyElement> keys = read_key_schema(parameters);
  DOLMEN_TRY_VOID(check_key_count(keys));
  DOLMEN_TRY(const std::vector<KeyAttribute> attributes, read_attribute_definitions(parameters));
  DOLMEN_TRY_VOID(check_key_schema(keys, attributes));
  const auto attribute = [&](const KeyElement& key) {
    return *std::ranges::find(attributes, key.name, &KeyAttribute::name);
  };
  definition.partition_key = attribute(keys[0]);
  if (keys.size() == 2) definition.sort_key = attribute(keys[1]);
  definition.deletion_protection = parameters.boolean("DeletionProtectionEnabled", false);
  return definition;
}

void append_table_description(std::string& out, const TableDescription& table) {
  const auto sink = std::back_inserter(out);
  const TableDefinition& definition = table.definition;
  out.push_back('{');
  append_keys(out, definition);
  fmt::format_to(sink, R"("TableName":"{}","TableStatus":"{}","CreationDateTime":{},)", definition.name,
                 status_name(table.status), seconds_of(table.created));
  fmt::format_to(
      sink, R"("ProvisionedThroughput":{{"NumberOfDecreasesToday":0,"ReadCapacityUnits":{},"WriteCapacityUnits":{}}},)",
      definition.throughput.read_units, definition.throughput.write_units);
  if (definition.billing_mode == BillingMode::kPayPerRequest) {
    out.append(R"("BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST")");
    if (table.status != TableStatus::kCreating)
      fmt::format_to(sink, R"(,"LastUpdateToPayPerRequestDateTime":{})", seconds_of(table.created));
    out.append("},");
  }
  fmt::format_to(sink, R"("TableSizeBytes":{},"ItemCount":{},"TableArn":"{}","TableId":"{}",)", table.size_bytes,
                 table.item_count, table.arn, table.id);
  fmt::format_to(sink, R"("DeletionProtectionEnabled":{}}})", definition.deletion_protection);
}

}  // namespace dolmen::wire
