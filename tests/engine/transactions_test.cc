#include <gtest/gtest.h>

#include "base/test_result.h"
#include "service/failures.h"
#include "test_engine.h"

namespace dolmen::engine {
namespace {

TEST(TransactGet, refuses_to_answer_more_than_4_mb) {
  const auto service = open_engine();
  ASSERT_THAT(create_table(*service, {.name = "large", .partition_key = {"id"}}), succeeds());
  TransactGetRequest request;
  for (int i = 10; i < 21; ++i) {
    request.gets.push_back({.table = "large", .key = encode_item({{"id", std::to_string(i)}})});
    ASSERT_TRUE(call(*service, put("large", {{"id", std::to_string(i)}, {"t", std::string(390'000, 'x')}})));
  }
  EXPECT_THAT(
      call(*service, request),
      fails_with(Code::kValidation, "The items that TransactItems asks for exceed the maximum of 4194304 bytes"));
  // What is not returned does not count.
  request.gets[0].projection = Expression{"id"};
  EXPECT_EQ(call(*service, request).value().items.size(), 11U);
  request.gets.pop_back();
  request.gets[0].projection.reset();
  EXPECT_EQ(call(*service, request).value().items.size(), 10U);
}

TEST(TransactGet, leaves_out_an_item_of_which_the_projection_finds_nothing) {
  const auto service = open_engine();
  ASSERT_THAT(create_table(*service, {.name = "things", .partition_key = {"id"}}), succeeds());
  ASSERT_THAT(call(*service, put("things", {{"id", "x"}})), succeeds());
  GetItemRequest get{.table = "things", .key = encode_item({{"id", "x"}}), .projection = Expression{"nothing"}};
  EXPECT_EQ(call(*service, TransactGetRequest{.gets = {get}}).value().items,
            (std::vector<std::optional<EncodedItem>>{std::nullopt}));
  EXPECT_EQ(call(*service, get).value().item, encode_item({}));
}

std::vector<std::string> reasons_of(const Error& error) {
  std::vector<std::string> codes;
  for (const CancellationReason& reason : error.payload<Cancellation>()->reasons) codes.push_back(reason.code);
  return codes;
}

TEST(TransactGet, is_canceled_by_a_key_that_is_too_large) {
  const auto service = open_engine();
  ASSERT_THAT(create_table(*service, {.name = "things", .partition_key = {"id"}}), succeeds());
  const auto get = [](std::string id) {
    return GetItemRequest{.table = "things", .key = encode_item({{"id", std::move(id)}})};
  };
  const auto canceled = call(*service, TransactGetRequest{.gets = {get("x"), get(std::string(2049, 'x'))}});
  ASSERT_THAT(canceled, fails_with(Code::kTransactionCanceled));
  EXPECT_EQ(reasons_of(canceled.error()), (std::vector<std::string>{"None", "ValidationError"}));
}

TEST(TransactWrite, names_only_the_first_wrong_key_as_the_reason_of_its_cancellation) {
  const auto service = open_engine();
  ASSERT_THAT(create_table(*service, {.name = "things", .partition_key = {"id"}}), succeeds());
  WriteRequest fails = put("things", {{"id", "x"}});
  fails.condition = Expression{"attribute_exists(id)"};
  const auto canceled =
      call(*service, TransactWriteRequest{.writes = {fails, put("things", {{"id", 7}}), put("things", {{"id", 8}})}});
  ASSERT_THAT(canceled, fails_with(Code::kTransactionCanceled));
  EXPECT_EQ(reasons_of(canceled.error()), (std::vector<std::string>{"None", "ValidationError", "None"}));
}

TEST(TransactWrite, with_an_empty_key_is_refused_whatever_else_is_wrong) {
  const auto service = open_engine();
  ASSERT_THAT(create_table(*service, {.name = "things", .partition_key = {"id"}}), succeeds());
  EXPECT_THAT(
      call(*service, TransactWriteRequest{.writes = {put("things", {{"id", 7}}), put("things", {{"id", ""}})}}),
      fails_with(Code::kValidation,
                 "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an "
                 "empty string value. Key: id"));
}

}  // namespace
}  // namespace dolmen::engine
