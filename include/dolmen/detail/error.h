#pragma once

#include "dolmen/detail/standard.h"
// First, so that it speaks before the standard library does.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dolmen {

/// Every way in which a call can fail. The list is closed; the names returned by `code_name` are stable and may be
/// stored or compared by other programs.
enum class Code : std::uint8_t {
  // The request.
  kValidation,         ///< a parameter, item or key breaks a rule of DynamoDB, or an item does not fit a struct
  kSerialization,      ///< the request cannot be read at all: malformed JSON, wrong JSON type, bad base64
  kUnknownOperation,   ///< no operation of that name
  kUnsupported,        ///< DynamoDB has it, this store does not
  kRequestTooLarge,    ///< the request is longer than the server accepts
  kMalformedEncoding,  ///< the body is not compressed as its Content-Encoding says, or the encoding is not supported
  kMissingAuthentication,  ///< the request is not signed
  kIncompleteSignature,    ///< a part of the signature is missing
  kInvalidSignature,       ///< the signature is not the one of the key, is too old, or is for another service
  kUnrecognizedClient,     ///< no such access key
  kExpiredToken,           ///< the access key was temporary and has expired
  // Conditions and transactions.
  kConditionFailed,
  kDuplicateItem,          ///< INSERT found an item with that key
  kTransactionCanceled,    ///< its payload has a reason for each action
  kTransactionConflict,    ///< a transaction is at work on the item; try again
  kTransactionInProgress,  ///< a transaction with the same client token has not ended yet
  kIdempotencyMismatch,    ///< a client token was used before, for another request
  kAccessDenied,           ///< the caller may not use what the request names
  // Tables.
  kTableNotFound,
  kTableExists,
  kTableInUse,
  kLimitExceeded,
  kCollectionTooLarge,  ///< a partition of a table with local indexes is larger than 10 GB
  // Streams.
  kStreamNotFound,   ///< there is no such stream or shard, or it has ended more than 24 hours ago
  kStreamTrimmed,    ///< the records at that position are older than 24 hours and gone
  kIteratorExpired,  ///< a shard iterator is valid for 15 minutes
  // Backups, points in time, exports and imports.
  kSourceTableNotFound,  ///< there is no table to back up, restore or export; other operations say kTableNotFound
  kTargetTableExists,    ///< the table to restore to exists
  kTargetTableInUse,     ///< the table to restore to, or its source, is being changed
  kBackupNotFound,
  kBackupInUse,                   ///< it is being made, deleted or restored
  kContinuousBackupsUnavailable,  ///< the table does not have them yet
  kPointInTimeUnavailable,        ///< the table keeps no history
  kInvalidRestoreTime,            ///< the table's history does not reach to that moment
  kInvalidExportTime,             ///< the table's history does not reach to that moment
  kExportNotFound,
  kExportConflict,  ///< the same client token was used for another export
  kImportNotFound,
  kImportConflict,  ///< the same client token was used for another import
  kBucketNotFound,  ///< there is no such bucket, or none at all
  kObjectNotFound,  ///< the bucket has no such object
  // Policies and replicas.
  kPolicyNotFound,  ///< the table or stream has no resource policy, or not that revision
  kGlobalTableNotFound,
  kGlobalTableExists,
  kReplicaNotFound,
  kReplicaExists,
  // Models.
  kInvalidModel,                ///< a model, or a value for one, breaks its rules; the details say where
  kMissingPrimaryKey,           ///< an item without its whole key
  kItemNotFound,                ///< there is no item with that key
  kInvalidOperator,             ///< a condition, update or cursor that does not fit the model or the query
  kEncryptedFieldNotQueryable,  ///< a condition on an attribute that is stored encrypted
  kEncryptionNotConfigured,     ///< the model has encrypted attributes and there are no keys
  kInvalidEncryptedEnvelope,    ///< the stored value is not an encrypted envelope, or is damaged
  kImmutableModelMutation,      ///< items of the model can be created, but neither changed nor removed
  kProtectedFieldMutation,      ///< the attribute keeps the value with which the item was created
  // Entities.
  kInvalidEntityConfig,  ///< a config of entities breaks its rules; the details say where
  kInvalidEntity,        ///< an item or a value of which no key can be made, or a key that cannot be read back
  kInvalidPageToken,     ///< not a page token, or one of another query
  kShardQueriesFailed,   ///< queries of shards failed; the details are the reasons
  // Leases.
  kLeaseHeld,      ///< the lease has a holder and has not expired
  kLeaseNotOwned,  ///< the lease has expired, or has another holder
  // Documents.
  kSchemaRequired,          ///< no schema, or no version of it, was named
  kUnknownSchema,           ///< no schema of that id has been published
  kUnknownSchemaVersion,    ///< the schema has no such version
  kSchemaValidationFailed,  ///< a document does not fit its schema; the details are all violations
  kSchemaImmutable,         ///< what has been published never changes
  kSchemaInvalid,           ///< a schema breaks the rules of the language; the details say where
  kDocumentNotFound,        ///< there is no document with that `_id` in that version
  kQueryInvalid,            ///< a request that is incomplete, or a query that cannot be answered within bounds
  kIndexExists,             ///< the field has an index
  // Relations.
  kInvalidUrn,        ///< text that is not a URN, or an id that callers may not choose
  kInvalidResource,   ///< a resource, or what is asked of it, breaks the rules of its type
  kResourceNotFound,  ///< there is no such resource, or it is being deleted
  kResourceExists,
  kParentNotFound,
  kUniqueViolation,   ///< the value is taken; its payload says by whom
  kResourceDeleting,  ///< it is being deleted, so nothing can be added to it
  kResourceInUse,     ///< it has children, and the delete does not cascade
  kCycle,             ///< a resource would become its own ancestor
  kAccountMismatch,   ///< resources of different accounts would be linked
  kSchemaVersion,     ///< a resource has a schema version that cannot be upgraded to the current one
  // The store and its directory.
  kDirectoryInUse,     ///< another process has the data directory open
  kDirectoryUnusable,  ///< it cannot be created, read or written
  kForeignDirectory,   ///< it holds something other than Dolmen data
  kFormatVersion,      ///< it was written by an incompatible version
  kCorruption,         ///< stored bytes are damaged
  kNoSpace,
  kIo,
  kClosed,  ///< the store is closed or closing
  // A store elsewhere.
  kThrottled,       ///< it asks to be called less often
  kUnavailable,     ///< it cannot be reached, or says that it cannot serve now
  kUnknownOutcome,  ///< the connection broke after a write was sent: it may or may not have been carried out
  kTimeout,
  kCanceled,            ///< the caller canceled the call
  kCredentials,         ///< no usable credentials were found
  kUnexpectedResponse,  ///< the answer is damaged or not DynamoDB's
  // This program.
  kInvalidArgument,  ///< a flag, option or API argument is wrong
  kAddressInUse,     ///< the server cannot listen there
};

/// The stable name of `code`, such as "TableNotFound".
std::string_view code_name(Code code);

/// The name of `code` that all implementations of DMS share, such as "ErrInvalidModel". Empty for codes that DMS does
/// not know.
std::string_view portable_error_name(Code code);

/// Why a call failed, where its code says too little for a program that must decide what to do. Messages are for
/// people; nothing branches on them.
enum class Reason : std::uint8_t {
  kNone,
  kEmptyKeyValue,  ///< kValidation: a key attribute is an empty text or binary value
  kKeyMismatch,    ///< kValidation: the attributes of a key are not those of the table's key
};

/// One violated rule of a larger input: where, which rule, and what to do about it.
struct ErrorDetail {
  std::string path;
  std::string rule;
  std::string message;

  friend bool operator==(const ErrorDetail&, const ErrorDetail&) = default;
};

/// What an error carries besides its message, depending on its code: the item of a failed condition, the reasons of a
/// canceled transaction.
struct ErrorPayload {
  virtual ~ErrorPayload() = default;
};

/// Why a call failed: a stable code, a message written for the person who will read it, and structured details.
class Error {
 public:
  Error(Code code, std::string message);
  Error(Code code, std::string message, std::vector<ErrorDetail> details);
  Error(Code code, std::string message, std::shared_ptr<const ErrorPayload> payload);
  Error(Code code, Reason reason, std::string message);
  ~Error();
  Error(const Error&);
  Error(Error&&) noexcept;
  Error& operator=(const Error&);
  Error& operator=(Error&&) noexcept;

  [[nodiscard]] Code code() const noexcept { return code_; }
  [[nodiscard]] Reason reason() const noexcept { return reason_; }
  [[nodiscard]] const std::string& message() const noexcept { return message_; }
  [[nodiscard]] const std::vector<ErrorDetail>& details() const noexcept { return details_; }

  /// Null when the error does not carry a T.
  template <class T>
  [[nodiscard]] const T* payload() const noexcept {
    return dynamic_cast<const T*>(payload_.get());
  }

  /// The same code, message and details.
  friend bool operator==(const Error& a, const Error& b);

 private:
  std::string message_;
  std::vector<ErrorDetail> details_;
  std::shared_ptr<const ErrorPayload> payload_;
  Code code_;
  Reason reason_ = Reason::kNone;
};

}  // namespace dolmen
