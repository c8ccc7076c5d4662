#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "dolmen/error.h"
#include "wire/http.h"

namespace dolmen::wire {

struct HttpServerOptions {
  std::string host = "127.0.0.1";
  /// 0 takes any free port.
  std::uint16_t port = 8000;
  /// Network threads; 0 is one for each core.
  unsigned threads = 0;
  std::size_t connections_max = 10'000;
  /// A connection without a request for this long is closed.
  std::chrono::milliseconds idle_max = std::chrono::seconds(300);
  /// A request that takes longer than this from its first byte to its last is refused with 408, and a client that takes
  /// longer to receive what is sent to it is cut off.
  std::chrono::milliseconds request_max = std::chrono::seconds(60);
  HttpParser::Limits limits = {};
  /// Of all requests together that have not come whole, those below 64 KiB apart. Who sends more is refused with 503.
  std::size_t receiving_bytes_max = std::size_t{1} << 30;
};

/// An HTTP/1.1 server with keep-alive and pipelining: one event loop for each network thread; a connection stays on one
/// of them.
class HttpServer {
 public:
  /// Takes the port; clients that connect wait. Fails with kAddressInUse or kInvalidArgument.
  static Result<std::unique_ptr<HttpServer>> listen(const HttpServerOptions& options);
  /// Stops without patience.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  [[nodiscard]] std::uint16_t port() const;

  /// Begins to answer. `handler` must outlive the server. Called once.
  void serve(HttpHandler& handler);

  /// Stops accepting, lets the requests under way finish, and closes all connections; those that are not done after
  /// `patience` are cut off. Returns when all threads have ended, which is soon after that: it does not wait for a
  /// handler that has not answered by then. Such a handler may answer later, or never, even when the server has been
  /// destroyed: its answer is dropped. May be called again.
  void stop(std::chrono::milliseconds patience = std::chrono::seconds(10));

 private:
  class Impl;
  explicit HttpServer(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace dolmen::wire
