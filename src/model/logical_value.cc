#include "dolmen/model/logical_value.h"

#include <array>
#include <cmath>

#include "model/json_number.h"

namespace dolmen {

LogicalValue::LogicalValue(double value)
    : value_(LogicalNumber{std::isfinite(value) ? double_text(value)
                           : std::isnan(value)  ? "NaN"
                                                : "Infinity"}) {}

std::string_view LogicalValue::kind() const noexcept {
  static constexpr std::array<std::string_view, 8> kKinds{"null",  "boolean", "number", "string",
                                                          "bytes", "time",    "list",   "map"};
  return kKinds[value_.index()];
}

namespace {

struct FromAttribute {
  LogicalValue operator()(std::nullptr_t) const { return nullptr; }
  LogicalValue operator()(bool value) const { return value; }
  LogicalValue operator()(const Number& value) const { return value; }
  LogicalValue operator()(const std::string& value) const { return value; }
  LogicalValue operator()(const Bytes& value) const { return value; }
  LogicalValue operator()(const Item& value) const {
    LogicalValue::Map map;
    for (const auto& [name, member] : value) map.emplace(name, LogicalValue::from(member));
    return map;
  }
  LogicalValue operator()(const List& value) const {
    LogicalValue::List list;
    for (const AttributeValue& element : value) list.push_back(LogicalValue::from(element));
    return list;
  }
  template <class Element, class... Rest>
  LogicalValue operator()(const std::set<Element, Rest...>& value) const {
    return LogicalValue::List(value.begin(), value.end());
  }
};

struct IsEmpty {
  bool operator()(std::nullptr_t) const { return true; }
  bool operator()(bool value) const { return !value; }
  bool operator()(const Number& value) const { return value.is_zero(); }
  bool operator()(const LogicalNumber& value) const {
    const Result<Number> number = Number::parse(value.text);
    return number && number->is_zero();
  }
  bool operator()(const Timestamp& value) const { return value.is_zero(); }
  template <class Container>
  bool operator()(const Container& value) const {
    return value.empty();
  }
};

}  // namespace

LogicalValue LogicalValue::from(const AttributeValue& value) { return value.visit(FromAttribute{}); }

bool is_empty(const LogicalValue& value) { return value.visit(IsEmpty{}); }
bool is_empty(const AttributeValue& value) { return value.visit(IsEmpty{}); }

}  // namespace dolmen
