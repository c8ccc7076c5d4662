#pragma once

#include <string>
#include <utility>
#include <vector>

#include "dolmen/entity/condition.h"
#include "dolmen/value.h"

namespace dolmen {

/// Which part of an index is read, by the values of the properties that its range key is made of; empty for all of it.
/// How keys are written is not the caller's business:
///
///     range("lastName") == "Lovelace" && range("firstName").begins_with("A")
///
/// The first elements of a generated range key need `==`; the next one may have any condition. Inside a generated key
/// only texts are in order, and a text that others follow cannot be compared: `<`, `<=`, `>`, `>=` and `between` are
/// for a text that stands last, or for a property that is a range key by itself.
class EntityRange {
 public:
  EntityRange() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): one condition is a range
  EntityRange(EntityCondition condition) { conditions_.push_back(std::move(condition)); }

  [[nodiscard]] bool empty() const noexcept { return conditions_.empty(); }
  [[nodiscard]] const std::vector<EntityCondition>& conditions() const noexcept { return conditions_; }

  friend EntityRange operator&&(EntityRange a, const EntityRange& b) {
    a.conditions_.insert(a.conditions_.end(), b.conditions_.begin(), b.conditions_.end());
    return a;
  }

 private:
  std::vector<EntityCondition> conditions_;
};

/// A property of which a range key is made: `range("created").between(monday, friday)`.
class RangeProperty {
 public:
  explicit RangeProperty(std::string name) : name_(std::move(name)) {}

  friend EntityRange operator==(const RangeProperty& a, AttributeValue b) { return a.with("=", std::move(b)); }
  friend EntityRange operator<(const RangeProperty& a, AttributeValue b) { return a.with("<", std::move(b)); }
  friend EntityRange operator<=(const RangeProperty& a, AttributeValue b) { return a.with("<=", std::move(b)); }
  friend EntityRange operator>(const RangeProperty& a, AttributeValue b) { return a.with(">", std::move(b)); }
  friend EntityRange operator>=(const RangeProperty& a, AttributeValue b) { return a.with(">=", std::move(b)); }
  /// Both ends belong to it.
  [[nodiscard]] EntityRange between(AttributeValue low, AttributeValue high) const {
    return EntityCondition{.operation = "between", .property = name_, .values = {std::move(low), std::move(high)}};
  }
  [[nodiscard]] EntityRange begins_with(std::string prefix) const {
    return with("begins_with", AttributeValue(std::move(prefix)));
  }

 private:
  [[nodiscard]] EntityRange with(std::string operation, AttributeValue value) const {
    return EntityCondition{.operation = std::move(operation), .property = name_, .values = {std::move(value)}};
  }

  std::string name_;
};

inline RangeProperty range(std::string property) { return RangeProperty(std::move(property)); }

}  // namespace dolmen
