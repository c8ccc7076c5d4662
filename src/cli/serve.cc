#include "cli/serve.h"

#include <bit>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <link.h>
#include <malloc.h>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

#include "base/file_writer.h"
#include "cli/print_error.h"
#include "cli/print_json.h"
#include "cli/serve_reload.h"
#include "cli/serve_settings.h"
#include "cli/setting_flags.h"
#include "dolmen/version.h"
#include "server/console.h"
#include "server/server.h"
#include "server/service_manager.h"

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
void wait_for_stop(const sigset_t& signals, Reloader& reloader, const ServiceManager& manager,
                   const std::string& status) {
  for (int signal = SIGHUP; signal == SIGHUP;) {
    if (sigwait(&signals, &signal) != 0 || signal != SIGHUP) continue;
    manager.reloading();
    reloader.reload();
    manager.ready(status);
  }
}

/// From now on SIGTERM and SIGINT end the process without finishing anything. What was acknowledged is durable.
void end_at_next_signal() {
  constexpr int kSignalled = 128;
  const auto end = [](int signal) { std::_Exit(kSignalled + signal); };
  std::signal(SIGTERM, end);
  std::signal(SIGINT, end);
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

/// The file with the port, for whoever started the server with port 0. Goes away with the server.
class PortFile {
 public:
  explicit PortFile(std::filesystem::path path) : path_(std::move(path)) {}
  PortFile(const PortFile&) = delete;
  PortFile& operator=(const PortFile&) = delete;
  ~PortFile() {
    std::error_code ignored;  // Somebody else may have removed it.
    if (written_) std::filesystem::remove(path_, ignored);
  }

  /// In one step, so that a reader sees the whole port or none.
  Result<void> write(std::uint16_t port) {
    if (path_.empty()) return {};
    DOLMEN_TRY_VOID(FileWriter().replace(path_, fmt::format("{}\n", port)));
    written_ = true;
    return {};
  }

 private:
  const std::filesystem::path path_;
  bool written_ = false;
};

/// What others can reach decides whether keys are needed: of sockets that were handed over, the most open one.
Result<void> listen_on(const std::vector<int>& sockets, ServeSettings& settings) {
  for (const int socket : sockets) {
    DOLMEN_TRY(const SocketAddress address, address_of_socket(socket));
    if (socket == sockets.front() || is_open_address(address.host)) settings.host = address.host;
  }
  return {};
}

/// The reader of what the server prints may go away before the server stops.
void ignore_broken_pipes() { std::signal(SIGPIPE, SIG_IGN); }

/// Large blocks go back to the system as soon as they are free. By itself, the allocator keeps ever larger ones. What
/// smaller ones leave free at the end of the heap stays: it would be given back and taken again for each page of a
/// query.
void give_back_large_blocks() {
  constexpr int kLargeBytes = 512 << 10;
  constexpr int kKeptBytes = 2 << 20;
  mallopt(M_MMAP_THRESHOLD, kLargeBytes);
  mallopt(M_TRIM_THRESHOLD, kKeptBytes);
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

/// Most pages of the program and its libraries that are in memory now were needed by the start alone. They are not
/// changed, so the kernel has them in its own cache; those that are needed again come back without a read.
void forget_code_of_the_start() {
  const auto forget = [](dl_phdr_info* loaded, std::size_t, void*) {
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    for (const auto& part : std::span(loaded->dlpi_phdr, loaded->dlpi_phnum)) {
      if (part.p_type != PT_LOAD || (part.p_flags & PF_W) != 0) continue;
      const std::uintptr_t begin = (loaded->dlpi_addr + part.p_vaddr) & ~(page - 1);
      const std::uintptr_t end = loaded->dlpi_addr + part.p_vaddr + part.p_memsz;
      // Some parts, such as the kernel's own, cannot be forgotten.
      (void)::madvise(std::bit_cast<void*>(begin), end - begin, MADV_DONTNEED);
    }
    return 0;
  };
  dl_iterate_phdr(forget, nullptr);
}

struct Listening {
  std::uint16_t port = 0;
  std::uint16_t metrics_port = 0;  ///< 0: none
  RecoveryReport recovered;
};

/// Nobody is told of a console that would not be shown.
bool offers_console(const ServeSettings& settings) {
  return settings.console == "on" && !console_pack().empty() &&
         (settings.auth == "enforce" || !is_open_address(settings.host));
}

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
    if (offers_console(settings)) fmt::print("console at {}/console\n", address);
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
  if (const Result<void> read = flags.settings->read_into(loaded.table); !read) return report(read.error(), flags.json);
  ServeSettings settings = loaded.values;
  const auto manager = ServiceManager::open(ServiceManager::environment());
  if (!manager) return report(manager.error(), flags.json);
  if (const Result<void> known = listen_on(manager->sockets(), settings); !known)
    return report(known.error(), flags.json);
  if (const std::string problem = problem_of(settings); !problem.empty())
    return report(Error(Code::kInvalidArgument, problem), flags.json);
  const sigset_t signals = block_signals();
  ignore_broken_pipes();
  allow_many_files();
  give_back_large_blocks();
  Listening listening;
  ServerOptions options = options_of(settings);
  options.http.sockets = manager->sockets();
  options.report = &listening.recovered;
  options.log = log_options(settings);
  auto server = Server::start(options);
  if (!server) {
    report(server.error(), flags.json);
    return kFailed;
  }
  listening.port = (*server)->port();
  listening.metrics_port = (*server)->metrics_port();
  PortFile port_file(settings.port_file);
  if (const Result<void> written = port_file.write(listening.port); !written) {
    report(written.error(), flags.json);
    return kFailed;
  }
  forget_code_of_the_start();
  print_listening(settings, listening, flags.json);
  const std::string status = "listening on " + address_of(settings, listening.port);
  manager->ready(status);
  Reloader reloader(*flags.settings, loaded, **server);
  wait_for_stop(signals, reloader, *manager, status);
  end_at_next_signal();
  manager->stopping();
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
