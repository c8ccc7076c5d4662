#include <gtest/gtest.h>

#include "base/test_result.h"
#include "test_engine.h"

namespace dolmen::engine {
namespace {

TEST(BatchGet, finds_a_key_given_twice_before_a_missing_table) {
  const auto service = open_engine();
  ASSERT_THAT(create_table(*service, {.name = "there", .partition_key = {"id"}}), succeeds());
  const EncodedItem key = encode_item({{"id", "x"}});
  const BatchGetTable missing{.table = "missing", .keys = {key}};
  const BatchGetTable twice{.table = "there", .keys = {key, key}};
  EXPECT_THAT(call(*service, BatchGetRequest{.tables = {missing, twice}}),
              fails_with(Code::kValidation, "Provided list of item keys contains duplicates"));
  EXPECT_THAT(call(*service, BatchGetRequest{.tables = {missing}}), fails_with(Code::kTableNotFound));
}

TEST(BatchGet, finds_a_missing_table_before_a_key_of_the_wrong_type) {
  const auto service = open_engine();
  ASSERT_THAT(create_table(*service, {.name = "there", .partition_key = {"id"}}), succeeds());
  const BatchGetTable wrong{.table = "there", .keys = {encode_item({{"id", 1}})}};
  const BatchGetTable missing{.table = "missing", .keys = {encode_item({{"id", "x"}})}};
  EXPECT_THAT(call(*service, BatchGetRequest{.tables = {wrong, missing}}), fails_with(Code::kTableNotFound));
  EXPECT_THAT(call(*service, BatchGetRequest{.tables = {wrong}}),
              fails_with(Code::kValidation, "The provided key element does not match the schema"));
}

TEST(BatchGet, leaves_the_item_that_would_make_the_answer_too_large_and_all_after_it) {
  const auto service = open_engine();
  ASSERT_THAT(create_table(*service, {.name = "large", .partition_key = {"id"}}), succeeds());
  BatchGetTable all{.table = "large"};
  for (int i = 10; i < 70; ++i) {
    const Item key{{"id", std::to_string(i)}};
    all.keys.push_back(encode_item(key));
    // The last is small enough to fit, but the answer ends before it.
    const std::size_t text_bytes = i == 69 ? 10 : 300 * 1024;
    ASSERT_TRUE(call(*service, put("large", {{"id", std::to_string(i)}, {"t", std::string(text_bytes, 'x')}})));
  }
  // The size of the whole items counts, not of what is returned of them.
  for (const auto& projection : {std::optional<Expression>(), std::optional(Expression{"id"})}) {
    all.projection = projection;
    const auto response =
        call(*service, BatchGetRequest{.tables = {all}, .return_capacity = ReturnCapacity::kTotal}).value();
    EXPECT_EQ(response.items.at(0).size(), 54U);
    EXPECT_EQ(response.unprocessed.at(0), (std::vector<std::size_t>{54, 55, 56, 57, 58, 59}));
    EXPECT_EQ(response.capacity.at(0).total, 54 * 38);
  }
}

}  // namespace
}  // namespace dolmen::engine
