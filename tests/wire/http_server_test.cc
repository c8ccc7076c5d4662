#include "wire/http_server.h"

#include <gtest/gtest.h>
#include <optional>
#include <thread>
#include <vector>

#include "http_test_client.h"

namespace dolmen::wire {
namespace {

using namespace std::chrono_literals;

TEST(HttpServer, drops_an_answer_that_comes_after_its_end) {
  KeepingHandler handler;
  std::optional<HttpHandler::Respond> late;
  {
    const auto server = serve(handler);
    const TestClient client(server->port());
    ASSERT_TRUE(client.send(kGet));
    late = handler.take();
    server->stop(0ms);
    EXPECT_EQ(client.read_to_end(), "");
  }
  (*late)({.body = "late"});
}

TEST(HttpServer, lets_an_answer_that_never_comes_be_forgotten_after_its_end) {
  KeepingHandler handler;
  const auto server = serve(handler);
  const TestClient client(server->port());
  ASSERT_TRUE(client.send(kGet));
  const HttpHandler::Respond never = handler.take();
  server->stop(0ms);
}

TEST(HttpServer, ends_while_answers_come_from_other_threads) {
  constexpr int kRounds = 50;
  constexpr int kClients = 4;
  for (int round = 0; round < kRounds; ++round) {
    KeepingHandler handler;
    auto server = serve(handler);
    std::vector<std::unique_ptr<TestClient>> clients;
    std::vector<std::thread> answering;
    for (int i = 0; i < kClients; ++i) {
      clients.push_back(std::make_unique<TestClient>(server->port()));
      ASSERT_TRUE(clients.back()->send(kGet));
      answering.emplace_back([respond = handler.take()]() mutable { respond({.body = "now"}); });
    }
    server.reset();
    for (std::thread& thread : answering) thread.join();
  }
}

TEST(HttpServer, takes_over_a_socket_that_listens_already) {
  const int listening = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ASSERT_EQ(::listen(listening, 8), 0);
  PromptHandler handler;
  const auto server = serve(handler, {.sockets = {listening}});
  const TestClient client(server->port());
  ASSERT_TRUE(client.send(kGet));
  EXPECT_TRUE(client.read_some().starts_with("HTTP/1.1 200 OK\r\n"));
}

TEST(HttpServer, refuses_a_descriptor_that_does_not_listen) {
  const int silent = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const auto server = HttpServer::listen({.sockets = {silent}});
  ASSERT_FALSE(server);
  EXPECT_EQ(server.error().code(), Code::kInvalidArgument);
  EXPECT_NE(server.error().message().find("is not a TCP socket that listens"), std::string_view::npos);
  ::close(silent);
}

TEST(HttpServer, finishes_a_request_that_is_coming_in_when_it_stops) {
  PromptHandler handler;
  const auto server = serve(handler);
  const TestClient client(server->port());
  ASSERT_TRUE(client.send("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"));
  EXPECT_TRUE(client.read_some().starts_with("HTTP/1.1 100 "));
  std::thread stopping([&] { server->stop(1h); });
  while (TestClient(server->port()).connected()) {}
  ASSERT_TRUE(client.send("{}"));
  const std::string answer = client.read_to_end();
  // The connection ends after it, with or without a word: the port closes a moment before connections hear of the stop.
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 200 OK\r\n"));
  stopping.join();
}

TEST(HttpServer, does_not_wait_longer_than_its_patience_for_a_request_that_is_coming_in) {
  PromptHandler handler;
  const auto server = serve(handler);
  const TestClient client(server->port());
  ASSERT_TRUE(client.send("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"));
  EXPECT_TRUE(client.read_some().starts_with("HTTP/1.1 100 "));
  server->stop(1ms);
  EXPECT_EQ(client.read_to_end(), "");
}

TEST(HttpServer, finishes_the_requests_under_way_when_it_stops) {
  KeepingHandler handler;
  const auto server = serve(handler);
  const TestClient client(server->port());
  ASSERT_TRUE(client.send(kGet));
  HttpHandler::Respond respond = handler.take();
  std::thread stopping([&] { server->stop(1h); });
  while (TestClient(server->port()).connected()) {}
  respond({.body = "in time"});
  EXPECT_TRUE(client.read_to_end().ends_with("in time"));
  stopping.join();
}

}  // namespace
}  // namespace dolmen::wire
