#include "contract/definition.h"

#include <algorithm>

#include "base/fail.h"
#include "protocol/object_writer.h"
#include "value/json.h"

namespace dolmen::contract {
namespace {

using config::Node;

Result<const std::vector<Node>*> list_member(const Node& object, std::string_view name) {
  static const std::vector<Node> kNone;
  const Node* found = object.find(name);
  if (found == nullptr) return &kNone;
  if (found->kind != Node::Kind::kList) return fail(Code::kQueryInvalid, "{} must be a list", name);
  return &found->elements;
}

Result<ModelFile> model_file_in(const Node& node) {
  DOLMEN_TRY_VOID(check_members(node, {"file", "text"}));
  ModelFile file;
  DOLMEN_TRY(file.name, text_member(node, "file"));
  DOLMEN_TRY(file.text, text_member(node, "text"));
  if (file.name.empty()) file.name = "models.yml";
  return file;
}

Result<Kind> kind_in(const Node& node) {
  DOLMEN_TRY_VOID(
      check_members(node, {"model", "schema_id", "schema_version", "partition_prefix", "sort_prefix", "value"}));
  Kind kind;
  DOLMEN_TRY(kind.model, text_member(node, "model"));
  DOLMEN_TRY(kind.schema.id, text_member(node, "schema_id"));
  DOLMEN_TRY(kind.schema.version, text_member(node, "schema_version"));
  DOLMEN_TRY(kind.partition_prefix, text_member(node, "partition_prefix"));
  DOLMEN_TRY(kind.sort_prefix, text_member(node, "sort_prefix"));
  if (node.find("value") != nullptr) {
    DOLMEN_TRY(kind.value, text_member(node, "value"));
  }
  if (kind.model.empty() == kind.schema.id.empty())
    return fail(Code::kQueryInvalid, "a kind must name either a model, or a schema by schema_id and schema_version");
  return kind;
}

template <class ReadSchema>
Result<Definition> definition_with(const Node& object, ReadSchema read_schema) {
  Definition definition;
  DOLMEN_TRY(const std::vector<Node>* models, list_member(object, "models"));
  for (const Node& node : *models) {
    DOLMEN_TRY(definition.models.emplace_back(), model_file_in(node));
  }
  DOLMEN_TRY(const std::vector<Node>* schemas, list_member(object, "schemas"));
  for (const Node& node : *schemas) {
    DOLMEN_TRY(definition.schemas.emplace_back(), read_schema(node));
  }
  DOLMEN_TRY(definition.discriminator, text_member(object, "discriminator"));
  DOLMEN_TRY(const std::vector<Node>* kinds, list_member(object, "kinds"));
  for (const Node& node : *kinds) {
    DOLMEN_TRY(definition.kinds.emplace_back(), kind_in(node));
  }
  return definition;
}

void append_text(ObjectWriter& object, std::string_view name, std::string_view text) {
  json::append_string(object.member(name), text);
}

void append_kind(std::string& out, const Kind& kind) {
  ObjectWriter object(out);
  if (!kind.model.empty()) append_text(object, "model", kind.model);
  if (!kind.schema.id.empty()) {
    append_text(object, "schema_id", kind.schema.id);
    append_text(object, "schema_version", kind.schema.version);
  }
  if (!kind.partition_prefix.empty()) append_text(object, "partition_prefix", kind.partition_prefix);
  if (!kind.sort_prefix.empty()) append_text(object, "sort_prefix", kind.sort_prefix);
  if (kind.value) append_text(object, "value", *kind.value);
  object.end();
}

}  // namespace

Result<std::string> text_member(const Node& object, std::string_view name) {
  const Node* found = object.find(name);
  if (found == nullptr) return std::string();
  if (found->kind != Node::Kind::kString) return fail(Code::kQueryInvalid, "{} must be a string", name);
  return found->text;
}

Result<void> check_members(const Node& object, std::initializer_list<std::string_view> allowed) {
  if (object.kind != Node::Kind::kMap)
    return fail(Code::kQueryInvalid, "a JSON object with {} is expected", *allowed.begin());
  for (const Node::Entry& entry : object.entries)
    if (std::ranges::find(allowed, entry.name) == allowed.end())
      return fail(Code::kQueryInvalid, "{} is not a parameter", entry.name);
  return {};
}

Result<Definition> definition_in(const Node& request, const SchemaText& schema_text) {
  return definition_with(request, [&](const Node& node) -> Result<std::string> {
    DOLMEN_TRY_VOID(check_members(node, {"schema_id", "schema_version"}));
    SchemaRef ref;
    DOLMEN_TRY(ref.id, text_member(node, "schema_id"));
    DOLMEN_TRY(ref.version, text_member(node, "schema_version"));
    return schema_text(ref);
  });
}

Result<Definition> stored_definition(const Node& object) {
  return definition_with(object, [](const Node& node) -> Result<std::string> {
    if (node.kind != Node::Kind::kString) return fail(Code::kQueryInvalid, "a schema must be a string");
    return node.text;
  });
}

std::string text_of(const Definition& definition) {
  std::string out;
  ObjectWriter object(out);
  if (!definition.models.empty())
    append_array(object.member("models"), definition.models, [&](const ModelFile& file) {
      ObjectWriter model(out);
      append_text(model, "file", file.name);
      append_text(model, "text", file.text);
      model.end();
    });
  if (!definition.schemas.empty())
    append_array(object.member("schemas"), definition.schemas,
                 [&](const std::string& text) { json::append_string(out, text); });
  if (!definition.discriminator.empty()) append_text(object, "discriminator", definition.discriminator);
  if (!definition.kinds.empty())
    append_array(object.member("kinds"), definition.kinds, [&](const Kind& kind) { append_kind(out, kind); });
  object.end();
  return out;
}

}  // namespace dolmen::contract
