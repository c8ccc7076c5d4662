#include "service/request_rules.h"

#include <gtest/gtest.h>

#include "base/limits.h"
#include "base/test_result.h"

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

TEST(RequestRules, a_batch_gets_1_to_100_keys_and_none_twice_from_a_table) {
  const auto table_of = [](const std::string& name, int first, int last) {
    BatchGetTable table{.table = name};
    for (int i = first; i <= last; ++i) table.keys.push_back(encode_item({{"p", i}}));
    return table;
  };
  EXPECT_THAT(check_batch(BatchGetRequest{.tables = {table_of("a", 1, 50), table_of("b", 1, 50)}}), succeeds());
  EXPECT_THAT(check_batch(BatchGetRequest{.tables = {table_of("a", 1, 50), table_of("b", 1, 51)}}),
              fails_with(Code::kValidation, "Too many items requested for the BatchGetItem call"));
  BatchGetTable twice = table_of("a", 1, 3);
  twice.keys.push_back(encode_item({{"p", 2}}));
  EXPECT_THAT(check_batch(BatchGetRequest{.tables = {table_of("b", 1, 1), twice}}),
              fails_with(Code::kValidation, "Provided list of item keys contains duplicates"));
  EXPECT_THAT(check_batch(BatchGetRequest{}), fails_with(Code::kValidation));
  EXPECT_THAT(check_batch(BatchGetRequest{.tables = {table_of("a", 1, 0)}}), fails_with(Code::kValidation));
}

}  // namespace
}  // namespace dolmen
