#include "cli/stored_value.h"

#include "base/base64.h"
#include "base/fail.h"

namespace dolmen::cli {

Result<NamedText> split_assignment(const std::string& assignment) {
  const std::size_t mark = assignment.find('=');
  if (mark == std::string::npos || mark == 0)
    return fail(Code::kInvalidArgument, "\"{}\" is not of the form NAME=VALUE", assignment);
  return NamedText{assignment.substr(0, mark), assignment.substr(mark + 1)};
}

Result<AttributeValue> stored_value(const LogicalValue& value) {
  if (value.is_null()) return AttributeValue(nullptr);
  if (const auto* flag = value.get_if<bool>()) return AttributeValue(*flag);
  if (const auto* text = value.get_if<std::string>()) return AttributeValue(*text);
  if (const auto* number = value.get_if<LogicalNumber>()) {
    DOLMEN_TRY(Number parsed, Number::parse(number->text));
    return AttributeValue(std::move(parsed));
  }
  if (const auto* list = value.get_if<LogicalValue::List>()) {
    List elements;
    for (const LogicalValue& each : *list) {
      DOLMEN_TRY(AttributeValue element, stored_value(each));
      elements.push_back(std::move(element));
    }
    return AttributeValue(std::move(elements));
  }
  if (const auto* map = value.get_if<LogicalValue::Map>()) {
    Item item;
    for (const auto& [name, each] : *map) {
      DOLMEN_TRY(AttributeValue member, stored_value(each));
      item.set(name, std::move(member));
    }
    return AttributeValue(std::move(item));
  }
  return fail(Code::kInvalidArgument, "a {} cannot be stored as an attribute", value.kind());
}

Result<Item> stored_item(const std::string& json, const std::string& what) {
  const Result<LogicalValue> read = parse_json(json);
  if (!read) return fail(Code::kInvalidArgument, "{} is not JSON: {}", what, read.error().message());
  DOLMEN_TRY(AttributeValue value, stored_value(*read));
  Item* item = value.get_if<Item>();
  if (item == nullptr) return fail(Code::kInvalidArgument, "{} must be a JSON object, not a {}", what, read->kind());
  return std::move(*item);
}

LogicalValue shown_value(const AttributeValue& value) {
  switch (value.type()) {
    case Type::kBinary: return encode_base64(value.binary().view());
    case Type::kBinarySet: {
      LogicalValue::List members;
      for (const Bytes& member : value.binary_set()) members.emplace_back(encode_base64(member.view()));
      return members;
    }
    case Type::kList: {
      LogicalValue::List elements;
      for (const AttributeValue& element : value.list()) elements.push_back(shown_value(element));
      return elements;
    }
    case Type::kMap: return shown_item(value.map());
    default: return LogicalValue::from(value);
  }
}

LogicalItem shown_item(const Item& item) {
  LogicalItem shown;
  for (const auto& [name, value] : item) shown.emplace(name, shown_value(value));
  return shown;
}

}  // namespace dolmen::cli
