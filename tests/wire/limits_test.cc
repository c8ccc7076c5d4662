#include "wire/limits.h"

#include <gtest/gtest.h>
#include <thread>
#include <vector>

#include "http_test_client.h"

/// Every limit of the server, reached on purpose: what the client hears, and that it is counted.
namespace dolmen::wire {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kUnavailable = "HTTP/1.1 503 Service Unavailable\r\n";
constexpr std::string_view kOk = "HTTP/1.1 200 OK\r\n";

/// Asks until the answer begins with `wanted`: the server hears of clients that have left a little later.
void ask_until(std::uint16_t port, std::string_view wanted) {
  for (;;) {
    const TestClient client(port);
    if (client.send(kGet) && client.read_some().starts_with(wanted)) return;
  }
}

TEST(HttpLimits, refuses_a_connection_too_many_with_an_answer) {
  PromptHandler handler;
  const auto server = serve(handler, {.connections_max = 2, .connections_per_address_max = 2});
  {
    const TestClient one(server->port());
    const TestClient other(server->port());
    for (const TestClient* client : {&one, &other}) {
      ASSERT_TRUE(client->send(kGet));
      EXPECT_TRUE(client->read_some().starts_with(kOk));
    }
    const TestClient third(server->port());
    ASSERT_TRUE(third.send(kGet));
    EXPECT_TRUE(third.read_to_end().starts_with(kUnavailable));
    EXPECT_EQ(server->traffic()->hits(Limit::kConnections), 1U);
    EXPECT_EQ(server->traffic()->connections, 2U);
  }
  ask_until(server->port(), kOk);
}

TEST(HttpLimits, refuses_an_address_that_has_too_many_connections) {
  PromptHandler handler;
  const auto server = serve(handler, {.connections_max = 4});
  const TestClient one(server->port(), 0, "127.0.0.2");
  const TestClient two(server->port(), 0, "127.0.0.2");
  const TestClient three(server->port(), 0, "127.0.0.2");
  for (const TestClient* client : {&one, &two, &three}) {
    ASSERT_TRUE(client->send(kGet));
    EXPECT_TRUE(client->read_some().starts_with(kOk));
  }
  const TestClient fourth(server->port(), 0, "127.0.0.2");
  ASSERT_TRUE(fourth.send(kGet));
  EXPECT_TRUE(fourth.read_to_end().starts_with(kUnavailable));
  EXPECT_EQ(server->traffic()->hits(Limit::kConnectionsPerAddress), 1U);
  const TestClient neighbour(server->port(), 0, "127.0.0.3");
  ASSERT_TRUE(neighbour.send(kGet));
  EXPECT_TRUE(neighbour.read_some().starts_with(kOk));
}

TEST(HttpLimits, only_closes_connections_when_it_refuses_many_at_once) {
  constexpr int kMany = 80;
  PromptHandler handler;
  const auto server = serve(handler, {.connections_max = 1});
  const TestClient one(server->port());
  ASSERT_TRUE(one.send(kGet));
  EXPECT_TRUE(one.read_some().starts_with(kOk));
  std::vector<std::unique_ptr<TestClient>> many;
  for (int i = 0; i < kMany; ++i) many.push_back(std::make_unique<TestClient>(server->port()));
  // The last is closed, though it has asked for nothing.
  EXPECT_EQ(many.back()->read_to_end(), "");
  EXPECT_EQ(server->traffic()->connections, 1U);
}

TEST(HttpLimits, refuses_requests_beyond_those_in_flight_and_keeps_the_connection) {
  KeepingHandler handler;
  const auto server = serve(handler, {.requests_in_flight_max = 1});
  const TestClient one(server->port());
  ASSERT_TRUE(one.send(kGet));
  HttpHandler::Respond respond = handler.take();
  EXPECT_EQ(server->traffic()->requests_in_flight, 1U);
  const TestClient other(server->port());
  ASSERT_TRUE(other.send(kGet));
  const std::string refusal = other.read_some();
  EXPECT_TRUE(refusal.starts_with(kUnavailable));
  EXPECT_EQ(refusal.find("Connection: close"), std::string::npos);
  EXPECT_EQ(server->traffic()->hits(Limit::kRequestsInFlight), 1U);
  respond({.body = "now"});
  EXPECT_TRUE(one.read_some().starts_with(kOk));
  ASSERT_TRUE(other.send(kGet));
  handler.take()({.body = "now"});
  EXPECT_TRUE(other.read_some().starts_with(kOk));
  EXPECT_EQ(server->traffic()->requests_in_flight, 0U);
}

TEST(HttpLimits, counts_a_request_until_its_handler_is_done_even_when_the_client_has_left) {
  KeepingHandler handler;
  const auto server = serve(handler, {.requests_in_flight_max = 1});
  std::optional<HttpHandler::Respond> respond;
  {
    const TestClient leaving(server->port());
    ASSERT_TRUE(leaving.send(kGet));
    respond = handler.take();
  }
  ask_until(server->port(), kUnavailable);
  EXPECT_EQ(server->traffic()->requests_in_flight, 1U);
  respond.reset();  // The handler gives up without an answer.
  EXPECT_EQ(server->traffic()->requests_in_flight, 0U);
}

TEST(HttpLimits, refuses_requests_while_clients_do_not_take_their_answers) {
  constexpr std::size_t kAnswer = 8'000'000;
  PromptHandler handler(kAnswer);
  const auto server = serve(handler, {.request_memory_max = 1'000'000});
  {
    const TestClient slow(server->port(), 2048);
    ASSERT_TRUE(slow.send(kGet));
    EXPECT_TRUE(slow.read_some().starts_with(kOk));
    const TestClient other(server->port());
    ASSERT_TRUE(other.send(kGet));
    EXPECT_TRUE(other.read_some().starts_with(kUnavailable));
    EXPECT_GE(server->traffic()->hits(Limit::kRequestMemory), 1U);
  }
  ask_until(server->port(), kOk);
}

TEST(HttpLimits, counts_what_is_too_long) {
  PromptHandler handler;
  const auto server = serve(handler);
  const TestClient head(server->port());
  ASSERT_TRUE(head.send("GET / HTTP/1.1\r\nHost: x\r\nX: " + std::string(17'000, 'x') + "\r\n\r\n"));
  EXPECT_TRUE(head.read_to_end().starts_with("HTTP/1.1 400 Bad Request\r\n"));
  EXPECT_EQ(server->traffic()->hits(Limit::kHeadBytes), 1U);
  const TestClient body(server->port());
  ASSERT_TRUE(body.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 16777217\r\n\r\n"));
  EXPECT_TRUE(body.read_some().starts_with("HTTP/1.1 413 Content Too Large\r\n"));
  EXPECT_EQ(server->traffic()->hits(Limit::kBodyBytes), 1U);
}

TEST(HttpLimits, gives_up_a_head_that_trickles_in_for_too_long) {
  PromptHandler handler;
  const auto server = serve(handler, {.head_max = 50ms});
  const TestClient client(server->port());
  ASSERT_TRUE(client.send("GET / HTTP/1.1\r\nHost: "));
  EXPECT_TRUE(client.trickle_until(POLLIN));
  EXPECT_TRUE(client.read_some().starts_with("HTTP/1.1 408 Request Timeout\r\n"));
  EXPECT_EQ(server->traffic()->hits(Limit::kHeadTime), 1U);
}

TEST(HttpLimits, gives_up_a_body_that_trickles_in_for_too_long) {
  PromptHandler handler;
  const auto server = serve(handler, {.request_max = 50ms});
  const TestClient client(server->port());
  ASSERT_TRUE(client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10000000\r\n\r\n"));
  EXPECT_TRUE(client.trickle_until(POLLIN));
  EXPECT_TRUE(client.read_some().starts_with("HTTP/1.1 408 Request Timeout\r\n"));
  EXPECT_EQ(server->traffic()->hits(Limit::kRequestTime), 1U);
}

TEST(HttpLimits, gives_up_a_pipelined_request_that_trickles_in_for_too_long) {
  PromptHandler handler;
  const auto server = serve(handler, {.request_max = 50ms});
  const TestClient client(server->port());
  ASSERT_TRUE(client.send(std::string(kGet) + "GET / HTTP/1.1\r\nHost: "));
  EXPECT_TRUE(client.read_some().starts_with("HTTP/1.1 200 OK\r\n"));
  EXPECT_TRUE(client.trickle_until(POLLIN));
  EXPECT_TRUE(client.read_some().starts_with("HTTP/1.1 408 Request Timeout\r\n"));
}

TEST(HttpLimits, cuts_off_a_refused_client_that_goes_on_for_too_long) {
  PromptHandler handler;
  const auto server = serve(handler, {.request_max = 50ms});
  const TestClient client(server->port());
  ASSERT_TRUE(client.send("not HTTP\r\n\r\n"));
  EXPECT_TRUE(client.trickle_until(POLLHUP));
}

TEST(HttpLimits, cuts_off_a_client_that_goes_on_asking_and_does_not_take_its_answers) {
  PromptHandler handler(8'000'000);
  const auto server = serve(handler, {.answer_max = 50ms});
  const TestClient client(server->port(), 2048);
  ASSERT_TRUE(client.send(std::string(kGet) + "GET / HTTP/1.1\r\nHost: "));
  EXPECT_TRUE(client.trickle_until(POLLHUP));
  EXPECT_EQ(server->traffic()->hits(Limit::kAnswerTime), 1U);
}

TEST(HttpLimits, refuses_large_requests_when_it_is_receiving_too_much_at_once) {
  constexpr std::size_t kBody = 1'000'000;
  constexpr std::size_t kFirstPart = 700'000;
  PromptHandler handler;
  const auto server = serve(handler, {.request_memory_max = kBody + 20'000});
  const std::string head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(kBody) + "\r\n\r\n";
  const TestClient accepted(server->port());
  ASSERT_TRUE(accepted.send(head + std::string(kFirstPart, 'a')));
  while (server->traffic()->request_bytes < static_cast<std::ptrdiff_t>(kFirstPart)) std::this_thread::yield();
  const TestClient refused(server->port());
  ASSERT_TRUE(refused.send(head + std::string(kFirstPart, 'a')));
  EXPECT_TRUE(refused.read_some().starts_with("HTTP/1.1 503 Service Unavailable\r\n"));
  ASSERT_TRUE(accepted.send(std::string(kBody - kFirstPart, 'a')));
  EXPECT_TRUE(accepted.read_some().starts_with("HTTP/1.1 200 OK\r\n"));
  // What was refused and what was answered count no more.
  const TestClient later(server->port());
  ASSERT_TRUE(later.send(head + std::string(kBody, 'a')));
  EXPECT_TRUE(later.read_some().starts_with("HTTP/1.1 200 OK\r\n"));
  EXPECT_EQ(server->traffic()->hits(Limit::kRequestMemory), 1U);
}

TEST(HttpLimits, closes_a_connection_that_was_idle_for_too_long) {
  PromptHandler handler;
  const auto server = serve(handler, {.idle_max = 50ms});
  const TestClient never_used(server->port());
  const TestClient used(server->port());
  ASSERT_TRUE(used.send(kGet));
  EXPECT_TRUE(used.read_to_end().starts_with("HTTP/1.1 200 OK\r\n"));
  EXPECT_EQ(never_used.read_to_end(), "");
  EXPECT_EQ(server->traffic()->hits(Limit::kIdleTime), 2U);
}

TEST(HttpLimits, does_not_count_the_time_between_requests_as_theirs) {
  PromptHandler handler;
  const auto server = serve(handler, {.request_max = 1ms});
  const TestClient idle(server->port());
  // While this one is given up, the other is looked at as well.
  const TestClient trickling(server->port());
  ASSERT_TRUE(trickling.send("GET"));
  EXPECT_TRUE(trickling.read_some().starts_with("HTTP/1.1 408 Request Timeout\r\n"));
  ASSERT_TRUE(idle.send(kGet));
  EXPECT_TRUE(idle.read_some().starts_with("HTTP/1.1 200 OK\r\n"));
}

}  // namespace
}  // namespace dolmen::wire
