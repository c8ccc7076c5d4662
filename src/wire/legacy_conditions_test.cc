#include "wire/legacy_conditions.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <string>

#include "base/test_result.h"
#include "expr/condition.h"
#include "service/expressions.h"

namespace dolmen::wire {
namespace {

/// A request's conditions as the engine would see them.
class Filter {
 public:
  explicit Filter(std::string_view request) {
    simdjson::dom::parser parser;
    const json::Element input = parser.parse(request.data(), request.size()).value();
    expression_ =
        read_filter(Parameters(input, &layer_of("Scan", Texts::kCurrent)), "ScanFilter", placeholders_).value();
  }

  [[nodiscard]] const std::optional<Expression>& expression() const { return expression_; }

  [[nodiscard]] bool holds(const Item& item) const {
    ExpressionReader reader(placeholders_);
    const expr::Node condition = reader.filter(*expression_).value();
    EXPECT_THAT(reader.finish(), succeeds());
    return expr::holds(condition, item);
  }

 private:
  expr::Placeholders placeholders_;
  std::optional<Expression> expression_;
};

TEST(LegacyConditions, are_nothing_when_there_are_none) {
  EXPECT_FALSE(Filter("{}").expression().has_value());
  EXPECT_FALSE(Filter(R"({"ScanFilter":{}})").expression().has_value());
}

TEST(LegacyConditions, take_any_name_for_a_name) {
  const Filter filter(R"({"ScanFilter":{"a.b[0]":{"ComparisonOperator":"NOT_NULL"},
      "size":{"ComparisonOperator":"NULL"},"#00000000":{"ComparisonOperator":"NULL"}}})");
  EXPECT_TRUE(filter.holds({{"a.b[0]", 1}}));
  EXPECT_FALSE(filter.holds({{"a", Item{{"b", List{1}}}}}));
  EXPECT_FALSE(filter.holds({{"a.b[0]", 1}, {"size", 1}}));
}

TEST(LegacyConditions, join_inner_alternatives_without_touching_the_outer_connective) {
  constexpr std::string_view kConditions = R"("ScanFilter":{
      "a":{"ComparisonOperator":"IN","AttributeValueList":[{"N":"1"},{"N":"2"}]},
      "b":{"ComparisonOperator":"NOT_CONTAINS","AttributeValueList":[{"S":"x"}]}})";
  const Filter both(fmt::format("{{{}}}", kConditions));
  EXPECT_TRUE(both.holds({{"a", 2}, {"b", "y"}}));
  EXPECT_FALSE(both.holds({{"a", 2}}));
  EXPECT_FALSE(both.holds({{"a", 3}, {"b", "y"}}));
  const Filter either(fmt::format(R"({{{},"ConditionalOperator":"OR"}})", kConditions));
  EXPECT_TRUE(either.holds({{"a", 1}}));
  EXPECT_TRUE(either.holds({{"b", "y"}}));
  EXPECT_FALSE(either.holds({{"b", "x"}}));
}

TEST(LegacyConditions, stay_shallow_however_many_there_are) {
  constexpr int kMany = 100'000;
  std::string request = R"({"ScanFilter":{)";
  for (int i = 0; i < kMany; ++i) request += fmt::format(R"("absent{}":{{"ComparisonOperator":"NULL"}},)", i);
  request += R"("a":{"ComparisonOperator":"IN","AttributeValueList":[)";
  for (int i = 0; i < kMany; ++i) request += fmt::format(R"({{"N":"{}"}},)", i);
  const Filter filter(request + R"({"N":"-1"}]}}})");
  EXPECT_TRUE(filter.holds({{"a", -1}}));
  EXPECT_FALSE(filter.holds({{"a", kMany}}));
  EXPECT_FALSE(filter.holds({{"a", 1}, {"absent7", 1}}));
}

}  // namespace
}  // namespace dolmen::wire
