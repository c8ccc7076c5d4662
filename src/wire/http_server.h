#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "dolmen/error.h"
#include "wire/http.h"
#include "wire/tls.h"

namespace dolmen::wire {

struct HttpServerOptions {
  std::string host = "127.0.0.1";
  /// 0 means any free port.
  std::uint16_t port = 8000;
  /// The number of network threads; 0 means one for each core.
  unsigned threads = 0;
  std::size_t connections_max = 10'000;
  /// A connection without a request for this long is closed.
  std::chrono::milliseconds idle_max = std::chrono::seconds(300);
  /// A request that takes longer than this from its first byte to its last is refused with 408. A client that takes
  /// longer to receive a response is disconnected.
  std::chrono::milliseconds request_max = std::chrono::seconds(60);
  HttpParser::Limits limits = {};
  /// Without these the server speaks plain HTTP.
  TlsFiles tls = {};
  /// The size of all incomplete requests of at least 64 KiB together. A request beyond it is refused with 503.
  std::size_t receiving_bytes_max = std::size_t{1} << 30;
};

/// An HTTP/1.1 server with keep-alive and pipelining: one event loop for each network thread; a connection stays on one
/// of them.
class HttpServer {
 public:
  /// Opens the port; clients that connect wait until `serve`. Fails with kAddressInUse or kInvalidArgument.
  static Result<std::unique_ptr<HttpServer>> listen(const HttpServerOptions& options);
  /// Stops at once.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  [[nodiscard]] std::uint16_t port() const;

  /// Reads the files of TLS again; they count for new connections. On failure everything stays as it was.
  Result<void> reload_tls();

  /// Starts answering. `handler` must outlive the server. Must be called only once.
  void serve(HttpHandler& handler);

  /// Stops accepting, lets the requests in progress finish, and closes all connections; after `patience` it closes the
  /// remaining ones too. Returns when all threads have ended, without waiting for handlers that have not answered by
  /// then. Such a handler may answer later or never, even when the server has been destroyed: its answer is dropped.
  /// May be called again.
  void stop(std::chrono::milliseconds patience = std::chrono::seconds(10));

 private:
  class Impl;
  explicit HttpServer(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace dolmen::wire
