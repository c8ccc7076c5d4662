#include "model/attribute_codec.h"

#include <algorithm>

#include "base/fail.h"
#include "model/json_text.h"
#include "model/types.h"
#include "model/vector_value.h"

namespace dolmen {

namespace {

/// JSON has lists only, and what was written as a set would be read as a list.
bool holds_sets(const AttributeValue& value) {
  if (const List* list = value.get_if<List>(); list != nullptr) return std::ranges::any_of(*list, holds_sets);
  if (const Item* map = value.get_if<Item>(); map != nullptr)
    return std::ranges::any_of(*map, [](const Item::Attribute& member) { return holds_sets(member.second); });
  return is_set(value.type());
}

Result<void> check_type(const ModelAttribute& attribute, const AttributeValue& value) {
  if (value.type() == attribute.type) return {};
  return fail(Code::kInvalidModel, "attribute \"{}\" is of type {} and cannot hold {}", attribute.name,
              type_name(attribute.type), type_name(value.type()));
}

Result<void> store_json(const ModelAttribute& attribute, AttributeValue& value) {
  if (value.type() == Type::kNull) return {};
  if (holds_sets(value))
    return fail(Code::kInvalidModel, "attribute \"{}\" is json, and JSON has no sets; use a list", attribute.name);
  Result<std::string> text = readable_json(LogicalValue::from(value));
  if (!text) return fail(Code::kInvalidModel, "attribute \"{}\": {}", attribute.name, text.error().message());
  if (!is_json_text(attribute)) return check_type(attribute, value);
  value = std::move(*text);
  return {};
}

/// The checks and conversions of everything but encryption.
Result<void> store_plain(const Model& model, const ModelAttribute& attribute, AttributeValue& value) {
  if (attribute.json) return store_json(attribute, value);
  if (value.type() == Type::kNull && (is_set(attribute.type) || may_be_null(model, attribute))) return {};
  DOLMEN_TRY_VOID(check_type(attribute, value));
  return check_format(attribute, value);
}

bool is_zero_text(const ModelAttribute& attribute, const std::string& text) {
  if (attribute.format != AttributeFormat::kRfc3339Nano) return false;
  const Result<Timestamp> time = parse_timestamp(text);
  return time && time->is_zero();
}

/// The zero time of Go in seconds; 0 is empty as every number is.
bool is_zero_seconds(const ModelAttribute& attribute, const Number& number) {
  const std::optional<std::int64_t> seconds = number.to_int64();
  return holds_seconds(attribute) && seconds && Timestamp{.seconds = *seconds}.is_zero();
}

bool is_whole(const Number& number) {
  return number.to_int64().has_value() || number.to_string().find('.') == std::string::npos;
}

bool takes_whole_numbers(const ModelAttribute& attribute) {
  return attribute.format == AttributeFormat::kInt || attribute.format == AttributeFormat::kUnixSeconds ||
         attribute.has_role(Role::kTtl) || attribute.has_role(Role::kVersion);
}

}  // namespace

std::optional<FormatBreach> format_breach(const ModelAttribute& attribute, const AttributeValue& value) {
  if (is_vector(attribute))
    return vector_breach(attribute.dimensions, value).empty() ? std::nullopt : std::optional(FormatBreach::kNotAVector);
  if (const std::string* text = value.get_if<std::string>(); text != nullptr) {
    const bool is_wrong =
        attribute.format == AttributeFormat::kRfc3339Nano && !parse_timestamp(*text, TimestampSyntax::kGo);
    return is_wrong ? std::optional(FormatBreach::kNotATime) : std::nullopt;
  }
  const Number* number = value.get_if<Number>();
  if (number == nullptr || !takes_whole_numbers(attribute) || is_whole(*number)) return std::nullopt;
  return FormatBreach::kNotWhole;
}

Result<void> check_format(const ModelAttribute& attribute, const AttributeValue& value) {
  const std::optional<FormatBreach> breach = format_breach(attribute, value);
  if (!breach) return {};
  if (*breach == FormatBreach::kNotWhole)
    return fail(Code::kInvalidModel, "attribute \"{}\" takes whole numbers only, not {}", attribute.name,
                value.number().to_string());
  if (*breach == FormatBreach::kNotAVector)
    return fail(Code::kInvalidModel, "attribute \"{}\" is a vector of {} 32-bit floats: {}", attribute.name,
                attribute.dimensions, vector_breach(attribute.dimensions, value));
  return fail(Code::kInvalidModel, "attribute \"{}\": {}", attribute.name,
              parse_timestamp(value.string(), TimestampSyntax::kGo).error().message());
}

bool is_zero_time(const ModelAttribute& attribute, const AttributeValue& value) {
  if (const std::string* text = value.get_if<std::string>(); text != nullptr) return is_zero_text(attribute, *text);
  const Number* number = value.get_if<Number>();
  return number != nullptr && is_zero_seconds(attribute, *number);
}

bool is_empty_value(const ModelAttribute& attribute, const LogicalValue& value) {
  if (is_empty(value)) return true;
  if (attribute.json) return false;
  if (const Timestamp* time = value.get_if<Timestamp>(); time != nullptr)
    return holds_seconds(attribute) && time->seconds == 0;
  const std::string* text = value.get_if<std::string>();
  if (text != nullptr && is_zero_text(attribute, *text)) return true;
  if (const LogicalNumber* given = value.get_if<LogicalNumber>(); given != nullptr) text = &given->text;
  if (text == nullptr || !holds_seconds(attribute)) return false;
  const Result<Number> number = Number::parse(*text);
  return number && (number->is_zero() || is_zero_seconds(attribute, *number));
}

bool is_stored_as_null(const ModelAttribute& attribute, const LogicalValue& value) {
  return attribute.type != Type::kNull && (value.is_null() || (is_set(attribute.type) && is_empty(value)));
}

bool is_stored_as_written(const ModelAttribute& attribute) {
  const bool has_form =
      attribute.format != AttributeFormat::kNone && attribute.format != AttributeFormat::kDecimalString;
  return !attribute.json && !attribute.encrypted && !has_form && !attribute.has_role(Role::kTtl) &&
         !attribute.has_role(Role::kVersion);
}

Result<void> store_form(const Model& model, const ModelAttribute& attribute, const EncodeOptions& options,
                        AttributeValue& value) {
  DOLMEN_TRY_VOID(store_plain(model, attribute, value));
  if (!attribute.encrypted) return {};
  DOLMEN_TRY_VOID(check_encryption(model, options.keys));
  DOLMEN_TRY(value, seal(value, {.model = model.name, .attribute = attribute.name}, *options.keys));
  return {};
}

Result<AttributeValue> written_form(const Model& model, const ModelAttribute& attribute, const AttributeValue& stored,
                                    const DecodeOptions& options) {
  if (!attribute.encrypted && !attribute.json && stored.type() == attribute.type) return stored;
  ModelAttribute plain = attribute;
  plain.encrypted = false;
  AttributeValue value = stored;
  if (attribute.encrypted) {
    DOLMEN_TRY_VOID(check_encryption(model, options.keys));
    DOLMEN_TRY(value, unseal(stored, {.model = model.name, .attribute = attribute.name}, *options.keys));
  }
  if (value.type() == Type::kNull) return value;
  if (!attribute.json && value.type() == attribute.type) return value;
  DOLMEN_TRY(LogicalValue logical, decode_attribute(model, plain, value, options));
  if (!attribute.json) return encode_attribute(model, plain, logical);
  if (logical.is_null()) return AttributeValue(nullptr);
  // A list of one, because only lists take values of every kind.
  const ModelAttribute document{.name = attribute.name, .type = Type::kList};
  LogicalValue::List list;
  list.push_back(std::move(logical));
  DOLMEN_TRY(const AttributeValue one, encode_attribute(model, document, std::move(list)));
  return one.list().front();
}

}  // namespace dolmen
