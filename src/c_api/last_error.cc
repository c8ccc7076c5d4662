#include "c_api/last_error.h"

#include <string>

#include "protocol/errors.h"

namespace dolmen::c_api {
namespace {

struct LastError {
  std::string message;
  std::string code;
  std::string json;
  int http_status = 0;
};

LastError& last_error() {
  thread_local LastError error;
  return error;
}

}  // namespace

dolmen_status status_of(const Error& error) {
  switch (error.code()) {
    case Code::kTableNotFound:
    case Code::kStreamNotFound:
    case Code::kStreamTrimmed:
    case Code::kSourceTableNotFound:
    case Code::kBackupNotFound:
    case Code::kPolicyNotFound:
    case Code::kItemNotFound:
    case Code::kUnknownSchema:
    case Code::kUnknownSchemaVersion:
    case Code::kDocumentNotFound:
    case Code::kResourceNotFound:
    case Code::kParentNotFound: return DOLMEN_NOT_FOUND;
    case Code::kTableExists:
    case Code::kTableInUse:
    case Code::kTargetTableExists:
    case Code::kTargetTableInUse:
    case Code::kBackupInUse:
    case Code::kSchemaImmutable:
    case Code::kIndexExists:
    case Code::kResourceExists:
    case Code::kResourceInUse:
    case Code::kUniqueViolation: return DOLMEN_EXISTS;
    case Code::kConditionFailed:
    case Code::kDuplicateItem:
    case Code::kTransactionCanceled: return DOLMEN_CONDITION;
    case Code::kTransactionConflict:
    case Code::kTransactionInProgress:
    case Code::kResourceDeleting:
    case Code::kThrottled:
    case Code::kTimeout:
    case Code::kUnavailable: return DOLMEN_TRY_AGAIN;
    case Code::kUnknownOutcome: return DOLMEN_UNKNOWN_OUTCOME;
    case Code::kMissingAuthentication:
    case Code::kIncompleteSignature:
    case Code::kInvalidSignature:
    case Code::kUnrecognizedClient:
    case Code::kExpiredToken:
    case Code::kAccessDenied:
    case Code::kCredentials: return DOLMEN_DENIED;
    case Code::kDirectoryInUse:
    case Code::kDirectoryUnusable:
    case Code::kForeignDirectory:
    case Code::kFormatVersion:
    case Code::kCorruption:
    case Code::kNoSpace:
    case Code::kIo: return DOLMEN_STORAGE;
    case Code::kClosed: return DOLMEN_CLOSED;
    // Everything else is about what was asked.
    default: return DOLMEN_INVALID;
  }
}

dolmen_status keep_error(const Error& error) {
  LastError& kept = last_error();
  kept.message = error.message();
  kept.code = code_name(error.code());
  kept.json = error_body(error);
  kept.http_status = wire_error(error.code()).status;
  return status_of(error);
}

dolmen_status keep_exception(const char* what) noexcept {
  LastError& kept = last_error();
  try {
    kept = {.message = what,
            .code = "Internal",
            .json = error_body(Error(Code::kUnavailable, what)),
            .http_status = wire_error(Code::kUnavailable).status};
  } catch (const std::exception&) {
    // There is no memory for a message, but the status says that much.
    kept.message.clear();
    kept.code.clear();
    kept.json.clear();
  }
  return DOLMEN_INTERNAL;
}

}  // namespace dolmen::c_api

extern "C" {

const char* dolmen_last_error_message(void) { return dolmen::c_api::last_error().message.c_str(); }
const char* dolmen_last_error_code(void) { return dolmen::c_api::last_error().code.c_str(); }
const char* dolmen_last_error_json(void) { return dolmen::c_api::last_error().json.c_str(); }
int dolmen_last_error_http_status(void) { return dolmen::c_api::last_error().http_status; }
}
