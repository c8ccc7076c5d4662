#include <gtest/gtest.h>

#include "base/test_result.h"
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

}  // namespace
}  // namespace dolmen::engine
