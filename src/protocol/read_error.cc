#include <array>
#include <fmt/format.h>

#include "protocol/errors.h"
#include "service/failures.h"
#include "value/json_reader.h"
#include "value/json_types.h"

namespace dolmen {
namespace {

struct KnownType {
  std::string_view name;
  Code code;
};

/// The errors of DynamoDB, its front end, the identity services, and Dolmen's own operations.
constexpr KnownType kTypes[] = {
    {"ValidationException", Code::kValidation},
    {"ValidationError", Code::kValidation},
    {"MissingAction", Code::kValidation},
    {"SerializationException", Code::kSerialization},
    {"UnknownOperationException", Code::kUnknownOperation},
    {"RequestEntityTooLargeException", Code::kRequestTooLarge},
    {"ConditionalCheckFailedException", Code::kConditionFailed},
    {"DuplicateItemException", Code::kDuplicateItem},
    {"TransactionCanceledException", Code::kTransactionCanceled},
    {"TransactionConflictException", Code::kTransactionConflict},
    {"TransactionInProgressException", Code::kTransactionInProgress},
    {"IdempotentParameterMismatchException", Code::kIdempotencyMismatch},
    {"AccessDenied", Code::kAccessDenied},
    {"AccessDeniedException", Code::kAccessDenied},
    {"UnrecognizedClientException", Code::kAccessDenied},
    {"InvalidClientTokenId", Code::kAccessDenied},
    {"InvalidIdentityToken", Code::kAccessDenied},
    {"InvalidSignatureException", Code::kAccessDenied},
    {"SignatureDoesNotMatch", Code::kAccessDenied},
    {"IncompleteSignature", Code::kAccessDenied},
    {"IncompleteSignatureException", Code::kAccessDenied},
    {"MissingAuthenticationToken", Code::kAccessDenied},
    {"MissingAuthenticationTokenException", Code::kAccessDenied},
    {"ExpiredToken", Code::kAccessDenied},
    {"ExpiredTokenException", Code::kAccessDenied},
    {"RequestExpired", Code::kAccessDenied},
    {"OptInRequired", Code::kAccessDenied},
    {"NotAuthorized", Code::kAccessDenied},
    {"ResourceNotFoundException", Code::kTableNotFound},
    {"ResourceInUseException", Code::kTableInUse},
    {"LimitExceededException", Code::kLimitExceeded},
    {"ItemCollectionSizeLimitExceededException", Code::kCollectionTooLarge},
    {"TrimmedDataAccessException", Code::kStreamTrimmed},
    {"ExpiredIteratorException", Code::kIteratorExpired},
    {"TableNotFoundException", Code::kSourceTableNotFound},
    {"TableAlreadyExistsException", Code::kTargetTableExists},
    {"TableInUseException", Code::kTargetTableInUse},
    {"BackupNotFoundException", Code::kBackupNotFound},
    {"BackupInUseException", Code::kBackupInUse},
    {"ContinuousBackupsUnavailableException", Code::kContinuousBackupsUnavailable},
    {"PointInTimeRecoveryUnavailableException", Code::kPointInTimeUnavailable},
    {"InvalidRestoreTimeException", Code::kInvalidRestoreTime},
    {"InvalidExportTimeException", Code::kInvalidExportTime},
    {"ExportNotFoundException", Code::kExportNotFound},
    {"ExportConflictException", Code::kExportConflict},
    {"ImportNotFoundException", Code::kImportNotFound},
    {"ImportConflictException", Code::kImportConflict},
    {"PolicyNotFoundException", Code::kPolicyNotFound},
    {"GlobalTableNotFoundException", Code::kGlobalTableNotFound},
    {"GlobalTableAlreadyExistsException", Code::kGlobalTableExists},
    {"ReplicaNotFoundException", Code::kReplicaNotFound},
    {"ReplicaAlreadyExistsException", Code::kReplicaExists},
    {"ProvisionedThroughputExceededException", Code::kThrottled},
    {"RequestLimitExceeded", Code::kThrottled},
    {"Throttling", Code::kThrottled},
    {"ThrottlingException", Code::kThrottled},
    {"ThrottledException", Code::kThrottled},
    {"TooManyRequestsException", Code::kThrottled},
    {"BandwidthLimitExceeded", Code::kThrottled},
    {"SlowDown", Code::kThrottled},
    {"SCHEMA_REQUIRED", Code::kSchemaRequired},
    {"UNKNOWN_SCHEMA", Code::kUnknownSchema},
    {"UNKNOWN_SCHEMA_VERSION", Code::kUnknownSchemaVersion},
    {"SCHEMA_VALIDATION_FAILED", Code::kSchemaValidationFailed},
    {"SCHEMA_IMMUTABLE", Code::kSchemaImmutable},
    {"SCHEMA_INVALID", Code::kSchemaInvalid},
    {"DOCUMENT_NOT_FOUND", Code::kDocumentNotFound},
    {"QUERY_INVALID", Code::kQueryInvalid},
    {"INDEX_EXISTS", Code::kIndexExists},
    {"ItemNotFound", Code::kItemNotFound},
    {"InvalidEntityConfig", Code::kInvalidEntityConfig},
    {"InvalidEntity", Code::kInvalidEntity},
    {"InvalidPageToken", Code::kInvalidPageToken},
    {"ShardQueriesFailed", Code::kShardQueriesFailed},
    {"InvalidUrn", Code::kInvalidUrn},
    {"InvalidResource", Code::kInvalidResource},
    {"ResourceNotFound", Code::kResourceNotFound},
    {"ResourceExists", Code::kResourceExists},
    {"ParentNotFound", Code::kParentNotFound},
    {"UniqueViolation", Code::kUniqueViolation},
    {"ResourceDeleting", Code::kResourceDeleting},
    {"ResourceInUse", Code::kResourceInUse},
    {"Cycle", Code::kCycle},
    {"AccountMismatch", Code::kAccountMismatch},
    {"SchemaVersion", Code::kSchemaVersion},
    {"InternalFailure", Code::kUnavailable},
    {"InternalServerError", Code::kUnavailable},
    {"InternalServerErrorException", Code::kUnavailable},
    {"ServiceUnavailable", Code::kUnavailable},
    {"ServiceUnavailableException", Code::kUnavailable},
    {"RequestTimeout", Code::kUnavailable},
    {"RequestTimeoutException", Code::kUnavailable},
};

/// com.amazonaws.dynamodb.v20120810#Name, or Name:http://..., or Name alone.
std::string_view short_name(std::string_view type) {
  if (const std::size_t sharp = type.find('#'); sharp != std::string_view::npos) type.remove_prefix(sharp + 1);
  return type.substr(0, type.find(':'));
}

Code code_of_status(int status) {
  if (status >= 500) return Code::kUnavailable;
  switch (status) {
    case 401:
    case 403: return Code::kAccessDenied;
    case 408: return Code::kUnavailable;
    case 413: return Code::kRequestTooLarge;
    case 429: return Code::kThrottled;
    // DynamoDB sends no other error without a type, so something else has answered.
    default: return Code::kUnexpectedResponse;
  }
}

std::string_view string_member(const json::Object& object, std::string_view name) {
  std::string_view text;
  if (object.at_key(name).get(text) != simdjson::SUCCESS) return {};
  return text;
}

std::string_view message_of(const json::Object& object) {
  const std::string_view message = string_member(object, "message");
  return message.empty() ? string_member(object, "Message") : message;
}

/// Nothing for an item that cannot be read, so that the error itself is kept.
std::optional<EncodedItem> item_of(const json::Object& object) {
  json::Element item;
  if (object.at_key("Item").get(item) != simdjson::SUCCESS || item.is_null()) return std::nullopt;
  if (!json::check_attribute_map(item)) return std::nullopt;
  Result<EncodedItem> encoded = json::encode_item(json::object_of(item));
  return encoded ? std::optional(std::move(*encoded)) : std::nullopt;
}

std::shared_ptr<const Cancellation> reasons_of(const json::Object& object) {
  auto cancellation = std::make_shared<Cancellation>();
  json::Array reasons;
  if (object.at_key("CancellationReasons").get(reasons) != simdjson::SUCCESS) return cancellation;
  for (const json::Element element : reasons) {
    json::Object reason;
    CancellationReason read;
    if (element.get(reason) == simdjson::SUCCESS)
      read = {.code = std::string(string_member(reason, "Code")),
              .message = std::string(message_of(reason)),
              .item = item_of(reason)};
    cancellation->reasons.push_back(std::move(read));
  }
  return cancellation;
}

/// The violations of a refused document.
std::vector<ErrorDetail> details_of(const json::Object& object) {
  std::vector<ErrorDetail> details;
  json::Array list;
  if (object.at_key("details").get(list) != simdjson::SUCCESS) return details;
  for (const json::Element element : list) {
    json::Object detail;
    if (element.get(detail) == simdjson::SUCCESS)
      details.push_back({.path = std::string(string_member(detail, "path")),
                         .rule = std::string(string_member(detail, "rule")),
                         .message = std::string(message_of(detail))});
  }
  return details;
}

Error error_of_object(int status, std::string_view type, const json::Object& object) {
  const std::string_view given = string_member(object, "__type");
  const std::string_view name = short_name(given.empty() ? type : given);
  const Code code = code_of(name, status);
  std::string message(message_of(object));
  if (code == Code::kTransactionCanceled) return {code, std::move(message), reasons_of(object)};
  if (code == Code::kConditionFailed) {
    auto failure = std::make_shared<ConditionFailure>();
    failure->item = item_of(object);
    return {code, std::move(message), std::move(failure)};
  }
  if (message.empty())
    message = fmt::format("{} (HTTP status {})", name.empty() ? "error without a type" : name, status);
  return {code, std::move(message), details_of(object)};
}

}  // namespace

Code code_of(std::string_view type, int status) {
  const std::string_view name = short_name(type);
  for (const KnownType& known : kTypes)
    if (known.name == name) return known.code;
  return code_of_status(status);
}

Error read_error(int status, std::string_view type, std::string_view body) {
  simdjson::dom::parser parser;
  json::Object object;
  if (parser.parse(body.data(), body.size()).get(object) == simdjson::SUCCESS)
    return error_of_object(status, type, object);
  constexpr std::size_t kShown = 200;
  return {code_of(type, status), fmt::format("HTTP status {}: {}", status, body.substr(0, kShown))};
}

}  // namespace dolmen
