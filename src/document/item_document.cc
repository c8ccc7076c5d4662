// Documents as items, and items as documents.
#include <algorithm>

#include "base/fail.h"
#include "config/read.h"
#include "dolmen/typed_documents.h"
#include "protocol/object_writer.h"
#include "schema/limits.h"
#include "schema/violations.h"
#include "value/json.h"

namespace dolmen::detail {
namespace {

using config::Node;

void append_fields(std::string& out, const std::vector<SchemaField>& fields, const Item& item);

/// A value that fits its type.
void append_typed(std::string& out, const SchemaType& type, const AttributeValue& value) {
  switch (type.type) {
    case FieldType::kString: json::append_string(out, value.string()); break;
    case FieldType::kBool: out.append(value.boolean() ? "true" : "false"); break;
    case FieldType::kInt: out.append(value.number().to_string()); break;
    case FieldType::kFloat: {
      const std::string text = value.number().to_string();
      out.append(text).append(text.find('.') == std::string::npos ? ".0" : "");
      break;
    }
    case FieldType::kObject: append_fields(out, type.fields, value.map()); break;
    case FieldType::kArray:
      append_array(out, value.list(),
                   [&](const AttributeValue& element) { append_typed(out, type.element.front(), element); });
      break;
  }
}

void append_fields(std::string& out, const std::vector<SchemaField>& fields, const Item& item) {
  ObjectWriter object(out);
  for (const SchemaField& field : fields)
    if (const AttributeValue* value = item.find(field.name))
      append_typed(object.member(field.name), field.type, *value);
  object.end();
}

Result<AttributeValue> value_of(const Node& node);

Result<Item> map_of(const Node& node) {
  Item item;
  for (const Node::Entry& entry : node.entries) {
    DOLMEN_TRY(AttributeValue value, value_of(entry.value));
    item.set(entry.name, std::move(value));
  }
  return item;
}

Result<AttributeValue> value_of(const Node& node) {
  switch (node.kind) {
    case Node::Kind::kNull: return AttributeValue(nullptr);
    case Node::Kind::kBoolean: return AttributeValue(node.boolean);
    case Node::Kind::kString: return AttributeValue(node.text);
    case Node::Kind::kNumber: {
      DOLMEN_TRY(Number number, Number::parse(node.text));
      return AttributeValue(number);
    }
    case Node::Kind::kList: {
      List list;
      for (const Node& element : node.elements) {
        DOLMEN_TRY(list.emplace_back(), value_of(element));
      }
      return AttributeValue(std::move(list));
    }
    case Node::Kind::kMap: {
      DOLMEN_TRY(Item item, map_of(node));
      return AttributeValue(std::move(item));
    }
  }
  return AttributeValue(nullptr);
}

}  // namespace

Result<std::string> document_from_item(const Schema& schema, const Item& item) {
  if (std::vector<ErrorDetail> violations = item_violations(schema, item); !violations.empty())
    return std::unexpected(schema::validation_error(schema.ref, std::move(violations)));
  std::string out;
  append_fields(out, schema.fields, item);
  return out;
}

Result<Item> item_from_document(std::string_view document) {
  const config::Reading reading =
      config::read_json(document, {.bytes = limits::kDocumentTextBytes, .depth = limits::kDocumentNesting + 1});
  if (!reading.root || reading.root->kind != Node::Kind::kMap)
    return fail(Code::kCorruption, "a stored document cannot be read");
  return map_of(*reading.root);
}

}  // namespace dolmen::detail
