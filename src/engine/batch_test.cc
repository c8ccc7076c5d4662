#include <gtest/gtest.h>

#include "engine/test_engine.h"

namespace dolmen {
namespace {

using namespace test;

TEST(BatchGet, finds_a_key_given_twice_before_a_missing_table) {
  const auto service = open_engine();
  ASSERT_TRUE(create_table(*service, {.name = "there", .partition_key = {"id"}}).has_value());
  const EncodedItem key = encode_item({{"id", "x"}});
  const BatchGetTable missing{.table = "missing", .keys = {key}};
  const BatchGetTable twice{.table = "there", .keys = {key, key}};
  EXPECT_EQ(call(*service, BatchGetRequest{.tables = {missing, twice}}).error(),
            Error(Code::kValidation, "Provided list of item keys contains duplicates"));
  EXPECT_EQ(call(*service, BatchGetRequest{.tables = {missing}}).error().code(), Code::kTableNotFound);
}

TEST(BatchGet, finds_a_missing_table_before_a_key_of_the_wrong_type) {
  const auto service = open_engine();
  ASSERT_TRUE(create_table(*service, {.name = "there", .partition_key = {"id"}}).has_value());
  const BatchGetTable wrong{.table = "there", .keys = {encode_item({{"id", 1}})}};
  const BatchGetTable missing{.table = "missing", .keys = {encode_item({{"id", "x"}})}};
  EXPECT_EQ(call(*service, BatchGetRequest{.tables = {wrong, missing}}).error().code(), Code::kTableNotFound);
  EXPECT_EQ(call(*service, BatchGetRequest{.tables = {wrong}}).error(),
            Error(Code::kValidation, "The provided key element does not match the schema"));
}

}  // namespace
}  // namespace dolmen
