// What is carried out beside the network threads from the beginning.
#include "service/elsewhere.h"

#include <functional>
#include <gtest/gtest.h>
#include <vector>

#include "dolmen/embedded.h"
#include "wire/operations.h"

namespace dolmen {
namespace {

class OperationElsewhere : public testing::TestWithParam<std::pair<const char*, const char*>> {};

INSTANTIATE_TEST_SUITE_P(
    Operations, OperationElsewhere,
    testing::Values(
        std::pair("ListStreams", "{}"),
        std::pair("DescribeStream",
                  R"({"StreamArn": "arn:aws:dynamodb:us-east-1:000000000000:table/a/stream/2026-01-01T00:00:00.000"})"),
        std::pair("GetShardIterator",
                  R"({"StreamArn": "arn:aws:dynamodb:us-east-1:000000000000:table/a/stream/2026-01-01T00:00:00.000",
                      "ShardId": "shardId-00000000000000000000-00000000", "ShardIteratorType": "LATEST"})"),
        std::pair("DescribeTable", R"({"TableName": "orders"})"), std::pair("ListTables", "{}"),
        std::pair("DescribeTimeToLive", R"({"TableName": "orders"})"), std::pair("ListBackups", "{}"),
        std::pair("CreateTable", R"({"TableName": "an invalid name"})")),
    [](const auto& one) { return one.param.first; });

wire::Interface interface_of(std::string_view operation) {
  const bool of_streams = operation.contains("Stream") || operation == "GetShardIterator" || operation == "GetRecords";
  return of_streams ? wire::Interface::kStreams : wire::Interface::kTables;
}

TEST_P(OperationElsewhere, is_answered_by_a_thread_that_may_wait) {
  const auto store = open_embedded({.durability = Durability::kMemory}).value();
  std::vector<std::move_only_function<void()>> tasks;
  bool is_full = false;
  const Elsewhere elsewhere = [&](std::move_only_function<void()> task) {
    if (!is_full) tasks.push_back(std::move(task));
    return !is_full;
  };
  const wire::Account account;
  const wire::Backend backend{
      .service = store->service(), .account = account, .elsewhere = &elsewhere, .reached_at = "localhost"};
  int answers = 0;
  const auto ask = [&] {
    const auto [operation, body] = GetParam();
    wire::execute(interface_of(operation), operation, body, backend, [&](const Result<std::string>&) { ++answers; });
  };
  ask();
  EXPECT_EQ(answers, 0);
  ASSERT_EQ(tasks.size(), 1U);
  tasks.front()();
  EXPECT_EQ(answers, 1);
  is_full = true;
  ask();
  EXPECT_EQ(answers, 2) << "nobody is refused because others wait";
}

TEST(OperationHere, is_answered_at_once_when_its_request_says_where_to_go) {
  const auto store = open_embedded({.durability = Durability::kMemory}).value();
  const Elsewhere elsewhere = [](std::move_only_function<void()> /*task*/) -> bool {
    ADD_FAILURE() << "nothing has to wait";
    return false;
  };
  const wire::Account account;
  const wire::Backend backend{
      .service = store->service(), .account = account, .elsewhere = &elsewhere, .reached_at = "localhost"};
  int answers = 0;
  for (const auto& [operation, body] :
       {std::pair("GetItem", R"({"TableName": "orders", "Key": {"id": {"S": "1"}}})"),
        std::pair("Scan", R"({"TableName": "orders"})"),
        std::pair("GetRecords", R"({"ShardIterator": "an iterator that nobody has given"})")})
    wire::execute(interface_of(operation), operation, body, backend, [&](const Result<std::string>&) { ++answers; });
  EXPECT_EQ(answers, 3);
}

}  // namespace
}  // namespace dolmen
