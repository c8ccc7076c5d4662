#include "engine/job_failure.h"

#include <gtest/gtest.h>

namespace dolmen::engine {
namespace {

TEST(JobFailure, comes_after_so_many_tries_when_trying_again_may_help) {
  const Error error(Code::kUnavailable, "the bucket does not answer");
  EXPECT_FALSE(failure_of(error, kStepTriesMax - 1).has_value());
  const std::optional<JobFailure> failure = failure_of(error, kStepTriesMax);
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->code, "InternalServerError");
  EXPECT_EQ(failure->message, "the bucket does not answer");
}

TEST(JobFailure, comes_at_once_when_trying_again_does_not_help) {
  const std::optional<JobFailure> failure = failure_of(Error(Code::kBucketNotFound, "b"), 1);
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->code, "S3NoSuchBucket");
}

}  // namespace
}  // namespace dolmen::engine
