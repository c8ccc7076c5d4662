#include <future>
#include <gtest/gtest.h>

#include "base/test_result.h"
#include "service/failures.h"
#include "storage/fault_plan.h"
#include "test_engine.h"
#include "tests/storage/test_support.h"

namespace dolmen::engine {
namespace {

/// An engine that refuses conflicts, in which a write stays under way for as long as the test wants.
class RefusedConflicts : public testing::Test {
 protected:
  void SetUp() override {
    service_ =
        Engine::open(
            storage::Storage::open({.directory = directory_.path(), .keyspaces = keyspaces::names(), .faults = faults_})
                .value(),
            {.refuse_conflicts = true})
            .value();
    ASSERT_THAT(create_table(*service_, {.name = "accounts", .partition_key = {"id"}}), succeeds());
  }

  static Item account(const std::string& id) { return {{"id", id}}; }
  static WriteRequest check(const std::string& id) {
    return {.kind = WriteKind::kCheck,
            .table = "accounts",
            .item = encode_item(account(id)),
            .condition = Expression{"attribute_not_exists(id)"}};
  }
  static TransactWriteRequest transaction(const std::vector<std::string>& ids,
                                          std::optional<std::string> token = std::nullopt) {
    TransactWriteRequest request{.client_token = std::move(token)};
    for (const std::string& id : ids) request.writes.push_back(put("accounts", account(id)));
    return request;
  }

  /// Starts a write, which ends with `release`.
  template <class Op>
  std::future<Result<typename Op::Response>> begin(typename Op::Request request) {
    faults_->hold(storage::FileOperation::kSync, ".log");
    auto outcome = std::make_shared<std::promise<Result<typename Op::Response>>>();
    service_->start(Op{}, std::move(request),
                    [outcome](Result<typename Op::Response> response) { outcome->set_value(std::move(response)); });
    faults_->await_held();
    return outcome->get_future();
  }
  void release() { faults_->release(); }

  static std::vector<std::string> reasons_of(const Error& error) {
    std::vector<std::string> codes;
    for (const CancellationReason& reason : error.payload<Cancellation>()->reasons) codes.push_back(reason.code);
    return codes;
  }

  TemporaryDirectory directory_;
  std::shared_ptr<storage::FaultPlan> faults_ = std::make_shared<storage::FaultPlan>();
  std::unique_ptr<Service> service_;
};

TEST_F(RefusedConflicts, refuse_a_write_that_meets_a_transaction) {
  auto first = begin<TransactWriteItems>(transaction({"a", "b"}));
  const auto refused = call(*service_, put("accounts", account("b")));
  ASSERT_THAT(refused, fails_with(Code::kTransactionConflict));
  EXPECT_EQ(refused.error().message(), "Transaction is ongoing for the item");
  release();
  EXPECT_THAT(first.get(), succeeds());
  EXPECT_THAT(call(*service_, put("accounts", account("b"))), succeeds());
}

TEST_F(RefusedConflicts, cancel_a_transaction_that_meets_another_with_a_reason_for_each_action) {
  auto first = begin<TransactWriteItems>(transaction({"a", "b"}));
  const auto refused = call(*service_, transaction({"c", "b"}));
  ASSERT_THAT(refused, fails_with(Code::kTransactionCanceled));
  EXPECT_EQ(
      refused.error().message(),
      "Transaction cancelled, please refer cancellation reasons for specific reasons [None, TransactionConflict]");
  EXPECT_EQ(reasons_of(refused.error()), (std::vector<std::string>{"None", "TransactionConflict"}));
  EXPECT_EQ(refused.error().payload<Cancellation>()->reasons[1].message, "Transaction is ongoing for the item");
  release();
  EXPECT_THAT(first.get(), succeeds());
  EXPECT_EQ(call(*service_, GetItemRequest{.table = "accounts", .key = encode_item(account("c"))}).value().item,
            std::nullopt);
}

TEST_F(RefusedConflicts, also_where_a_transaction_only_checks) {
  TransactWriteRequest request = transaction({"a"});
  request.writes.push_back(check("b"));
  auto first = begin<TransactWriteItems>(request);
  EXPECT_THAT(call(*service_, put("accounts", account("b"))), fails_with(Code::kTransactionConflict));
  release();
  EXPECT_THAT(first.get(), succeeds());
}

TEST_F(RefusedConflicts, cancel_reads_of_a_transaction_that_meet_any_write) {
  auto first = begin<PutItem>(put("accounts", account("a")));
  TransactGetRequest request;
  for (const char* id : {"x", "a"}) request.gets.push_back({.table = "accounts", .key = encode_item(account(id))});
  const auto refused = call(*service_, request);
  ASSERT_THAT(refused, fails_with(Code::kTransactionCanceled));
  EXPECT_EQ(reasons_of(refused.error()), (std::vector<std::string>{"None", "TransactionConflict"}));
  // Other reads meet nothing.
  EXPECT_THAT(call(*service_, request.gets[1]), succeeds());
  release();
  EXPECT_THAT(first.get(), succeeds());
  EXPECT_THAT(call(*service_, request), succeeds());
}

TEST_F(RefusedConflicts, let_a_write_wait_for_another_write) {
  auto first = begin<PutItem>(put("accounts", account("a")));
  auto second = std::make_shared<std::promise<Result<WriteResponse>>>();
  service_->start(PutItem{}, put("accounts", account("a")),
                  [second](Result<WriteResponse> response) { second->set_value(std::move(response)); });
  release();
  EXPECT_THAT(first.get(), succeeds());
  EXPECT_THAT(second->get_future().get(), succeeds());
}

TEST_F(RefusedConflicts, give_back_the_writes_of_a_batch_that_meet_a_transaction) {
  auto first = begin<TransactWriteItems>(transaction({"b"}));
  auto second = std::make_shared<std::promise<Result<BatchWriteResponse>>>();
  BatchWriteRequest batch;
  for (const char* id : {"a", "b", "c"}) batch.writes.push_back(put("accounts", account(id)));
  service_->start(BatchWriteItem{}, batch,
                  [second](Result<BatchWriteResponse> response) { second->set_value(std::move(response)); });
  release();
  EXPECT_THAT(first.get(), succeeds());
  EXPECT_EQ(second->get_future().get().value().unprocessed, std::vector<std::size_t>{1});
  EXPECT_THAT(item_at(*service_, "accounts", account("c")), account("c"));
}

TEST_F(RefusedConflicts, say_that_a_transaction_with_the_token_is_in_progress) {
  auto first = begin<TransactWriteItems>(transaction({"a"}, "token"));
  const auto refused = call(*service_, transaction({"a"}, "token"));
  ASSERT_THAT(refused, fails_with(Code::kTransactionInProgress));
  EXPECT_EQ(refused.error().message(), "Transaction from previous request is still in progress");
  release();
  EXPECT_THAT(first.get(), succeeds());
  EXPECT_THAT(call(*service_, transaction({"a"}, "token")), succeeds());
}

TEST_F(RefusedConflicts, end_with_a_transaction_that_fails) {
  ASSERT_THAT(call(*service_, put("accounts", account("a"))), succeeds());
  TransactWriteRequest request = transaction({"b"}, "token");
  request.writes.push_back(check("a"));
  EXPECT_THAT(call(*service_, request), fails_with(Code::kTransactionCanceled));
  EXPECT_THAT(call(*service_, transaction({"a", "b"}, "token")), succeeds());
}

}  // namespace
}  // namespace dolmen::engine
