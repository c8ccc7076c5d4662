#pragma once

#include <cstdint>
#include <memory>

#include "base/line_log.h"
#include "dolmen/error.h"
#include "embedded/embedded.h"
#include "server/document_target.h"
#include "wire/aws_protocol.h"
#include "wire/http_server.h"

namespace dolmen {

struct ServerOptions {
  EmbeddedOptions store;
  /// Set by the start, unless it is null.
  RecoveryReport* report = nullptr;
  wire::HttpServerOptions http;
  /// Receives lines for the operator, one at a time, on a thread that may block. Empty discards them.
  LineLog::Sink log = {};
};

/// An embedded store behind the DynamoDB protocol and the document protocol.
class Server {
 public:
  /// Opens the port before it touches the data directory, so that a busy port changes nothing on disk. Serves nothing
  /// before schemas, log and documents have been checked against each other.
  static Result<std::unique_ptr<Server>> start(const ServerOptions& options);
  /// Stops the server, unless it has been stopped.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  [[nodiscard]] std::uint16_t port() const { return http_->port(); }

  /// Lets the requests in progress finish, then closes the store.
  void stop();

 private:
  struct Parts {
    std::unique_ptr<LineLog> log;
    std::unique_ptr<wire::HttpServer> http;
    std::unique_ptr<Store> store;
    Documents documents;
  };
  explicit Server(Parts parts);

  std::unique_ptr<LineLog> log_;  ///< First: the gates of the store write to it.
  std::unique_ptr<Store> store_;
  DocumentTarget documents_;
  wire::AwsProtocol protocol_;
  std::unique_ptr<wire::HttpServer> http_;
};

}  // namespace dolmen
