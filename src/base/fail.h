#pragma once

#include <expected>
#include <fmt/core.h>
#include <utility>

#include "dolmen/error.h"

namespace dolmen {

/// Makes an error to return: `return fail(Code::kTableNotFound, "no table {}", name);`
template <class... Args>
std::unexpected<Error> fail(Code code, fmt::format_string<Args...> message, Args&&... args) {
  return std::unexpected(Error(code, fmt::format(message, std::forward<Args>(args)...)));
}

template <class... Args>
std::unexpected<Error> fail(Code code, Reason reason, fmt::format_string<Args...> message, Args&&... args) {
  return std::unexpected(Error(code, reason, fmt::format(message, std::forward<Args>(args)...)));
}

}  // namespace dolmen
