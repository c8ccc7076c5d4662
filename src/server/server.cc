#include "server/server.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fmt/format.h>
#include <malloc.h>
#include <thread>
#include <utility>

#include "base/check.h"
#include "base/fail.h"
#include "buckets/s3_bucket.h"
#include "faults/core.h"
#include "objects/bucket_folders.h"
#include "service/moment.h"
#include "service/table_insights.h"

namespace dolmen {

namespace {

/// Passes lines to the log: warnings of gates, and what happens in the background.
contract::Warn lines_to(Log& log, LogLevel level) {
  return [&log, level](const std::string& line) { log.write(level, line); };
}

/// For large requests, so that they do not hold up small ones.
Workers::Limits heavy_workers(std::size_t waiting_max) {
  return {.threads = std::max(std::thread::hardware_concurrency(), 2U), .waiting = waiting_max, .name = "large"};
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

Elsewhere run_by(Workers& workers, std::shared_ptr<wire::Traffic> traffic) {
  return [&workers, traffic = std::move(traffic)](std::move_only_function<void()> task) {
    const bool taken = workers.run([task = std::move(task)]() mutable {
      const HasTime here;
      std::exchange(task, nullptr)();
      give_back_memory();
    });
    if (!taken) traffic->hit(wire::Limit::kLargeRequestsWaiting);
    return taken;
  };
}

struct Helpers {
  wire::Extension& extension;
  Elsewhere elsewhere;
  wire::Observer& observer;
  const TableInsights& tables;
};

wire::AwsProtocol::Options with(wire::AwsProtocol::Options options, Helpers helpers) {
  options.extension = &helpers.extension;
  options.elsewhere = std::move(helpers.elsewhere);
  options.observer = &helpers.observer;
  options.find_policy = [&tables = helpers.tables](const access::PolicyResource& resource) {
    return tables.policy_of(resource.table, resource.stream);
  };
  return options;
}

/// The port for metrics alone; null when none is wanted.
Result<std::unique_ptr<wire::HttpServer>> listen_for_monitors(std::optional<std::uint16_t> port) {
  if (!port) return nullptr;
  return wire::HttpServer::listen({.host = "127.0.0.1", .port = *port, .threads = 1, .connections_max = 100});
}

/// The lab of the server, which has no rules unless there is a rule file.
Result<std::shared_ptr<FaultLab>> fault_lab(const ServerOptions& options) {
  const bool enforced = options.access.mode == access::Mode::kEnforce;
  if (enforced && !options.faults.empty())
    return fail(Code::kInvalidArgument,
                "the rule file {} is refused: nothing goes wrong on purpose where authentication is enforced",
                options.faults.string());
  if (enforced) return nullptr;
  auto lab = options.lab ? options.lab : std::make_shared<FaultLab>();
  // Whoever brings a lab may add rules later that need them.
  if (options.lab) lab->core().keep_moments();
  if (options.faults.empty()) return lab;
  DOLMEN_TRY(faults::Plan plan, faults::read_rule_file(options.faults));
  lab->core().add(std::move(plan));
  lab->core().keep_moments();
  return lab;
}

/// Null when there are none.
Result<std::shared_ptr<Buckets>> buckets_at(const std::string& place) {
  if (place.empty()) return nullptr;
  if (place.starts_with("http://") || place.starts_with("https://")) return open_s3_buckets({.endpoint = place});
  constexpr std::string_view kFile = "file:";
  return open_bucket_folders(place.starts_with(kFile) ? place.substr(kFile.size()) : place);
}

/// Only a store that behaves as AWS under load, or whose requests fail on purpose, does.
bool leaves_out_writes(const EmbeddedOptions& store) {
  return store.transactions == TransactionConflicts::kRefuse || store.throttling != Throttling::kOff ||
         store.faults != nullptr;
}

/// Empty when none is wanted.
std::function<wire::HttpResponse(const wire::HttpRequest&)> console_of(const ServerOptions& options) {
  if (!options.console) return {};
  const bool asks_for_keys = options.access.mode == access::Mode::kEnforce;
  return [console = std::make_shared<const Console>(console_pack(), asks_for_keys)](const wire::HttpRequest& request) {
    return console->answer(request);
  };
}

/// An embedded store always has them.
const TableInsights& tables_of(const Store& store) {
  const TableInsights* tables = store.companions().find<TableInsights>();
  DOLMEN_CHECK(tables != nullptr, "an embedded store tells about its tables");
  return *tables;
}

}  // namespace

Server::Server(Parts parts)
    : stop_patience_(parts.stop_patience),
      log_(std::move(parts.log)),
      observer_(std::move(parts.observer)),
      gatekeeper_(std::move(parts.gatekeeper)),
      faults_(std::move(parts.faults)),
      store_(std::move(parts.store)),
      documents_(std::move(parts.documents), *store_,
                 {.warn = lines_to(*log_, LogLevel::kWarn),
                  .resume_deletes = parts.resume_deletes,
                  .backups = parts.backups,
                  .faults = faults_}),
      heavy_workers_(heavy_workers(parts.large_requests_waiting_max)),
      protocol_(store_->service(), *gatekeeper_,
                with(std::move(parts.protocol),
                     {documents_, run_by(heavy_workers_, parts.http->traffic()), *observer_, tables_of(*store_)})),
      monitor_(*observer_, {.elsewhere = run_by(heavy_workers_, parts.http->traffic())}),
      http_(std::move(parts.http)),
      monitor_http_(std::move(parts.monitor_http)) {
  add_metrics();
  http_->serve(protocol_);
  if (monitor_http_ != nullptr) monitor_http_->serve(monitor_);
}

/// Everything that can be counted is described from here.
void Server::add_metrics() {
  metrics::Registry& registry = observer_->registry();
  registry.add([this](metrics::Report& report) { observer_->describe(report); });
  registry.add([this](metrics::Report& report) {
    report.counter("dolmen_auth_failures_total", "Requests whose signature was refused, or would be",
                   gatekeeper_->failures());
  });
  if (faults_)
    registry.add([faults = faults_](metrics::Report& report) {
      for (const auto& [fault, count] : faults->core().counts())
        report.counter("dolmen_faults_total", "What went wrong on purpose", count, {{"fault", fault}});
    });
  registry.add([traffic = http_->traffic()](metrics::Report& report) { wire::describe(*traffic, report); });
  if (const auto* store = store_->companions().find<StoreMonitor>()) observer_->watch(*store);
}

Server::~Server() { stop(); }

Result<std::unique_ptr<Server>> Server::start(const ServerOptions& options) {
  DOLMEN_TRY(const std::shared_ptr<FaultLab> faults, fault_lab(options));
  DOLMEN_TRY(std::unique_ptr<wire::HttpServer> http, wire::HttpServer::listen(options.http));
  DOLMEN_TRY(std::unique_ptr<wire::HttpServer> monitor_http, listen_for_monitors(options.metrics_port));
  auto log = std::make_unique<Log>(options.log);
  log->set_level(options.live.log_level);
  access::Gatekeeper::Options access = options.access;
  access.region = options.account.region;
  access.log = lines_to(*log, LogLevel::kWarn);
  DOLMEN_TRY(auto gatekeeper, access::Gatekeeper::open(std::move(access)));
  EmbeddedOptions embedded = options.store;
  embedded.region = options.account.region;
  if (!embedded.log) embedded.log = lines_to(*log, LogLevel::kInfo);
  DOLMEN_TRY(std::shared_ptr<Buckets> buckets, buckets_at(options.buckets));
  const StartOptions start{.warn = lines_to(*log, LogLevel::kWarn),
                           .report = options.report,
                           .on_write_failure =
                               [&log = *log](const std::optional<Error>& failure) {
                                 if (failure) log.write(LogLevel::kError, failure->message());
                                 if (!failure) log.write(LogLevel::kWarn, "the store accepts writes again");
                               },
                           .counts_blocks = true,
                           .commit_queue_bytes_max = options.commit_queue_bytes_max,
                           .buckets = std::move(buckets)};
  DOLMEN_TRY(std::unique_ptr<Store> store, open_embedded_store(embedded, start));
  DOLMEN_TRY(Documents documents, Documents::open(*store));
  auto observer = std::make_unique<ServerObserver>(*log, options.live.slow_request);
  auto* const moments = store->companions().find<Moments>();
  return std::unique_ptr<Server>(
      new Server({.log = std::move(log),
                  .observer = std::move(observer),
                  .http = std::move(http),
                  .monitor_http = std::move(monitor_http),
                  .store = std::move(store),
                  .gatekeeper = std::move(gatekeeper),
                  .documents = std::move(documents),
                  .resume_deletes = options.resume_deletes,
                  .backups = options.backups,
                  .large_requests_waiting_max = options.large_requests_waiting_max,
                  .stop_patience = options.stop_patience,
                  .protocol = {.account = options.account,
                               .leaves_out_writes = leaves_out_writes(options.store),
                               .shared_with = options.shared_with,
                               .texts = options.texts,
                               .body_bytes_max = options.http.limits.body_bytes_max,
                               .faults = faults,
                               .moments = moments,
                               .names = {.address = options.http.host, .host_names = options.host_names},
                               .console = console_of(options)},
                  .faults = faults}));
}

void Server::change(const LiveOptions& live) {
  log_->set_level(live.log_level);
  observer_->set_slow(live.slow_request);
}

void Server::reload_files() {
  gatekeeper_->refresh();
  const Result<void> tls = http_->reload_tls();
  say(tls ? "reloaded" : fmt::format("the certificate stays as it was: {}", tls.error().message()));
}

void Server::stop() {
  if (monitor_http_ != nullptr) monitor_http_->stop(stop_patience_);
  http_->stop(stop_patience_);
  // Nobody hears the answers any more.
  heavy_workers_.stop_soon();
  if (const std::shared_ptr<FaultLab> faults = std::exchange(faults_, nullptr)) {
    // What still waits is done while there is a store.
    faults->core().release_store();
    for (const auto& [fault, count] : faults->counts())
      log_->write(LogLevel::kInfo,
                  fmt::format("fault lab, seed {}: {} requests had the fault {}", faults->seed(), count, fault));
  }
  documents_.stop();
}

}  // namespace dolmen
