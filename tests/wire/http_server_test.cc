#include "wire/http_server.h"

#include <arpa/inet.h>
#include <condition_variable>
#include <gtest/gtest.h>
#include <mutex>
#include <netinet/in.h>
#include <optional>
#include <poll.h>
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
  explicit TestClient(std::uint16_t port, int receive_buffer_bytes = 0)
      : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    if (receive_buffer_bytes > 0)
      ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer_bytes, sizeof receive_buffer_bytes);
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
  /// What comes first.
  [[nodiscard]] std::string read_some() const {
    std::string text(4096, '\0');
    text.resize(static_cast<std::size_t>(std::max(::recv(socket_, text.data(), text.size(), 0), ssize_t{0})));
    return text;
  }

  /// Whether something comes here before something comes there.
  [[nodiscard]] bool comes_before(const TestClient& there) const {
    pollfd waiting[] = {{.fd = socket_, .events = POLLIN, .revents = 0},
                        {.fd = there.socket_, .events = POLLIN, .revents = 0}};
    while (::poll(waiting, 2, -1) <= 0) {}
    return waiting[0].revents != 0;
  }

  /// Sends one byte after the other, so that the server always hears something, until one of the events comes. False
  /// when none has come after as many bytes as a whole head may have.
  [[nodiscard]] bool trickle_until(short events) const {
    constexpr int kPauseMs = 1;
    for (std::size_t sent = 0; sent < HttpParser::Limits{}.header_bytes_max - 1024; ++sent) {
      pollfd ended{.fd = socket_, .events = events, .revents = 0};
      if (::poll(&ended, 1, kPauseMs) > 0 || !send("a")) return true;
    }
    return false;
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

/// Answers at once with a body of a given size.
class PromptHandler final : public HttpHandler {
 public:
  explicit PromptHandler(std::size_t body_bytes = 2) : body_bytes_(body_bytes) {}
  void handle(const HttpRequest& /*request*/, Respond respond) override {
    respond({.body = std::string(body_bytes_, 'b')});
  }

 private:
  std::size_t body_bytes_;
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

TEST(HttpServer, gives_up_a_head_that_trickles_in_for_too_long) {
  PromptHandler handler;
  const auto server = serve(handler, {.request_max = 50ms});
  const TestClient client(server->port());
  ASSERT_TRUE(client.send("GET / HTTP/1.1\r\nHost: "));
  EXPECT_TRUE(client.trickle_until(POLLIN));
  EXPECT_TRUE(client.read_some().starts_with("HTTP/1.1 408 Request Timeout\r\n"));
}

TEST(HttpServer, gives_up_a_body_that_trickles_in_for_too_long) {
  PromptHandler handler;
  const auto server = serve(handler, {.request_max = 50ms});
  const TestClient client(server->port());
  ASSERT_TRUE(client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10000000\r\n\r\n"));
  EXPECT_TRUE(client.trickle_until(POLLIN));
  EXPECT_TRUE(client.read_some().starts_with("HTTP/1.1 408 Request Timeout\r\n"));
}

TEST(HttpServer, gives_up_a_pipelined_request_that_trickles_in_for_too_long) {
  PromptHandler handler;
  const auto server = serve(handler, {.request_max = 50ms});
  const TestClient client(server->port());
  ASSERT_TRUE(client.send(std::string(kGet) + "GET / HTTP/1.1\r\nHost: "));
  EXPECT_TRUE(client.read_some().starts_with("HTTP/1.1 200 OK\r\n"));
  EXPECT_TRUE(client.trickle_until(POLLIN));
  EXPECT_TRUE(client.read_some().starts_with("HTTP/1.1 408 Request Timeout\r\n"));
}

TEST(HttpServer, cuts_off_a_refused_client_that_goes_on_for_too_long) {
  PromptHandler handler;
  const auto server = serve(handler, {.request_max = 50ms});
  const TestClient client(server->port());
  ASSERT_TRUE(client.send("not HTTP\r\n\r\n"));
  EXPECT_TRUE(client.trickle_until(POLLHUP));
}

TEST(HttpServer, cuts_off_a_client_that_goes_on_asking_and_does_not_take_its_answers) {
  PromptHandler handler(1'000'000);
  const auto server = serve(handler, {.request_max = 50ms});
  const TestClient client(server->port(), 2048);
  ASSERT_TRUE(client.send(std::string(kGet) + "GET / HTTP/1.1\r\nHost: "));
  EXPECT_TRUE(client.trickle_until(POLLHUP));
}

TEST(HttpServer, refuses_large_requests_when_it_is_receiving_too_much_at_once) {
  constexpr std::size_t kBody = 1'000'000;
  constexpr std::size_t kFirstPart = 700'000;
  PromptHandler handler;
  const auto server = serve(handler, {.receiving_bytes_max = kBody + 1000});
  const std::string head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(kBody) + "\r\n\r\n";
  const TestClient one(server->port());
  const TestClient other(server->port());
  for (const TestClient* client : {&one, &other}) ASSERT_TRUE(client->send(head + std::string(kFirstPart, 'a')));
  // Which of the two was too much is not said.
  const bool first_was = one.comes_before(other);
  const TestClient& refused = first_was ? one : other;
  const TestClient& accepted = first_was ? other : one;
  EXPECT_TRUE(refused.read_some().starts_with("HTTP/1.1 503 Service Unavailable\r\n"));
  ASSERT_TRUE(accepted.send(std::string(kBody - kFirstPart, 'a')));
  EXPECT_TRUE(accepted.read_some().starts_with("HTTP/1.1 200 OK\r\n"));
  // What was refused and what was answered count no more.
  const TestClient later(server->port());
  ASSERT_TRUE(later.send(head + std::string(kBody, 'a')));
  EXPECT_TRUE(later.read_some().starts_with("HTTP/1.1 200 OK\r\n"));
}

TEST(HttpServer, closes_a_connection_that_was_idle_for_too_long) {
  PromptHandler handler;
  const auto server = serve(handler, {.idle_max = 50ms});
  const TestClient never_used(server->port());
  const TestClient used(server->port());
  ASSERT_TRUE(used.send(kGet));
  EXPECT_TRUE(used.read_to_end().starts_with("HTTP/1.1 200 OK\r\n"));
  EXPECT_EQ(never_used.read_to_end(), "");
}

TEST(HttpServer, does_not_count_the_time_between_requests_as_theirs) {
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
