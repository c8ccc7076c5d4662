#pragma once

#include <arpa/inet.h>
#include <atomic>
#include <fmt/format.h>
#include <mutex>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

/// A key service on loopback that answers every request with the same data key, at once: what is measured with it is
/// the way to a key service and back, without the time that a real one takes.
class KeyService {
 public:
  KeyService() : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{.sin_family = AF_INET, .sin_port = 0, .sin_addr = {htonl(INADDR_LOOPBACK)}, .sin_zero = {}};
    socklen_t length = sizeof address;
    if (::bind(listener_, reinterpret_cast<sockaddr*>(&address), length) != 0 || ::listen(listener_, 64) != 0)
      std::abort();
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &length);
    port_ = ntohs(address.sin_port);
    acceptor_ = std::thread([this] { accept_all(); });
  }
  ~KeyService() {
    ::shutdown(listener_, SHUT_RDWR);
    acceptor_.join();
    for (const int connection : connections_) ::shutdown(connection, SHUT_RDWR);
    for (std::thread& thread : threads_) thread.join();
    for (const int connection : connections_) ::close(connection);
    ::close(listener_);
  }
  KeyService(const KeyService&) = delete;
  KeyService& operator=(const KeyService&) = delete;

  [[nodiscard]] std::string url() const { return fmt::format("http://127.0.0.1:{}", port_); }
  [[nodiscard]] int requests() const { return requests_; }

 private:
  void accept_all() {
    while (true) {
      const int connection = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (connection < 0) return;
      connections_.push_back(connection);
      threads_.emplace_back([this, connection] { serve(connection); });
    }
  }

  void serve(int connection) {
    // 24 bytes of ciphertext are fewer than those of KMS, and 32 of key as many.
    static constexpr std::string_view kBody =
        R"({"CiphertextBlob":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","Plaintext":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="})";
    const std::string answer = fmt::format("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{}", kBody.size(), kBody);
    std::string input;
    std::string buffer(65536, '\0');
    while (true) {
      const ssize_t got = ::recv(connection, buffer.data(), buffer.size(), 0);
      if (got <= 0) return;
      input.append(buffer, 0, static_cast<std::size_t>(got));
      // The body is one JSON object, and the last thing of a request.
      if (input.find("\r\n\r\n") == std::string::npos || !input.ends_with('}')) continue;
      input.clear();
      ++requests_;
      if (::send(connection, answer.data(), answer.size(), MSG_NOSIGNAL) < 0) return;
    }
  }

  int listener_;
  int port_ = 0;
  std::atomic<int> requests_ = 0;
  /// Of the acceptor, until it has ended.
  std::vector<int> connections_;
  std::vector<std::thread> threads_;
  std::thread acceptor_;
};
