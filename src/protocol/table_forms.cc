#include "protocol/table_forms.h"

#include <algorithm>
#include <map>

#include "value/json.h"

namespace dolmen {
namespace {

/// Sorted by name.
using Types = std::map<std::string_view, KeyType>;

void add_keys(const IndexDefinition& index, Types& types) {
  for (const auto* keys : {&index.partition_keys, &index.sort_keys})
    for (const KeyAttribute& key : *keys) types.emplace(key.name, key.type);
}

void add_keys(const VectorIndexDefinition& index, Types& types) {
  for (const SearchAttribute& attribute : index.search) types.emplace(attribute.name, attribute.type);
}

void append_types(std::string& out, const Types& types) {
  append_array(out, types, [&](const auto& attribute) {
    ObjectWriter object(out);
    json::append_string(object.member("AttributeName"), attribute.first);
    json::append_string(object.member("AttributeType"), key_type_name(attribute.second));
    object.end();
  });
}

void append_projection_of(std::string& out, ProjectionType projection, std::vector<std::string> included) {
  ObjectWriter object(out);
  json::append_string(object.member("ProjectionType"), projection == ProjectionType::kAll        ? "ALL"
                                                       : projection == ProjectionType::kKeysOnly ? "KEYS_ONLY"
                                                                                                 : "INCLUDE");
  if (!included.empty()) {
    std::ranges::sort(included);
    std::string& list = object.member("NonKeyAttributes");
    append_array(list, included, [&](const std::string& name) { json::append_string(list, name); });
  }
  object.end();
}

}  // namespace

void append_key_schema(std::string& out, const std::vector<KeyAttribute>& partition,
                       const std::vector<KeyAttribute>& sort) {
  std::vector<std::pair<std::string_view, std::string_view>> elements;
  for (const KeyAttribute& attribute : partition) elements.emplace_back(attribute.name, "HASH");
  for (const KeyAttribute& attribute : sort) elements.emplace_back(attribute.name, "RANGE");
  append_array(out, elements, [&](const auto& element) {
    ObjectWriter object(out);
    json::append_string(object.member("AttributeName"), element.first);
    json::append_string(object.member("KeyType"), element.second);
    object.end();
  });
}

void append_attribute_definitions(std::string& out, const TableDefinition& table) {
  Types types{{table.partition_key.name, table.partition_key.type}};
  if (table.sort_key) types.emplace(table.sort_key->name, table.sort_key->type);
  for (const auto* indexes : {&table.local_indexes, &table.global_indexes})
    for (const IndexDefinition& index : *indexes) add_keys(index, types);
  for (const VectorIndexDefinition& index : table.vector_indexes) add_keys(index, types);
  append_types(out, types);
}

void append_attribute_definitions(std::string& out, const IndexDefinition& index) {
  Types types;
  add_keys(index, types);
  append_types(out, types);
}

void append_attribute_definitions(std::string& out, const VectorIndexDefinition& index) {
  Types types;
  add_keys(index, types);
  append_types(out, types);
}

void append_projection(std::string& out, const IndexDefinition& index) {
  append_projection_of(out, index.projection, index.included_attributes);
}

void append_vector_index(ObjectWriter& object, const VectorIndexDefinition& index) {
  object.text("IndexName", index.name);
  ObjectWriter attribute(object.member("VectorAttribute"));
  attribute.text("AttributeName", index.attribute);
  attribute.end();
  if (!index.search.empty())
    object.objects("SearchSchema", index.search, [](ObjectWriter& one, const SearchAttribute& element) {
      one.text("AttributeName", element.name).text("SearchSchemaElementType", search_role_name(element.role));
    });
  append_projection_of(object.member("Projection"), index.projection, index.included_attributes);
  object.number("Dimensions", index.dimensions).text("DistanceFunction", vector_distance_name(index.distance));
}

}  // namespace dolmen
