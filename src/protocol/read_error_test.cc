#include <gtest/gtest.h>

#include "protocol/errors.h"
#include "service/failures.h"
#include "value/json.h"

namespace dolmen {
namespace {

TEST(ReadError, reads_back_what_a_server_writes) {
  auto failure = std::make_shared<ConditionFailure>();
  failure->item = json::parse_item(R"({"id":{"S":"a"}})").value();
  const Error condition(Code::kConditionFailed, "The conditional request failed", failure);
  const Error read = read_error(400, "", error_body(condition));
  EXPECT_EQ(read, condition);
  ASSERT_NE(read.payload<ConditionFailure>(), nullptr);
  EXPECT_EQ(read.payload<ConditionFailure>()->item, failure->item);

  auto cancellation = std::make_shared<Cancellation>();
  cancellation->reasons = {{}, {.code = "ConditionalCheckFailed", .message = "no", .item = failure->item}};
  const Error canceled = read_error(400, "", error_body(Error(Code::kTransactionCanceled, "canceled", cancellation)));
  ASSERT_NE(canceled.payload<Cancellation>(), nullptr);
  ASSERT_EQ(canceled.payload<Cancellation>()->reasons.size(), 2U);
  EXPECT_EQ(canceled.payload<Cancellation>()->reasons[0].code, "None");
  EXPECT_EQ(canceled.payload<Cancellation>()->reasons[1].message, "no");
  EXPECT_EQ(canceled.payload<Cancellation>()->reasons[1].item, failure->item);
}

TEST(ReadError, reads_back_every_violation_of_a_document) {
  for (const Code code : {Code::kSchemaRequired, Code::kUnknownSchema, Code::kUnknownSchemaVersion,
                          Code::kSchemaValidationFailed, Code::kSchemaImmutable, Code::kSchemaInvalid,
                          Code::kDocumentNotFound, Code::kQueryInvalid, Code::kIndexExists}) {
    const Error error(code, "text", {{.path = "a.b[3]", .rule = "type", .message = "expected int, found \"x\""}});
    EXPECT_EQ(read_error(wire_error(code).status, "", error_body(error)), error) << code_name(code);
  }
}

TEST(ReadError, keeps_the_code_of_everything_that_an_operation_can_fail_with) {
  for (const Code code : {Code::kValidation,
                          Code::kSerialization,
                          Code::kUnknownOperation,
                          Code::kRequestTooLarge,
                          Code::kConditionFailed,
                          Code::kTransactionCanceled,
                          Code::kTransactionConflict,
                          Code::kTransactionInProgress,
                          Code::kIdempotencyMismatch,
                          Code::kAccessDenied,
                          Code::kTableNotFound,
                          Code::kTableInUse,
                          Code::kLimitExceeded,
                          Code::kCollectionTooLarge,
                          Code::kStreamTrimmed,
                          Code::kIteratorExpired,
                          Code::kThrottled,
                          Code::kUnavailable,
                          Code::kDuplicateItem,
                          Code::kSourceTableNotFound,
                          Code::kTargetTableExists,
                          Code::kTargetTableInUse,
                          Code::kBackupNotFound,
                          Code::kBackupInUse,
                          Code::kContinuousBackupsUnavailable,
                          Code::kPointInTimeUnavailable,
                          Code::kInvalidRestoreTime,
                          Code::kInvalidExportTime,
                          Code::kExportNotFound,
                          Code::kExportConflict,
                          Code::kImportNotFound,
                          Code::kImportConflict,
                          Code::kPolicyNotFound,
                          Code::kGlobalTableNotFound,
                          Code::kGlobalTableExists,
                          Code::kReplicaNotFound,
                          Code::kReplicaExists})
    EXPECT_EQ(read_error(wire_error(code).status, "", error_body(Error(code, "text"))), Error(code, "text"))
        << code_name(code);
}

TEST(ReadError, knows_the_names_that_the_front_end_of_aws_uses) {
  EXPECT_EQ(code_of("com.amazon.coral.service#UnrecognizedClientException", 400), Code::kAccessDenied);
  EXPECT_EQ(code_of("InvalidSignatureException", 403), Code::kAccessDenied);
  EXPECT_EQ(code_of("ExpiredTokenException:http://internal.amazon.com/coral/", 400), Code::kAccessDenied);
  EXPECT_EQ(code_of("ThrottlingException", 400), Code::kThrottled);
  EXPECT_EQ(code_of("RequestLimitExceeded", 400), Code::kThrottled);
}

TEST(ReadError, goes_by_the_status_for_a_type_that_it_does_not_know) {
  EXPECT_EQ(read_error(503, "", "<html>busy</html>").code(), Code::kUnavailable);
  EXPECT_EQ(read_error(429, "", "").code(), Code::kThrottled);
  EXPECT_EQ(read_error(403, "", "{}").code(), Code::kAccessDenied);
  EXPECT_EQ(read_error(404, "", "not here"), Error(Code::kUnexpectedResponse, "HTTP status 404: not here"));
  EXPECT_EQ(read_error(400, "ThrottlingException", "").code(), Code::kThrottled);
}

}  // namespace
}  // namespace dolmen
