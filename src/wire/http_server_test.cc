#include "wire/http_server.h"

#include <arpa/inet.h>
#include <condition_variable>
#include <gtest/gtest.h>
#include <mutex>
#include <netinet/in.h>
#include <optional>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace dolmen::wire {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kGet = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

/// One connection to a server on loopback.
class TestClient {
 public:
  explicit TestClient(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}, .sin_zero = {}};
    connected_ = ::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }
  ~TestClient() { ::close(socket_); }
  TestClient(const TestClient&) = delete;
  TestClient& operator=(const TestClient&) = delete;

  [[nodiscard]] bool connected() const { return connected_; }

  bool send(std::string_view bytes) const {
    return ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
  }

  /// What comes until the server closes the connection.
  [[nodiscard]] std::string read_to_end() const {
    std::string text;
    char buffer[4096];
    for (ssize_t got = 0; (got = ::recv(socket_, buffer, sizeof buffer, 0)) > 0;)
      text.append(buffer, static_cast<std::size_t>(got));
    return text;
  }

 private:
  int socket_;
  bool connected_ = false;
};

/// Keeps the requests until a test answers them.
class KeepingHandler final : public HttpHandler {
 public:
  void handle(const HttpRequest& /*request*/, Respond respond) override {
    const std::lock_guard lock(kept_mutex_);
    kept_.push_back(std::move(respond));
    came_.notify_one();
  }

  Respond take() {
    std::unique_lock lock(kept_mutex_);
    came_.wait(lock, [this] { return !kept_.empty(); });
    Respond respond = std::move(kept_.back());
    kept_.pop_back();
    return respond;
  }

 private:
  std::mutex kept_mutex_;  // guards kept_
  std::condition_variable came_;
  std::vector<Respond> kept_;
};

std::unique_ptr<HttpServer> serve(HttpHandler& handler, HttpServerOptions options = {}) {
  options.port = 0;
  options.threads = 1;
  auto server = HttpServer::listen(options).value();
  server->serve(handler);
  return server;
}

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
