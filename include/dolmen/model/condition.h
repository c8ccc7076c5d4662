#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/expression.h"
#include "dolmen/model/item.h"
#include "dolmen/model/logical_value.h"
#include "dolmen/model/model.h"

/// Conditions and filters on the attributes of a model. Values are logical; the model says how they are stored, so a
/// condition compares with what is really there.
namespace dolmen {

/// How an attribute is compared.
enum class Operator : std::uint8_t {
  kEqual,
  kNotEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kBetween,
  kIn,
  kBeginsWith,
  kContains,
  kExists,
  kNotExists,
};

/// Reads =, EQ, !=, <>, NE, <, LT, <=, LE, >, GT, >=, GE, BETWEEN, IN, BEGINS_WITH, CONTAINS, EXISTS, NOT_EXISTS,
/// ATTRIBUTE_EXISTS and ATTRIBUTE_NOT_EXISTS in either case. Fails with kInvalidOperator.
Result<Operator> parse_operator(std::string_view text);

/// A condition that has not been checked against a model yet:
///
///     field("status") == "sent" && (field("weight") > 3 || field("note").exists())
///
/// A field is an attribute or a part of a list or map: "address.city", "stops[0]". Groups stay groups, whatever they
/// are combined with. An empty condition is neutral.
class FieldCondition {
 public:
  enum class Kind : std::uint8_t { kEmpty, kCompare, kAnd, kOr, kNot, kMistake };

  FieldCondition() = default;
  static FieldCondition compare(std::string field, Operator op, std::vector<LogicalValue> values);
  /// Fails with kInvalidModel and this message when it is used.
  static FieldCondition mistake(std::string message);

  [[nodiscard]] bool empty() const noexcept { return kind_ == Kind::kEmpty; }
  [[nodiscard]] Kind kind() const noexcept { return kind_; }
  /// The name of the attribute that is compared; of a mistake its message.
  [[nodiscard]] const std::string& field() const noexcept { return field_; }
  [[nodiscard]] Operator op() const noexcept { return op_; }
  [[nodiscard]] const std::vector<LogicalValue>& values() const noexcept { return values_; }
  [[nodiscard]] const std::vector<FieldCondition>& parts() const noexcept { return parts_; }

  friend FieldCondition operator&&(FieldCondition a, FieldCondition b);
  friend FieldCondition operator||(FieldCondition a, FieldCondition b);
  friend FieldCondition operator!(FieldCondition condition);

 private:
  static FieldCondition joined(Kind kind, FieldCondition a, FieldCondition b);

  Kind kind_ = Kind::kEmpty;
  Operator op_ = Operator::kEqual;
  std::string field_;
  std::vector<LogicalValue> values_;
  std::vector<FieldCondition> parts_;
};

FieldCondition operator&&(FieldCondition a, FieldCondition b);
FieldCondition operator||(FieldCondition a, FieldCondition b);
FieldCondition operator!(FieldCondition condition);

/// An attribute of a model, in a condition.
class Field {
 public:
  explicit Field(std::string name) : name_(std::move(name)) {}

  friend FieldCondition operator==(const Field& a, LogicalValue b) { return a.with(Operator::kEqual, std::move(b)); }
  friend FieldCondition operator!=(const Field& a, LogicalValue b) { return a.with(Operator::kNotEqual, std::move(b)); }
  friend FieldCondition operator<(const Field& a, LogicalValue b) { return a.with(Operator::kLess, std::move(b)); }
  friend FieldCondition operator<=(const Field& a, LogicalValue b) {
    return a.with(Operator::kLessOrEqual, std::move(b));
  }
  friend FieldCondition operator>(const Field& a, LogicalValue b) { return a.with(Operator::kGreater, std::move(b)); }
  friend FieldCondition operator>=(const Field& a, LogicalValue b) {
    return a.with(Operator::kGreaterOrEqual, std::move(b));
  }

  /// Both bounds are inside.
  [[nodiscard]] FieldCondition between(LogicalValue low, LogicalValue high) const {
    return FieldCondition::compare(name_, Operator::kBetween, {std::move(low), std::move(high)});
  }
  /// 1 to 100 values.
  [[nodiscard]] FieldCondition in(std::vector<LogicalValue> values) const {
    return FieldCondition::compare(name_, Operator::kIn, std::move(values));
  }
  [[nodiscard]] FieldCondition begins_with(LogicalValue prefix) const {
    return with(Operator::kBeginsWith, std::move(prefix));
  }
  /// A part of a string, or a member of a set or list.
  [[nodiscard]] FieldCondition contains(LogicalValue part) const { return with(Operator::kContains, std::move(part)); }
  [[nodiscard]] FieldCondition exists() const { return FieldCondition::compare(name_, Operator::kExists, {}); }
  [[nodiscard]] FieldCondition not_exists() const { return FieldCondition::compare(name_, Operator::kNotExists, {}); }

 private:
  [[nodiscard]] FieldCondition with(Operator op, LogicalValue value) const;

  std::string name_;
};

inline Field field(std::string name) { return Field(std::move(name)); }

/// The condition as the store takes it. Fails with kInvalidOperator for an attribute that the model does not have and
/// for the wrong number of values, with kEncryptedFieldNotQueryable for an encrypted attribute, and with kInvalidModel
/// for a value that the attribute cannot hold.
Result<Condition> compile_condition(const Model& model, const FieldCondition& condition,
                                    const EncodeOptions& options = {});

}  // namespace dolmen
