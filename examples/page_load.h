#pragma once

// Requests for the pages of page_server.cc, and how long each took.
#include <algorithm>
#include <arpa/inet.h>
#include <chrono>
#include <cstdlib>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

constexpr int kPages = 8;

/// Reads up to the empty line that ends a head; what follows stays in `input`. Empty when the connection has ended.
inline std::string read_head(int connection, std::string& input) {
  while (true) {
    if (const std::size_t end = input.find("\r\n\r\n"); end != std::string::npos) {
      const std::string head = input.substr(0, end + 2);
      input.erase(0, end + 4);
      return head;
    }
    char buffer[4096];
    const ssize_t got = recv(connection, buffer, sizeof buffer, 0);
    if (got <= 0) return {};
    input.append(buffer, static_cast<std::size_t>(got));
  }
}

/// The value of a header; empty when it is not there.
inline std::string header(const std::string& head, const std::string& name) {
  const std::size_t found = head.find("\r\n" + name + ": ");
  if (found == std::string::npos) return {};
  const std::size_t begin = found + name.size() + 4;
  return head.substr(begin, head.find("\r\n", begin) - begin);
}

struct Load {
  std::vector<double> milliseconds;
  int failures = 0;
};

/// One client that asks for one page after the other, on one connection.
inline Load ask(int port, std::chrono::steady_clock::time_point until, int client) {
  using Clock = std::chrono::steady_clock;
  Load load;
  const int connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(connection, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) load.failures = 1;
  std::string input;
  for (int i = client; Clock::now() < until && load.failures == 0; ++i) {
    const auto start = Clock::now();
    const std::string request = "GET /page/" + std::to_string(i % kPages) + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    send(connection, request.data(), request.size(), MSG_NOSIGNAL);
    const std::string head = read_head(connection, input);
    std::size_t length = std::strtoul(header(head, "Content-Length").c_str(), nullptr, 10);
    if (!head.starts_with("HTTP/1.1 200")) load.failures = 1;
    while (load.failures == 0 && input.size() < length) {
      char buffer[4096];
      const ssize_t got = recv(connection, buffer, sizeof buffer, 0);
      if (got <= 0) load.failures = 1;
      input.append(buffer, static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    }
    input.erase(0, length);
    load.milliseconds.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
  }
  close(connection);
  return load;
}
