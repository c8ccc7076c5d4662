#include "model/typed_value.h"

#include <fmt/format.h>

#include "base/base64.h"
#include "base/fail.h"

namespace dolmen {

namespace {

constexpr int kTypeCount = 10;

struct ToTyped {
  TypedValue operator()(const std::string& value) const { return {.type = Type::kString, .text = value}; }
  TypedValue operator()(const Number& value) const { return {.type = Type::kNumber, .text = value.to_string()}; }
  TypedValue operator()(const Bytes& value) const { return {.type = Type::kBinary, .text = std::string(value.view())}; }
  TypedValue operator()(bool value) const { return {.type = Type::kBool, .boolean = value}; }
  TypedValue operator()(std::nullptr_t) const { return {.type = Type::kNull, .boolean = true}; }
  TypedValue operator()(const List& value) const {
    TypedValue typed{.type = Type::kList};
    for (const AttributeValue& element : value) typed.list.push_back(typed_value(element));
    return typed;
  }
  TypedValue operator()(const Item& value) const {
    TypedValue typed{.type = Type::kMap};
    for (const auto& [name, member] : value) typed.map.emplace(name, typed_value(member));
    return typed;
  }
  TypedValue operator()(const StringSet& value) const {
    return {.type = Type::kStringSet, .elements = {value.begin(), value.end()}};
  }
  TypedValue operator()(const NumberSet& value) const {
    TypedValue typed{.type = Type::kNumberSet};
    for (const Number& element : value) typed.elements.push_back(element.to_string());
    return typed;
  }
  TypedValue operator()(const BinarySet& value) const {
    TypedValue typed{.type = Type::kBinarySet};
    for (const Bytes& element : value) typed.elements.emplace_back(element.view());
    return typed;
  }
};

Result<Number> number_of(const std::string& text) {
  Result<Number> number = Number::parse(text);
  if (!number) return fail(Code::kInvalidModel, "\"{}\" is not a number that DynamoDB can hold", text);
  return number;
}

template <class Set, class Convert>
Result<AttributeValue> set_of(const std::vector<std::string>& elements, Convert convert) {
  Set set;
  for (const std::string& text : elements) {
    DOLMEN_TRY(auto element, convert(text));
    if (!set.insert(std::move(element)).second) return fail(Code::kInvalidModel, "a set contains an element twice");
  }
  return Result<AttributeValue>(std::in_place, std::move(set));
}

Result<std::string> string_member(const config::Node& node, bool base64) {
  if (node.kind != config::Node::Kind::kString)
    return fail(Code::kInvalidModel, "expected a string, found a {}", kind_name(node.kind));
  if (!base64) return node.text;
  Result<std::string> bytes = decode_base64(node.text);
  if (!bytes) return fail(Code::kInvalidModel, "a binary value is not base64");
  return bytes;
}

Result<std::vector<std::string>> string_members(const config::Node& node, bool base64) {
  if (node.kind != config::Node::Kind::kList)
    return fail(Code::kInvalidModel, "expected a list of strings, found a {}", kind_name(node.kind));
  std::vector<std::string> out;
  for (const config::Node& element : node.elements) {
    DOLMEN_TRY(out.emplace_back(), string_member(element, base64));
  }
  return out;
}

Result<std::vector<TypedValue>> list_members(const config::Node& node) {
  if (node.kind != config::Node::Kind::kList)
    return fail(Code::kInvalidModel, "expected a list of values, found a {}", kind_name(node.kind));
  std::vector<TypedValue> out;
  for (const config::Node& element : node.elements) {
    DOLMEN_TRY(out.emplace_back(), parse_typed_value(element));
  }
  return out;
}

Result<bool> boolean_member(const config::Node& node) {
  if (node.kind != config::Node::Kind::kBoolean)
    return fail(Code::kInvalidModel, "expected true or false, found a {}", kind_name(node.kind));
  return node.boolean;
}

void append_base64_string(std::string& out, std::string_view bytes) {
  out.push_back('"');
  append_base64(out, bytes);
  out.push_back('"');
}

template <class Range, class Append>
void append_list(std::string& out, const Range& range, Append append) {
  out.push_back('[');
  bool first = true;
  for (const auto& element : range) {
    if (!first) out.push_back(',');
    first = false;
    append(out, element);
  }
  out.push_back(']');
}

}  // namespace

TypedValue typed_value(const AttributeValue& value) { return value.visit(ToTyped{}); }

Result<Item> item_of(const TypedValue::Map& map) {
  Item item;
  for (const auto& [name, member] : map) {
    DOLMEN_TRY(AttributeValue value, attribute_value(member));
    item.set(name, std::move(value));
  }
  return item;
}

Result<AttributeValue> attribute_value(const TypedValue& value) {
  switch (value.type) {
    case Type::kString: return AttributeValue(value.text);
    case Type::kNumber: {
      DOLMEN_TRY(const Number number, number_of(value.text));
      return AttributeValue(number);
    }
    case Type::kBinary: return AttributeValue(Bytes(value.text));
    case Type::kBool: return AttributeValue(value.boolean);
    case Type::kNull: return AttributeValue(nullptr);
    case Type::kList: {
      List list;
      for (const TypedValue& element : value.list) {
        DOLMEN_TRY(list.emplace_back(), attribute_value(element));
      }
      return AttributeValue(std::move(list));
    }
    case Type::kMap: {
      DOLMEN_TRY(Item item, item_of(value.map));
      return AttributeValue(std::move(item));
    }
    case Type::kStringSet:
      return set_of<StringSet>(value.elements, [](const std::string& text) { return Result<std::string>(text); });
    case Type::kNumberSet: return set_of<NumberSet>(value.elements, number_of);
    case Type::kBinarySet: break;
  }
  return set_of<BinarySet>(value.elements, [](const std::string& bytes) { return Result<Bytes>(Bytes(bytes)); });
}

std::optional<Type> type_of_name(std::string_view name) {
  for (int i = 0; i < kTypeCount; ++i)
    if (type_name(static_cast<Type>(i)) == name) return static_cast<Type>(i);
  return std::nullopt;
}

Result<TypedValue> parse_typed_value(const config::Node& node) {
  if (node.kind != config::Node::Kind::kMap || node.entries.size() != 1)
    return fail(Code::kInvalidModel, "a value must be a map with one member that names its type");
  const auto& [name, position, member] = node.entries.front();
  const std::optional<Type> type = type_of_name(name);
  if (!type) return fail(Code::kInvalidModel, "\"{}\" is not a DynamoDB type", name);
  TypedValue value{.type = *type};
  switch (*type) {
    case Type::kString:
    case Type::kNumber:
    case Type::kBinary: {
      DOLMEN_TRY(value.text, string_member(member, *type == Type::kBinary));
      break;
    }
    case Type::kBool: {
      DOLMEN_TRY(value.boolean, boolean_member(member));
      break;
    }
    case Type::kNull: {
      DOLMEN_TRY(value.boolean, boolean_member(member));
      if (!value.boolean) return fail(Code::kInvalidModel, "NULL must be true");
      break;
    }
    case Type::kList: {
      DOLMEN_TRY(value.list, list_members(member));
      break;
    }
    case Type::kMap: {
      DOLMEN_TRY(value.map, parse_typed_map(member));
      break;
    }
    case Type::kStringSet:
    case Type::kNumberSet:
    case Type::kBinarySet: {
      DOLMEN_TRY(value.elements, string_members(member, *type == Type::kBinarySet));
      break;
    }
  }
  return value;
}

Result<TypedValue::Map> parse_typed_map(const config::Node& node) {
  if (node.kind != config::Node::Kind::kMap)
    return fail(Code::kInvalidModel, "expected a map of values, found a {}", kind_name(node.kind));
  TypedValue::Map map;
  for (const config::Node::Entry& entry : node.entries) {
    DOLMEN_TRY(map[entry.name], parse_typed_value(entry.value));
  }
  return map;
}

void append_go_json(std::string& out, const TypedValue::Map& map) {
  out.push_back('{');
  bool first = true;
  for (const auto& [name, member] : map) {
    if (!first) out.push_back(',');
    first = false;
    append_go_string(out, name);
    out.push_back(':');
    append_go_json(out, member);
  }
  out.push_back('}');
}

void append_go_json(std::string& out, const TypedValue& value) {
  out.append("{\"").append(type_name(value.type)).append("\":");
  switch (value.type) {
    case Type::kString:
    case Type::kNumber: append_go_string(out, value.text); break;
    case Type::kBinary: append_base64_string(out, value.text); break;
    case Type::kBool: out.append(value.boolean ? "true" : "false"); break;
    case Type::kNull: out.append("true"); break;
    case Type::kList:
      append_list(out, value.list, [](std::string& to, const TypedValue& element) { append_go_json(to, element); });
      break;
    case Type::kMap: append_go_json(out, value.map); break;
    case Type::kStringSet:
    case Type::kNumberSet: append_list(out, value.elements, append_go_string); break;
    case Type::kBinarySet: append_list(out, value.elements, append_base64_string); break;
  }
  out.push_back('}');
}

}  // namespace dolmen
