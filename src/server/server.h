#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

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
  /// Go on with interrupted deletes of relations (docs/relation.md).
  bool resume_deletes = true;
  /// The words in which requests are refused.
  wire::Texts texts = wire::Texts::kCurrent;
  /// The origins of web pages whose scripts may use the server; "*" is any (wire/aws_protocol.h).
  std::vector<std::string> shared_with = {};
  /// Names of the server besides its address (wire/browser_guard.h).
  std::vector<std::string> host_names = {};
  /// The account and the region of all tables. Signatures must be for this region.
  wire::Account account = {};
  /// Large and compressed requests that wait for a worker. One beyond it is refused with kThrottled.
  std::size_t large_requests_waiting_max = 1024;
  /// Writes that wait for the disk, in bytes. A write beyond it is refused with kThrottled.
  std::size_t commit_queue_bytes_max = StartOptions{}.commit_queue_bytes_max;
  /// How long `stop` lets requests in progress go on.
  std::chrono::milliseconds stop_patience = std::chrono::seconds(10);
  /// Who may use the server. Its region and log are set by the start.
  access::Gatekeeper::Options access = {};
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

  /// Connections, requests in flight and limits that were reached, for whoever reports them (wire/limits.h).
  [[nodiscard]] std::shared_ptr<const wire::Traffic> traffic() const { return http_->traffic(); }

  /// Reads the access keys and the files of TLS again. What cannot be read stays as it was, and the log says so.
  void reload_files();

  /// Writes a line for the operator.
  void say(std::string line) { log_->write(std::move(line)); }

  /// Lets the requests in progress finish, or drops those that have not after the patience of the options. May be
  /// called again. The store closes with the server.
  void stop();

 private:
  struct Parts {
    std::unique_ptr<LineLog> log;
    std::unique_ptr<wire::HttpServer> http;
    std::unique_ptr<Store> store;
    std::unique_ptr<access::Gatekeeper> gatekeeper;
    Documents documents;
    bool resume_deletes;
    std::size_t large_requests_waiting_max;
    std::chrono::milliseconds stop_patience;
    wire::AwsProtocol::Options protocol;
  };
  explicit Server(Parts parts);

  const std::chrono::milliseconds stop_patience_;
  std::unique_ptr<LineLog> log_;  ///< First: the gates of the store write to it.
  std::unique_ptr<access::Gatekeeper> gatekeeper_;
  std::unique_ptr<Store> store_;
  DocumentTarget documents_;
  Workers heavy_workers_;
  wire::AwsProtocol protocol_;
  std::unique_ptr<wire::HttpServer> http_;
};

}  // namespace dolmen
