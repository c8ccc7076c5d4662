#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"
#include "embedded/embedded.h"
#include "server/console.h"
#include "server/document_target.h"
#include "server/log.h"
#include "server/server_observer.h"
#include "wire/aws_protocol.h"
#include "wire/http_server.h"
#include "wire/monitor.h"

namespace dolmen {

/// What can be changed while a server runs.
struct LiveOptions {
  LogLevel log_level = LogLevel::kInfo;
  /// Requests that take longer have a line in the log; 0: none has for that.
  std::chrono::milliseconds slow_request{1000};
};

struct ServerOptions {
  EmbeddedOptions store;
  /// Set by the start, unless it is null.
  RecoveryReport* report = nullptr;
  wire::HttpServerOptions http;
  /// Go on with interrupted deletes of relations (docs/relation.md).
  bool resume_deletes = true;
  /// Where CreateStoreBackup puts backups of the whole store; empty when nobody may make any.
  std::string backups = {};
  /// Where exports and imports are: a directory whose folders are buckets, also as file:DIR, or the URL of a server
  /// with the protocol of S3; empty when there are no buckets.
  std::string buckets = {};
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
  /// What the operator hears. A sink that is empty discards everything.
  Log::Options log = {};
  LiveOptions live = {};
  /// A port of loopback for /metrics, /health and /ready alone, which asks nobody for a key; 0 takes any free one.
  /// Nothing: no such port.
  std::optional<std::uint16_t> metrics_port = std::nullopt;
  /// The rule file of faults that happen to all requests (docs/testing.md). Not where authentication is enforced.
  std::filesystem::path faults = {};
  /// Offer the web console at /console (docs/console.md).
  bool console = true;
  /// The lab in which they happen; null: one of the server's own. Not where authentication is enforced.
  std::shared_ptr<FaultLab> lab = nullptr;
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
  [[nodiscard]] Store& store() noexcept { return *store_; }

  /// The port of ServerOptions::metrics_port; 0 when there is none.
  [[nodiscard]] std::uint16_t metrics_port() const { return monitor_http_ == nullptr ? 0 : monitor_http_->port(); }

  void change(const LiveOptions& live);
  /// Connections, requests in flight and limits that were reached, for whoever reports them (wire/limits.h).
  [[nodiscard]] std::shared_ptr<const wire::Traffic> traffic() const { return http_->traffic(); }

  /// Reads the access keys and the files of TLS again. What cannot be read stays as it was, and the log says so.
  void reload_files();

  /// Writes a line for the operator.
  void say(std::string_view line) { log_->write(LogLevel::kInfo, line); }

  /// Lets the requests in progress finish, or drops those that have not after the patience of the options. May be
  /// called again. The store closes with the server.
  void stop();

 private:
  struct Parts {
    std::unique_ptr<Log> log;
    std::unique_ptr<ServerObserver> observer;
    std::unique_ptr<wire::HttpServer> http;
    std::unique_ptr<wire::HttpServer> monitor_http;
    std::unique_ptr<Store> store;
    std::unique_ptr<access::Gatekeeper> gatekeeper;
    Documents documents;
    bool resume_deletes;
    std::string backups;
    std::size_t large_requests_waiting_max;
    std::chrono::milliseconds stop_patience;
    wire::AwsProtocol::Options protocol;
    std::shared_ptr<FaultLab> faults;
  };
  explicit Server(Parts parts);

  void add_metrics();

  const std::chrono::milliseconds stop_patience_;
  std::unique_ptr<Log> log_;                  ///< First: the gates of the store write to it.
  std::unique_ptr<ServerObserver> observer_;  ///< Hears of requests until the store is closed.
  std::unique_ptr<access::Gatekeeper> gatekeeper_;
  std::shared_ptr<FaultLab> faults_;  ///< Null where nothing may go wrong on purpose.
  std::unique_ptr<Store> store_;
  DocumentTarget documents_;
  Workers heavy_workers_;
  wire::AwsProtocol protocol_;
  wire::MonitorHandler monitor_;
  std::unique_ptr<wire::HttpServer> http_;
  std::unique_ptr<wire::HttpServer> monitor_http_;  ///< Null when there is no port for it.
};

}  // namespace dolmen
