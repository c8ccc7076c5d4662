#include "service/request_rules.h"

#include <gtest/gtest.h>

#include "base/limits.h"

namespace dolmen {
namespace {

TEST(RequestRules, count_the_values_of_an_expression_as_dynamodb_counts_items) {
  // A list of nulls counts three bytes and two for each element, which is not how many it is stored in.
  constexpr std::size_t kNulls = (limits::kExpressionValueBytes - 5) / 2;
  expr::Placeholders placeholders{.names = {}, .values = {{":v", List(kNulls)}}};
  EXPECT_TRUE(check_placeholders(placeholders).has_value());
  placeholders.values.set(":v", List(kNulls + 1));
  const Result<void> checked = check_placeholders(placeholders);
  ASSERT_FALSE(checked.has_value());
  EXPECT_EQ(checked.error().message(), "ExpressionAttributeValues contains values of more than 2097152 bytes in all");
}

}  // namespace
}  // namespace dolmen
