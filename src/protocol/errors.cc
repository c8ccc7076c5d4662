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
    case Code::kInvalidOperator:
    case Code::kEncryptedFieldNotQueryable:
    case Code::kEncryptionNotConfigured:
    case Code::kInvalidEncryptedEnvelope:
    case Code::kImmutableModelMutation:
    case Code::kProtectedFieldMutation:
    case Code::kLeaseHeld:
    case Code::kLeaseNotOwned:
    case Code::kInvalidArgument: return {400, "com.amazon.coral.validate#ValidationException"};
    case Code::kSerialization: return {400, "com.amazon.coral.service#SerializationException", "Message"};
    case Code::kUnknownOperation: return {400, "com.amazon.coral.service#UnknownOperationException"};
    case Code::kRequestTooLarge: return {413, "com.amazon.coral.service#RequestEntityTooLargeException"};
    case Code::kMissingAuthentication: return {400, "com.amazon.coral.service#MissingAuthenticationTokenException"};
    case Code::kIncompleteSignature: return {400, "com.amazon.coral.service#IncompleteSignatureException"};
    case Code::kInvalidSignature: return {400, "com.amazon.coral.service#InvalidSignatureException"};
    case Code::kUnrecognizedClient: return {400, "com.amazon.coral.service#UnrecognizedClientException"};
    case Code::kExpiredToken: return {400, "com.amazon.coral.service#ExpiredTokenException"};
    case Code::kConditionFailed: return {400, "com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException"};
    case Code::kDuplicateItem: return {400, "com.amazonaws.dynamodb.v20120810#DuplicateItemException"};
    case Code::kTransactionCanceled:
      return {400, "com.amazonaws.dynamodb.v20120810#TransactionCanceledException", "Message"};
    case Code::kTransactionConflict: return {400, "com.amazonaws.dynamodb.v20120810#TransactionConflictException"};
    case Code::kTransactionInProgress:
      return {400, "com.amazonaws.dynamodb.v20120810#TransactionInProgressException", "Message"};
    case Code::kIdempotencyMismatch:
      return {400, "com.amazonaws.dynamodb.v20120810#IdempotentParameterMismatchException", "Message"};
    case Code::kAccessDenied: return {400, "com.amazon.coral.service#AccessDeniedException", "Message"};
    case Code::kStreamNotFound:
    case Code::kTableNotFound: return {400, "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException"};
    case Code::kTableExists:
    case Code::kTableInUse: return {400, "com.amazonaws.dynamodb.v20120810#ResourceInUseException"};
    case Code::kLimitExceeded: return {400, "com.amazonaws.dynamodb.v20120810#LimitExceededException"};
    case Code::kCollectionTooLarge:
      return {400, "com.amazonaws.dynamodb.v20120810#ItemCollectionSizeLimitExceededException"};
    case Code::kStreamTrimmed: return {400, "com.amazonaws.dynamodb.v20120810#TrimmedDataAccessException"};
    case Code::kIteratorExpired: return {400, "com.amazonaws.dynamodb.v20120810#ExpiredIteratorException"};
    case Code::kSourceTableNotFound: return {400, "com.amazonaws.dynamodb.v20120810#TableNotFoundException"};
    case Code::kTargetTableExists: return {400, "com.amazonaws.dynamodb.v20120810#TableAlreadyExistsException"};
    case Code::kTargetTableInUse: return {400, "com.amazonaws.dynamodb.v20120810#TableInUseException"};
    case Code::kBackupNotFound: return {400, "com.amazonaws.dynamodb.v20120810#BackupNotFoundException"};
    case Code::kBackupInUse: return {400, "com.amazonaws.dynamodb.v20120810#BackupInUseException"};
    case Code::kContinuousBackupsUnavailable:
      return {400, "com.amazonaws.dynamodb.v20120810#ContinuousBackupsUnavailableException"};
    case Code::kPointInTimeUnavailable:
      return {400, "com.amazonaws.dynamodb.v20120810#PointInTimeRecoveryUnavailableException"};
    case Code::kInvalidRestoreTime: return {400, "com.amazonaws.dynamodb.v20120810#InvalidRestoreTimeException"};
    case Code::kInvalidExportTime: return {400, "com.amazonaws.dynamodb.v20120810#InvalidExportTimeException"};
    case Code::kExportNotFound: return {400, "com.amazonaws.dynamodb.v20120810#ExportNotFoundException"};
    case Code::kExportConflict: return {400, "com.amazonaws.dynamodb.v20120810#ExportConflictException"};
    case Code::kImportNotFound: return {400, "com.amazonaws.dynamodb.v20120810#ImportNotFoundException"};
    case Code::kImportConflict: return {400, "com.amazonaws.dynamodb.v20120810#ImportConflictException"};
    case Code::kPolicyNotFound: return {400, "com.amazonaws.dynamodb.v20120810#PolicyNotFoundException"};
    case Code::kGlobalTableNotFound: return {400, "com.amazonaws.dynamodb.v20120810#GlobalTableNotFoundException"};
    case Code::kGlobalTableExists: return {400, "com.amazonaws.dynamodb.v20120810#GlobalTableAlreadyExistsException"};
    case Code::kReplicaNotFound: return {400, "com.amazonaws.dynamodb.v20120810#ReplicaNotFoundException"};
    case Code::kReplicaExists: return {400, "com.amazonaws.dynamodb.v20120810#ReplicaAlreadyExistsException"};
    case Code::kSchemaRequired: return {400, "dolmen.documents.v20261115#SCHEMA_REQUIRED"};
    case Code::kUnknownSchema: return {400, "dolmen.documents.v20261115#UNKNOWN_SCHEMA"};
    case Code::kUnknownSchemaVersion: return {400, "dolmen.documents.v20261115#UNKNOWN_SCHEMA_VERSION"};
    case Code::kSchemaValidationFailed: return {400, "dolmen.documents.v20261115#SCHEMA_VALIDATION_FAILED"};
    case Code::kSchemaImmutable: return {400, "dolmen.documents.v20261115#SCHEMA_IMMUTABLE"};
    case Code::kSchemaInvalid: return {400, "dolmen.documents.v20261115#SCHEMA_INVALID"};
    case Code::kDocumentNotFound: return {400, "dolmen.documents.v20261115#DOCUMENT_NOT_FOUND"};
    case Code::kQueryInvalid: return {400, "dolmen.documents.v20261115#QUERY_INVALID"};
    case Code::kIndexExists: return {400, "dolmen.documents.v20261115#INDEX_EXISTS"};
    case Code::kItemNotFound: return {400, "dolmen.entities.v20261115#ItemNotFound"};
    case Code::kInvalidEntityConfig: return {400, "dolmen.entities.v20261115#InvalidEntityConfig"};
    case Code::kInvalidEntity: return {400, "dolmen.entities.v20261115#InvalidEntity"};
    case Code::kInvalidPageToken: return {400, "dolmen.entities.v20261115#InvalidPageToken"};
    case Code::kShardQueriesFailed: return {400, "dolmen.entities.v20261115#ShardQueriesFailed"};
    case Code::kInvalidUrn: return {400, "dolmen.relations.v20261115#InvalidUrn"};
    case Code::kInvalidResource: return {400, "dolmen.relations.v20261115#InvalidResource"};
    case Code::kResourceNotFound: return {400, "dolmen.relations.v20261115#ResourceNotFound"};
    case Code::kResourceExists: return {400, "dolmen.relations.v20261115#ResourceExists"};
    case Code::kParentNotFound: return {400, "dolmen.relations.v20261115#ParentNotFound"};
    case Code::kUniqueViolation: return {400, "dolmen.relations.v20261115#UniqueViolation"};
    case Code::kResourceDeleting: return {400, "dolmen.relations.v20261115#ResourceDeleting"};
    case Code::kResourceInUse: return {400, "dolmen.relations.v20261115#ResourceInUse"};
    case Code::kCycle: return {400, "dolmen.relations.v20261115#Cycle"};
    case Code::kAccountMismatch: return {400, "dolmen.relations.v20261115#AccountMismatch"};
    case Code::kSchemaVersion: return {400, "dolmen.relations.v20261115#SchemaVersion"};
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
    case Code::kBucketNotFound:
    case Code::kObjectNotFound:
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

/// Some messages repeat what the request had in it, which may be megabytes.
void append_message(std::string& body, std::string_view message) {
  constexpr std::size_t kMessageBytesMax = std::size_t{256} << 10;
  if (message.size() <= kMessageBytesMax) return json::append_string(body, message);
  std::size_t end = kMessageBytesMax;
  const auto is_inside_character = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
  while (is_inside_character(message[end])) --end;
  json::append_string(body, std::string(message.substr(0, end)).append("..."));
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

/// Only operations on entities and relations refuse arguments with details.
bool is_about_entities_or_relations(const Error& error) {
  const std::string_view type = wire_error(error.code()).type;
  return type.starts_with("dolmen.entities.") || type.starts_with("dolmen.relations.") ||
         (error.code() == Code::kInvalidArgument && !error.details().empty());
}

/// Errors of Dolmen's own operations also name the code and every violation; those about documents, the invariant.
void append_details(std::string& body, const Error& error) {
  const std::string_view invariant = invariant_of(error.code());
  if (invariant.empty() && !is_about_entities_or_relations(error)) return;
  body.append(R"(,"code":)");
  json::append_string(body, code_name(error.code()));
  if (!invariant.empty())
    body.append(R"(,"severity":"error","category":"documents","invariant":")").append(invariant).append("\"");
  body.append(R"(,"details":[)");
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
    append_message(body, error.message());
  }
  if (const auto* failure = error.payload<ConditionFailure>()) append_item(body, failure->item);
  if (const auto* cancellation = error.payload<Cancellation>()) append_reasons(body, *cancellation);
  append_details(body, error);
  body.push_back('}');
  return body;
}

}  // namespace dolmen
