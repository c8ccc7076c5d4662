#include "wire/errors.h"

#include "base/check.h"
#include "value/json.h"

namespace dolmen::wire {

WireError wire_error(Code code) {
  switch (code) {
    case Code::kValidation:
    case Code::kUnsupported:
    case Code::kInvalidArgument: return {400, "com.amazon.coral.validate#ValidationException"};
    case Code::kSerialization: return {400, "com.amazon.coral.service#SerializationException", "Message"};
    case Code::kUnknownOperation: return {400, "com.amazon.coral.service#UnknownOperationException"};
    case Code::kRequestTooLarge: return {413, "com.amazon.coral.service#RequestEntityTooLargeException"};
    case Code::kAccessDenied: return {400, "com.amazon.coral.service#AccessDeniedException", "Message"};
    case Code::kTableNotFound: return {400, "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException"};
    case Code::kTableExists:
    case Code::kTableInUse: return {400, "com.amazonaws.dynamodb.v20120810#ResourceInUseException"};
    case Code::kLimitExceeded: return {400, "com.amazonaws.dynamodb.v20120810#LimitExceededException"};
    case Code::kNoSpace:
    case Code::kClosed: return {503, "com.amazon.coral.availability#ServiceUnavailable"};
    case Code::kDirectoryInUse:
    case Code::kDirectoryUnusable:
    case Code::kForeignDirectory:
    case Code::kFormatVersion:
    case Code::kCorruption:
    case Code::kIo:
    case Code::kAddressInUse: return {500, "com.amazonaws.dynamodb.v20120810#InternalServerError"};
  }
  DOLMEN_CHECK(false, "a code outside the closed list");
}

std::string error_body(const Error& error) {
  const WireError wire = wire_error(error.code());
  std::string body = R"({"__type":)";
  json::append_string(body, wire.type);
  if (!error.message().empty()) {
    body.push_back(',');
    json::append_string(body, wire.message_key);
    body.push_back(':');
    json::append_string(body, error.message());
  }
  body.push_back('}');
  return body;
}

}  // namespace dolmen::wire
