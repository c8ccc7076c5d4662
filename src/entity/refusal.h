#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"

namespace dolmen::entity {

/// An error with a message that programs in other languages give as well, and a detail that names the property or token
/// and says what is wrong with it.
inline std::unexpected<Error> refuse(Code code, std::string_view message, std::string_view subject,
                                     std::string_view explanation) {
  return std::unexpected(
      Error(code, std::string(message),
            std::vector<ErrorDetail>{{std::string(subject), std::string(message), std::string(explanation)}}));
}

}  // namespace dolmen::entity
