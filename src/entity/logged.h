#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "dolmen/entity/config.h"
#include "dolmen/error.h"

namespace dolmen::entity {

/// What a function was asked for, for the logger.
struct LoggedCall {
  std::string_view operation;
  std::string_view subject = {};
};

/// Tells the logger of a result, and returns it. `describe(value)` says what came of it, and is called only when
/// somebody listens.
template <class T, class Describe>
Result<T> logged(const EntityOptions& options, const LoggedCall& call, Result<T> result, Describe describe) {
  if (result) {
    if (options.logger.debug) options.logger.debug({call.operation, call.subject, describe(*result)});
  } else if (options.logger.error) {
    options.logger.error({call.operation, call.subject, result.error().message()});
  }
  return result;
}

}  // namespace dolmen::entity
