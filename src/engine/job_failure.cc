#include "engine/job_failure.h"

#include <fmt/format.h>

#include "base/fail.h"

namespace dolmen::engine {

std::optional<JobFailure> failure_of(const Error& error, int tries) {
  switch (error.code()) {
    case Code::kBucketNotFound:
      return JobFailure{"S3NoSuchBucket", fmt::format("The specified bucket does not exist ({})", error.message())};
    case Code::kAccessDenied: return JobFailure{"S3AccessDenied", fmt::format("Access Denied ({})", error.message())};
    case Code::kObjectNotFound: return JobFailure{"S3NoSuchKey", error.message()};
    case Code::kInvalidArgument:
    case Code::kLimitExceeded: return JobFailure{"ValidationException", error.message()};
    case Code::kCorruption: return JobFailure{"InternalServerError", error.message()};
    default: break;
  }
  if (tries < kStepTriesMax) return std::nullopt;
  return JobFailure{"InternalServerError", error.message()};
}

std::unexpected<Error> no_buckets() {
  return fail(Code::kBucketNotFound, "this store has no buckets: start it with --buckets DIR");
}

}  // namespace dolmen::engine
