#pragma once

#include <concepts>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "dolmen/bytes.h"
#include "dolmen/error.h"
#include "dolmen/number.h"
#include "dolmen/timestamp.h"
#include "dolmen/value.h"

namespace dolmen {

/// A number as it was written: the text of a JSON number. Kept as text, because an attribute of type N takes its exact
/// decimal value and a JSON blob takes what a double makes of it.
struct LogicalNumber {
  std::string text;

  friend bool operator==(const LogicalNumber&, const LogicalNumber&) = default;
};

/// A value as a program thinks of it, before a model says how it is stored: JSON's values, and bytes and moments.
///
///     LogicalItem user{{"pk", "USER#1"}, {"age", 36}, {"tags", LogicalValue::List{"a", "b"}}, {"nickname", nullptr}};
class LogicalValue {
 public:
  using List = std::vector<LogicalValue>;
  using Map = std::map<std::string, LogicalValue, std::less<>>;

  // Implicit, so that items can be written down as they are.
  // NOLINTBEGIN(google-explicit-constructor)
  LogicalValue() : value_(nullptr) {}
  LogicalValue(std::nullptr_t) : value_(nullptr) {}
  template <std::same_as<bool> T>
  LogicalValue(T value) : value_(value) {}
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  LogicalValue(T value) : value_(LogicalNumber{std::to_string(value)}) {}
  /// An infinity or NaN is refused when the value is encoded.
  LogicalValue(double value);
  LogicalValue(const Number& value) : value_(LogicalNumber{value.to_string()}) {}
  LogicalValue(LogicalNumber value) : value_(std::move(value)) {}
  LogicalValue(std::string value) : value_(std::move(value)) {}
  LogicalValue(std::string_view value) : value_(std::string(value)) {}
  LogicalValue(const char* value) : value_(std::string(value)) {}
  LogicalValue(Bytes value) : value_(std::move(value)) {}
  LogicalValue(Timestamp value) : value_(value) {}
  LogicalValue(List value) : value_(std::move(value)) {}
  LogicalValue(Map value) : value_(std::move(value)) {}
  // NOLINTEND(google-explicit-constructor)

  /// The same value without its DynamoDB type; sets become lists in their own order.
  static LogicalValue from(const AttributeValue& value);

  [[nodiscard]] bool is_null() const noexcept { return std::holds_alternative<std::nullptr_t>(value_); }

  /// The value when it is a T: bool, LogicalNumber, std::string, Bytes, Timestamp, List or Map.
  template <class T>
  [[nodiscard]] const T* get_if() const noexcept {
    return std::get_if<T>(&value_);
  }
  template <class T>
  [[nodiscard]] T* get_if() noexcept {
    return std::get_if<T>(&value_);
  }

  /// Calls `visitor` with the value in its own type.
  template <class Visitor>
  decltype(auto) visit(Visitor&& visitor) const {
    return std::visit(std::forward<Visitor>(visitor), value_);
  }

  /// "null", "boolean", "number", "string", "bytes", "time", "list" or "map".
  [[nodiscard]] std::string_view kind() const noexcept;

  friend bool operator==(const LogicalValue&, const LogicalValue&) = default;

 private:
  std::variant<std::nullptr_t, bool, LogicalNumber, std::string, Bytes, Timestamp, List, Map> value_;
};

/// Values by the names of a model's attributes.
using LogicalItem = LogicalValue::Map;

/// Reads strict JSON (RFC 8259, no repeated names, no lone surrogates). Fails with kInvalidModel and the place.
Result<LogicalValue> parse_json(std::string_view text);

/// The one JSON text of a value: no white space, names sorted by their bytes, doubles as RFC 8785 writes them, integers
/// with all their digits. Fails with kInvalidModel for what JSON does not have: infinities, NaN, bytes and times.
Result<std::string> canonical_json(const LogicalValue& value);

/// Empty in the sense of `omit_empty`: null, "", 0, false, Go's zero time, and bytes, lists, maps and sets that hold
/// nothing. A map that holds only empty values is not empty.
bool is_empty(const LogicalValue& value);
bool is_empty(const AttributeValue& value);

}  // namespace dolmen
