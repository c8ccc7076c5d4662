#pragma once

#include <cstdint>
#include <vector>

#include "config/settings.h"
#include "server/server.h"

namespace dolmen::cli {

/// The settings of `dolmen serve` that limit what clients may take. Their names are those of wire::limit_name, under
/// which they are counted.
struct LimitSettings {
  std::uint64_t connections_max = wire::HttpServerOptions{}.connections_max;
  std::uint64_t connections_per_address_max = wire::HttpServerOptions{}.connections_per_address_max;
  std::uint64_t descriptors_kept = wire::HttpServerOptions{}.descriptors_kept;
  std::uint64_t idle_seconds_max = 300;
  std::uint64_t head_seconds_max = 20;
  std::uint64_t request_seconds_max = 60;
  std::uint64_t answer_seconds_max = 60;
  std::uint64_t header_bytes_max = wire::HttpParser::Limits{}.header_bytes_max;
  std::uint64_t body_bytes_max = wire::HttpParser::Limits{}.body_bytes_max;
  std::uint64_t requests_in_flight_max = wire::HttpServerOptions{}.requests_in_flight_max;
  std::uint64_t request_memory_bytes_max = wire::HttpServerOptions{}.request_memory_max;
  std::uint64_t large_requests_waiting_max = ServerOptions{}.large_requests_waiting_max;
  std::uint64_t commit_queue_bytes_max = ServerOptions{}.commit_queue_bytes_max;
  std::uint64_t stop_seconds_max = 10;
};

/// The rows of the table of settings, bound to `values`, which must outlive them.
std::vector<config::Setting> settings_of_limits(LimitSettings& values);

void apply_limits(const LimitSettings& values, ServerOptions& options);

}  // namespace dolmen::cli
