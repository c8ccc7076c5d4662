// What UpdateTable refuses about vector indexes, once the table is known.
#include <algorithm>
#include <vector>

#include "base/fail.h"
#include "base/limits.h"
#include "engine/table_update.h"
#include "service/vector_rules.h"

namespace dolmen::engine {
namespace {

constexpr std::string_view kInvalidVectorUpdate = "One or more parameter values were invalid: ";

std::vector<KeyAttribute> keys_of(const Table& table) {
  std::vector<KeyAttribute> keys{table.definition.partition_key};
  if (table.definition.sort_key) keys.push_back(*table.definition.sort_key);
  for (const Index& index : table.live_indexes())
    for (const auto* of_index : {&index.keys.partition, &index.keys.sort})
      keys.insert(keys.end(), of_index->begin(), of_index->end());
  return keys;
}

Result<void> check_search_types(const Table& table, const VectorIndexDefinition& created) {
  std::vector<KeyAttribute> known = keys_of(table);
  for (const VectorIndex& index : table.live_vector_indexes())
    for (const SearchAttribute& attribute : index.definition.search) known.push_back({attribute.name, attribute.type});
  for (const SearchAttribute& attribute : created.search)
    for (const KeyAttribute& other : known)
      if (attribute.name == other.name && attribute.type != other.type)
        return fail(Code::kValidation,
                    "{}Attributes cannot be redefined. Please check that your attribute has the same type as "
                    "previously defined. Existing schema: Schema:[SchemaElement: key{{{}:{}}}] New schema: "
                    "VectorIndexSchema:[SearchSchemaElement: key{{{}:{}:{}}}]",
                    kInvalidVectorUpdate, other.name, key_type_name(other.type), attribute.name,
                    key_type_name(attribute.type), search_role_name(attribute.role));
  return {};
}

Result<void> check_created_vector(const Table& table, const VectorIndexDefinition& created) {
  if (table.find_index(created.name) != nullptr || table.find_vector_index(created.name) != nullptr)
    return fail(Code::kValidation, "Attempting to create an index which already exists");
  DOLMEN_TRY_VOID(check_vector_index(created, table.definition));
  DOLMEN_TRY_VOID(check_search_types(table, created));
  if (table.vector_indexes.size() >= limits::kVectorIndexes)
    return fail(Code::kValidation, "{}VectorIndex count exceeds the per-table limit of {}", kInvalidVectorUpdate,
                limits::kVectorIndexes);
  for (const VectorIndex& other : table.live_vector_indexes())
    DOLMEN_TRY_VOID(check_same_dimensions(created, other.definition));
  std::vector<KeyAttribute> defined = keys_of(table);
  for (const SearchAttribute& attribute : created.search) defined.push_back({attribute.name, attribute.type});
  for (const VectorIndex& index : table.live_vector_indexes())
    for (const SearchAttribute& attribute : index.definition.search)
      defined.push_back({attribute.name, attribute.type});
  if (std::ranges::find(defined, created.attribute, &KeyAttribute::name) != defined.end())
    return fail(Code::kValidation,
                "{}Conflicting attribute definition for '{}'. An attribute cannot be defined in AttributeDefinitions "
                "when used as a VectorAttribute.",
                kInvalidVectorUpdate, created.attribute);
  return {};
}

}  // namespace

Result<void> check_vector_update(const Table& table, const TableUpdate& update, BillingMode mode) {
  for (const VectorIndexChange& change : update.vector_indexes)
    if (const auto* removed = std::get_if<DeleteVectorIndex>(&change))
      if (table.find_vector_index(removed->name) == nullptr)
        return fail(Code::kTableNotFound, "Requested resource not found: Index {} for table {}", removed->name,
                    table.definition.name);
  const bool has_vectors = std::ranges::any_of(
      table.vector_indexes, [](const VectorIndex& index) { return index.state != IndexState::kDeleting; });
  if (mode == BillingMode::kProvisioned && table.definition.billing_mode == BillingMode::kPayPerRequest && has_vectors)
    return fail(Code::kValidation, "{}Tables with vector indexes must be in PAY_PER_REQUEST mode",
                kInvalidVectorUpdate);
  for (const VectorIndexChange& change : update.vector_indexes)
    if (const auto* created = std::get_if<CreateVectorIndex>(&change)) {
      DOLMEN_TRY_VOID(check_vector_billing(mode));
      DOLMEN_TRY_VOID(check_created_vector(table, created->definition));
    }
  return {};
}

}  // namespace dolmen::engine
