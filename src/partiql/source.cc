#include "partiql/source.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "base/fail.h"
#include "base/unicode.h"

namespace dolmen::partiql {
namespace {

struct FoundIndex {
  const IndexDefinition* index = nullptr;
  bool local = false;
};

FoundIndex find_index_of(const TableDefinition& table, std::string_view name) {
  for (const IndexDefinition& index : table.local_indexes)
    if (index.name == name) return {&index, true};
  for (const IndexDefinition& index : table.global_indexes)
    if (index.name == name) return {&index, false};
  return {};
}

/// Java's String.hashCode, spread as HashMap spreads it.
std::uint32_t java_hash(const std::string& name) {
  std::uint32_t hash = 0;
  // Names were UTF-8 in the statement.
  for (const char16_t unit : utf16_from_utf8(name).value_or(u"")) hash = hash * 31 + unit;
  return hash ^ (hash >> 16);
}

}  // namespace

bool Source::carries(std::string_view attribute) const {
  if (index == nullptr || index->projection == ProjectionType::kAll) return true;
  if (is_key(attribute) || attribute == table->partition_key.name) return true;
  if (table->sort_key && attribute == table->sort_key->name) return true;
  return std::ranges::find(index->included_attributes, attribute) != index->included_attributes.end();
}

Result<void> check_single_attribute_keys(const Target& target, const TableDefinition& table) {
  if (!target.index || (target.kind != StatementKind::kSelect && target.kind != StatementKind::kExists)) return {};
  const FoundIndex found = find_index_of(table, *target.index);
  if (found.index == nullptr || (found.index->partition_keys.size() <= 1 && found.index->sort_keys.size() <= 1))
    return {};
  return fail(Code::kValidation,
              "PartiQL statements cannot be executed on tables with multi-attribute HASH keys or multi-attribute RANGE "
              "keys.");
}

Result<Source> find_source(const std::optional<std::string>& index, const TableDefinition& table) {
  if (!index)
    return Source{
        .table = &table, .index = nullptr, .local = false, .hash = table.partition_key, .range = table.sort_key};
  if (std::ranges::find(table.vector_indexes, *index, &VectorIndexDefinition::name) != table.vector_indexes.end())
    return fail(Code::kValidation, "Scan operation not supported on this index type");
  const FoundIndex found = find_index_of(table, *index);
  if (found.index == nullptr || found.index->partition_keys.empty())
    return fail(Code::kValidation, "The table does not have the specified index");
  Source source{.table = &table,
                .index = found.index,
                .local = found.local,
                .hash = found.index->partition_keys.front(),
                .range = std::nullopt};
  if (!found.index->sort_keys.empty()) source.range = found.index->sort_keys.front();
  return source;
}

std::vector<std::string> in_java_order(const std::vector<std::string>& names) {
  constexpr std::size_t kFirstCapacity = 16;
  std::vector<std::string> unique;
  for (const std::string& name : names)
    if (std::ranges::find(unique, name) == unique.end()) unique.push_back(name);
  // The set grows when it is three quarters full.
  std::size_t capacity = kFirstCapacity;
  while (unique.size() > capacity / 4 * 3) capacity *= 2;
  std::ranges::stable_sort(unique, {}, [&](const std::string& name) { return java_hash(name) & (capacity - 1); });
  return unique;
}

}  // namespace dolmen::partiql
