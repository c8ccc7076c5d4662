#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dolmen/error.h"
#include "wire/http.h"
#include "wire/limits.h"
#include "wire/tls.h"

namespace dolmen::wire {

struct HttpServerOptions {
  std::string host = "127.0.0.1";
  /// 0 means any free port.
  std::uint16_t port = 8000;
  /// Sockets that listen already, which the server takes over instead of opening a port.
  std::vector<int> sockets = {};
  /// The number of network threads; 0 means one for each core.
  unsigned threads = 0;

  // ---- Limits. Each that is reached is counted (limits.h). ----

  /// Fewer when the process may not open as many files. A client beyond it is refused with 503, or only disconnected
  /// when it speaks TLS or many are refused at once.
  std::size_t connections_max = 10'000;
  /// Of one address, or of one network (/64) of IPv6. 0 means three quarters of connections_max.
  std::size_t connections_per_address_max = 0;
  /// So many of the files that the process may open are not for connections but for the store.
  std::size_t descriptors_kept = 700;
  /// A connection without a request for this long is closed.
  std::chrono::milliseconds idle_max = std::chrono::seconds(300);
  /// Headers that take longer than this from their first byte to their last are refused with 408. So is a handshake of
  /// TLS, which gets no answer.
  std::chrono::milliseconds head_max = std::chrono::seconds(20);
  /// The same for a whole request, with its headers and its body.
  std::chrono::milliseconds request_max = std::chrono::seconds(60);
  /// A client that takes longer to receive what waits for it is disconnected.
  std::chrono::milliseconds answer_max = std::chrono::seconds(60);
  HttpParser::Limits limits = {};
  /// Requests that are complete and not answered. One beyond it is refused with 503.
  std::size_t requests_in_flight_max = 4096;
  /// Bytes of unfinished requests, of requests in flight and of answers that clients have not taken, as
  /// Traffic::request_bytes counts them. While there are more, requests are refused with 503.
  std::size_t request_memory_max = std::size_t{256} << 20;

  /// Without these the server speaks plain HTTP.
  TlsFiles tls = {};
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

  /// What it has and how often its limits were reached. Lives as long as the last request.
  [[nodiscard]] std::shared_ptr<Traffic> traffic() const;

  /// Reads the files of TLS again; they count for new connections. On failure everything stays as it was.
  Result<void> reload_tls();

  /// Starts answering. `handler` must outlive the server. Must be called only once.
  void serve(HttpHandler& handler);

  /// Stops accepting, lets the requests in progress finish, also those that are still coming in, and closes all
  /// connections; after `patience` it closes the remaining ones too. Returns when all threads have ended, without
  /// waiting for handlers that have not answered by then. Such a handler may answer later or never, even when the
  /// server has been destroyed: its answer is dropped. May be called again.
  void stop(std::chrono::milliseconds patience = std::chrono::seconds(10));

 private:
  class Impl;
  explicit HttpServer(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace dolmen::wire
