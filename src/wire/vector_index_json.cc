#include "wire/vector_index_json.h"

#include <utility>

#include "base/fail.h"
#include "service/vector_rules.h"

namespace dolmen::wire {
namespace {

constexpr std::string_view kInvalidVectors = "One or more parameter values were invalid: ";

/// `definitions` is null where types do not matter.
Result<VectorIndexDefinition> read_vector_index(const Parameters& parameters, const Definitions* definitions,
                                                const TableDefinition& table) {
  VectorIndexDefinition index{
      .name = parameters.required_string("IndexName"),
      .attribute = parameters.structure("VectorAttribute")->required_string("AttributeName"),
      .dimensions = parameters.integer("Dimensions").value_or(0),
      .distance = vector_distance_of(parameters.required_string("DistanceFunction")).value_or(VectorDistance::kCosine)};
  DOLMEN_TRY(IndexProjection projection, read_index_projection(parameters));
  index.projection = projection.type;
  index.included_attributes = std::move(projection.included);
  bool undefined = false;
  if (const auto schema = parameters.find("SearchSchema"))
    for (const json::Element element : json::array_of(*schema)) {
      const Parameters fields(element);
      const std::string name = fields.required_string("AttributeName");
      const KeyAttribute* defined = definitions == nullptr ? nullptr : find_definition(*definitions, name);
      undefined |= definitions != nullptr && defined == nullptr;
      index.search.push_back(
          {.name = name,
           .type = defined == nullptr ? KeyType::kString : defined->type,
           .role = search_role_of(fields.required_string("SearchSchemaElementType")).value_or(SearchRole::kHash)});
    }
  // The number of dimensions comes first, then the definitions, then the rest of the schema.
  VectorIndexDefinition without_schema = index;
  without_schema.search.clear();
  DOLMEN_TRY_VOID(check_vector_index(without_schema, table));
  if (undefined)
    return fail(Code::kValidation, "{}One element in SearchSchema is not defined in attribute definitions",
                kInvalidVectors);
  DOLMEN_TRY_VOID(check_vector_index(index, table));
  return index;
}

/// One entry has one action.
Result<void> check_vector_entry(const Parameters& entry) {
  if (entry.has("Create") && entry.has("Delete"))
    return fail(Code::kValidation, "{}Only one vector index action is allowed per VectorIndexUpdate object",
                kInvalidVectors);
  if (!entry.has("Create") && !entry.has("Delete"))
    return fail(Code::kValidation, "{}One of VectorIndexUpdate.Create, VectorIndexUpdate.Delete must not be null",
                kInvalidVectors);
  return {};
}

}  // namespace

Result<void> check_vector_list(const Parameters& parameters) {
  const auto list = parameters.find("VectorIndexes");
  if (!list || json::array_of(*list).size() > 0) return {};
  return fail(Code::kValidation, "{}List of VectorIndexes is empty", kInvalidVectors);
}

Result<void> read_vector_indexes(const Parameters& parameters, const Definitions& definitions, TableDefinition& table) {
  const auto list = parameters.find("VectorIndexes");
  if (!list) return {};
  DOLMEN_TRY_VOID(check_vector_billing(table.billing_mode));
  for (const json::Element element : json::array_of(*list)) {
    DOLMEN_TRY(VectorIndexDefinition index, read_vector_index(Parameters(element), &definitions, table));
    table.vector_indexes.push_back(std::move(index));
  }
  return check_vector_indexes_together(table, definitions);
}

Result<void> read_vector_index_changes(const Parameters& parameters, TableUpdate& update) {
  const auto list = parameters.find("VectorIndexUpdates");
  if (!list) return {};
  const json::Array entries = json::array_of(*list);
  for (const json::Element element : entries) DOLMEN_TRY_VOID(check_vector_entry(Parameters(element)));
  DOLMEN_TRY(const Definitions definitions, read_attribute_definitions(parameters));
  for (const json::Element element : entries) {
    const Parameters entry(element);
    if (const auto removed = entry.structure("Delete"))
      update.vector_indexes.emplace_back(DeleteVectorIndex{removed->required_string("IndexName")});
    if (const auto created = entry.structure("Create")) {
      // The keys of the table, which count less in one limit, are not known yet.
      DOLMEN_TRY(VectorIndexDefinition index, read_vector_index(*created, &definitions, {}));
      update.vector_indexes.emplace_back(CreateVectorIndex{std::move(index)});
    }
  }
  return {};
}

Result<std::optional<std::vector<VectorIndexDefinition>>> read_vector_overrides(const Parameters& parameters) {
  const auto list = parameters.find("VectorIndexOverride");
  if (!list) return std::nullopt;
  std::vector<VectorIndexDefinition> indexes;
  for (const json::Element element : json::array_of(*list)) {
    DOLMEN_TRY(indexes.emplace_back(), read_vector_index(Parameters(element), nullptr, {}));
  }
  return indexes;
}

}  // namespace dolmen::wire
