#include <gtest/gtest.h>

#include "base/test_result.h"
#include "dolmen/embedded.h"
#include "dolmen/explain.h"

namespace dolmen {
namespace {

TEST(Explain, takes_the_options_of_the_read) {
  auto store = open_embedded({.durability = Durability::kMemory}).value();
  ASSERT_THAT(store->create_table({.name = "notes", .partition_key = {"topic"}}), succeeds());
  const Item note{{"topic", "dolmen"}};
  ASSERT_THAT(store->put_item("notes", note), succeeds());
  EXPECT_EQ(explain_get(*store, "notes", note, {.consistent_read = false}).value().parts[0].capacity, 0.5);
  EXPECT_EQ(explain_query(*store, "notes", {.key = key("topic") == "dolmen"}).value().parts[0].items_returned, 1U);
  EXPECT_EQ(explain_scan(*store, "notes").value().operation, "Scan");
  EXPECT_EQ(explain_batch_get(*store, {{.table = "notes", .keys = {note}}}).value().operation, "BatchGetItem");
  EXPECT_EQ(explain_transact_get(*store, {{.table = "notes", .key = note}}).value().operation, "TransactGetItems");
  EXPECT_THAT(explain_scan(*store, "none"), fails_with(Code::kTableNotFound));
}

TEST(Explain, carries_out_no_statement_that_writes) {
  auto store = open_embedded({.durability = Durability::kMemory}).value();
  ASSERT_THAT(store->create_table({.name = "notes", .partition_key = {"topic"}}), succeeds());
  EXPECT_THAT(explain_statement(*store, {.text = " insert into notes value {'topic': 'dolmen'}"}),
              fails_with(Code::kInvalidArgument));
  EXPECT_EQ(explain_statement(*store, {.text = "\n select * from notes"}).value().parts[0].items_read, 0U);
}

}  // namespace
}  // namespace dolmen
