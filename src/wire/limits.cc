#include "wire/limits.h"

#include "base/check.h"

namespace dolmen::wire {

std::string_view limit_name(Limit limit) {
  switch (limit) {
    case Limit::kConnections: return "connections_max";
    case Limit::kConnectionsPerAddress: return "connections_per_address_max";
    case Limit::kDescriptors: return "descriptors_kept";
    case Limit::kIdleTime: return "idle_seconds_max";
    case Limit::kHeadTime: return "head_seconds_max";
    case Limit::kRequestTime: return "request_seconds_max";
    case Limit::kAnswerTime: return "answer_seconds_max";
    case Limit::kHeadBytes: return "header_bytes_max";
    case Limit::kBodyBytes: return "body_bytes_max";
    case Limit::kRequestsInFlight: return "requests_in_flight_max";
    case Limit::kRequestMemory: return "request_memory_bytes_max";
    case Limit::kLargeRequestsWaiting: return "large_requests_waiting_max";
  }
  DOLMEN_UNREACHABLE("a limit outside the closed list");
}

void describe(const Traffic& traffic, metrics::Report& report) {
  report.gauge("dolmen_connections", "Open connections", static_cast<double>(traffic.connections.load()));
  report.counter("dolmen_connections_accepted_total", "Connections that were not turned away",
                 traffic.connections_accepted.load());
  report.gauge("dolmen_requests_in_flight", "Requests that are complete and not answered",
               static_cast<double>(traffic.requests_in_flight.load()));
  report.gauge("dolmen_request_memory_bytes", "Memory of unfinished requests, requests in flight and waiting answers",
               static_cast<double>(traffic.request_bytes.load()));
  for (std::size_t i = 0; i < kLimitCount; ++i) {
    const auto limit = static_cast<Limit>(i);
    report.counter("dolmen_limits_hit_total", "How often a limit was reached", traffic.hits(limit),
                   {{"limit", limit_name(limit)}});
  }
}

}  // namespace dolmen::wire
