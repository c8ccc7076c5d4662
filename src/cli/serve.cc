#include "cli/serve.h"

#include <CLI/CLI.hpp>
#include <csignal>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <sys/resource.h>

#include "dolmen/version.h"
#include "server/server.h"

namespace dolmen::cli {
namespace {

struct ServeFlags {
  std::string host = "127.0.0.1";
  std::uint16_t port = 8000;
  std::string data = "./data";
  bool memory = false;
  Durability durability = Durability::kSync;
  unsigned threads = 0;
};

std::string_view promise_of(Durability durability) {
  switch (durability) {
    case Durability::kSync: return "durable: every acknowledged write is on disk";
    case Durability::kOs: return "acknowledged writes survive a crash of this process, not of the machine";
    case Durability::kMemory: return "nothing is kept when the server stops";
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

/// Whoever reads what the server prints may go away before it stops.
void ignore_broken_pipes() { std::signal(SIGPIPE, SIG_IGN); }

/// A server with many clients needs many files.
void allow_many_files() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

int serve(const ServeFlags& flags) {
  const sigset_t stop_signals = block_stop_signals();
  ignore_broken_pipes();
  allow_many_files();
  const Durability durability = flags.memory ? Durability::kMemory : flags.durability;
  RecoveryReport recovered;
  auto server = Server::start({.store = {.directory = flags.data, .durability = durability},
                               .report = &recovered,
                               .http = {.host = flags.host, .port = flags.port, .threads = flags.threads},
                               .log = [](std::string_view line) { fmt::print(stderr, "dolmen: {}\n", line); }});
  if (!server) {
    fmt::print(stderr, "dolmen: {}\n", server.error().message());
    return 1;
  }
  const std::string address =
      fmt::format("http://{}:{}", flags.host.find(':') == std::string::npos ? flags.host : "[" + flags.host + "]",
                  (*server)->port());
  fmt::print("dolmen {}  {} ({})\n", version(), flags.memory ? "in memory" : "data " + flags.data,
             promise_of(durability));
  for (const std::string& line : lines_of(recovered)) fmt::print("recovered: {}\n", line);
  fmt::print("listening on {0}   try: aws dynamodb list-tables --endpoint-url {0}\n", address);
  std::fflush(stdout);

  wait_for_stop(stop_signals);
  fmt::print("stopping: finishing the requests under way\n");
  std::fflush(stdout);
  server->reset();
  fmt::print("stopped\n");
  return 0;
}

}  // namespace

void add_serve(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<ServeFlags>();
  CLI::App* verb = app.add_subcommand("serve", "Serve the DynamoDB protocol over HTTP until SIGTERM or SIGINT");
  verb->add_option("--host", flags->host, "IP address to listen on")->capture_default_str();
  verb->add_option("--port", flags->port, "Port to listen on; 0 takes any free one")->capture_default_str();
  auto* data = verb->add_option("--data", flags->data, "Directory of the data; created when missing")
                   ->check([](const std::string& path) { return path.empty() ? "the directory has no name" : ""; })
                   ->type_name("DIR")
                   ->capture_default_str();
  auto* memory = verb->add_flag("--memory", flags->memory, "Keep everything in memory, nothing on disk");
  memory->excludes(data);
  verb->add_option_function<std::string>(
          "--durability",
          [flags](const std::string& name) { flags->durability = name == "os" ? Durability::kOs : Durability::kSync; },
          "What an acknowledged write has survived: 'sync' a power cut, 'os' the end of this process")
      ->check(CLI::IsMember({"sync", "os"}))
      ->type_name("sync|os")
      ->default_str("sync")
      ->excludes(memory);
  verb->add_option("--threads", flags->threads, "Network threads; 0 is one for each core")
      ->check(CLI::Range(0, 256))
      ->capture_default_str();
  verb->callback([flags, &exit_code] { exit_code = serve(*flags); });
}

}  // namespace dolmen::cli
