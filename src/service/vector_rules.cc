#include "service/vector_rules.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "base/fail.h"
#include "base/limits.h"
#include "service/table_rules.h"
#include "service/table_update_rules.h"

namespace dolmen {
namespace {

constexpr std::string_view kInvalidVector = "One or more parameter values were invalid: ";

template <class... Parts>
std::unexpected<Error> invalid_vector(fmt::format_string<Parts...> text, Parts&&... parts) {
  return fail(Code::kValidation, "{}{}", kInvalidVector, fmt::format(text, std::forward<Parts>(parts)...));
}

bool is_table_key(const TableDefinition& table, std::string_view name) {
  return name == table.partition_key.name || (table.sort_key && name == table.sort_key->name);
}

/// The vector counts as one, and so does each filter; keys of the table and the HASH attribute are always there.
Result<void> check_projected_count(const VectorIndexDefinition& index, const TableDefinition& table) {
  std::set<std::string_view> counted{index.attribute};
  std::set<std::string_view> free;
  for (const SearchAttribute& attribute : index.search)
    (attribute.role == SearchRole::kHash ? free : counted).insert(attribute.name);
  for (const std::string& name : index.included_attributes)
    if (!free.contains(name) && !is_table_key(table, name)) counted.insert(name);
  if (counted.size() > limits::kVectorProjectedAttributes)
    return invalid_vector("Number of projected attributes of vector index {} exceeds the limit of {}", index.name,
                          limits::kVectorProjectedAttributes);
  return {};
}

Result<void> check_search_schema(const VectorIndexDefinition& index) {
  const auto hashes = std::ranges::count(index.search, SearchRole::kHash, &SearchAttribute::role);
  if (hashes > 1)
    return invalid_vector(
        "Value '{}' at 'SearchSchema' failed to satisfy constraint: Member must have HASH count less than or equal to "
        "1",
        hashes);
  if (index.search.size() - static_cast<std::size_t>(hashes) > limits::kInlineFilters)
    return invalid_vector("Number of INLINE_FILTER elements in SearchSchema exceeds the limit of {}",
                          limits::kInlineFilters);
  std::set<std::string_view> names;
  for (const SearchAttribute& attribute : index.search)
    if (!names.insert(attribute.name).second) return invalid_vector("SearchSchema contains a duplicate AttributeName");
  return {};
}

/// What the constraints of the service model say, for a definition that is not JSON.
Result<void> check_model(const VectorIndexDefinition& index, std::size_t position) {
  const auto broken = [&](std::string_view value, std::string_view member, std::string_view rule) {
    return fail(Code::kValidation,
                "1 validation error detected: Value '{}' at 'vectorIndexes.{}.member.{}' failed to satisfy constraint: "
                "Member must {}",
                value, position, member, rule);
  };
  if (index.name.size() < limits::kTableNameMin)
    return broken(index.name, "indexName", "have length greater than or equal to 3");
  if (index.name.size() > limits::kTableNameMax)
    return broken(index.name, "indexName", "have length less than or equal to 255");
  if (!std::ranges::all_of(index.name, is_name_character))
    return broken(index.name, "indexName", "satisfy regular expression pattern: [a-zA-Z0-9_.-]+");
  if (index.attribute.empty() || index.attribute.size() > limits::kTableNameMax)
    return broken(
        index.attribute, "vectorAttribute.attributeName",
        index.attribute.empty() ? "have length greater than or equal to 1" : "have length less than or equal to 255");
  if (index.dimensions < 1)
    return broken(std::to_string(index.dimensions), "dimensions", "have value greater than or equal to 1");
  if (index.projection == ProjectionType::kInclude && index.included_attributes.empty())
    return invalid_vector("ProjectionType is INCLUDE, but NonKeyAttributes is not specified");
  if (index.projection != ProjectionType::kInclude && !index.included_attributes.empty())
    return invalid_vector("ProjectionType is {}, but NonKeyAttributes is specified",
                          index.projection == ProjectionType::kAll ? "ALL" : "KEYS_ONLY");
  return {};
}

/// Every attribute that is a key of the table or of an index, or that searches name, with its type.
std::vector<KeyAttribute> attributes_with_types(const TableDefinition& table) {
  std::vector<KeyAttribute> all{table.partition_key};
  if (table.sort_key) all.push_back(*table.sort_key);
  for (const auto* indexes : {&table.local_indexes, &table.global_indexes})
    for (const IndexDefinition& index : *indexes)
      for (const auto* keys : {&index.partition_keys, &index.sort_keys})
        all.insert(all.end(), keys->begin(), keys->end());
  for (const VectorIndexDefinition& index : table.vector_indexes)
    for (const SearchAttribute& attribute : index.search) all.push_back({attribute.name, attribute.type});
  return all;
}

/// An attribute has one type in all keys of a table and in all searches.
Result<void> check_one_type_each(std::span<const KeyAttribute> attributes) {
  for (const KeyAttribute& one : attributes)
    for (const KeyAttribute& other : attributes)
      if (one.name == other.name && one.type != other.type)
        return fail(Code::kValidation, "Attribute Name is duplicated: {}", one.name);
  return {};
}

}  // namespace

Result<void> check_vector_billing(BillingMode mode) {
  if (mode == BillingMode::kPayPerRequest) return {};
  return invalid_vector("Vector indexes are only supported for PAY_PER_REQUEST tables");
}

Result<void> check_vector_index(const VectorIndexDefinition& index, const TableDefinition& table) {
  DOLMEN_TRY_VOID(check_projected_count(index, table));
  if (index.dimensions > limits::kVectorDimensions)
    return invalid_vector("Number of dimensions must be between 1 and {} inclusive.", limits::kVectorDimensions);
  return check_search_schema(index);
}

Result<void> check_same_dimensions(const VectorIndexDefinition& index, const VectorIndexDefinition& other) {
  if (index.attribute != other.attribute || index.dimensions == other.dimensions) return {};
  return invalid_vector(
      "Conflicting attribute definition for '{}'. All VectorIndexes on the same vector attribute must use the same "
      "dimensions.",
      index.attribute);
}

Result<void> check_vector_indexes_together(const TableDefinition& table, std::span<const KeyAttribute> defined) {
  if (table.vector_indexes.empty()) return {};
  std::set<std::string_view> names;
  for (const auto* indexes : {&table.local_indexes, &table.global_indexes})
    for (const IndexDefinition& index : *indexes) names.insert(index.name);
  for (const VectorIndexDefinition& index : table.vector_indexes)
    if (!names.insert(index.name).second) return invalid_vector("Duplicate index name: {}", index.name);
  if (table.vector_indexes.size() > limits::kVectorIndexes)
    return invalid_vector("VectorIndex count exceeds the per-table limit of {}", limits::kVectorIndexes);
  for (const VectorIndexDefinition& index : table.vector_indexes)
    for (const VectorIndexDefinition& other : table.vector_indexes)
      DOLMEN_TRY_VOID(check_same_dimensions(index, other));
  for (const VectorIndexDefinition& index : table.vector_indexes)
    if (std::ranges::find(defined, index.attribute, &KeyAttribute::name) != defined.end())
      return invalid_vector(
          "Conflicting attribute definition for '{}'. An attribute cannot be defined in AttributeDefinitions when used "
          "as a VectorAttribute.",
          index.attribute);
  return {};
}

Result<void> check_vector_indexes(const TableDefinition& table) {
  if (table.vector_indexes.empty()) return {};
  for (std::size_t i = 0; i < table.vector_indexes.size(); ++i)
    DOLMEN_TRY_VOID(check_model(table.vector_indexes[i], i + 1));
  DOLMEN_TRY_VOID(check_vector_billing(table.billing_mode));
  for (const VectorIndexDefinition& index : table.vector_indexes) DOLMEN_TRY_VOID(check_vector_index(index, table));
  const std::vector<KeyAttribute> attributes = attributes_with_types(table);
  DOLMEN_TRY_VOID(check_vector_indexes_together(table, attributes));
  return check_one_type_each(attributes);
}

std::string_view name_of(const VectorIndexChange& change) {
  if (const auto* created = std::get_if<CreateVectorIndex>(&change)) return created->definition.name;
  return std::get<DeleteVectorIndex>(change).name;
}

Result<void> check_vector_changes(const TableUpdate& update) {
  for (const VectorIndexChange& change : update.vector_indexes)
    if (const auto* created = std::get_if<CreateVectorIndex>(&change)) {
      DOLMEN_TRY_VOID(check_model(created->definition, 1));
    }
  const bool with_global = std::ranges::any_of(update.indexes, changes_index_list);
  if (update.vector_indexes.size() > 1 || (!update.vector_indexes.empty() && with_global)) return one_online_index();
  return {};
}

Result<void> check_index_name(std::string_view name) {
  const auto broken = [](std::string_view rule) {
    return fail(Code::kValidation,
                "1 validation error detected: Value at 'IndexName' failed to satisfy constraint: Member must {}", rule);
  };
  if (name.size() < limits::kTableNameMin) return broken("have length greater than or equal to 3");
  if (name.size() > limits::kTableNameMax) return broken("have length less than or equal to 255");
  if (!std::ranges::all_of(name, is_name_character))
    return broken("satisfy regular expression pattern: [a-zA-Z0-9_.-]+");
  return {};
}

Result<void> check_top_k(std::int64_t top_k) {
  if (top_k < 1)
    return fail(Code::kValidation,
                "1 validation error detected: Value at 'TopK' failed to satisfy constraint: Member must have value "
                "greater than or equal to 1");
  if (top_k > limits::kSearchResults)
    return fail(Code::kValidation,
                "Provided TopK value '{}' is out of valid range. The value must be between 1 and {} inclusive", top_k,
                limits::kSearchResults);
  return {};
}

std::unexpected<Error> bad_search_vector() {
  return fail(Code::kValidation,
              "Search vector contains invalid values. All values in the search vector must be a 32-bit floating-point "
              "number attribute");
}

Result<void> check_search_vector(std::span<const float> vector) {
  if (vector.empty())
    return fail(Code::kValidation,
                "1 validation error detected: Value at 'SearchVector' failed to satisfy constraint: Member must have "
                "length greater than or equal to 1");
  if (vector.size() > static_cast<std::size_t>(limits::kVectorDimensions))
    return fail(Code::kValidation,
                "1 validation error detected: Value at 'SearchVector' failed to satisfy constraint: Member must have "
                "length less than or equal to {}",
                limits::kVectorDimensions);
  if (!std::ranges::all_of(vector, [](float element) { return std::isfinite(element); })) return bad_search_vector();
  return {};
}

}  // namespace dolmen
