#include "value/json_types.h"

#include <algorithm>
#include <optional>

#include "base/ascii.h"
#include "base/base64.h"
#include "base/check.h"
#include "base/fail.h"

namespace dolmen::json {
namespace {

using simdjson::dom::element_type;

constexpr std::string_view kModel = "com.amazonaws.dynamodb.v20120810.";

std::unexpected<Error> unexpected_structure() {
  return fail(Code::kSerialization, "Start of structure or map found where not expected");
}

std::unexpected<Error> unexpected_collection(std::string_view type) {
  return fail(Code::kSerialization, "Unrecognized collection type {}", type);
}

/// DynamoDB's name for a scalar JSON token.
std::string_view token_name(Element element) {
  switch (element.type()) {
    case element_type::BOOL: return element.get_bool().value_unsafe() ? "TRUE_VALUE" : "FALSE_VALUE";
    case element_type::DOUBLE: return "DECIMAL_VALUE";
    case element_type::STRING: return "STRING_VALUE";
    default: return "NUMBER_VALUE";
  }
}

/// The error for any token where a scalar of a Java type is expected.
std::unexpected<Error> not_a_scalar(Element element, std::string_view java_type) {
  if (element.is_object()) return unexpected_structure();
  if (element.is_array()) return unexpected_collection(fmt::format("class java.lang.{}", java_type));
  return fail(Code::kSerialization, "{} cannot be converted to {}", token_name(element), java_type);
}

/// A number without its fraction. Nothing when the element is not a number or needs more than 64 bits.
std::optional<std::int64_t> whole_part(Element element) {
  std::int64_t integer = 0;
  if (element.get_int64().get(integer) == simdjson::SUCCESS) return integer;
  double number = 0;
  if (element.get_double().get(number) != simdjson::SUCCESS) return std::nullopt;
  constexpr double kEnd = 0x1p63;  // The first number that does not fit.
  return number >= -kEnd && number < kEnd ? std::optional(static_cast<std::int64_t>(number)) : std::nullopt;
}

/// A string or a number without anything wrong, as most values are. Inlined where many values are checked.
inline bool is_text_or_number(Element element) {
  if (element.type() != element_type::OBJECT) return false;
  const Object members = object_of(element);
  if (members.size() != 1) return false;
  const auto only = members.begin();
  const std::string_view type = only.key();
  return (type == "S" || type == "N") && is_string(only.value());
}

template <class Check>
Result<void> check_each(Element list, Check check) {
  DOLMEN_TRY_VOID(check_list(list));
  for (const Element element : array_of(list))
    if (!element.is_null()) DOLMEN_TRY_VOID(check(element));
  return {};
}

Result<void> check_element(Element element) {
  if (is_text_or_number(element)) return {};
  return check_attribute_value(element, StructurePlace::kElement);
}

Result<void> check_typed_value(Type type, Element value) {
  switch (type) {
    case Type::kString:
    case Type::kNumber: return check_string(value);
    case Type::kBinary: return check_blob(value);
    case Type::kBool:
    case Type::kNull: return check_boolean(value);
    case Type::kMap: return check_attribute_map(value);
    case Type::kList: return check_each(value, check_element);
    case Type::kStringSet:
    case Type::kNumberSet: return check_each(value, check_string);
    case Type::kBinarySet: return check_each(value, check_blob);
  }
  DOLMEN_UNREACHABLE("a type outside the closed list");
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return equals_ignoring_case(text, word); });
}

bool is_true_text(std::string_view text) { return is_one_of(text, {"TRUE", "1", "YES"}); }
bool is_false_text(std::string_view text) { return is_one_of(text, {"FALSE", "0", "NO"}); }

}  // namespace

Result<void> check_string(Element element) {
  if (is_string(element)) return {};
  return not_a_scalar(element, "String");
}

Result<void> check_blob(Element element) {
  if (element.is_object()) return unexpected_structure();
  if (element.is_array()) return unexpected_collection("class java.nio.ByteBuffer");
  if (!element.is_string()) return fail(Code::kSerialization, "only base-64-encoded strings are convertible to bytes");
  return check_base64(string_of(element));
}

Result<void> check_boolean(Element element) {
  if (element.is_bool()) return {};
  if (!element.is_string()) return not_a_scalar(element, "Boolean");
  if (is_true_text(string_of(element)) || is_false_text(string_of(element))) return {};
  return fail(Code::kSerialization, "Unexpected token received from parser");
}

bool boolean_of(Element element) {
  return element.is_bool() ? element.get_bool().value_unsafe() : is_true_text(string_of(element));
}

Result<void> check_double(Element element) {
  if (element.is_number()) return {};
  return not_a_scalar(element, "Double");
}

Result<void> check_integer(Element element, const IntegerType& type) {
  const std::optional<std::int64_t> integer = whole_part(element);
  if (integer && *integer >= type.min && *integer <= type.max) return {};
  return not_a_scalar(element, type.name);
}

std::int64_t integer_of(Element element) {
  const std::optional<std::int64_t> integer = whole_part(element);
  DOLMEN_CHECK(integer.has_value(), "integers are checked before they are read");
  return *integer;
}

Result<void> check_list(Element element) {
  if (element.is_array()) return {};
  if (element.is_object()) return unexpected_structure();
  return fail(Code::kSerialization, "Unexpected field type");
}

Result<void> check_map(Element element, std::string_view java_value_type) {
  if (element.is_object()) return {};
  if (element.is_array())
    return unexpected_collection(fmt::format("java.util.Map<java.lang.String, {}>", java_value_type));
  return fail(Code::kSerialization, "Unexpected field type");
}

Result<void> check_structure(Element element, std::string_view shape, StructurePlace place) {
  if (element.is_object()) return {};
  if (element.is_array()) return unexpected_collection(fmt::format("class {}{}", kModel, shape));
  return fail(Code::kSerialization, "{}",
              place == StructurePlace::kField ? "Unexpected field type" : "Unexpected value type in payload");
}

Result<void> check_attribute_value(Element element, StructurePlace place) {
  if (!element.is_object()) return check_structure(element, "AttributeValue", place);
  for (const auto [name, value] : object_of(element)) {
    // Members that the service model does not define are ignored.
    const std::optional<Type> type = type_named(name);
    if (type && !value.is_null()) DOLMEN_TRY_VOID(check_typed_value(*type, value));
  }
  return {};
}

Result<void> check_attribute_map(Element element) {
  if (!element.is_object()) return check_map(element, fmt::format("{}AttributeValue", kModel));
  for (const auto [name, value] : object_of(element))
    if (!value.is_null()) DOLMEN_TRY_VOID(check_element(value));
  return {};
}

}  // namespace dolmen::json
