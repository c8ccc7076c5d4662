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
  /// Filled in when it is given.
  RecoveryReport* report = nullptr;
  wire::HttpServerOptions http;
  /// Takes lines for the operator, one after the other, on a thread that may wait. Empty: nobody hears them.
  LineLog::Sink log = {};
};

/// An embedded store that answers the DynamoDB protocol, and that of documents.
class Server {
 public:
  /// Takes the port first and touches the data directory only then, so that a busy port changes nothing on disk.
  /// Nothing is served before schemas, log and documents have been found to fit together.
  static Result<std::unique_ptr<Server>> start(const ServerOptions& options);
  /// Stops, if nobody has yet.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  [[nodiscard]] std::uint16_t port() const { return http_->port(); }

  /// Lets the requests under way finish, then closes the store.
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
