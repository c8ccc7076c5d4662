#include "wire/legacy_conditions.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <span>

#include "base/check.h"
#include "base/fail.h"
#include "expr/compare.h"
#include "value/item_rules.h"
#include "wire/generated_expression.h"

namespace dolmen::wire {
namespace {

/// The types that the arguments of an operator may have.
enum class Types : std::uint8_t { kAll, kNoContainers, kOrdered, kText };

struct Operator {
  std::string_view name;
  std::size_t arguments_min;
  std::size_t arguments_max;
  Types types;
  /// The condition, for an attribute {0} and up to two values {1} and {2}. IN becomes one EQ for each value.
  std::string_view text;
  expr::KeyOperator key_operator = expr::KeyOperator::kNotIndexable;
};

constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

// A missing attribute is not equal to anything (NE holds), but NOT_CONTAINS does not hold for it.
constexpr Operator kOperators[] = {
    {"EQ", 1, 1, Types::kAll, "{0} = {1}", expr::KeyOperator::kEqual},
    {"NE", 1, 1, Types::kAll, "{0} <> {1}"},
    {"LE", 1, 1, Types::kOrdered, "{0} <= {1}", expr::KeyOperator::kLessOrEqual},
    {"LT", 1, 1, Types::kOrdered, "{0} < {1}", expr::KeyOperator::kLess},
    {"GE", 1, 1, Types::kOrdered, "{0} >= {1}", expr::KeyOperator::kGreaterOrEqual},
    {"GT", 1, 1, Types::kOrdered, "{0} > {1}", expr::KeyOperator::kGreater},
    {"IN", 1, kUnlimited, Types::kOrdered, "{0} = {1}"},
    {"BETWEEN", 2, 2, Types::kOrdered, "{0} BETWEEN {1} AND {2}", expr::KeyOperator::kBetween},
    {"NOT_NULL", 0, 0, Types::kAll, "attribute_exists({0})"},
    {"NULL", 0, 0, Types::kAll, "attribute_not_exists({0})"},
    {"CONTAINS", 1, 1, Types::kNoContainers, "contains({0}, {1})"},
    {"NOT_CONTAINS", 1, 1, Types::kNoContainers, "(attribute_exists({0}) AND NOT contains({0}, {1}))"},
    {"BEGINS_WITH", 1, 1, Types::kText, "begins_with({0}, {1})", expr::KeyOperator::kBeginsWith},
};

const Operator& operator_of(std::string_view name) {
  const auto found = std::ranges::find(kOperators, name, &Operator::name);
  DOLMEN_CHECK(found != std::end(kOperators), "the enumeration of the service model has another operator");
  return *found;
}

struct Condition {
  std::string_view attribute;
  const Operator* op = nullptr;
  std::vector<AttributeValue> values;
};

template <class... Arguments>
std::unexpected<Error> invalid(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  return fail(Code::kValidation, "One or more parameter values were invalid: {}",
              fmt::format(text, std::forward<Arguments>(arguments)...));
}

bool is_allowed(Types types, Type type) {
  switch (types) {
    case Types::kAll: return true;
    case Types::kText: return type == Type::kString || type == Type::kBinary;
    case Types::kOrdered: return type == Type::kString || type == Type::kNumber || type == Type::kBinary;
    case Types::kNoContainers: return is_allowed(Types::kOrdered, type) || type == Type::kBool || type == Type::kNull;
  }
  DOLMEN_UNREACHABLE("a kind of types outside the closed list");
}

Result<void> check_arguments(const Condition& condition) {
  const Operator& op = *condition.op;
  const std::vector<AttributeValue>& values = condition.values;
  if (values.size() < op.arguments_min || values.size() > op.arguments_max)
    return invalid("Invalid number of argument(s) for the {} ComparisonOperator", op.name);
  for (const AttributeValue& value : values) {
    if (!is_allowed(op.types, value.type()))
      return invalid("ComparisonOperator {} is not valid for {} AttributeValue type", op.name, type_name(value.type()));
    if (value.type() != values.front().type())
      return invalid("AttributeValues inside AttributeValueList must be of same type");
  }
  if (op.name == "BETWEEN" && expr::order_of(values[0], values[1]) == expr::Order::kGreater)
    return fail(Code::kValidation,
                "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound");
  return {};
}

Result<Condition> read_condition(std::string_view attribute, const Parameters& given) {
  Condition condition{.attribute = attribute, .op = &operator_of(given.required_string("ComparisonOperator"))};
  if (const auto list = given.find("AttributeValueList"))
    for (const json::Element element : json::array_of(*list)) {
      DOLMEN_TRY(condition.values.emplace_back(), read_value(element));
    }
  if (const auto value = given.find("Value")) {
    DOLMEN_TRY(condition.values.emplace_back(), read_value(*value));
  }
  DOLMEN_TRY_VOID(check_arguments(condition));
  return condition;
}

/// An entry of Expected with an operator.
Result<Condition> read_expected_comparison(std::string_view attribute, const Parameters& given) {
  const std::string name = given.required_string("ComparisonOperator");
  const bool value = given.has("Value");
  const bool list = given.has("AttributeValueList");
  if (given.has("Exists"))
    return invalid("Exists and ComparisonOperator cannot be used together for Attribute: {}", attribute);
  if (value && list)
    return invalid("Value and AttributeValueList cannot be used together for Attribute: {}", attribute);
  if (!value && !list && operator_of(name).arguments_min > 0)
    return invalid("Value or AttributeValueList must be used with ComparisonOperator: {} for Attribute: {}", name,
                   attribute);
  return read_condition(attribute, given);
}

/// An entry of Expected in its oldest form: the attribute has this value, or it does not exist.
Result<Condition> read_expected_value(std::string_view attribute, const Parameters& given) {
  const auto value = given.find("Value");
  if (given.has("AttributeValueList")) {
    if (value) return invalid("Value and AttributeValueList cannot be used together for Attribute: {}", attribute);
    return invalid("AttributeValueList can only be used with a ComparisonOperator for Attribute: {}", attribute);
  }
  const bool exists = given.boolean("Exists", true);
  if (exists && !value)
    return invalid("Value must be provided when Exists is {} for Attribute: {}", given.has("Exists") ? "true" : "null",
                   attribute);
  if (!exists && value) return invalid("Value cannot be used when Exists is false for Attribute: {}", attribute);
  Condition condition{.attribute = attribute, .op = &operator_of(exists ? "EQ" : "NULL")};
  if (value) {
    DOLMEN_TRY(condition.values.emplace_back(), read_value(*value));
  }
  return condition;
}

/// Joins texts with AND or OR, in halves instead of from left to right, so that the tree stays flat for any number.
std::string joined(std::span<const std::string> texts, std::string_view connective) {
  if (texts.size() == 1) return texts.front();
  const std::size_t half = texts.size() / 2;
  return fmt::format("({} {} {})", joined(texts.first(half), connective), connective,
                     joined(texts.subspan(half), connective));
}

Result<std::string> text_of(Condition condition, expr::Placeholders& placeholders) {
  DOLMEN_TRY(const std::string name, add_name(placeholders, condition.attribute));
  const auto written = [&](std::string_view first, std::string_view second) {
    return fmt::format(fmt::runtime(condition.op->text), name, first, second);
  };
  std::vector<std::string> values;
  for (AttributeValue& value : condition.values) values.push_back(add_value(placeholders, std::move(value)));
  if (condition.op->name != "IN") {
    values.resize(2);
    return written(values[0], values[1]);
  }
  std::vector<std::string> alternatives;
  for (const std::string& value : values) alternatives.push_back(written(value, ""));
  return joined(alternatives, "OR");
}

/// ConditionalOperator needs something to join.
Result<void> check_connective(const Parameters& parameters, std::string_view name) {
  if (!parameters.has("ConditionalOperator")) return {};
  const auto given = parameters.find(name);
  const std::size_t conditions = given ? members_of(json::object_of(*given)).size() : 0;
  if (conditions == 0) return fail(Code::kValidation, "ConditionalOperator cannot be used without Filter or Expected");
  if (conditions == 1)
    return fail(Code::kValidation,
                "ConditionalOperator can only be used when Filter or Expected has two or more elements");
  return {};
}

/// The conditions of the named parameter, each read by `read`, joined to one.
template <class Read>
Result<std::optional<Expression>> read_conditions(const Parameters& parameters, std::string_view name,
                                                  expr::Placeholders& placeholders, Read read) {
  if (parameters.layer().operator_before_values) DOLMEN_TRY_VOID(check_connective(parameters, name));
  std::vector<std::string> texts;
  if (const auto given = parameters.find(name))
    for (const auto& [attribute, element] : members_of(json::object_of(*given))) {
      DOLMEN_TRY(Condition condition, read(attribute, Parameters(element)));
      DOLMEN_TRY(texts.emplace_back(), text_of(std::move(condition), placeholders));
    }
  DOLMEN_TRY_VOID(check_connective(parameters, name));
  if (texts.empty()) return std::nullopt;
  return Expression{.text = joined(texts, parameters.string("ConditionalOperator").value_or("AND")), .generated = true};
}

}  // namespace

Result<std::optional<Expression>> read_expected(const Parameters& parameters, expr::Placeholders& placeholders) {
  return read_conditions(parameters, "Expected", placeholders, [](std::string_view attribute, const Parameters& given) {
    return given.has("ComparisonOperator") ? read_expected_comparison(attribute, given)
                                           : read_expected_value(attribute, given);
  });
}

Result<std::optional<Expression>> read_filter(const Parameters& parameters, std::string_view name,
                                              expr::Placeholders& placeholders) {
  return read_conditions(parameters, name, placeholders, read_condition);
}

Result<std::vector<expr::KeyCondition>> read_key_conditions(const Parameters& parameters) {
  std::vector<expr::KeyCondition> conditions;
  for (const auto& [attribute, element] : members_of(json::object_of(*parameters.find("KeyConditions")))) {
    DOLMEN_TRY_VOID(check_attribute_name(attribute));
    DOLMEN_TRY(Condition read, read_condition(attribute, Parameters(element)));
    expr::KeyCondition condition{.attribute = std::string(attribute), .op = read.op->key_operator};
    if (!read.values.empty()) condition.value = std::move(read.values.front());
    if (read.values.size() > 1) condition.upper = std::move(read.values[1]);
    conditions.push_back(std::move(condition));
  }
  // How many there may be depends on the key: an index can have more than two attributes in it.
  if (conditions.empty()) return fail(Code::kValidation, "Conditions can be of length 1 or 2 only");
  return conditions;
}

}  // namespace dolmen::wire
