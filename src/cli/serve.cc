#include "cli/serve.h"

#include <csignal>
#include <fmt/format.h>
#include <malloc.h>
#include <memory>
#include <optional>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

#include "cli/print_error.h"
#include "cli/print_json.h"
#include "cli/serve_reload.h"
#include "cli/serve_settings.h"
#include "cli/setting_flags.h"
#include "dolmen/version.h"
#include "server/server.h"

namespace dolmen::cli {
namespace {

std::string_view promise_of(Durability durability) {
  switch (durability) {
    case Durability::kSync: return "durable: every acknowledged write is on disk";
    case Durability::kOs: return "acknowledged writes survive a crash of this process, not of the machine";
    case Durability::kMemory: return "everything is lost when the server stops";
  }
  return "";
}

/// These signals are taken by `wait_for_stop` alone; every thread that is started later inherits this.
sigset_t block_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

/// Until SIGTERM or SIGINT; SIGHUP reloads.
void wait_for_stop(const sigset_t& signals, Reloader& reloader) {
  for (int signal = SIGHUP; signal == SIGHUP;) {
    if (sigwait(&signals, &signal) == 0 && signal == SIGHUP) reloader.reload();
  }
}

/// The reader of what the server prints may go away before the server stops.
void ignore_broken_pipes() { std::signal(SIGPIPE, SIG_IGN); }

/// Large blocks go back to the system as soon as they are free. By itself, the allocator keeps ever larger ones.
void give_back_large_blocks() {
  constexpr int kLargeBytes = 512 << 10;
  mallopt(M_MMAP_THRESHOLD, kLargeBytes);
}

/// A server with many clients needs many files.
void allow_many_files() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

std::string address_of(const ServeSettings& settings, std::uint16_t port) {
  const bool is_v6 = settings.host.find(':') != std::string::npos;
  return fmt::format("{}://{}:{}", settings.has_tls() ? "https" : "http",
                     is_v6 ? "[" + settings.host + "]" : settings.host, port);
}

struct Listening {
  std::uint16_t port = 0;
  std::uint16_t metrics_port = 0;  ///< 0: none
  RecoveryReport recovered;
};

void print_listening(const ServeSettings& settings, const Listening& listening, bool json) {
  const std::string address = address_of(settings, listening.port);
  const std::vector<std::string> lines = lines_of(listening.recovered);
  if (json) {
    LogicalItem item{{"event", "listening"}, {"address", address}, {"port", listening.port}, {"version", version()}};
    item["durability"] = settings.memory ? "memory" : settings.durability;
    item["recovered"] = LogicalValue::List(lines.begin(), lines.end());
    if (!settings.memory) item["data"] = settings.data;
    if (listening.metrics_port != 0) item["metrics_port"] = listening.metrics_port;
    print_json(item);
  } else {
    fmt::print("dolmen {}  {} ({})\n", version(), settings.memory ? "in memory" : "data " + settings.data,
               promise_of(settings.promise()));
    for (const std::string& line : lines) fmt::print("recovered: {}\n", line);
    if (listening.metrics_port != 0) fmt::print("metrics at http://127.0.0.1:{}/metrics\n", listening.metrics_port);
    fmt::print("listening on {0}   try: aws dynamodb list-tables --endpoint-url {0}\n", address);
  }
  std::fflush(stdout);
}

void print_event(bool json, const char* event, const char* text) {
  if (json)
    print_json(LogicalItem{{"event", event}});
  else
    fmt::print("{}\n", text);
  std::fflush(stdout);
}

Log::Options log_options(const ServeSettings& settings) {
  const bool for_people =
      settings.log_format == "text" || (settings.log_format == "auto" && isatty(STDERR_FILENO) == 1);
  return {.form = for_people ? LogForm::kText : LogForm::kJson,
          .sink = [](std::string_view line) { fmt::print(stderr, "{}\n", line); }};
}

struct ServeFlags {
  std::optional<SettingFlags> settings;
  bool json = false;
};

int serve(const ServeFlags& flags) {
  LoadedSettings loaded;
  const ServeSettings& settings = loaded.values;
  if (const Result<void> read = flags.settings->read_into(loaded.table); !read) return report(read.error(), flags.json);
  if (const std::string problem = problem_of(settings); !problem.empty())
    return report(Error(Code::kInvalidArgument, problem), flags.json);
  const sigset_t signals = block_signals();
  ignore_broken_pipes();
  allow_many_files();
  give_back_large_blocks();
  Listening listening;
  ServerOptions options = options_of(settings);
  options.report = &listening.recovered;
  options.log = log_options(settings);
  auto server = Server::start(options);
  if (!server) {
    report(server.error(), flags.json);
    return kFailed;
  }
  listening.port = (*server)->port();
  listening.metrics_port = (*server)->metrics_port();
  print_listening(settings, listening, flags.json);
  Reloader reloader(*flags.settings, loaded, **server);
  wait_for_stop(signals, reloader);
  print_event(flags.json, "stopping", "stopping: finishing the requests under way");
  server->reset();
  print_event(flags.json, "stopped", "stopped");
  return kDone;
}

}  // namespace

void add_serve(const Verb& program) {
  auto flags = std::make_shared<ServeFlags>();
  const Verb verb = program.verb("serve", "Serve the DynamoDB protocol over HTTP until SIGTERM or SIGINT");
  flags->settings.emplace(verb, LoadedSettings().table);
  verb.flag("--json", flags->json, "Print a JSON object on each line");
  verb.runs([flags] { return serve(*flags); });
}

}  // namespace dolmen::cli
