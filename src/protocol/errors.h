#pragma once

#include <string>
#include <string_view>

#include "dolmen/error.h"

namespace dolmen {

/// How an error code looks on the wire. This is the only mapping.
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

/// The other direction: the code for a type, with or without the part up to "#". For an unknown type the status
/// decides. ResourceInUseException is kTableInUse.
Code code_of(std::string_view type, int status);

/// Reads the body of an error response, with the item or the reasons that it carries. `type` is the value of the header
/// x-amzn-errortype, for a body without a type. A body that is not JSON becomes part of the message.
Error read_error(int status, std::string_view type, std::string_view body);

}  // namespace dolmen
