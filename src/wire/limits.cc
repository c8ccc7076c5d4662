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

}  // namespace dolmen::wire
