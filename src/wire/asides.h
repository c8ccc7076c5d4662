#pragma once

#include <memory>
#include <string_view>

#include "faults/faulty_service.h"
#include "service/read_trace.h"
#include "wire/http.h"

namespace dolmen::wire {

/// What a request asks for in headers of Dolmen's own, for tests.
struct Asides {
  /// Carries the request out in place of the service; null when nothing can go wrong.
  std::shared_ptr<faults::FaultyService> faulty = nullptr;
  /// Null unless the read is explained.
  std::shared_ptr<ReadTrace> trace = nullptr;

  /// Adds what they have to say to the response.
  void complete(HttpResponse& response) const;
};

inline constexpr std::string_view kFaultHeader = "x-dolmen-fault";

}  // namespace dolmen::wire
