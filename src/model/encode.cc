#include <algorithm>
#include <fmt/format.h>

#include "base/fail.h"
#include "dolmen/model/item.h"
#include "model/attribute_codec.h"
#include "model/json_text.h"
#include "model/put_rules.h"
#include "model/types.h"

namespace dolmen {

namespace {

std::unexpected<Error> wrong(const ModelAttribute& attribute, const LogicalValue& value) {
  return fail(Code::kInvalidModel, "attribute \"{}\" is of type {} and cannot hold a {}", attribute.name,
              type_name(attribute.type), value.kind());
}

/// Of a number, or of text that is one.
Result<Number> number_of(const ModelAttribute& attribute, const LogicalValue& value) {
  const std::string* text = value.get_if<std::string>();
  if (const LogicalNumber* number = value.get_if<LogicalNumber>(); number != nullptr) text = &number->text;
  if (text == nullptr) return wrong(attribute, value);
  Result<Number> number = Number::parse(*text);
  if (!number)
    return fail(Code::kInvalidModel, "attribute \"{}\": \"{}\" is not a number that DynamoDB can hold", attribute.name,
                *text);
  return number;
}

Result<AttributeValue> encode_number(const ModelAttribute& attribute, const LogicalValue& value) {
  if (const Timestamp* time = value.get_if<Timestamp>(); time != nullptr && holds_seconds(attribute))
    return AttributeValue(time->seconds);
  DOLMEN_TRY(const Number number, number_of(attribute, value));
  AttributeValue stored(number);
  DOLMEN_TRY_VOID(check_format(attribute, stored));
  return stored;
}

Result<AttributeValue> encode_string(const ModelAttribute& attribute, const LogicalValue& value, TimestampForm form) {
  if (const Timestamp* time = value.get_if<Timestamp>(); time != nullptr) {
    Result<std::string> text = format_timestamp(*time, form);
    if (!text) return fail(Code::kInvalidModel, "attribute \"{}\": {}", attribute.name, text.error().message());
    return AttributeValue(std::move(*text));
  }
  const std::string* text = value.get_if<std::string>();
  if (text == nullptr) return wrong(attribute, value);
  AttributeValue stored(*text);
  DOLMEN_TRY_VOID(check_format(attribute, stored));
  return stored;
}

/// The elements of a set, made by `make` from each; nothing at all is NULL, because DynamoDB has no empty sets.
template <class Set, class Make>
Result<AttributeValue> encode_set(const ModelAttribute& attribute, const LogicalValue& value, Make make) {
  const LogicalValue::List* list = value.get_if<LogicalValue::List>();
  if (list == nullptr) return wrong(attribute, value);
  if (list->empty()) return AttributeValue(nullptr);
  Set set;
  for (const LogicalValue& element : *list) {
    DOLMEN_TRY(auto made, make(element));
    if (!set.insert(std::move(made)).second)
      return fail(Code::kInvalidModel, "attribute \"{}\" is a set and contains an element twice", attribute.name);
  }
  return Result<AttributeValue>(std::in_place, std::move(set));
}

/// The element of a set, which must be a T.
template <class T>
auto element_of(const ModelAttribute& attribute) {
  return [&attribute](const LogicalValue& element) -> Result<T> {
    const T* value = element.get_if<T>();
    if (value == nullptr)
      return fail(Code::kInvalidModel, "attribute \"{}\" is of type {} and cannot contain a {}", attribute.name,
                  type_name(attribute.type), element.kind());
    return *value;
  };
}

/// Values inside lists and maps have no declared type; each gets the one that fits it.
class DocumentEncoder {
 public:
  DocumentEncoder(const ModelAttribute& attribute, TimestampForm form) : attribute_(attribute), form_(form) {}

  Result<AttributeValue> operator()(std::nullptr_t) const { return AttributeValue(nullptr); }
  Result<AttributeValue> operator()(bool value) const { return AttributeValue(value); }
  Result<AttributeValue> operator()(const LogicalNumber& value) const {
    DOLMEN_TRY(const Number number, number_of(attribute_, value));
    return AttributeValue(number);
  }
  Result<AttributeValue> operator()(const std::string& value) const { return AttributeValue(value); }
  Result<AttributeValue> operator()(const Bytes& value) const { return AttributeValue(value); }
  Result<AttributeValue> operator()(const Timestamp& value) const { return encode_string(attribute_, value, form_); }
  Result<AttributeValue> operator()(const LogicalValue::List& value) const {
    List list;
    for (const LogicalValue& element : value) {
      DOLMEN_TRY(list.emplace_back(), element.visit(*this));
    }
    return AttributeValue(std::move(list));
  }
  Result<AttributeValue> operator()(const LogicalValue::Map& value) const {
    Item map;
    for (const auto& [name, member] : value) {
      DOLMEN_TRY(AttributeValue encoded, member.visit(*this));
      map.set(name, std::move(encoded));
    }
    return AttributeValue(std::move(map));
  }

 private:
  const ModelAttribute& attribute_;
  TimestampForm form_;
};

template <class T>
Result<AttributeValue> exactly(const ModelAttribute& attribute, const LogicalValue& value) {
  const T* held = value.get_if<T>();
  if (held == nullptr) return wrong(attribute, value);
  return AttributeValue(*held);
}

template <class T>
Result<AttributeValue> document(const ModelAttribute& attribute, const LogicalValue& value, TimestampForm form) {
  if (value.get_if<T>() == nullptr) return wrong(attribute, value);
  return value.visit(DocumentEncoder(attribute, form));
}

Result<AttributeValue> encode_list(const ModelAttribute& attribute, const LogicalValue& value, TimestampForm form) {
  DOLMEN_TRY(AttributeValue stored, document<LogicalValue::List>(attribute, value, form));
  DOLMEN_TRY_VOID(check_format(attribute, stored));
  return stored;
}

Result<AttributeValue> encode_by_type(const ModelAttribute& attribute, const LogicalValue& value, TimestampForm form) {
  switch (attribute.type) {
    case Type::kString: return encode_string(attribute, value, form);
    case Type::kNumber: return encode_number(attribute, value);
    case Type::kBinary: return exactly<Bytes>(attribute, value);
    case Type::kBool: return exactly<bool>(attribute, value);
    case Type::kNull: return AttributeValue(nullptr);
    case Type::kList: return encode_list(attribute, value, form);
    case Type::kMap: return document<LogicalValue::Map>(attribute, value, form);
    case Type::kStringSet: return encode_set<StringSet>(attribute, value, element_of<std::string>(attribute));
    case Type::kNumberSet:
      return encode_set<NumberSet>(attribute, value,
                                   [&](const LogicalValue& element) { return number_of(attribute, element); });
    case Type::kBinarySet: break;
  }
  return encode_set<BinarySet>(attribute, value, element_of<Bytes>(attribute));
}

Result<AttributeValue> encode_json(const ModelAttribute& attribute, const LogicalValue& value, TimestampForm form) {
  if (value.is_null()) return AttributeValue(nullptr);
  Result<std::string> text = readable_json(value);
  if (!text) return fail(Code::kInvalidModel, "attribute \"{}\": {}", attribute.name, text.error().message());
  if (!is_json_text(attribute)) return encode_by_type(attribute, value, form);
  return AttributeValue(std::move(*text));
}

Result<AttributeValue> encode_plain(const Model& model, const ModelAttribute& attribute, const LogicalValue& value,
                                    TimestampForm form) {
  if (attribute.json) return encode_json(attribute, value, form);
  // As Go and Python write what they have no value for.
  if (value.is_null() && may_be_null(model, attribute)) return AttributeValue(nullptr);
  return encode_by_type(attribute, value, form);
}

Result<LogicalValue> converted(const ModelAttribute& attribute, const LogicalValue& value,
                               const ValueConverter& converter) {
  Result<LogicalValue> result = converter.to_stored(value);
  if (!result) return fail(Code::kInvalidModel, "attribute \"{}\": {}", attribute.name, result.error().message());
  return result;
}

/// A logical value as the rules of a put see it; null when there is none.
struct LogicalPutValue {
  const LogicalValue* value = nullptr;
  /// Not needed for keys.
  const ModelAttribute* attribute = nullptr;

  [[nodiscard]] bool is_missing() const { return value == nullptr; }
  [[nodiscard]] bool is_null() const { return value->is_null(); }
  [[nodiscard]] bool is_blank() const {
    const std::string* text = value->get_if<std::string>();
    const Bytes* bytes = value->get_if<Bytes>();
    return (text != nullptr && text->empty()) || (bytes != nullptr && bytes->empty());
  }
  [[nodiscard]] bool is_empty() const { return is_empty_value(*attribute, *value); }
};

/// Assembles the item of one put.
class PutEncoder {
 public:
  PutEncoder(const Model& model, const LogicalItem& item, const PutEncodeOptions& options)
      : model_(model), logical_(item), options_(options), rules_(options.check_required) {}

  Result<Item> encode() && {
    DOLMEN_TRY_VOID(check_encryption(model_, options_.values.keys));
    DOLMEN_TRY_VOID(check_names());
    DOLMEN_TRY_VOID(check_keys());
    for (const ModelAttribute& attribute : model_.attributes) {
      encode(attribute);
      if (rules_.error()) return std::unexpected(*rules_.error());
    }
    const std::vector<ErrorDetail>& problems = rules_.problems();
    if (!problems.empty()) return std::unexpected(Error(Code::kInvalidModel, problems.front().message, problems));
    return std::move(stored_);
  }

 private:
  [[nodiscard]] const LogicalValue* find(std::string_view name) const {
    const auto found = logical_.find(name);
    return found == logical_.end() ? nullptr : &found->second;
  }

  Result<void> check_names() const {
    std::vector<ErrorDetail> unknown;
    for (const auto& [name, value] : logical_)
      if (model_.find(name) == nullptr)
        unknown.push_back(
            {name, "unknown_attribute", fmt::format("model \"{}\" has no attribute \"{}\"", model_.name, name)});
    if (unknown.empty()) return {};
    std::string message = unknown.front().message;
    return std::unexpected(Error(Code::kInvalidModel, std::move(message), std::move(unknown)));
  }

  /// Before anything is encoded, so that no key for encryption is asked for in vain.
  Result<void> check_keys() const {
    for (const KeyAttribute* key : {&model_.partition_key, model_.sort_key ? &*model_.sort_key : nullptr}) {
      if (key == nullptr) continue;
      const ModelAttribute* attribute = model_.find(key->name);
      if (attribute != nullptr && is_owned_time(*attribute)) continue;
      if (std::optional<Error> error = key_error(key->name, LogicalPutValue{find(key->name)}))
        return std::unexpected(*std::move(error));
    }
    return {};
  }

  void encode(const ModelAttribute& attribute) {
    const PutAttribute rule = PutAttribute::of(model_, attribute);
    const LogicalValue* value = find(attribute.name);
    LogicalValue owned;
    switch (rules_.step(rule, LogicalPutValue{value, &attribute})) {
      case PutStep::kLeaveOut: return;
      case PutStep::kStore: break;
      case PutStep::kStoreNow:
        owned = options_.now;
        value = &owned;
        break;
      case PutStep::kStoreZero:
        owned = 0;
        value = &owned;
        break;
    }
    Result<AttributeValue> encoded = encode_attribute(model_, attribute, *value, options_.values);
    if (encoded)
      stored_.set(attribute.name, std::move(*encoded));
    else
      rules_.refuse(rule, encoded.error());
  }

  const Model& model_;
  const LogicalItem& logical_;
  const PutEncodeOptions& options_;
  PutRules rules_;
  Item stored_;
};

}  // namespace

Result<void> check_encryption(const Model& model, const KeyProvider* keys) {
  if (keys != nullptr || !model.has_encrypted_attributes()) return {};
  return fail(Code::kEncryptionNotConfigured, "model \"{}\" has encrypted attributes, but no keys are configured",
              model.name);
}

Result<AttributeValue> encode_attribute(const Model& model, const ModelAttribute& attribute, const LogicalValue& value,
                                        const EncodeOptions& options) {
  if (attribute.encrypted) DOLMEN_TRY_VOID(check_encryption(model, options.keys));
  if (const ValueConverter* converter = find_converter(options.converters, attribute); converter && !value.is_null()) {
    EncodeOptions rest = options;
    rest.converters = nullptr;
    DOLMEN_TRY(const LogicalValue stored, converted(attribute, value, *converter));
    return encode_attribute(model, attribute, stored, rest);
  }
  DOLMEN_TRY(AttributeValue plain, encode_plain(model, attribute, value, options.timestamp_form));
  if (!attribute.encrypted) return plain;
  return seal(plain, {.model = model.name, .attribute = attribute.name}, *options.keys);
}

Result<Item> encode_put(const Model& model, const LogicalItem& item, const PutEncodeOptions& options) {
  return PutEncoder(model, item, options).encode();
}

Result<AttributeValue> encode_key_part(const Model& model, const KeyAttribute& part, const LogicalValue* value,
                                       const EncodeOptions& options) {
  if (std::optional<Error> error = key_error(part.name, LogicalPutValue{value}))
    return std::unexpected(*std::move(error));
  const ModelAttribute* attribute = model.find(part.name);
  if (attribute == nullptr)
    return fail(Code::kInvalidModel, "model \"{}\" has no attribute \"{}\"", model.name, part.name);
  return encode_attribute(model, *attribute, *value, options);
}

Result<Item> encode_key(const Model& model, const LogicalItem& item, const EncodeOptions& options) {
  Item key;
  for (const KeyAttribute* part : {&model.partition_key, model.sort_key ? &*model.sort_key : nullptr}) {
    if (part == nullptr) continue;
    const auto value = item.find(part->name);
    DOLMEN_TRY(AttributeValue encoded,
               encode_key_part(model, *part, value == item.end() ? nullptr : &value->second, options));
    key.set(part->name, std::move(encoded));
  }
  return key;
}

}  // namespace dolmen
