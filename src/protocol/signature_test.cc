#include "protocol/signature.h"

#include <gtest/gtest.h>

#include "protocol/digest.h"

namespace dolmen {
namespace {

using namespace std::chrono_literals;

const SigningKey kKey{"AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"};
const auto kTime = std::chrono::sys_days(std::chrono::year(2015) / 8 / 30) + 12h + 36min;

TEST(Signature, is_that_of_the_published_test_suite) {
  // The case post-vanilla.
  const SignatureInput input{.headers = {{"x-amz-date", amz_date(kTime)}, {"host", "example.amazonaws.com"}},
                             .body = "",
                             .region = "us-east-1",
                             .service = "service",
                             .time = kTime};
  EXPECT_EQ(authorization(kKey, input),
            "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
            "SignedHeaders=host;x-amz-date, "
            "Signature=5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b");
}

TEST(Signature, is_botocores_for_a_request_with_a_port_and_a_session_token) {
  // The expected text was made by botocore's SigV4Auth from the same request.
  const SignatureInput input{.headers = {{"host", "127.0.0.1:8000"},
                                         {"x-amz-target", "DynamoDB_20120810.ListTables"},
                                         {"content-type", "application/x-amz-json-1.0"},
                                         {"x-amz-date", "20150830T123600Z"},
                                         {"x-amz-security-token", "a/session+token=="}},
                             .body = R"({"Limit":3})",
                             .region = "eu-west-1",
                             .time = kTime};
  EXPECT_EQ(authorization(kKey, input),
            "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/eu-west-1/dynamodb/aws4_request, "
            "SignedHeaders=content-type;host;x-amz-date;x-amz-security-token;x-amz-target, "
            "Signature=96dc73f56a42f6aaca413a1d688db18dc84e989db671514d2d14ec7433a34e25");
}

TEST(Signature, is_botocores_for_an_object_of_a_bucket) {
  // The expected text was made by botocore's S3SigV4Auth from the same request.
  const auto time = std::chrono::sys_days(std::chrono::year(2026) / 11 / 16) + 2h;
  const std::string_view body = "<p>hello</p>";
  const SignatureInput input{.method = "PUT",
                             .path = "/my-bucket/pages/CACHE%23ab/%C3%A9%20x.html",
                             .headers = {{"content-type", "text/html; charset=utf-8"},
                                         {"host", "127.0.0.1:9000"},
                                         {"x-amz-content-sha256", hex_sha256(body)},
                                         {"x-amz-date", amz_date(time)},
                                         {"x-amz-security-token", "TOKEN"}},
                             .body = body,
                             .region = "eu-west-1",
                             .service = "s3",
                             .time = time};
  EXPECT_EQ(authorization(kKey, input),
            "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261116/eu-west-1/s3/aws4_request, "
            "SignedHeaders=content-type;host;x-amz-content-sha256;x-amz-date;x-amz-security-token, "
            "Signature=60289b5c683cd8504627bccb6ab6b43b36e9129907ffba1ef5c9c457b976d295");
}

}  // namespace
}  // namespace dolmen
