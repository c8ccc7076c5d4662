#include "protocol/errors.h"

#include "base/check.h"
#include "service/failures.h"
#include "value/json.h"

namespace dolmen {

WireError wire_error(Code code) {
  switch (code) {
    case Code::kValidation:
    case Code::kUnsupported:
    case Code::kInvalidModel:
    case Code::kMissingPrimaryKey:
    case Code::kItemNotFound:
    case Code::kInvalidOperator:
    case Code::kEncryptedFieldNotQueryable:
    case Code::kEncryptionNotConfigured:
    case Code::kInvalidEncryptedEnvelope:
    case Code::kInvalidEntityConfig:
    case Code::kInvalidEntity:
    case Code::kInvalidPageToken:
    case Code::kShardQueriesFailed:
    case Code::kLeaseHeld:
    case Code::kLeaseNotOwned:
    case Code::kInvalidUrn:
    case Code::kInvalidResource:
    case Code::kResourceNotFound:
    case Code::kResourceExists:
    case Code::kParentNotFound:
    case Code::kUniqueViolation:
    case Code::kResourceDeleting:
    case Code::kResourceInUse:
    case Code::kCycle:
    case Code::kAccountMismatch:
    case Code::kSchemaVersion:
    case Code::kInvalidArgument: return {400, "com.amazon.coral.validate#ValidationException"};
    case Code::kSerialization: return {400, "com.amazon.coral.service#SerializationException", "Message"};
    case Code::kUnknownOperation: return {400, "com.amazon.coral.service#UnknownOperationException"};
    case Code::kRequestTooLarge: return {413, "com.amazon.coral.service#RequestEntityTooLargeException"};
    case Code::kMissingAuthentication: return {400, "com.amazon.coral.service#MissingAuthenticationTokenException"};
    case Code::kIncompleteSignature: return {400, "com.amazon.coral.service#IncompleteSignatureException"};
    case Code::kInvalidSignature: return {400, "com.amazon.coral.service#InvalidSignatureException"};
    case Code::kConditionFailed: return {400, "com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException"};
    case Code::kTransactionCanceled:
      return {400, "com.amazonaws.dynamodb.v20120810#TransactionCanceledException", "Message"};
    case Code::kTransactionConflict: return {400, "com.amazonaws.dynamodb.v20120810#TransactionConflictException"};
    case Code::kTransactionInProgress:
      return {400, "com.amazonaws.dynamodb.v20120810#TransactionInProgressException", "Message"};
    case Code::kIdempotencyMismatch:
      return {400, "com.amazonaws.dynamodb.v20120810#IdempotentParameterMismatchException", "Message"};
    case Code::kAccessDenied: return {400, "com.amazon.coral.service#AccessDeniedException", "Message"};
    case Code::kTableNotFound: return {400, "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException"};
    case Code::kTableExists:
    case Code::kTableInUse: return {400, "com.amazonaws.dynamodb.v20120810#ResourceInUseException"};
    case Code::kLimitExceeded: return {400, "com.amazonaws.dynamodb.v20120810#LimitExceededException"};
    case Code::kCollectionTooLarge:
      return {400, "com.amazonaws.dynamodb.v20120810#ItemCollectionSizeLimitExceededException"};
    case Code::kSchemaRequired: return {400, "dolmen.documents.v20261115#SCHEMA_REQUIRED"};
    case Code::kUnknownSchema: return {400, "dolmen.documents.v20261115#UNKNOWN_SCHEMA"};
    case Code::kUnknownSchemaVersion: return {400, "dolmen.documents.v20261115#UNKNOWN_SCHEMA_VERSION"};
    case Code::kSchemaValidationFailed: return {400, "dolmen.documents.v20261115#SCHEMA_VALIDATION_FAILED"};
    case Code::kSchemaImmutable: return {400, "dolmen.documents.v20261115#SCHEMA_IMMUTABLE"};
    case Code::kSchemaInvalid: return {400, "dolmen.documents.v20261115#SCHEMA_INVALID"};
    case Code::kDocumentNotFound: return {400, "dolmen.documents.v20261115#DOCUMENT_NOT_FOUND"};
    case Code::kQueryInvalid: return {400, "dolmen.documents.v20261115#QUERY_INVALID"};
    case Code::kIndexExists: return {400, "dolmen.documents.v20261115#INDEX_EXISTS"};
    case Code::kThrottled: return {400, "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException"};
    case Code::kUnavailable:
    case Code::kNoSpace:
    case Code::kClosed: return {503, "com.amazon.coral.availability#ServiceUnavailable"};
    case Code::kUnknownOutcome:
    case Code::kTimeout:
    case Code::kCanceled:
    case Code::kCredentials:
    case Code::kUnexpectedResponse:
    case Code::kMalformedEncoding:
    case Code::kDirectoryInUse:
    case Code::kDirectoryUnusable:
    case Code::kForeignDirectory:
    case Code::kFormatVersion:
    case Code::kCorruption:
    case Code::kIo:
    case Code::kAddressInUse: return {500, "com.amazonaws.dynamodb.v20120810#InternalServerError"};
  }
  DOLMEN_UNREACHABLE("a code outside the closed list");
}

namespace {

void append_item(std::string& body, const std::optional<EncodedItem>& item) {
  if (!item) return;
  std::string text;
  // Without a damaged item the error is still useful.
  if (json::append_item(text, item->bytes)) body.append(R"(,"Item":)").append(text);
}

void append_reasons(std::string& body, const Cancellation& cancellation) {
  body.append(R"(,"CancellationReasons":[)");
  bool first = true;
  for (const CancellationReason& reason : cancellation.reasons) {
    body.append(first ? R"({"Code":)" : R"(,{"Code":)");
    first = false;
    json::append_string(body, reason.code);
    if (!reason.message.empty()) {
      body.append(R"(,"Message":)");
      json::append_string(body, reason.message);
    }
    append_item(body, reason.item);
    body.push_back('}');
  }
  body.push_back(']');
}

/// The invariant of the document store that an error protects.
std::string_view invariant_of(Code code) {
  switch (code) {
    case Code::kSchemaRequired: return "S1";
    case Code::kUnknownSchema:
    case Code::kUnknownSchemaVersion:
    case Code::kSchemaImmutable: return "S3";
    case Code::kSchemaValidationFailed: return "S4";
    case Code::kSchemaInvalid:
    case Code::kDocumentNotFound:
    case Code::kIndexExists:
    case Code::kQueryInvalid: return "Q3";
    default: return {};
  }
}

/// Errors about documents also name the invariant and every violation.
void append_document_error(std::string& body, const Error& error) {
  const std::string_view invariant = invariant_of(error.code());
  if (invariant.empty()) return;
  body.append(R"(,"code":)");
  json::append_string(body, code_name(error.code()));
  body.append(R"(,"severity":"error","category":"documents","invariant":")")
      .append(invariant)
      .append(R"(","details":[)");
  for (const ErrorDetail& detail : error.details()) {
    if (body.back() != '[') body.push_back(',');
    body.append(R"({"path":)");
    json::append_string(body, detail.path);
    body.append(R"(,"rule":)");
    json::append_string(body, detail.rule);
    body.append(R"(,"message":)");
    json::append_string(body, detail.message);
    body.push_back('}');
  }
  body.push_back(']');
}

}  // namespace

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
  if (const auto* failure = error.payload<ConditionFailure>()) append_item(body, failure->item);
  if (const auto* cancellation = error.payload<Cancellation>()) append_reasons(body, *cancellation);
  append_document_error(body, error);
  body.push_back('}');
  return body;
}

}  // namespace dolmen
