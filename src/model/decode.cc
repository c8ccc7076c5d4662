#include <algorithm>
#include <fmt/format.h>

#include "base/fail.h"
#include "dolmen/model/item.h"
#include "model/attribute_codec.h"
#include "model/types.h"

namespace dolmen {

namespace {

std::unexpected<Error> mismatch(const ModelAttribute& attribute, const AttributeValue& value) {
  return fail(Code::kInvalidModel, "attribute \"{}\" is stored as {}, but the model says {}", attribute.name,
              type_name(value.type()), type_name(attribute.type));
}

bool all_of_type(const List& list, Type type) {
  return std::ranges::all_of(list, [&](const AttributeValue& element) { return element.type() == type; });
}

/// Go stores blobs as lists of the numbers 0 to 255.
std::optional<Bytes> bytes_of(const List& list) {
  std::string bytes;
  for (const AttributeValue& element : list) {
    const Number* number = element.get_if<Number>();
    const std::optional<std::int64_t> byte = number == nullptr ? std::nullopt : number->to_int64();
    if (!byte || *byte < 0 || *byte > 255) return std::nullopt;
    bytes.push_back(static_cast<char>(*byte));
  }
  return Bytes(std::move(bytes));
}

/// Forms that other implementations write although the specification has another.
std::optional<LogicalValue> decode_drift(const ModelAttribute& attribute, const AttributeValue& value) {
  const List* list = value.get_if<List>();
  if (list == nullptr) return std::nullopt;
  switch (attribute.type) {
    case Type::kBinary:
      if (std::optional<Bytes> bytes = bytes_of(*list)) return LogicalValue(std::move(*bytes));
      return std::nullopt;
    case Type::kStringSet:
      return all_of_type(*list, Type::kString) ? std::optional(LogicalValue::from(value)) : std::nullopt;
    case Type::kNumberSet:
      return all_of_type(*list, Type::kNumber) ? std::optional(LogicalValue::from(value)) : std::nullopt;
    case Type::kBinarySet:
      return all_of_type(*list, Type::kBinary) ? std::optional(LogicalValue::from(value)) : std::nullopt;
    default: return std::nullopt;
  }
}

Result<LogicalValue> decode_null(const Model& model, const ModelAttribute& attribute) {
  if (!null_is_read(model, attribute)) return mismatch(attribute, nullptr);
  if (is_set(attribute.type)) return LogicalValue(LogicalValue::List{});
  return LogicalValue(nullptr);
}

/// A JSON value is stored as its text or as what it is, whichever of them the model says: old items have the other.
Result<LogicalValue> decode_json(const ModelAttribute& attribute, const AttributeValue& value, bool takes_other_form) {
  switch (value.type()) {
    case Type::kString: {
      if (attribute.type != Type::kString && !takes_other_form) break;
      Result<LogicalValue> parsed = parse_json(value.string());
      if (!parsed)
        return fail(Code::kInvalidModel, "attribute \"{}\" is not stored as JSON: {}", attribute.name,
                    parsed.error().message());
      return parsed;
    }
    case Type::kNumber:
    case Type::kBool:
    case Type::kList:
    case Type::kMap:
      if (value.type() == attribute.type || takes_other_form) return LogicalValue::from(value);
      break;
    default: break;
  }
  return mismatch(attribute, value);
}

Result<LogicalValue> decode_plain(const Model& model, const ModelAttribute& attribute, const AttributeValue& value,
                                  const DecodeOptions& options) {
  if (value.type() == Type::kNull) return decode_null(model, attribute);
  if (attribute.json) return decode_json(attribute, value, options.lenient || model.dms_version != DmsVersion::k0_1);
  if (value.type() == attribute.type) return LogicalValue::from(value);
  if (options.lenient) {
    if (std::optional<LogicalValue> drifted = decode_drift(attribute, value)) return std::move(*drifted);
  }
  return mismatch(attribute, value);
}

}  // namespace

const ValueConverter* find_converter(const Converters* converters, const ModelAttribute& attribute) {
  if (converters == nullptr) return nullptr;
  const auto found = converters->find(attribute.name);
  return found == converters->end() ? nullptr : &found->second;
}

Result<LogicalValue> decode_attribute(const Model& model, const ModelAttribute& attribute, const AttributeValue& value,
                                      const DecodeOptions& options) {
  if (const ValueConverter* converter = find_converter(options.converters, attribute); converter != nullptr) {
    DecodeOptions rest = options;
    rest.converters = nullptr;
    DOLMEN_TRY(LogicalValue stored, decode_attribute(model, attribute, value, rest));
    if (stored.is_null()) return stored;
    Result<LogicalValue> result = converter->from_stored(stored);
    if (!result) return fail(Code::kInvalidModel, "attribute \"{}\": {}", attribute.name, result.error().message());
    return result;
  }
  if (!attribute.encrypted) return decode_plain(model, attribute, value, options);
  DOLMEN_TRY_VOID(check_encryption(model, options.keys));
  DOLMEN_TRY(const AttributeValue plain,
             unseal(value, {.model = model.name, .attribute = attribute.name}, *options.keys));
  return decode_plain(model, attribute, plain, options);
}

Result<DecodedItem> decode_item(const Model& model, const Item& item, const DecodeOptions& options) {
  DOLMEN_TRY_VOID(check_encryption(model, options.keys));
  DecodedItem decoded;
  for (const auto& [name, value] : item) {
    const ModelAttribute* attribute = model.find(name);
    if (attribute == nullptr) {
      decoded.unknown.set(name, value);
    } else {
      DOLMEN_TRY(decoded.values[name], decode_attribute(model, *attribute, value, options));
    }
  }
  return decoded;
}

}  // namespace dolmen
