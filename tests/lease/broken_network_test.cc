// Leases through a proxy that loses answers, in front of a real Dolmen server.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dolmen/remote.h"
#include "http_client/http_client.h"
#include "http_client/test_server.h"
#include "lease_world.h"
#include "server/server.h"

namespace dolmen {
namespace {

class BrokenNetwork : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override { ASSERT_TRUE(store_->create_table(leases().table_definition()).has_value()); }

  Leases leases() { return Leases(*store_, "cache", {.fencing = GetParam()}); }

  /// Carries requests out and loses the answers of the next `lose_` writes.
  TestServer::Reply pass_on(const TestServer::Received& received) {
    http::Request request{.url = fmt::format("http://127.0.0.1:{}", server_->port()), .body = received.body};
    for (const char* name : {"content-type", "x-amz-target"}) request.headers.push_back({name, received.header(name)});
    const bool reads = received.header("x-amz-target").ends_with("GetItem");
    const http::Outcome outcome = client_.send_and_wait(std::move(request));
    if (!outcome) return {"", TestServer::Then::kClose};
    if (!reads && lose_ > 0) {
      --lose_;
      return {"", TestServer::Then::kReset};
    }
    return {TestServer::response(outcome->status, outcome->body,
                                 fmt::format("x-amz-crc32: {}\r\n", outcome->header("x-amz-crc32").value_or("")))};
  }

  std::atomic<int> lose_ = 0;
  std::unique_ptr<Server> server_ =
      Server::start({.store = {.durability = Durability::kMemory}, .http = {.port = 0}}).value();
  http::Client client_;
  TestServer proxy_{[this](const TestServer::Received& received) { return pass_on(received); }};
  std::unique_ptr<Store> store_ =
      open_remote({.endpoint = proxy_.url(), .retry = {.first_delay = std::chrono::milliseconds(1)}}).value();
};

TEST_P(BrokenNetwork, knows_its_own_lease_when_the_answer_was_lost) {
  lose_ = 1;
  const Result<Lease> lease = leases().acquire({"A"}, 30s);
  ASSERT_TRUE(lease.has_value()) << lease.error().message();
  EXPECT_EQ(lease->generation.has_value(), GetParam());
  EXPECT_EQ(leases().acquire({"A"}, 30s).error().code(), Code::kLeaseHeld);
  lose_ = 1;
  EXPECT_TRUE(leases().refresh(*lease, 40s).has_value());
  lose_ = 1;
  EXPECT_TRUE(leases().release(*lease).has_value());
  EXPECT_TRUE(leases().acquire({"A"}, 30s).has_value());
}

TEST_P(BrokenNetwork, does_not_take_the_lease_of_another_for_its_own) {
  ASSERT_TRUE(leases().acquire({"A"}, 30s).has_value());
  lose_ = 1;
  const Result<Lease> lease = leases().acquire({"A"}, 30s);
  ASSERT_FALSE(lease.has_value());
  EXPECT_TRUE(lease.error().code() == Code::kUnknownOutcome || lease.error().code() == Code::kLeaseHeld);
}

INSTANTIATE_TEST_SUITE_P(PlainAndFenced, BrokenNetwork, testing::Bool());

}  // namespace
}  // namespace dolmen
