#include "cli/limit_settings.h"

#include <chrono>

namespace dolmen::cli {
namespace {

using config::Setting;

Setting seconds(std::string name, std::uint64_t& target, std::string help) {
  constexpr std::uint64_t kDay = 86'400;
  return {.name = std::move(name),
          .target = &target,
          .help = std::move(help),
          .shown_as = "SECONDS",
          .smallest = 1,
          .largest = kDay};
}

Setting bytes(std::string name, std::uint64_t& target, std::string help) {
  constexpr std::uint64_t kBytesMin = 1024;
  constexpr std::uint64_t kBytesMax = std::uint64_t{1} << 40;
  return {.name = std::move(name),
          .target = &target,
          .help = std::move(help),
          .shown_as = "BYTES",
          .smallest = kBytesMin,
          .largest = kBytesMax};
}

Setting count(std::string name, std::uint64_t& target, std::string help, std::uint64_t smallest = 1) {
  constexpr std::uint64_t kCountMax = 10'000'000;
  return {.name = std::move(name),
          .target = &target,
          .help = std::move(help),
          .shown_as = "COUNT",
          .smallest = smallest,
          .largest = kCountMax};
}

}  // namespace

std::vector<Setting> settings_of_limits(LimitSettings& values) {
  return {
      count("connections_max", values.connections_max,
            "Connections at a time; fewer when the process may not open as many files"),
      count("connections_per_address_max", values.connections_per_address_max,
            "Connections of one address at a time; 0 is three quarters of connections_max", 0),
      count("descriptors_kept", values.descriptors_kept, "Files that the store may open, which connections leave to it",
            0),
      seconds("idle_seconds_max", values.idle_seconds_max, "A connection without a request for this long is closed"),
      seconds("head_seconds_max", values.head_seconds_max,
              "Time for all headers of a request, or for the handshake of TLS"),
      seconds("request_seconds_max", values.request_seconds_max, "Time for a whole request to come in"),
      seconds("answer_seconds_max", values.answer_seconds_max, "Time for a client to take what is sent to it"),
      bytes("header_bytes_max", values.header_bytes_max, "Size of all headers of a request"),
      bytes("body_bytes_max", values.body_bytes_max, "Size of the body of a request, also after decompression"),
      count("requests_in_flight_max", values.requests_in_flight_max, "Requests that are carried out at a time"),
      bytes("request_memory_bytes_max", values.request_memory_bytes_max,
            "Memory for requests that come in or are carried out, and for answers that wait for clients"),
      count("large_requests_waiting_max", values.large_requests_waiting_max,
            "Large or compressed requests that wait to be carried out"),
      bytes("commit_queue_bytes_max", values.commit_queue_bytes_max, "Writes that wait for the disk"),
      seconds("stop_seconds_max", values.stop_seconds_max, "Time for requests to finish when the server stops"),
  };
}

void apply_limits(const LimitSettings& values, ServerOptions& options) {
  using std::chrono::seconds;
  wire::HttpServerOptions& http = options.http;
  http.connections_max = values.connections_max;
  http.connections_per_address_max = values.connections_per_address_max;
  http.descriptors_kept = values.descriptors_kept;
  http.idle_max = seconds(values.idle_seconds_max);
  http.head_max = seconds(values.head_seconds_max);
  http.request_max = seconds(values.request_seconds_max);
  http.answer_max = seconds(values.answer_seconds_max);
  http.limits.header_bytes_max = values.header_bytes_max;
  http.limits.body_bytes_max = values.body_bytes_max;
  http.requests_in_flight_max = values.requests_in_flight_max;
  http.request_memory_max = values.request_memory_bytes_max;
  options.large_requests_waiting_max = values.large_requests_waiting_max;
  options.commit_queue_bytes_max = values.commit_queue_bytes_max;
  options.stop_patience = seconds(values.stop_seconds_max);
}

}  // namespace dolmen::cli
