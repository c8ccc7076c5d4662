#pragma once

#include <string>
#include <string_view>

#include "dolmen/error.h"

namespace dolmen {

/// Error codes and how they look on the wire. This is the only place that knows.
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

/// The other direction: an error's code by its type, with or without what stands before "#", and for a type that is not
/// known by the status. ResourceInUseException is kTableInUse.
Code code_of(std::string_view type, int status);

/// Reads the body of an error response, with the item or the reasons that it carries. `type` is what the header
/// x-amzn-errortype says, for a body that does not. A body that is not JSON becomes part of the message.
Error read_error(int status, std::string_view type, std::string_view body);

}  // namespace dolmen
