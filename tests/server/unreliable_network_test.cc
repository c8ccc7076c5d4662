// Counting through a proxy that loses requests and answers, in front of a real Dolmen server.
#include <atomic>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <random>
#include <thread>

#include "base/test_result.h"
#include "base/test_seed.h"
#include "dolmen/dolmen.h"
#include "http_client/http_client.h"
#include "protocol/errors.h"
#include "server/server.h"
#include "tests/http_client/test_server.h"

namespace dolmen {
namespace {

constexpr int kThreads = 4;
constexpr int kCountsEach = 40;

class UnreliableNetwork : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_THAT(direct_->create_table({.name = "counters", .partition_key = {"id", KeyType::kNumber}}), succeeds());
  }

  static std::string url_of(const Server& server) { return fmt::format("http://127.0.0.1:{}", server.port()); }

  /// Half of the requests suffer: refused, lost before or after they were carried out, or answered slowly or in a
  /// broken way.
  TestServer::Reply pass_on(const TestServer::Received& received) {
    using Then = TestServer::Then;
    const unsigned fate = std::uniform_int_distribution(0U, 13U)(random_);
    if (fate == 0) return {"", Then::kReset};
    if (fate == 1) {
      const Error slow_down(Code::kThrottled, "too many");
      return {TestServer::response(wire_error(slow_down.code()).status, error_body(slow_down))};
    }
    http::Request request{.url = url_of(*server_), .body = received.body};
    for (const char* name : {"content-type", "x-amz-target"}) request.headers.push_back({name, received.header(name)});
    const http::Outcome outcome = client_.send_and_wait(std::move(request));
    if (!outcome) return {"", Then::kClose};
    const std::string answer =
        TestServer::response(outcome->status, outcome->body,
                             fmt::format("x-amz-crc32: {}\r\n", outcome->header("x-amz-crc32").value_or("")));
    switch (fate) {
      case 2: return {"", Then::kReset};
      case 3: return {answer.substr(0, answer.size() / 2), Then::kClose};
      case 4: return {TestServer::response(500, "")};
      case 5: return {TestServer::response(outcome->status, outcome->body, "x-amz-crc32: 7\r\n")};
      case 6: return {answer, Then::kTrickle};
      default: return {answer};
    }
  }

  /// What the threads of `work(store)` have done together.
  template <class Work>
  void in_parallel(Work work) {
    const auto store = open_remote({.endpoint = proxy_.url(),
                                    .retry = {.attempts_max = 4, .first_delay = std::chrono::milliseconds(1)}})
                           .value();
    std::vector<std::jthread> threads;
    for (int i = 0; i < kThreads; ++i) threads.emplace_back([&, i] { work(*store, i); });
  }

  Number counted() {
    const auto item = direct_->get_item("counters", {{"id", 1}}).value().item;
    return item ? item->at("n").number() : Number(0);
  }

  std::mt19937_64 random_{test_seed("UnreliableNetwork")};
  std::unique_ptr<Server> server_ =
      Server::start({.store = {.durability = Durability::kMemory}, .http = {.port = 0}}).value();
  std::unique_ptr<Store> direct_ = open(url_of(*server_)).value();
  http::Client client_;
  TestServer proxy_{[this](const TestServer::Received& received) { return pass_on(received); }};
};

TEST_F(UnreliableNetwork, loses_and_doubles_no_transaction_that_has_a_token) {
  in_parallel([&](Store& store, int thread) {
    for (int i = 0; i < kCountsEach; ++i) {
      const TransactAction count =
          UpdateAction{.table = "counters", .key = {{"id", 1}}, .update = Update{}.add(attr("n"), 1)};
      // The token makes it the same transaction however often it is asked for.
      while (!store.transact_write({count}, {.client_token = fmt::format("{}-{}", thread, i)})) {}
    }
  });
  EXPECT_EQ(counted(), Number(kThreads * kCountsEach));
}

TEST_F(UnreliableNetwork, tells_of_every_update_whether_it_is_sure) {
  std::atomic<int> sure = 0;
  std::atomic<int> unsure = 0;
  in_parallel([&](Store& store, int) {
    for (int i = 0; i < kCountsEach; ++i) {
      const auto written = store.update_item("counters", {{"id", 1}}, Update{}.add(attr("n"), 1));
      if (written)
        ++sure;
      else if (written.error().code() == Code::kUnknownOutcome)
        ++unsure;
      else if (written.error().code() != Code::kThrottled)  // Which is as sure: it was not carried out.
        ADD_FAILURE() << written.error().message();
    }
  });
  EXPECT_GE(counted(), Number(sure.load()));
  EXPECT_LE(counted(), Number(sure + unsure));
  EXPECT_GT(unsure, 0);
}

}  // namespace
}  // namespace dolmen
