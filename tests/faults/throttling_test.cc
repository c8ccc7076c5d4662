#include <gtest/gtest.h>

#include "base/test_result.h"
#include "dolmen/embedded.h"

namespace dolmen {
namespace {

using std::chrono::seconds;

/// A table with one unit a second for reads and writes each, of which 300 are there at the beginning.
class ThrottledStore : public testing::Test {
 protected:
  void SetUp() override { ASSERT_THAT(store_->create_table(definition("notes")), succeeds()); }

  static TableDefinition definition(const std::string& name) {
    return {.name = name,
            .partition_key = {"topic"},
            .global_indexes = {{.name = "by-author", .partition_keys = {{"author"}}, .throughput = {1, 1}}},
            .billing_mode = BillingMode::kProvisioned,
            .throughput = {1, 1}};
  }
  static Item note(const std::string& topic) { return {{"topic", topic}}; }
  /// How many small writes of one table succeed now.
  int writes(const std::string& table = "notes") {
    for (int i = 0; i < 1000; ++i)
      if (!store_->put_item(table, note("a"))) return i;
    return 1000;
  }

  TimePoint now_{};
  std::unique_ptr<Store> store_ = open_embedded({.durability = Durability::kMemory,
                                                 .throttling = Throttling::kProvisioned,
                                                 .throttling_clock = [this] { return now_; }})
                                      .value();
};

TEST_F(ThrottledStore, allows_a_burst_of_five_minutes_and_then_what_comes_in) {
  EXPECT_EQ(writes(), 300);
  const auto refused = store_->put_item("notes", note("a"));
  ASSERT_THAT(refused, fails_with(Code::kThrottled));
  EXPECT_EQ(refused.error().message(),
            "The level of configured provisioned throughput for the table was exceeded. Consider increasing your "
            "provisioning level with the UpdateTable API.");
  EXPECT_EQ(writes(), 0);
  now_ += seconds(7);
  EXPECT_EQ(writes(), 7);
  now_ += std::chrono::hours(1);
  EXPECT_EQ(writes(), 300);
}

TEST_F(ThrottledStore, lets_a_large_item_leave_a_debt) {
  Item large = note("large");
  large.set("text", std::string(100'000, 'x'));
  EXPECT_EQ(writes(), 300);
  now_ += seconds(1);
  ASSERT_THAT(store_->put_item("notes", large), succeeds());
  now_ += seconds(90);
  EXPECT_EQ(writes(), 0);
  now_ += seconds(20);
  EXPECT_GT(writes(), 0);
}

TEST_F(ThrottledStore, counts_reads_by_themselves) {
  EXPECT_EQ(writes(), 300);
  for (int i = 0; i < 600; ++i)
    ASSERT_THAT(store_->get_item("notes", note("a"), {.consistent_read = false}), succeeds());
  EXPECT_THAT(store_->get_item("notes", note("a")), fails_with(Code::kThrottled));
  EXPECT_THAT(store_->scan_page("notes"), fails_with(Code::kThrottled));
  // A global index has its own.
  EXPECT_THAT(store_->scan_page("notes", {.index = "by-author"}), succeeds());
}

TEST_F(ThrottledStore, refuses_writes_whose_index_is_exhausted) {
  for (int i = 0; i < 150; ++i) {
    Item item = note("a");
    item.set("author", "ada" + std::to_string(i));
    ASSERT_THAT(store_->put_item("notes", item), succeeds()) << i;  // Moves a row of the index: two units there.
  }
  now_ += seconds(0);
  Item item = note("b");
  item.set("author", "x");
  // The first write made only one row.
  ASSERT_THAT(store_->put_item("notes", item), succeeds());
  const auto refused = store_->put_item("notes", item);
  ASSERT_THAT(refused, fails_with(Code::kThrottled));
  EXPECT_EQ(refused.error().message(),
            "The level of configured provisioned throughput for one or more global secondary indexes of the table was "
            "exceeded. Consider increasing your provisioning level for the under-provisioned global secondary indexes "
            "with the UpdateTable API");
  EXPECT_THAT(store_->put_item("notes", note("not in the index")), succeeds());
}

TEST_F(ThrottledStore, gives_back_the_parts_of_batches_that_are_too_much) {
  EXPECT_EQ(writes(), 300);
  const std::vector<BatchAction> batch{BatchPut{"notes", note("a")}, BatchPut{"notes", note("b")},
                                       BatchPut{"notes", note("c")}};
  EXPECT_THAT(store_->batch_write(batch), fails_with(Code::kThrottled));
  now_ += seconds(2);
  EXPECT_EQ(store_->batch_write(batch).value().unprocessed, std::vector<BatchAction>{batch[2]});
  for (int i = 0; i < 298; ++i) ASSERT_THAT(store_->get_item("notes", note("a")), succeeds());
  const auto got = store_->batch_get({{.table = "notes", .keys = {note("a"), note("b"), note("c")}}}).value();
  EXPECT_EQ(got.items.at("notes").size(), 2U);
  ASSERT_EQ(got.unprocessed.size(), 1U);
  EXPECT_EQ(got.unprocessed[0].keys, std::vector<Item>{note("c")});
}

TEST_F(ThrottledStore, cancels_transactions_that_are_too_much) {
  EXPECT_EQ(writes(), 300);
  const std::vector<TransactAction> actions{PutAction{"notes", note("x")}, PutAction{"notes", note("y")}};
  const auto refused = store_->transact_write(actions);
  ASSERT_THAT(refused, fails_with(Code::kTransactionCanceled));
  EXPECT_EQ(transact_failures(refused.error())[0].reason, "ProvisionedThroughputExceeded");
  now_ += seconds(4);
  EXPECT_THAT(store_->transact_write(actions), succeeds());
  EXPECT_EQ(writes(), 0);
}

TEST_F(ThrottledStore, does_not_charge_what_is_refused) {
  EXPECT_EQ(writes(), 300);
  now_ += seconds(1);
  EXPECT_THAT(store_->put_item("notes", {{"other", 1}}), fails_with(Code::kValidation));
  EXPECT_EQ(writes(), 1);
}

TEST_F(ThrottledStore, charges_a_condition_that_fails) {
  EXPECT_EQ(writes(), 300);
  now_ += seconds(1);
  EXPECT_THAT(store_->put_item("notes", note("a"), {.condition = attr("topic").not_exists()}),
              fails_with(Code::kConditionFailed));
  EXPECT_EQ(writes(), 0);
}

TEST_F(ThrottledStore, follows_changes_of_the_throughput) {
  EXPECT_EQ(writes(), 300);
  ASSERT_THAT(store_->update_table({.table = "notes", .throughput = Throughput{1, 10}}), succeeds());
  now_ += seconds(3);
  EXPECT_EQ(writes(), 30);
  ASSERT_THAT(store_->delete_table("notes"), succeeds());
  ASSERT_THAT(store_->create_table(definition("notes")), succeeds());
  EXPECT_EQ(writes(), 300);
}

TEST_F(ThrottledStore, does_not_limit_tables_that_are_billed_by_requests) {
  ASSERT_THAT(store_->create_table({.name = "free", .partition_key = {"topic"}}), succeeds());
  EXPECT_EQ(writes("free"), 1000);
}

TEST_F(ThrottledStore, returns_capacity_only_to_those_who_ask) {
  EXPECT_FALSE(store_->put_item("notes", note("a")).value().capacity.has_value());
  EXPECT_EQ(store_->put_item("notes", note("a"), {.return_capacity = ReturnCapacity::kTotal}).value().capacity->total,
            1);
}

}  // namespace
}  // namespace dolmen
