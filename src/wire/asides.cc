#include "wire/asides.h"

#include <optional>

#include "protocol/explanation_json.h"

namespace dolmen::wire {

void Asides::complete(HttpResponse& response) const {
  if (faulty && faulty->decision()) {
    response.cut = faulty->cuts();
    response.headers.append(kFaultHeader).append(": ").append(to_text(*faulty->decision())).append("\r\n");
  }
  if (!trace) return;
  if (const std::optional<Explanation> explanation = trace->finish())
    response.headers.append(kExplainHeader).append(": ").append(explanation_header(*explanation)).append("\r\n");
}

}  // namespace dolmen::wire
