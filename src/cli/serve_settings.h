#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/limit_settings.h"
#include "config/settings.h"
#include "dolmen/durability.h"
#include "server/server.h"

namespace dolmen::cli {

/// The values of all settings of `dolmen serve`.
struct ServeSettings {
  std::string host = "127.0.0.1";
  std::uint64_t port = 8000;
  std::string data = "./data";
  bool memory = false;
  std::string durability = "sync";
  std::uint64_t threads = 0;
  std::string texts = "current";
  std::vector<std::string> cors_origins = {};
  std::vector<std::string> host_names = {};
  std::string auth = "off";
  std::string access_file = {};
  std::string table_keys = {};
  std::string tls_certificate = {};
  std::string tls_key = {};
  std::string tls_client_authority = {};
  bool insecure = false;
  std::string region = "us-east-1";
  std::uint64_t tables_max = 2500;
  bool no_resume = false;
  std::string log_level = "info";
  std::string log_format = "auto";
  std::uint64_t slow_request_ms = 1000;
  std::string metrics_port = {};
  std::string console = "on";
  std::string transactions = "wait";
  std::string throttle = "off";
  std::uint64_t vector_index_phase_ms = 0;
  std::string faults_file = {};
  std::string backups = {};
  std::string buckets = {};
  std::string port_file = {};
  LimitSettings limits = {};

  [[nodiscard]] Durability promise() const;
  [[nodiscard]] bool has_tls() const { return !tls_certificate.empty(); }
};

/// The table of the settings, bound to `values`, which must outlive it. A new setting is a member above, a row here,
/// and what `options_of` makes of it.
std::vector<config::Setting> settings_of(ServeSettings& values);

/// An address that others can reach. A text that is no address is refused later.
bool is_open_address(const std::string& host);

/// What is wrong with settings that are right one by one; empty when nothing is.
std::string problem_of(const ServeSettings& values);

/// Without a report, and without a place for the log.
ServerOptions options_of(const ServeSettings& values);

/// What a running server takes on.
LiveOptions live_options_of(const ServeSettings& values);

}  // namespace dolmen::cli
