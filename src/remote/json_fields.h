#pragma once

#include <cstdint>
#include <optional>
#include <simdjson.h>
#include <string>
#include <string_view>

#include "base/fail.h"
#include "dolmen/error.h"
#include "value/encoded_item.h"
#include "value/json_reader.h"
#include "value/json_types.h"

namespace dolmen::remote {

inline std::unexpected<Error> unexpected_response(std::string_view what) {
  return fail(Code::kUnexpectedResponse, "the response is not one of DynamoDB: {}", what);
}

/// The members of an object in a response. Null is the same as absent; a member of the wrong type is a failure.
class Fields {
 public:
  explicit Fields(json::Object object) : object_(object) {}

  static Result<Fields> of(json::Element element) {
    json::Object object;
    if (element.get(object) != simdjson::SUCCESS) return unexpected_response("something is not an object");
    return Fields(object);
  }

  [[nodiscard]] json::Object object() const { return object_; }

  [[nodiscard]] std::optional<json::Element> find(std::string_view name) const {
    json::Element element;
    if (object_.at_key(name).get(element) != simdjson::SUCCESS || element.is_null()) return std::nullopt;
    return element;
  }

  /// T is what simdjson calls it: std::string_view, double, bool, json::Object, json::Array, std::int64_t.
  template <class T>
  [[nodiscard]] Result<std::optional<T>> optional(std::string_view name) const {
    const auto found = find(name);
    if (!found) return std::nullopt;
    T value{};
    if (found->get(value) != simdjson::SUCCESS) return unexpected_response(name);
    return value;
  }

  template <class T>
  [[nodiscard]] Result<T> required(std::string_view name) const {
    DOLMEN_TRY(const std::optional<T> value, optional<T>(name));
    if (!value) return unexpected_response(name);
    return *value;
  }

  [[nodiscard]] Result<std::optional<EncodedItem>> item(std::string_view name) const {
    const auto found = find(name);
    if (!found) return std::nullopt;
    DOLMEN_TRY(EncodedItem item, read_item(*found));
    return item;
  }

  static Result<EncodedItem> read_item(json::Element element) {
    if (Result<void> checked = json::check_attribute_map(element); !checked)
      return unexpected_response(checked.error().message());
    Result<EncodedItem> item = json::encode_item(json::object_of(element));
    if (!item) return unexpected_response(item.error().message());
    return item;
  }

 private:
  json::Object object_;
};

/// A parsed response. Values that are read from it live as long as this object.
class Document {
 public:
  Result<Fields> parse(std::string_view text) {
    json::Object object;
    if (parser_.parse(text.data(), text.size()).get(object) != simdjson::SUCCESS)
      return unexpected_response("the body is not a JSON object");
    return Fields(object);
  }

 private:
  simdjson::dom::parser parser_;
};

}  // namespace dolmen::remote
