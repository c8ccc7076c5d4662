#pragma once

#include <algorithm>
#include <arpa/inet.h>
#include <atomic>
#include <cctype>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <mutex>
#include <netinet/in.h>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include "base/check.h"

namespace dolmen {

/// A server on loopback that answers as a test tells it to, including in invalid ways.
class TestServer {
 public:
  struct Received {
    /// The request line and the headers.
    std::string head;
    std::string body;

    /// The value of a header, whose name is compared without case; empty when it is missing.
    [[nodiscard]] std::string header(std::string_view name) const {
      const auto same = [](char a, char b) { return std::tolower(a) == std::tolower(b); };
      const auto found = std::ranges::search(head, fmt::format("\r\n{}: ", name), same);
      if (found.empty()) return {};
      return {found.end(),
              std::ranges::search(std::ranges::subrange(found.end(), head.end()), std::string_view("\r\n")).begin()};
    }
  };

  enum class Then {
    kKeep,
    kClose,
    kReset,
    kHang,
    kTrickle,  ///< like kKeep, but sends a few bytes at a time
  };

  /// Bytes to send unchanged, and what happens to the connection afterwards.
  struct Reply {
    std::string bytes;
    Then then = Then::kKeep;
  };

  /// Called for each request, one at a time.
  using Handler = std::function<Reply(const Received&)>;

  explicit TestServer(Handler handler) : handler_(std::move(handler)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{.sin_family = AF_INET, .sin_port = 0, .sin_addr = {htonl(INADDR_LOOPBACK)}, .sin_zero = {}};
    socklen_t length = sizeof address;
    DOLMEN_CHECK(::bind(listener_, reinterpret_cast<sockaddr*>(&address), length) == 0 && ::listen(listener_, 64) == 0,
                 "a test can listen on loopback");
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &length);
    port_ = ntohs(address.sin_port);
    acceptor_ = std::thread([this] { accept_all(); });
  }

  ~TestServer() {
    ::shutdown(listener_, SHUT_RDWR);
    acceptor_.join();
    ::close(listener_);
    {
      const std::lock_guard lock(connections_mutex_);
      for (const int connection : open_) ::shutdown(connection, SHUT_RDWR);
    }
    for (std::thread& thread : threads_) thread.join();
  }
  TestServer(const TestServer&) = delete;
  TestServer& operator=(const TestServer&) = delete;

  [[nodiscard]] std::string url() const { return fmt::format("http://127.0.0.1:{}", port_); }
  [[nodiscard]] int requests() const { return requests_; }

  /// A whole response.
  static std::string response(int status, std::string_view body, std::string_view headers = "") {
    return fmt::format("HTTP/1.1 {} Text\r\nContent-Length: {}\r\n{}\r\n{}", status, body.size(), headers, body);
  }

 private:
  void accept_all() {
    while (true) {
      const int connection = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (connection < 0) return;
      const std::lock_guard lock(connections_mutex_);
      open_.push_back(connection);
      threads_.emplace_back([this, connection] { serve(connection); });
    }
  }

  void serve(int connection) {
    std::string input;
    while (true) {
      Received received;
      if (!read_request(connection, input, received)) break;
      Reply reply;
      {
        const std::lock_guard lock(handler_mutex_);
        ++requests_;
        reply = handler_(received);
      }
      if (reply.then == Then::kTrickle) {
        if (!trickle(connection, reply.bytes)) break;
        continue;
      }
      ::send(connection, reply.bytes.data(), reply.bytes.size(), MSG_NOSIGNAL);
      if (reply.then == Then::kKeep) continue;
      if (reply.then == Then::kReset) {
        const linger at_once{.l_onoff = 1, .l_linger = 0};
        ::setsockopt(connection, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
      }
      char byte = 0;
      if (reply.then == Then::kHang)
        while (::recv(connection, &byte, 1, 0) > 0) {}
      break;
    }
    const std::lock_guard lock(connections_mutex_);
    std::erase(open_, connection);
    ::close(connection);
  }

  /// False when the other side has closed the connection.
  static bool trickle(int connection, std::string_view bytes) {
    constexpr std::size_t kPiece = 8;
    constexpr int kPauseMs = 1;
    for (; !bytes.empty(); bytes.remove_prefix(std::min(kPiece, bytes.size()))) {
      if (::send(connection, bytes.data(), std::min(kPiece, bytes.size()), MSG_NOSIGNAL) < 0) return false;
      pollfd closed{.fd = connection, .events = POLLIN | POLLRDHUP, .revents = 0};
      if (::poll(&closed, 1, kPauseMs) > 0) return false;
    }
    return true;
  }

  static bool read_request(int connection, std::string& input, Received& received) {
    std::size_t end = std::string::npos;
    std::size_t length = 0;
    while (true) {
      end = input.find("\r\n\r\n");
      if (end != std::string::npos) {
        received.head = input.substr(0, end + 2);
        const std::string declared = received.header("Content-Length");
        length = declared.empty() ? 0 : std::stoul(declared);
        if (input.size() >= end + 4 + length) break;
      }
      std::string buffer(65536, '\0');
      const ssize_t got = ::recv(connection, buffer.data(), buffer.size(), 0);
      if (got <= 0) return false;
      input.append(buffer, 0, static_cast<std::size_t>(got));
    }
    received.body = input.substr(end + 4, length);
    input.erase(0, end + 4 + length);
    return true;
  }

  Handler handler_;
  int listener_ = -1;
  int port_ = 0;
  std::atomic<int> requests_ = 0;
  std::mutex handler_mutex_;
  std::mutex connections_mutex_;
  std::vector<int> open_;
  std::vector<std::thread> threads_;
  std::thread acceptor_;
};

}  // namespace dolmen
