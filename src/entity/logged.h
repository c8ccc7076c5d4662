#pragma once

#include <string>
#include <string_view>
#include <type_traits>

#include "dolmen/entity/config.h"
#include "dolmen/error.h"

namespace dolmen::entity {

/// What a function was asked for, for the logger.
struct LoggedCall {
  std::string_view operation;
  std::string_view subject = {};
};

/// Tells the logger of a result. `describe(value)` says what came of it, and is called only when
/// somebody listens.
template <class T, class Describe>
void log_result(const EntityOptions& options, const LoggedCall& call, const Result<T>& result, Describe describe) {
  if (result) {
    if (options.logger.debug) options.logger.debug({call.operation, call.subject, describe(*result)});
  } else if (options.logger.error) {
    options.logger.error({call.operation, call.subject, result.error().message()});
  }
}

/// Returns the result of `run()`, and tells the logger of it.
template <class Run, class Describe>
std::invoke_result_t<Run> logged(const EntityOptions& options, const LoggedCall& call, Run run, Describe describe) {
  // Returned as it is, without being moved.
  auto result = run();
  log_result(options, call, result, describe);
  return result;
}

}  // namespace dolmen::entity
