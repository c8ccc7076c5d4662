#include "dolmen/error.h"

#include <fmt/format.h>

#include "base/check.h"

namespace dolmen {

std::string_view code_name(Code code) {
  switch (code) {
    case Code::kValidation: return "Validation";
    case Code::kSerialization: return "Serialization";
    case Code::kUnknownOperation: return "UnknownOperation";
    case Code::kUnsupported: return "Unsupported";
    case Code::kRequestTooLarge: return "RequestTooLarge";
    case Code::kMalformedEncoding: return "MalformedEncoding";
    case Code::kMissingAuthentication: return "MissingAuthentication";
    case Code::kIncompleteSignature: return "IncompleteSignature";
    case Code::kInvalidSignature: return "InvalidSignature";
    case Code::kUnrecognizedClient: return "UnrecognizedClient";
    case Code::kExpiredToken: return "ExpiredToken";
    case Code::kConditionFailed: return "ConditionFailed";
    case Code::kDuplicateItem: return "DuplicateItem";
    case Code::kTransactionCanceled: return "TransactionCanceled";
    case Code::kTransactionConflict: return "TransactionConflict";
    case Code::kTransactionInProgress: return "TransactionInProgress";
    case Code::kIdempotencyMismatch: return "IdempotencyMismatch";
    case Code::kAccessDenied: return "AccessDenied";
    case Code::kTableNotFound: return "TableNotFound";
    case Code::kTableExists: return "TableExists";
    case Code::kTableInUse: return "TableInUse";
    case Code::kLimitExceeded: return "LimitExceeded";
    case Code::kCollectionTooLarge: return "CollectionTooLarge";
    case Code::kStreamNotFound: return "StreamNotFound";
    case Code::kStreamTrimmed: return "StreamTrimmed";
    case Code::kIteratorExpired: return "IteratorExpired";
    case Code::kSourceTableNotFound: return "SourceTableNotFound";
    case Code::kTargetTableExists: return "TargetTableExists";
    case Code::kTargetTableInUse: return "TargetTableInUse";
    case Code::kBackupNotFound: return "BackupNotFound";
    case Code::kBackupInUse: return "BackupInUse";
    case Code::kContinuousBackupsUnavailable: return "ContinuousBackupsUnavailable";
    case Code::kPointInTimeUnavailable: return "PointInTimeUnavailable";
    case Code::kInvalidRestoreTime: return "InvalidRestoreTime";
    case Code::kInvalidExportTime: return "InvalidExportTime";
    case Code::kExportNotFound: return "ExportNotFound";
    case Code::kExportConflict: return "ExportConflict";
    case Code::kImportNotFound: return "ImportNotFound";
    case Code::kImportConflict: return "ImportConflict";
    case Code::kBucketNotFound: return "BucketNotFound";
    case Code::kObjectNotFound: return "ObjectNotFound";
    case Code::kPolicyNotFound: return "PolicyNotFound";
    case Code::kGlobalTableNotFound: return "GlobalTableNotFound";
    case Code::kGlobalTableExists: return "GlobalTableExists";
    case Code::kReplicaNotFound: return "ReplicaNotFound";
    case Code::kReplicaExists: return "ReplicaExists";
    case Code::kInvalidModel: return "InvalidModel";
    case Code::kMissingPrimaryKey: return "MissingPrimaryKey";
    case Code::kItemNotFound: return "ItemNotFound";
    case Code::kInvalidOperator: return "InvalidOperator";
    case Code::kEncryptedFieldNotQueryable: return "EncryptedFieldNotQueryable";
    case Code::kEncryptionNotConfigured: return "EncryptionNotConfigured";
    case Code::kInvalidEncryptedEnvelope: return "InvalidEncryptedEnvelope";
    case Code::kImmutableModelMutation: return "ImmutableModelMutation";
    case Code::kProtectedFieldMutation: return "ProtectedFieldMutation";
    case Code::kInvalidEntityConfig: return "InvalidEntityConfig";
    case Code::kInvalidEntity: return "InvalidEntity";
    case Code::kInvalidPageToken: return "InvalidPageToken";
    case Code::kShardQueriesFailed: return "ShardQueriesFailed";
    case Code::kLeaseHeld: return "LeaseHeld";
    case Code::kLeaseNotOwned: return "LeaseNotOwned";
    case Code::kSchemaRequired: return "SCHEMA_REQUIRED";
    case Code::kUnknownSchema: return "UNKNOWN_SCHEMA";
    case Code::kUnknownSchemaVersion: return "UNKNOWN_SCHEMA_VERSION";
    case Code::kSchemaValidationFailed: return "SCHEMA_VALIDATION_FAILED";
    case Code::kSchemaImmutable: return "SCHEMA_IMMUTABLE";
    case Code::kSchemaInvalid: return "SCHEMA_INVALID";
    case Code::kDocumentNotFound: return "DOCUMENT_NOT_FOUND";
    case Code::kQueryInvalid: return "QUERY_INVALID";
    case Code::kIndexExists: return "INDEX_EXISTS";
    case Code::kInvalidUrn: return "InvalidUrn";
    case Code::kInvalidResource: return "InvalidResource";
    case Code::kResourceNotFound: return "ResourceNotFound";
    case Code::kResourceExists: return "ResourceExists";
    case Code::kParentNotFound: return "ParentNotFound";
    case Code::kUniqueViolation: return "UniqueViolation";
    case Code::kResourceDeleting: return "ResourceDeleting";
    case Code::kResourceInUse: return "ResourceInUse";
    case Code::kCycle: return "Cycle";
    case Code::kAccountMismatch: return "AccountMismatch";
    case Code::kSchemaVersion: return "SchemaVersion";
    case Code::kDirectoryInUse: return "DirectoryInUse";
    case Code::kDirectoryUnusable: return "DirectoryUnusable";
    case Code::kForeignDirectory: return "ForeignDirectory";
    case Code::kFormatVersion: return "FormatVersion";
    case Code::kCorruption: return "Corruption";
    case Code::kNoSpace: return "NoSpace";
    case Code::kIo: return "Io";
    case Code::kClosed: return "Closed";
    case Code::kThrottled: return "Throttled";
    case Code::kUnavailable: return "Unavailable";
    case Code::kUnknownOutcome: return "UnknownOutcome";
    case Code::kTimeout: return "Timeout";
    case Code::kCanceled: return "Canceled";
    case Code::kCredentials: return "Credentials";
    case Code::kUnexpectedResponse: return "UnexpectedResponse";
    case Code::kInvalidArgument: return "InvalidArgument";
    case Code::kAddressInUse: return "AddressInUse";
  }
  DOLMEN_UNREACHABLE("a code outside the closed list");
}

Error::Error(Code code, std::string message) : message_(std::move(message)), code_(code) {}
Error::Error(Code code, std::string message, std::vector<ErrorDetail> details)
    : message_(std::move(message)), details_(std::move(details)), code_(code) {}
Error::Error(Code code, std::string message, std::shared_ptr<const ErrorPayload> payload)
    : message_(std::move(message)), payload_(std::move(payload)), code_(code) {}

Error::Error(Code code, Reason reason, std::string message)
    : message_(std::move(message)), code_(code), reason_(reason) {}

Error::~Error() = default;
Error::Error(const Error&) = default;
Error::Error(Error&&) noexcept = default;
Error& Error::operator=(const Error&) = default;
Error& Error::operator=(Error&&) noexcept = default;

bool operator==(const Error& a, const Error& b) {
  return a.code_ == b.code_ && a.message_ == b.message_ && a.details_ == b.details_;
}

namespace {

struct PortableName {
  Code code;
  std::string_view name;
};

constexpr PortableName kPortableNames[] = {
    {Code::kInvalidModel, "ErrInvalidModel"},
    {Code::kMissingPrimaryKey, "ErrMissingPrimaryKey"},
    {Code::kItemNotFound, "ErrItemNotFound"},
    {Code::kConditionFailed, "ErrConditionFailed"},
    {Code::kInvalidOperator, "ErrInvalidOperator"},
    {Code::kEncryptedFieldNotQueryable, "ErrEncryptedFieldNotQueryable"},
    {Code::kEncryptionNotConfigured, "ErrEncryptionNotConfigured"},
    {Code::kInvalidEncryptedEnvelope, "ErrInvalidEncryptedEnvelope"},
    {Code::kImmutableModelMutation, "ErrImmutableModelMutation"},
    {Code::kProtectedFieldMutation, "ErrProtectedFieldMutation"},
    {Code::kTableNotFound, "ErrTableNotFound"},
    {Code::kLeaseHeld, "ErrLeaseHeld"},
    {Code::kLeaseNotOwned, "ErrLeaseNotOwned"},
    {Code::kTransactionCanceled, "ErrTransactionFailed"},
};

}  // namespace

std::string_view portable_error_name(Code code) {
  for (const PortableName& entry : kPortableNames)
    if (entry.code == code) return entry.name;
  return {};
}

namespace detail {

void throw_no_value(const Error& error, const std::source_location& caller) {
  throw BadResultAccess(fmt::format("{}:{}: there is no value, because the call failed: {}: {}", caller.file_name(),
                                    caller.line(), code_name(error.code()), error.message()));
}

void throw_no_error(const std::source_location& caller) {
  throw BadResultAccess(
      fmt::format("{}:{}: there is no error, because the call succeeded", caller.file_name(), caller.line()));
}

}  // namespace detail

}  // namespace dolmen
