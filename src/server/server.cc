#include "server/server.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fmt/format.h>
#include <malloc.h>
#include <thread>
#include <utility>

namespace dolmen {

namespace {

/// Passes lines to the log: warnings of gates, and what happens in the background.
contract::Warn lines_to(LineLog& log) {
  return [&log](std::string line) { log.write(std::move(line)); };
}

/// For large requests, so that they do not hold up small ones.
Workers::Limits heavy_workers(std::size_t waiting_max) {
  return {.threads = std::max(std::thread::hardware_concurrency(), 2U), .waiting = waiting_max};
}

/// Gives memory that is not needed any more back to the system, which the allocator does by itself only in part. Takes
/// milliseconds, so not after every request.
void give_back_memory() {
  using Clock = std::chrono::steady_clock;
  static std::atomic<Clock::time_point> latest = Clock::time_point::min();
  const Clock::time_point now = Clock::now();
  Clock::time_point before = latest;
  if (before + std::chrono::seconds(1) < now && latest.compare_exchange_strong(before, now)) ::malloc_trim(0);
}

wire::AwsProtocol::Options with(wire::AwsProtocol::Options options, wire::Extension& extension, Workers& workers) {
  options.extension = &extension;
  options.elsewhere = [&workers](std::move_only_function<void()> task) {
    return workers.run([task = std::move(task)]() mutable {
      std::exchange(task, nullptr)();
      give_back_memory();
    });
  };
  return options;
}

}  // namespace

Server::Server(Parts parts)
    : stop_patience_(parts.stop_patience),
      log_(std::move(parts.log)),
      gatekeeper_(std::move(parts.gatekeeper)),
      store_(std::move(parts.store)),
      documents_(std::move(parts.documents), *store_,
                 {.warn = lines_to(*log_), .resume_deletes = parts.resume_deletes}),
      heavy_workers_(heavy_workers(parts.large_requests_waiting_max)),
      protocol_(store_->service(), *gatekeeper_, with(std::move(parts.protocol), documents_, heavy_workers_)),
      http_(std::move(parts.http)) {
  http_->serve(protocol_);
}

Server::~Server() { stop(); }

Result<std::unique_ptr<Server>> Server::start(const ServerOptions& options) {
  DOLMEN_TRY(std::unique_ptr<wire::HttpServer> http, wire::HttpServer::listen(options.http));
  auto log = std::make_unique<LineLog>(options.log);
  access::Gatekeeper::Options access = options.access;
  access.region = options.account.region;
  access.log = lines_to(*log);
  DOLMEN_TRY(auto gatekeeper, access::Gatekeeper::open(std::move(access)));
  EmbeddedOptions embedded = options.store;
  embedded.region = options.account.region;
  if (!embedded.log) embedded.log = lines_to(*log);
  DOLMEN_TRY(std::unique_ptr<Store> store,
             open_embedded_store(embedded, {.warn = lines_to(*log),
                                            .report = options.report,
                                            .commit_queue_bytes_max = options.commit_queue_bytes_max}));
  DOLMEN_TRY(Documents documents, Documents::open(*store));
  return std::unique_ptr<Server>(
      new Server({.log = std::move(log),
                  .http = std::move(http),
                  .store = std::move(store),
                  .gatekeeper = std::move(gatekeeper),
                  .documents = std::move(documents),
                  .resume_deletes = options.resume_deletes,
                  .large_requests_waiting_max = options.large_requests_waiting_max,
                  .stop_patience = options.stop_patience,
                  .protocol = {.account = options.account,
                               .shared_with = options.shared_with,
                               .texts = options.texts,
                               .body_bytes_max = options.http.limits.body_bytes_max,
                               .names = {.address = options.http.host, .host_names = options.host_names}}}));
}

void Server::reload_files() {
  gatekeeper_->refresh();
  const Result<void> tls = http_->reload_tls();
  log_->write(tls ? "reloaded" : fmt::format("the certificate stays as it was: {}", tls.error().message()));
}

void Server::stop() {
  http_->stop(stop_patience_);
  // Nobody hears the answers any more.
  heavy_workers_.stop_soon();
  documents_.stop();
}

}  // namespace dolmen
