#pragma once

#include <string>

#include "dolmen/error.h"

namespace dolmen {

/// "ok", or the name that all implementations share.
template <class T>
std::string error_name(const Result<T>& result) {
  return result ? "ok" : std::string(portable_error_name(result.error().code()));
}

}  // namespace dolmen
