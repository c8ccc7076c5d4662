#pragma once

#include <string>
#include <string_view>

#include "dolmen/error.h"

namespace dolmen::wire {

/// How an error code looks on the wire. This is the only place that knows.
struct WireError {
  int status = 400;
  /// The full name in "__type".
  std::string_view type;
  /// DynamoDB writes "message" or "Message", depending on the type.
  std::string_view message_key = "message";
};

WireError wire_error(Code code);

/// The body of an error response. An empty message is left out.
std::string error_body(const Error& error);

}  // namespace dolmen::wire
