#include "contract/definition.h"

#include "base/fail.h"

namespace dolmen::contract {
namespace {

/// A string member; empty when there is none.
Result<std::string> text_or_empty(const ObjectView& object, std::string_view name) {
  DOLMEN_TRY(std::optional<std::string> text, object.optional_text(name));
  return std::move(text).value_or("");
}

Result<ModelFile> model_file_in(std::string_view json) {
  DOLMEN_TRY(const ObjectView object, ObjectView::part(json, {"file", "text"}));
  ModelFile file;
  DOLMEN_TRY(file.name, text_or_empty(object, "file"));
  DOLMEN_TRY(file.text, text_or_empty(object, "text"));
  if (file.name.empty()) file.name = "models.yml";
  return file;
}

Result<Kind> kind_in(std::string_view json) {
  DOLMEN_TRY(const ObjectView object, ObjectView::part(json, {"model", "schema_id", "schema_version",
                                                              "partition_prefix", "sort_prefix", "value"}));
  Kind kind;
  DOLMEN_TRY(kind.model, text_or_empty(object, "model"));
  DOLMEN_TRY(kind.schema.id, text_or_empty(object, "schema_id"));
  DOLMEN_TRY(kind.schema.version, text_or_empty(object, "schema_version"));
  DOLMEN_TRY(kind.partition_prefix, text_or_empty(object, "partition_prefix"));
  DOLMEN_TRY(kind.sort_prefix, text_or_empty(object, "sort_prefix"));
  DOLMEN_TRY(kind.value, object.optional_text("value"));
  if (kind.model.empty() == kind.schema.id.empty())
    return fail(Code::kQueryInvalid, "a kind must name either a model, or a schema by schema_id and schema_version");
  return kind;
}

template <class ReadSchema>
Result<Definition> definition_with(const ObjectView& object, ReadSchema read_schema) {
  Definition definition;
  DOLMEN_TRY(const std::vector<std::string_view> models, object.list("models"));
  for (const std::string_view json : models) {
    DOLMEN_TRY(definition.models.emplace_back(), model_file_in(json));
  }
  DOLMEN_TRY(const std::vector<std::string_view> schemas, object.list("schemas"));
  for (const std::string_view json : schemas) {
    DOLMEN_TRY(definition.schemas.emplace_back(), read_schema(json));
  }
  DOLMEN_TRY(definition.discriminator, text_or_empty(object, "discriminator"));
  DOLMEN_TRY(const std::vector<std::string_view> kinds, object.list("kinds"));
  for (const std::string_view json : kinds) {
    DOLMEN_TRY(definition.kinds.emplace_back(), kind_in(json));
  }
  return definition;
}

void write_kind(ObjectWriter& object, const Kind& kind) {
  if (!kind.model.empty()) object.text("model", kind.model);
  if (!kind.schema.id.empty()) object.text("schema_id", kind.schema.id).text("schema_version", kind.schema.version);
  if (!kind.partition_prefix.empty()) object.text("partition_prefix", kind.partition_prefix);
  if (!kind.sort_prefix.empty()) object.text("sort_prefix", kind.sort_prefix);
  if (kind.value) object.text("value", *kind.value);
}

}  // namespace

Result<Definition> definition_in(const ObjectView& request, const SchemaText& schema_text) {
  return definition_with(request, [&](std::string_view json) -> Result<std::string> {
    DOLMEN_TRY(const ObjectView object, ObjectView::part(json, {"schema_id", "schema_version"}));
    SchemaRef ref;
    DOLMEN_TRY(ref.id, text_or_empty(object, "schema_id"));
    DOLMEN_TRY(ref.version, text_or_empty(object, "schema_version"));
    return schema_text(ref);
  });
}

Result<Definition> stored_definition(std::string_view text) {
  DOLMEN_TRY(const ObjectView object, ObjectView::part(text, {"models", "schemas", "discriminator", "kinds"}));
  return definition_with(object, [](std::string_view json) -> Result<std::string> {
    std::optional<std::string> schema = json_text(json);
    if (!schema) return fail(Code::kQueryInvalid, "a schema must be a string");
    return *std::move(schema);
  });
}

void write_definition(ObjectWriter& object, const Definition& definition) {
  if (!definition.models.empty())
    object.objects("models", definition.models, [](ObjectWriter& model, const ModelFile& file) {
      model.text("file", file.name).text("text", file.text);
    });
  if (!definition.schemas.empty()) object.texts("schemas", definition.schemas);
  if (!definition.discriminator.empty()) object.text("discriminator", definition.discriminator);
  if (!definition.kinds.empty()) object.objects("kinds", definition.kinds, write_kind);
}

std::string text_of(const Definition& definition) {
  return object_text([&](ObjectWriter& object) { write_definition(object, definition); });
}

}  // namespace dolmen::contract
