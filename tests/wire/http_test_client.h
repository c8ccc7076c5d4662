#pragma once

#include <algorithm>
#include <arpa/inet.h>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <netinet/in.h>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "wire/http_server.h"

/// A server on loopback with handlers and clients that tests control.
namespace dolmen::wire {

inline constexpr std::string_view kGet = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

/// One connection to a server on loopback.
class TestClient {
 public:
  /// From any address of loopback.
  explicit TestClient(std::uint16_t port, int receive_buffer_bytes = 0, const char* from = "127.0.0.1")
      : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    if (receive_buffer_bytes > 0)
      ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer_bytes, sizeof receive_buffer_bytes);
    sockaddr_in own{.sin_family = AF_INET, .sin_port = 0, .sin_addr = {}, .sin_zero = {}};
    ::inet_pton(AF_INET, from, &own.sin_addr);
    ::bind(socket_, reinterpret_cast<sockaddr*>(&own), sizeof own);
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

inline std::unique_ptr<HttpServer> serve(HttpHandler& handler, HttpServerOptions options = {}) {
  options.port = 0;
  options.threads = 1;
  auto server = HttpServer::listen(options).value();
  server->serve(handler);
  return server;
}

}  // namespace dolmen::wire
