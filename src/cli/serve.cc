#include "cli/serve.h"

#include <arpa/inet.h>
#include <array>
#include <csignal>
#include <fmt/format.h>
#include <malloc.h>
#include <memory>
#include <string>
#include <sys/resource.h>
#include <vector>

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
  std::string texts = "current";
  std::vector<std::string> cors_origins = {};
  std::vector<std::string> host_names = {};
  std::string tls_certificate;
  std::string tls_key;
  std::string tls_client_authority;
  bool insecure = false;
  std::string auth = "off";
  std::string access_file;
  std::string region = "us-east-1";
  bool no_resume = false;
  bool json = false;

  [[nodiscard]] Durability promise() const {
    if (memory) return Durability::kMemory;
    return durability == "os" ? Durability::kOs : Durability::kSync;
  }
};

access::Mode mode_of(std::string_view auth) {
  if (auth == "off") return access::Mode::kOff;
  return auth == "warn" ? access::Mode::kWarn : access::Mode::kEnforce;
}

std::string_view promise_of(Durability durability) {
  switch (durability) {
    case Durability::kSync: return "durable: every acknowledged write is on disk";
    case Durability::kOs: return "acknowledged writes survive a crash of this process, not of the machine";
    case Durability::kMemory: return "everything is lost when the server stops";
  }
  return "";
}

/// An origin is what a browser sends: a scheme, a host and perhaps a port, without a path.
std::string problem_of_origin(const std::string& origin) {
  const std::size_t scheme = origin.find("://");
  const bool is_origin = scheme != std::string::npos && scheme > 0 && scheme + 3 < origin.size() &&
                         origin.find_first_of("/?#, \t", scheme + 3) == std::string::npos;
  if (origin == "*" || is_origin) return "";
  return fmt::format("\"{}\" is not the origin of web pages, such as https://example.com:8080, nor *", origin);
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
void wait_for_stop(const sigset_t& signals, Server& server) {
  for (int signal = SIGHUP; signal == SIGHUP;) {
    if (sigwait(&signals, &signal) == 0 && signal == SIGHUP) server.reload();
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

std::string address_of(const ServeFlags& flags, std::uint16_t port) {
  const bool is_v6 = flags.host.find(':') != std::string::npos;
  return fmt::format("{}://{}:{}", flags.tls_certificate.empty() ? "http" : "https",
                     is_v6 ? "[" + flags.host + "]" : flags.host, port);
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

/// An address that others can reach. A text that is no address is refused later.
bool is_open_address(const std::string& host) {
  std::array<unsigned char, sizeof(in6_addr)> bytes;
  const bool is_v4 = inet_pton(AF_INET, host.c_str(), bytes.data()) == 1;
  if (!is_v4 && inet_pton(AF_INET6, host.c_str(), bytes.data()) != 1) return false;
  return !host.starts_with("127.") && host != "::1";
}

/// What is wrong with flags that are right one by one.
std::string problem_of(const ServeFlags& flags) {
  if (flags.auth != "off" && flags.access_file.empty())
    return fmt::format("--auth {} needs the keys: give --access FILE", flags.auth);
  if (flags.auth == "off" && !flags.access_file.empty())
    return "--access has no effect without --auth warn or --auth enforce";
  if (flags.tls_certificate.empty() != flags.tls_key.empty()) return "--tls-cert and --tls-key belong together";
  if (!flags.tls_client_authority.empty() && flags.tls_certificate.empty())
    return "--tls-client-ca has no effect without --tls-cert";
  const bool is_safe = flags.auth == "enforce" && !flags.tls_certificate.empty();
  if (is_safe || flags.insecure || !is_open_address(flags.host)) return "";
  return fmt::format(
      "everybody who reaches {} could read and change all data, or listen: give --auth enforce --access FILE and "
      "--tls-cert FILE --tls-key FILE, or --insecure if the network keeps everybody else away",
      flags.host);
}

int serve(const ServeFlags& flags) {
  if (const std::string problem = problem_of(flags); !problem.empty()) {
    report(Error(Code::kInvalidArgument, problem), flags.json);
    return kUsageError;
  }
  const sigset_t signals = block_signals();
  ignore_broken_pipes();
  allow_many_files();
  give_back_large_blocks();
  RecoveryReport recovered;
  auto server = Server::start({.store = {.directory = flags.data, .durability = flags.promise()},
                               .report = &recovered,
                               .http = {.host = flags.host,
                                        .port = flags.port,
                                        .threads = flags.threads,
                                        .tls = {.certificate = flags.tls_certificate,
                                                .key = flags.tls_key,
                                                .client_authority = flags.tls_client_authority}},
                               .resume_deletes = !flags.no_resume,
                               .texts = flags.texts == "older" ? wire::Texts::kOlder : wire::Texts::kCurrent,
                               .shared_with = flags.cors_origins,
                               .host_names = flags.host_names,
                               .account = {.region = flags.region},
                               .access = {.mode = mode_of(flags.auth), .file = flags.access_file},
                               .log = [](std::string_view line) { fmt::print(stderr, "dolmen: {}\n", line); }});
  if (!server) {
    report(server.error(), flags.json);
    return kFailed;
  }
  print_listening(flags, (*server)->port(), recovered);
  wait_for_stop(signals, **server);
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
  verb.text(
          "--texts", flags->texts,
          "Words and order in which requests are refused: 'current' as AWS does in us-east-1 and eu-west-2, 'older' as "
          "it did until June 2026 and DynamoDB Local does")
      .one_of({"current", "older"});
  verb.texts("--cors-origin", flags->cors_origins,
             "Origin of web pages whose scripts may use the server, or * for any; can be given several times")
      .shown_as("ORIGIN")
      .checked_by(problem_of_origin);
  verb.texts("--host-name", flags->host_names,
             "Name with dots by which clients call the server, besides its address; can be given several times")
      .shown_as("NAME")
      .not_empty();
  verb.text(
          "--auth", flags->auth,
          "Requests that are not signed by a key of --access: 'off' serves them, 'warn' serves them and says so in the "
          "log, 'enforce' refuses them")
      .one_of({"off", "warn", "enforce"});
  verb.text("--access", flags->access_file, "File of access keys, which `dolmen access` makes").shown_as("FILE");
  verb.text("--tls-cert", flags->tls_certificate, "Certificate of the server in PEM, with those that lead to its root")
      .shown_as("FILE");
  verb.text("--tls-key", flags->tls_key, "Key of the certificate in PEM").shown_as("FILE");
  verb.text("--tls-client-ca", flags->tls_client_authority,
            "Only clients with a certificate that one of these has signed come in")
      .shown_as("FILE");
  verb.flag("--insecure", flags->insecure, "Listen on other addresses than loopback without --auth enforce and TLS");
  verb.text("--region", flags->region, "Region of the tables, in their ARNs and in signatures").not_empty();
  verb.flag("--no-resume", flags->no_resume, "Do not complete interrupted deletes of relations");
  verb.flag("--json", flags->json, "Print a JSON object on each line");
  verb.runs([flags] { return serve(*flags); });
}

}  // namespace dolmen::cli
