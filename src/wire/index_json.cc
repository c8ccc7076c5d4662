#include "wire/index_json.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <set>
#include <unordered_set>

#include "base/fail.h"

namespace dolmen::wire {
namespace {

constexpr std::string_view kInvalidIndex = "One or more parameter values were invalid: ";

Result<void> check_index_keys_defined(const std::vector<KeyElement>& keys, const Definitions& definitions) {
  if (std::ranges::all_of(keys,
                          [&](const KeyElement& key) { return find_definition(definitions, key.name) != nullptr; }))
    return {};
  std::vector<std::string_view> key_names;
  std::vector<std::string_view> names;
  for (const KeyElement& key : keys) key_names.push_back(key.name);
  for (const KeyAttribute& definition : definitions) names.push_back(definition.name);
  return fail(
      Code::kValidation,
      "{}Some index key attributes are not defined in AttributeDefinitions. Keys: [{}], AttributeDefinitions: [{}]",
      kInvalidIndex, fmt::join(key_names, ", "), fmt::join(names, ", "));
}

/// Partition attributes come first, then sort attributes; the kind of index limits the number of each.
Result<void> check_index_key_order(const std::vector<KeyElement>& keys, std::size_t each_max) {
  std::set<std::string_view> names;
  for (const KeyElement& key : keys)
    if (!names.insert(key.name).second)
      return fail(Code::kValidation, "{}",
                  each_max == 1 ? "Both the Hash Key and the Range Key element in the KeySchema have the same name"
                                : "The KeySchema contains multiple key attributes with the same name");
  if (!keys[0].is_hash)
    return fail(Code::kValidation, "Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
  const auto partition = static_cast<std::size_t>(std::ranges::count(keys, true, &KeyElement::is_hash));
  if (keys.size() == 2 && each_max == 1 && partition == 2)
    return fail(Code::kValidation, "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type");
  if (!std::ranges::is_sorted(keys, std::greater<>(), &KeyElement::is_hash))
    return fail(Code::kValidation, "{}All HASH key attributes must precede RANGE key attributes in the KeySchema",
                kInvalidIndex);
  if (partition > each_max || keys.size() - partition > each_max)
    return fail(Code::kValidation, "{}The KeySchema exceeds the maximum allowed number of {} key attributes",
                kInvalidIndex, partition > each_max ? "HASH" : "RANGE");
  return {};
}

}  // namespace

Result<IndexProjection> read_index_projection(const Parameters& parameters) {
  IndexProjection index;
  const std::optional<Parameters> projection = parameters.structure("Projection");
  const std::optional<std::string> type = projection->string("ProjectionType");
  if (!type) return fail(Code::kValidation, "{}Unknown ProjectionType: null", kInvalidIndex);
  index.type = *type == "ALL"         ? ProjectionType::kAll
               : *type == "KEYS_ONLY" ? ProjectionType::kKeysOnly
                                      : ProjectionType::kInclude;
  const auto included = projection->find("NonKeyAttributes");
  if (included && index.type != ProjectionType::kInclude)
    return fail(Code::kValidation, "{}ProjectionType is {}, but NonKeyAttributes is specified", kInvalidIndex, *type);
  if (!included && index.type == ProjectionType::kInclude)
    return fail(Code::kValidation, "{}ProjectionType is INCLUDE, but NonKeyAttributes is not specified", kInvalidIndex);
  if (!included) return index;
  for (const json::Element element : json::array_of(*included)) {
    std::string name(json::string_of(element));
    if (std::ranges::find(index.included, name) != index.included.end())
      return fail(Code::kValidation, "{}Duplicate element in NonKeyAttributes: {}", kInvalidIndex, name);
    index.included.push_back(std::move(name));
  }
  return index;
}

std::vector<KeyElement> read_key_schema(const Parameters& parameters) {
  std::vector<KeyElement> elements;
  for (const json::Element element : json::array_of(*parameters.find("KeySchema"))) {
    const Parameters fields(element);
    elements.push_back({fields.required_string("AttributeName"), fields.required_string("KeyType") == "HASH"});
  }
  return elements;
}

Result<Definitions> read_attribute_definitions(const Parameters& parameters) {
  Definitions definitions;
  std::unordered_set<std::string> names;
  const auto list = parameters.find("AttributeDefinitions");
  if (!list) return definitions;
  for (const json::Element element : json::array_of(*list)) {
    const Parameters fields(element);
    const std::string type = fields.required_string("AttributeType");
    KeyAttribute attribute{fields.required_string("AttributeName"), type == "S"   ? KeyType::kString
                                                                    : type == "N" ? KeyType::kNumber
                                                                                  : KeyType::kBinary};
    if (!names.insert(attribute.name).second)
      return fail(Code::kValidation, "Attribute Name is duplicated: {}", attribute.name);
    definitions.push_back(std::move(attribute));
  }
  return definitions;
}

const KeyAttribute* find_definition(const Definitions& definitions, std::string_view name) {
  const auto found = std::ranges::find(definitions, name, &KeyAttribute::name);
  return found == definitions.end() ? nullptr : &*found;
}

Result<IndexDefinition> read_index(const Parameters& parameters, const Definitions& definitions, std::size_t each_max) {
  IndexDefinition index{.name = parameters.required_string("IndexName"), .partition_keys = {}};
  const std::vector<KeyElement> keys = read_key_schema(parameters);
  DOLMEN_TRY_VOID(check_index_keys_defined(keys, definitions));
  DOLMEN_TRY_VOID(check_index_key_order(keys, each_max));
  for (const KeyElement& key : keys)
    (key.is_hash ? index.partition_keys : index.sort_keys).push_back(*find_definition(definitions, key.name));
  DOLMEN_TRY(IndexProjection projection, read_index_projection(parameters));
  index.projection = projection.type;
  index.included_attributes = std::move(projection.included);
  return index;
}

}  // namespace dolmen::wire
