#include <algorithm>

#include "dolmen/model/model.h"
#include "model/dms_names.h"
#include "model/naming.h"

namespace dolmen {

namespace {

LogicalValue key_document(const KeyAttribute& key) {
  return LogicalItem{{"attribute", key.name}, {"type", key_type_name(key.type)}};
}

LogicalValue::List list_of(const std::vector<std::string>& texts) { return {texts.begin(), texts.end()}; }

LogicalValue attribute_document(const ModelAttribute& attribute) {
  LogicalItem out{{"attribute", attribute.name}, {"type", type_name(attribute.type)}};
  const auto flag = [&](const char* name, bool value) {
    if (value) out.emplace(name, true);
  };
  flag("required", attribute.required);
  flag("optional", attribute.optional);
  flag("omit_empty", attribute.omit_empty);
  flag("json", attribute.json);
  flag("binary", attribute.binary);
  if (attribute.encrypted) out.emplace("encryption", attribute.encryption);
  if (!attribute.tags.empty()) out.emplace("tags", attribute.tags);
  if (attribute.format != AttributeFormat::kNone) out.emplace("format", format_name(attribute.format));
  if (attribute.dimensions != 0) out.emplace("dimensions", attribute.dimensions);
  LogicalValue::List roles;
  for (const AttributeRole& role : attribute.roles) roles.emplace_back(role_text(role));
  if (!roles.empty()) out.emplace("roles", std::move(roles));
  return out;
}

LogicalValue projection_document(ProjectionType type, const std::vector<std::string>& fields) {
  LogicalItem projection{{"type", projection_name(type)}};
  if (!fields.empty()) projection.emplace("fields", list_of(fields));
  return projection;
}

LogicalValue index_document(const ModelIndex& index) {
  LogicalItem out{{"name", index.name},
                  {"type", index_type_name(index.type)},
                  {"partition", key_document(index.partition_key)},
                  {"projection", projection_document(index.projection, index.included_attributes)}};
  if (index.sort_key) out.emplace("sort", key_document(*index.sort_key));
  return out;
}

LogicalValue vector_index_document(const ModelVectorIndex& index) {
  LogicalItem out{{"name", index.name},
                  {"attribute", index.attribute},
                  {"distance", vector_distance_name(index.distance)},
                  {"projection", projection_document(index.projection, index.included_attributes)}};
  LogicalValue::List search;
  for (const SearchAttribute& one : index.search)
    search.emplace_back(
        LogicalItem{{"attribute", one.name}, {"type", key_type_name(one.type)}, {"role", search_role_name(one.role)}});
  if (!search.empty()) out.emplace("search", std::move(search));
  return out;
}

LogicalValue policy_document(const WritePolicy& policy) {
  return LogicalItem{{"mode", write_mode_name(policy.mode)},
                     {"protected_attributes", list_of(policy.protected_attributes)}};
}

LogicalValue model_document(const Model& model) {
  LogicalItem keys{{"partition", key_document(model.partition_key)}};
  if (model.sort_key) keys.emplace("sort", key_document(*model.sort_key));
  LogicalValue::List attributes;
  for (const ModelAttribute& attribute : model.attributes) attributes.push_back(attribute_document(attribute));
  LogicalItem out{{"name", model.name},
                  {"table", LogicalItem{{"name", model.table}}},
                  {"keys", std::move(keys)},
                  {"attributes", std::move(attributes)}};
  if (model.naming != NamingConvention::kNone)
    out.emplace("naming", LogicalItem{{"convention", convention_name(model.naming)}});
  if (model.write_policy != WritePolicy{}) out.emplace("write_policy", policy_document(model.write_policy));
  LogicalValue::List indexes;
  for (const ModelIndex& index : model.indexes) indexes.push_back(index_document(index));
  if (!indexes.empty()) out.emplace("indexes", std::move(indexes));
  LogicalValue::List vector_indexes;
  for (const ModelVectorIndex& index : model.vector_indexes) vector_indexes.push_back(vector_index_document(index));
  if (!vector_indexes.empty()) out.emplace("vector_indexes", std::move(vector_indexes));
  return out;
}

}  // namespace

std::string_view format_name(AttributeFormat format) {
  switch (format) {
    case AttributeFormat::kRfc3339Nano: return "rfc3339nano";
    case AttributeFormat::kUnixSeconds: return "unix_seconds";
    case AttributeFormat::kInt: return "int";
    case AttributeFormat::kDecimalString: return "decimal_string";
    case AttributeFormat::kVector: return "vector";
    case AttributeFormat::kNone: break;
  }
  return "";
}

std::string_view projection_name(ProjectionType projection) {
  switch (projection) {
    case ProjectionType::kAll: return "ALL";
    case ProjectionType::kKeysOnly: return "KEYS_ONLY";
    case ProjectionType::kInclude: break;
  }
  return "INCLUDE";
}

std::string_view index_type_name(IndexType type) { return type == IndexType::kLocal ? "LSI" : "GSI"; }

std::string_view write_mode_name(WriteMode mode) { return mode == WriteMode::kWriteOnce ? "write_once" : "mutable"; }

LogicalValue dms_document(const ModelSet& set) {
  LogicalValue::List models;
  DmsVersion version = set.dms_version;
  for (const Model& model : set.models) {
    models.push_back(model_document(model));
    version = std::max(version, model.dms_version);
  }
  LogicalItem out{{"dms_version", dms_version_text(version)}, {"models", std::move(models)}};
  if (!set.namespace_name.empty()) out.emplace("namespace", set.namespace_name);
  return out;
}

}  // namespace dolmen
