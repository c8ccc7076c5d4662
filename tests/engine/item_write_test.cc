#include <gtest/gtest.h>

#include "base/test_result.h"
#include "service/failures.h"
#include "test_engine.h"

namespace dolmen::engine {
namespace {

constexpr const char* kTooDeep = "Nesting Levels have exceeded supported limits";

const Item kKey{{"id", "x"}};

std::unique_ptr<Service> open_with_table() {
  auto service = open_engine();
  EXPECT_THAT(create_table(*service, {.name = "things", .partition_key = {"id"}}), succeeds());
  return service;
}

/// A number in so many maps, each the member `a` of the next.
AttributeValue in_maps(int maps) {
  AttributeValue value = 1;
  for (int i = 0; i < maps; ++i) value = Item{{"a", std::move(value)}};
  return value;
}

TEST(ItemWrite, refuses_an_update_that_would_nest_deeper_than_an_item_may) {
  const auto service = open_with_table();
  const Item before{{"id", "x"}, {"a", in_maps(31)}, {"b", Item{}}, {"l", List{1}}};
  ASSERT_THAT(call(*service, put("things", before)), succeeds());
  for (const std::string_view text :
       {"SET b.x = a", "SET l[0] = a", "SET l[9] = a", "SET b.x = if_not_exists(zz, a)"}) {
    EXPECT_THAT(call(*service, update("things", kKey, std::string(text))), fails_with(Code::kValidation, kTooDeep))
        << text;
    EXPECT_EQ(item_at(*service, "things", kKey), before) << text;
  }
}

TEST(ItemWrite, cancels_a_transaction_that_would_nest_deeper_than_an_item_may) {
  const auto service = open_with_table();
  const Item before{{"id", "x"}, {"a", in_maps(31)}, {"b", Item{}}};
  ASSERT_THAT(call(*service, put("things", before)), succeeds());
  const auto canceled = call(*service, TransactWriteRequest{.writes = {update("things", kKey, "SET b.x = a")}});
  ASSERT_THAT(canceled, fails_with(Code::kTransactionCanceled));
  EXPECT_EQ(canceled.error().payload<Cancellation>()->reasons.at(0).message, kTooDeep);
  EXPECT_EQ(item_at(*service, "things", kKey), before);
}

TEST(ItemWrite, writes_nothing_when_the_old_item_that_it_should_return_cannot_be_read) {
  const auto service = open_with_table();
  const WriteRequest unreadable = put("things", {{"id", "x"}, {"a", in_maps(40)}});
  ASSERT_THAT(call(*service, WriteRequest(unreadable)), succeeds());
  for (const WriteKind kind : {WriteKind::kPut, WriteKind::kDelete}) {
    WriteRequest write{
        .kind = kind, .table = "things", .item = encode_item(kKey), .return_values = ReturnValues::kAllOld};
    EXPECT_THAT(call(*service, std::move(write)), fails_with(Code::kCorruption));
    const auto still = call(*service, GetItemRequest{.table = "things", .key = encode_item(kKey)});
    EXPECT_EQ(still.value().item, unreadable.item);
  }
}

}  // namespace
}  // namespace dolmen::engine
