#include "cli/serve.h"

#include <csignal>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <sys/resource.h>

#include "cli/print_error.h"
#include "cli/print_json.h"
#include "dolmen/version.h"
#include "server/server.h"

namespace dolmen::cli {
namespace {

struct ServeFlags {
  std::string host = "127.0.0.1";
  std::uint16_t port = 8000;
  std::string data = "./data";
  bool memory = false;
  std::string durability = "sync";
  std::uint32_t threads = 0;
  bool json = false;

  [[nodiscard]] Durability promise() const {
    if (memory) return Durability::kMemory;
    return durability == "os" ? Durability::kOs : Durability::kSync;
  }
};

std::string_view promise_of(Durability durability) {
  switch (durability) {
    case Durability::kSync: return "durable: every acknowledged write is on disk";
    case Durability::kOs: return "acknowledged writes survive a crash of this process, not of the machine";
    case Durability::kMemory: return "everything is lost when the server stops";
  }
  return "";
}

/// SIGTERM and SIGINT are taken by `wait_for_stop` alone; every thread that is started later inherits this.
sigset_t block_stop_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

void wait_for_stop(const sigset_t& signals) {
  int signal = 0;
  while (sigwait(&signals, &signal) != 0) {}
}

/// The reader of what the server prints may go away before the server stops.
void ignore_broken_pipes() { std::signal(SIGPIPE, SIG_IGN); }

/// A server with many clients needs many files.
void allow_many_files() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

std::string address_of(const ServeFlags& flags, std::uint16_t port) {
  const bool is_v6 = flags.host.find(':') != std::string::npos;
  return fmt::format("http://{}:{}", is_v6 ? "[" + flags.host + "]" : flags.host, port);
}

void print_listening(const ServeFlags& flags, std::uint16_t port, const RecoveryReport& recovered) {
  const std::string address = address_of(flags, port);
  const std::vector<std::string> lines = lines_of(recovered);
  if (flags.json) {
    LogicalItem item{{"event", "listening"}, {"address", address}, {"port", port}, {"version", version()}};
    item["durability"] = flags.memory ? "memory" : flags.durability;
    item["recovered"] = LogicalValue::List(lines.begin(), lines.end());
    if (!flags.memory) item["data"] = flags.data;
    print_json(item);
  } else {
    fmt::print("dolmen {}  {} ({})\n", version(), flags.memory ? "in memory" : "data " + flags.data,
               promise_of(flags.promise()));
    for (const std::string& line : lines) fmt::print("recovered: {}\n", line);
    fmt::print("listening on {0}   try: aws dynamodb list-tables --endpoint-url {0}\n", address);
  }
  std::fflush(stdout);
}

void print_event(const ServeFlags& flags, const char* event, const char* text) {
  if (flags.json)
    print_json(LogicalItem{{"event", event}});
  else
    fmt::print("{}\n", text);
  std::fflush(stdout);
}

int serve(const ServeFlags& flags) {
  const sigset_t stop_signals = block_stop_signals();
  ignore_broken_pipes();
  allow_many_files();
  RecoveryReport recovered;
  auto server = Server::start({.store = {.directory = flags.data, .durability = flags.promise()},
                               .report = &recovered,
                               .http = {.host = flags.host, .port = flags.port, .threads = flags.threads},
                               .log = [](std::string_view line) { fmt::print(stderr, "dolmen: {}\n", line); }});
  if (!server) {
    report(server.error(), flags.json);
    return kFailed;
  }
  print_listening(flags, (*server)->port(), recovered);
  wait_for_stop(stop_signals);
  print_event(flags, "stopping", "stopping: finishing the requests under way");
  server->reset();
  print_event(flags, "stopped", "stopped");
  return kDone;
}

}  // namespace

void add_serve(const Verb& program) {
  auto flags = std::make_shared<ServeFlags>();
  const Verb verb = program.verb("serve", "Serve the DynamoDB protocol over HTTP until SIGTERM or SIGINT");
  verb.text("--host", flags->host, "IP address to listen on").shown_as("ADDRESS");
  verb.number("--port", flags->port, "Port to listen on; 0 takes any free one");
  const Option data = verb.text("--data", flags->data, "Directory of the data; created if it does not exist")
                          .shown_as("DIR")
                          .not_empty();
  const Option memory = verb.flag("--memory", flags->memory, "Keep everything in memory and nothing on disk");
  const Option durability =
      verb.text("--durability", flags->durability,
                "What an acknowledged write survives: 'sync' a power failure, 'os' a crash of this process")
          .one_of({"sync", "os"});
  memory.not_with(data).not_with(durability);
  verb.number("--threads", flags->threads, "Network threads; 0 is one for each core", {0, 256});
  verb.flag("--json", flags->json, "Print a JSON object on each line");
  verb.runs([flags] { return serve(*flags); });
}

}  // namespace dolmen::cli
