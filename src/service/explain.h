#pragma once

#include <memory>
#include <utility>

#include "base/fail.h"
#include "dolmen/explanation.h"
#include "service/wait.h"

namespace dolmen {

/// Carries out a read and explains it. Fails with kUnsupported when the service does not explain.
template <class Op>
Result<Explanation> explain(Service& service, typename Op::Request request) {
  auto trace = std::make_shared<ReadTrace>();
  request.trace = trace;
  DOLMEN_TRY_VOID(call<Op>(service, std::move(request)));
  std::optional<Explanation> explanation = trace->finish();
  if (!explanation) return fail(Code::kUnsupported, "the endpoint does not explain reads; it is not a Dolmen server");
  return *std::move(explanation);
}

}  // namespace dolmen
