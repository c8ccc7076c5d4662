#include "cli/serve_settings.h"

#include <arpa/inet.h>
#include <array>
#include <charconv>
#include <fmt/format.h>

namespace dolmen::cli {
namespace {

using config::Setting;

/// An origin is what a browser sends: a scheme, a host and perhaps a port, without a path.
std::string problem_of_origin(const std::string& origin) {
  const std::size_t scheme = origin.find("://");
  const bool is_origin = scheme != std::string::npos && scheme > 0 && scheme + 3 < origin.size() &&
                         origin.find_first_of("/?#, \t", scheme + 3) == std::string::npos;
  if (origin == "*" || is_origin) return "";
  return fmt::format("\"{}\" is not the origin of web pages, such as https://example.com:8080, nor *", origin);
}

std::vector<Setting> settings_of_store(ServeSettings& values) {
  constexpr std::uint64_t kTablesMax = 1'000'000;
  return {
      {.name = "data",
       .target = &values.data,
       .help = "Directory of the data; created if it does not exist",
       .shown_as = "DIR",
       .may_be_empty = false},
      {.name = "memory",
       .target = &values.memory,
       .help = "Keep everything in memory and nothing on disk",
       .not_with = {"data", "durability"}},
      {.name = "durability",
       .target = &values.durability,
       .help = "What an acknowledged write survives: 'sync' a power failure, 'os' a crash of this process",
       .words = {"sync", "os"}},
      {.name = "region",
       .target = &values.region,
       .help = "Region of the tables, in their ARNs and in signatures",
       .may_be_empty = false},
      {.name = "tables_max",
       .target = &values.tables_max,
       .help = "How many tables there may be; CreateTable refuses more with LimitExceededException",
       .smallest = 1,
       .largest = kTablesMax},
      {.name = "backups",
       .target = &values.backups,
       .help = "Folder, or s3://BUCKET/PREFIX, for backups of the whole store, which `dolmen backup create --endpoint` "
               "asks for",
       .shown_as = "DIR"},
      {.name = "buckets",
       .target = &values.buckets,
       .help =
           "Buckets of exports and imports: a directory whose folders are the buckets, or the URL of a server with the "
           "protocol of S3",
       .shown_as = "DIR"},
      {.name = "no_resume", .target = &values.no_resume, .help = "Do not complete interrupted deletes of relations"},
  };
}

std::vector<Setting> settings_of_network(ServeSettings& values) {
  constexpr std::uint64_t kPortMax = 65535;
  constexpr std::uint64_t kThreadsMax = 256;
  return {
      {.name = "host",
       .target = &values.host,
       .help = "IP address to listen on, or localhost, which is 127.0.0.1",
       .shown_as = "ADDRESS"},
      {.name = "port", .target = &values.port, .help = "Port to listen on; 0 takes any free one", .largest = kPortMax},
      {.name = "port_file",
       .target = &values.port_file,
       .help = "File to write the port to once the server listens; removed when it stops",
       .shown_as = "FILE"},
      {.name = "threads",
       .target = &values.threads,
       .help = "Network threads; 0 is one for each core",
       .largest = kThreadsMax},
      {.name = "texts",
       .target = &values.texts,
       .help =
           "Words and order in which requests are refused: 'current' as AWS does in us-east-1 and eu-west-2, 'older' "
           "as it did until June 2026 and DynamoDB Local does",
       .words = {"current", "older"}},
  };
}

std::vector<Setting> settings_of_tests(ServeSettings& values) {
  return {
      {.name = "transactions",
       .target = &values.transactions,
       .help = "Requests that meet a transaction: 'wait' lets them wait, 'conflict' refuses them as AWS does",
       .words = {"wait", "conflict"}},
      {.name = "throttle",
       .target = &values.throttle,
       .help =
           "Use of a table beyond its provisioned throughput: 'off' allows it, 'provisioned' refuses it as AWS does",
       .words = {"off", "provisioned"}},
      {.name = "vector_index_phase_ms",
       .target = &values.vector_index_phase_ms,
       .help =
           "Milliseconds for which a vector index that is added to a table is being allocated, and then filled at the "
           "least, so that a program sees these phases as on AWS",
       .largest = 3'600'000},
      {.name = "faults",
       .target = &values.faults_file,
       .help = "File of rules by which requests fail on purpose, for tests; not with --auth enforce",
       .shown_as = "FILE"},
  };
}

std::vector<Setting> settings_of_access(ServeSettings& values) {
  return {
      {.name = "cors_origin",
       .target = &values.cors_origins,
       .help = "Origin of web pages whose scripts may use the server, or * for any; can be given several times",
       .shown_as = "ORIGIN",
       .check = problem_of_origin},
      {.name = "host_name",
       .target = &values.host_names,
       .help = "Name with dots by which clients call the server, besides its address; can be given several times",
       .shown_as = "NAME",
       .may_be_empty = false},
      {.name = "auth",
       .target = &values.auth,
       .help =
           "Requests that are not signed by a key of --access: 'off' serves them, 'warn' serves them and says so in "
           "the log, 'enforce' refuses them",
       .words = {"off", "warn", "enforce"}},
      {.name = "access",
       .target = &values.access_file,
       .help = "File of access keys, which `dolmen access` makes",
       .shown_as = "FILE"},
      {.name = "table_keys",
       .target = &values.table_keys,
       .help = "File of keys that encrypt tables, which `dolmen keys` makes; without it tables that are encrypted "
               "cannot be used",
       .shown_as = "FILE"},
      {.name = "tls_cert",
       .target = &values.tls_certificate,
       .help = "Certificate of the server in PEM, with those that lead to its root",
       .shown_as = "FILE"},
      {.name = "tls_key", .target = &values.tls_key, .help = "Key of the certificate in PEM", .shown_as = "FILE"},
      {.name = "tls_client_ca",
       .target = &values.tls_client_authority,
       .help = "Only clients with a certificate that one of these has signed come in",
       .shown_as = "FILE"},
      {.name = "insecure",
       .target = &values.insecure,
       .help = "Listen on other addresses than loopback without --auth enforce and TLS"},
  };
}

/// A number of a port, or nothing.
std::string problem_of_port(const std::string& text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (text.empty() || (error == std::errc{} && end == text.data() + text.size())) return "";
  return fmt::format("\"{}\" is not a whole number from 0 to 65535", text);
}

std::vector<Setting> settings_of_monitoring(ServeSettings& values) {
  constexpr std::uint64_t kSlowMsMax = 3'600'000;
  return {
      {.name = "log_level",
       .target = &values.log_level,
       .help = "What the log has: 'info' slow and failed requests and work in the background, 'debug' every request",
       .words = {"error", "warn", "info", "debug"},
       .reloads = true},
      {.name = "log_format",
       .target = &values.log_format,
       .help = "Lines of the log: 'text' to read, 'json' for programs, 'auto' text in a terminal and else JSON",
       .words = {"auto", "text", "json"}},
      {.name = "slow_request_ms",
       .target = &values.slow_request_ms,
       .help = "Requests that take longer have a line in the log; 0: none has for that",
       .largest = kSlowMsMax,
       .reloads = true},
      {.name = "metrics_port",
       .target = &values.metrics_port,
       .help = "Port on 127.0.0.1 for /metrics, /health and /ready alone, which needs no key",
       .shown_as = "NUMBER",
       .check = problem_of_port},
      {.name = "console",
       .target = &values.console,
       .help = "The web console at /console, for browsers of this machine and, with --auth enforce, for all",
       .words = {"on", "off"}},
  };
}

access::Mode mode_of(std::string_view auth) {
  if (auth == "off") return access::Mode::kOff;
  return auth == "warn" ? access::Mode::kWarn : access::Mode::kEnforce;
}

/// The text has been checked.
std::optional<std::uint16_t> port_of(const std::string& text) {
  if (text.empty()) return std::nullopt;
  std::uint16_t port = 0;
  std::from_chars(text.data(), text.data() + text.size(), port);
  return port;
}

}  // namespace

Durability ServeSettings::promise() const {
  if (memory) return Durability::kMemory;
  return durability == "os" ? Durability::kOs : Durability::kSync;
}

std::vector<Setting> settings_of(ServeSettings& values) {
  std::vector<Setting> all;
  for (const auto& family :
       {settings_of_network, settings_of_store, settings_of_access, settings_of_monitoring, settings_of_tests})
    for (Setting& setting : family(values)) all.push_back(std::move(setting));
  for (Setting& setting : settings_of_limits(values.limits)) all.push_back(std::move(setting));
  return all;
}

bool is_open_address(const std::string& host) {
  std::array<unsigned char, sizeof(in6_addr)> bytes;
  const bool is_v4 = inet_pton(AF_INET, host.c_str(), bytes.data()) == 1;
  if (!is_v4 && inet_pton(AF_INET6, host.c_str(), bytes.data()) != 1) return false;
  return !host.starts_with("127.") && host != "::1";
}

std::string problem_of(const ServeSettings& values) {
  if (values.auth != "off" && values.access_file.empty())
    return fmt::format("--auth {} needs the keys: give --access FILE", values.auth);
  if (values.auth == "off" && !values.access_file.empty())
    return "--access has no effect without --auth warn or --auth enforce";
  if (values.auth == "enforce" && !values.faults_file.empty())
    return "--faults cannot be combined with --auth enforce: nothing goes wrong on purpose where data is protected";
  if (values.tls_certificate.empty() != values.tls_key.empty()) return "--tls-cert and --tls-key belong together";
  if (!values.tls_client_authority.empty() && !values.has_tls())
    return "--tls-client-ca has no effect without --tls-cert";
  const bool is_safe = values.auth == "enforce" && values.has_tls();
  if (is_safe || values.insecure || !is_open_address(values.host)) return "";
  return fmt::format(
      "everybody who reaches {} could read and change all data, or listen: give --auth enforce --access FILE and "
      "--tls-cert FILE --tls-key FILE, or --insecure if the network keeps everybody else away",
      values.host);
}

ServerOptions options_of(const ServeSettings& values) {
  ServerOptions options{
      .store = {.directory = values.data,
                .durability = values.promise(),
                .tables_max = values.tables_max,
                .table_keys = values.table_keys,
                .transactions =
                    values.transactions == "conflict" ? TransactionConflicts::kRefuse : TransactionConflicts::kWait,
                .throttling = values.throttle == "provisioned" ? Throttling::kProvisioned : Throttling::kOff,
                .vector_index_phase = std::chrono::milliseconds(values.vector_index_phase_ms)},
      .http = {.host = values.host == "localhost" ? "127.0.0.1" : values.host,
               .port = static_cast<std::uint16_t>(values.port),
               .threads = static_cast<unsigned>(values.threads),
               .tls = {.certificate = values.tls_certificate,
                       .key = values.tls_key,
                       .client_authority = values.tls_client_authority}},
      .resume_deletes = !values.no_resume,
      .backups = values.backups,
      .buckets = values.buckets,
      .texts = values.texts == "older" ? wire::Texts::kOlder : wire::Texts::kCurrent,
      .shared_with = values.cors_origins,
      .host_names = values.host_names,
      .account = {.region = values.region},
      .access = {.mode = mode_of(values.auth), .file = values.access_file},
      .live = live_options_of(values),
      .metrics_port = port_of(values.metrics_port),
      .faults = values.faults_file,
      .console = values.console == "on"};
  apply_limits(values.limits, options);
  return options;
}

LiveOptions live_options_of(const ServeSettings& values) {
  return {.log_level = *log_level_of(values.log_level),
          .slow_request = std::chrono::milliseconds(values.slow_request_ms)};
}

}  // namespace dolmen::cli
