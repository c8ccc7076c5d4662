#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/node.h"
#include "dolmen/error.h"
#include "dolmen/value.h"

namespace dolmen {

/// An attribute value to the letter: numbers as they were written, sets in their order. Cursors and encrypted values
/// are texts that several languages write, so what is read must be what is written.
struct TypedValue {
  using Map = std::map<std::string, TypedValue, std::less<>>;

  Type type = Type::kNull;
  /// Of a string, a number, or the bytes of a binary value.
  std::string text = {};
  bool boolean = false;
  /// Of a set; strings, numbers as text, or bytes.
  std::vector<std::string> elements = {};
  std::vector<TypedValue> list = {};
  Map map = {};

  friend bool operator==(const TypedValue&, const TypedValue&) = default;
};

TypedValue typed_value(const AttributeValue& value);

/// Fails with kInvalidModel when a number is none or a set has an element twice.
Result<AttributeValue> attribute_value(const TypedValue& value);
Result<Item> item_of(const TypedValue::Map& map);

/// Reads {"S": "…"} and the like: exactly one member, whose name is a type. Fails with kInvalidModel.
Result<TypedValue> parse_typed_value(const config::Node& node);
Result<TypedValue::Map> parse_typed_map(const config::Node& node);

/// Appends the same form as Go's encoding/json does, with < > & and the line separators escaped.
void append_go_json(std::string& out, const TypedValue& value);
void append_go_json(std::string& out, const TypedValue::Map& map);
void append_go_string(std::string& out, std::string_view text);

/// The type of that name; nothing when there is none.
std::optional<Type> type_of_name(std::string_view name);

}  // namespace dolmen
