#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_result.h"
#include "dolmen/batch.h"
#include "dolmen/open.h"
#include "faults/core.h"

namespace dolmen {
namespace {

using testing::HasSubstr;

/// A store in which the faults of a lab happen.
class FaultyStore : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_THAT(store_->create_table({.name = "notes",
                                      .partition_key = {"topic"},
                                      .global_indexes = {{.name = "by-author", .partition_keys = {{"author"}}}},
                                      .stream = StreamView::kNewImage}),
                succeeds());
  }

  static Item note(const std::string& topic) { return {{"topic", topic}, {"author", "ada"}}; }
  static Item key(const std::string& topic) { return {{"topic", topic}}; }
  bool exists(const std::string& topic) {
    faults_->clear();
    return store_->get_item("notes", key(topic)).value().item.has_value();
  }
  std::size_t authored() {
    return store_->query_page("notes", {.key = dolmen::key("author") == "ada", .index = "by-author"}).value().count;
  }

  std::shared_ptr<FaultLab> faults_ = std::make_shared<FaultLab>();
  std::unique_ptr<Store> store_ = open_embedded({.durability = Durability::kMemory, .faults = faults_}).value();
};

TEST_F(FaultyStore, throttles) {
  faults_->throttle(1);
  const auto put = store_->put_item("notes", note("a"));
  ASSERT_THAT(put, fails_with(Code::kThrottled));
  EXPECT_EQ(put.error().message(),
            "The level of configured provisioned throughput for the table was exceeded. Consider increasing your "
            "provisioning level with the UpdateTable API.");
  const auto transaction = store_->transact_write({PutAction{"notes", note("a")}});
  ASSERT_THAT(transaction, fails_with(Code::kTransactionCanceled));
  EXPECT_EQ(transact_failures(transaction.error())[0].reason, "ProvisionedThroughputExceeded");
  EXPECT_FALSE(exists("a"));
}

TEST_F(FaultyStore, has_internal_errors_without_an_effect) {
  faults_->seed(5).internal_error(1);
  EXPECT_THAT(store_->put_item("notes", note("a")),
              fails_with(Code::kUnknownOutcome, HasSubstr("seed=5, number=1, internal-error")));
  EXPECT_THAT(store_->get_item("notes", key("a")), fails_with(Code::kUnavailable));
  EXPECT_FALSE(exists("a"));
}

TEST_F(FaultyStore, is_late_without_blocking_the_caller) {
  std::vector<faults::Delays::Task> waiting;
  std::vector<std::chrono::milliseconds> delays;
  faults_->core().replace_later([&](std::chrono::milliseconds delay, faults::Delays::Task task) {
    delays.push_back(delay);
    waiting.push_back(std::move(task));
  });
  faults_->latency(1, std::chrono::milliseconds(20));
  bool answered = false;
  store_->async_put_item("notes", note("a"), {}, [&](const Result<WriteResult>& put) { answered = put.has_value(); });
  EXPECT_FALSE(answered);
  EXPECT_EQ(delays, std::vector{std::chrono::milliseconds(20)});
  waiting.at(0)();
  EXPECT_TRUE(answered);
}

TEST_F(FaultyStore, has_conflicts) {
  faults_->conflict(1);
  EXPECT_THAT(store_->put_item("notes", note("a")), fails_with(Code::kTransactionConflict));
  const auto transaction = store_->transact_write({PutAction{"notes", note("a")}, PutAction{"notes", note("b")}});
  ASSERT_THAT(transaction, fails_with(Code::kTransactionCanceled));
  const std::vector<TransactFailure> failures = transact_failures(transaction.error());
  ASSERT_EQ(failures.size(), 2U);
  EXPECT_EQ(std::ranges::count(failures, "TransactionConflict", &TransactFailure::reason), 1);
  EXPECT_FALSE(exists("a"));
}

TEST_F(FaultyStore, has_transactions_in_progress) {
  faults_->in_progress(1);
  EXPECT_THAT(store_->transact_write({PutAction{"notes", note("a")}}, {.client_token = "t"}),
              fails_with(Code::kTransactionInProgress));
  EXPECT_THAT(store_->transact_write({PutAction{"notes", note("a")}}), succeeds());
}

TEST_F(FaultyStore, leaves_parts_of_batches_unprocessed) {
  faults_->unprocessed(1);
  const auto written =
      store_->batch_write({BatchPut{"notes", note("a")}, BatchPut{"notes", note("b")}, BatchPut{"notes", note("c")}});
  ASSERT_THAT(written, succeeds());
  EXPECT_EQ(written->unprocessed,
            (std::vector<BatchAction>{BatchPut{"notes", note("b")}, BatchPut{"notes", note("c")}}));
  const auto got = store_->batch_get({{.table = "notes", .keys = {key("a"), key("b")}}});
  ASSERT_THAT(got, succeeds());
  EXPECT_EQ(got->items.at("notes"), std::vector<Item>{note("a")});
  ASSERT_EQ(got->unprocessed.size(), 1U);
  EXPECT_EQ(got->unprocessed[0].keys, std::vector<Item>{key("b")});
  EXPECT_FALSE(exists("b"));
}

TEST_F(FaultyStore, lets_batches_that_repeat_come_to_an_end) {
  faults_->seed(3).unprocessed(0.5);
  std::vector<BatchAction> actions;
  for (int i = 0; i < 20; ++i) actions.push_back(BatchPut{"notes", note(std::to_string(i))});
  int rounds = 0;
  for (; !actions.empty(); ++rounds) actions = store_->batch_write(actions).value().unprocessed;
  EXPECT_GT(rounds, 1);
  EXPECT_EQ(store_->count("notes", ScanOptions{}).value().count, 20U);
}

TEST_F(FaultyStore, has_indexes_that_lag_behind) {
  faults_->index_lag(1, 2);
  for (const char* topic : {"a", "b", "c"}) ASSERT_THAT(store_->put_item("notes", note(topic)), succeeds());
  EXPECT_EQ(authored(), 1U);
  EXPECT_EQ(store_->scan_page("notes", {}).value().count, 3U);  // The table itself does not lag.
  faults_->clear();
  EXPECT_EQ(authored(), 3U);
}

TEST_F(FaultyStore, has_streams_that_lag_behind) {
  ASSERT_THAT(store_->put_item("notes", note("a")), succeeds());
  faults_->stream_lag(1);
  int changes = 0;
  for (const Result<StreamRecord>& change : store_->stream("notes", {.wait = std::chrono::milliseconds(0)}))
    if (change) ++changes;
  EXPECT_EQ(changes, 0);
  faults_->clear();
  for (const Result<StreamRecord>& change : store_->stream("notes", {.wait = std::chrono::milliseconds(0)}))
    if (change) ++changes;
  EXPECT_EQ(changes, 1);
}

TEST_F(FaultyStore, loses_connections_before_the_effect) {
  faults_->cut_before_effect(1);
  EXPECT_THAT(store_->put_item("notes", note("a")), fails_with(Code::kUnknownOutcome));
  EXPECT_THAT(store_->get_item("notes", key("a")), fails_with(Code::kUnavailable));
  EXPECT_FALSE(exists("a"));
}

TEST_F(FaultyStore, loses_connections_after_the_effect) {
  faults_->cut_after_effect(1);
  EXPECT_THAT(store_->put_item("notes", note("a")), fails_with(Code::kUnknownOutcome));
  EXPECT_TRUE(exists("a"));
}

TEST_F(FaultyStore, meets_the_same_faults_with_the_same_seed) {
  faults_->throttle(0.3).cut_after_effect(0.2).internal_error(0.1);
  const auto outcomes = [&] {
    faults_->seed(42);
    std::vector<Code> codes;
    for (int i = 0; i < 100; ++i) {
      const auto put = store_->put_item("notes", note(std::to_string(i % 7)));
      codes.push_back(put ? Code::kValidation : put.error().code());
    }
    return codes;
  };
  const std::vector<Code> first = outcomes();
  EXPECT_EQ(outcomes(), first);
  EXPECT_GT(std::ranges::count(first, Code::kThrottled), 0);
  EXPECT_GT(std::ranges::count(first, Code::kUnknownOutcome), 0);
}

TEST_F(FaultyStore, ends_with_requests_that_wait) {
  faults_->latency(1, std::chrono::minutes(5));
  bool answered = false;
  store_->async_put_item("notes", note("a"), {}, [&](const Result<WriteResult>&) { answered = true; });
  store_.reset();
  EXPECT_TRUE(answered);
}

TEST(FaultyAddress, has_the_faults_of_a_store_in_memory) {
  auto store = open("memory:?seed=42&throttle").value();
  EXPECT_THAT(store->get_item("notes", {{"topic", "a"}}), fails_with(Code::kThrottled));
  EXPECT_THAT(open("memory:?throtle"), fails_with(Code::kInvalidArgument, HasSubstr("\"throtle\" is not a fault")));
  EXPECT_THAT(open("memory:?number=3"), fails_with(Code::kInvalidArgument));
}

}  // namespace
}  // namespace dolmen
