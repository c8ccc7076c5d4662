// The remote store against a server that misbehaves.
#include <gtest/gtest.h>

#include "base/test_result.h"
#include "protocol/compression.h"
#include "protocol/signature.h"
#include "test_faults.h"

namespace dolmen::remote {
namespace {

using namespace std::chrono_literals;

TEST_F(Faults, repeats_a_read_whatever_happened_to_the_first) {
  const std::string whole = TestServer::response(200, R"({"Item":{"id":{"N":"1"}}})");
  for (const Reply& fault : {closed(), Reply{"", Then::kReset}, Reply{whole.substr(0, 60), Then::kClose},
                             Reply{whole.substr(0, 10), Then::kReset}, Reply{TestServer::response(500, "")},
                             Reply{TestServer::response(503, "<html>busy</html>")}, refusal(Code::kThrottled),
                             Reply{TestServer::response(200, "{}", "x-amz-crc32: 1\r\n")}}) {
    replies_ = {fault, fault, Reply{whole}};
    const auto got = store()->get_item("t", {{"id", 1}});
    ASSERT_THAT(got, succeeds()) << fault.bytes;
    EXPECT_EQ(got->item, (Item{{"id", 1}}));
  }
}

TEST_F(Faults, gives_up_after_so_many_attempts) {
  replies_ = {refusal(Code::kThrottled)};
  EXPECT_THAT(store({.retry = {.attempts_max = 3}})->get_item("t", {{"id", 1}}), fails_with(Code::kThrottled));
  EXPECT_EQ(server_.requests(), 3);
  replies_ = {Reply{TestServer::response(500, "")}};
  EXPECT_THAT(store({.retry = {.attempts_max = 1}})->get_item("t", {{"id", 1}}), fails_with(Code::kUnavailable));
  EXPECT_EQ(server_.requests(), 4);
}

TEST_F(Faults, gives_up_when_the_budget_is_spent) {
  replies_ = {refusal(Code::kThrottled)};
  const auto poor = store({.retry = {.attempts_max = 100, .budget = 12}});
  EXPECT_THAT(poor->get_item("t", {{"id", 1}}), fails_with(Code::kThrottled));
  EXPECT_EQ(server_.requests(), 3);
  EXPECT_THAT(poor->get_item("t", {{"id", 1}}), fails_with(Code::kThrottled));
  EXPECT_EQ(server_.requests(), 4);
}

TEST_F(Faults, does_not_repeat_what_counts_when_its_fate_is_unknown) {
  for (const Reply& fault :
       {closed(), Reply{"", Then::kReset}, Reply{"HTTP/1.1 200 OK\r\nContent-Le", Then::kClose},
        Reply{TestServer::response(500, "")}, Reply{TestServer::response(200, "{}", "x-amz-crc32: 1\r\n")}}) {
    replies_ = {fault, ok()};
    const int before = server_.requests();
    const auto counted = count(*store());
    ASSERT_FALSE(counted.has_value()) << fault.bytes;
    EXPECT_THAT(counted, fails_with(Code::kUnknownOutcome));
    EXPECT_EQ(server_.requests(), before + 1) << fault.bytes;
  }
}

TEST_F(Faults, sends_a_write_once_on_a_kept_connection_that_breaks) {
  // libcurl by itself would send it again.
  replies_ = {ok(), closed(), ok()};
  const auto kept = store();
  ASSERT_THAT(count(*kept), succeeds());
  EXPECT_THAT(count(*kept), fails_with(Code::kUnknownOutcome));
  EXPECT_EQ(server_.requests(), 2);
}

TEST_F(Faults, repeats_what_counts_when_it_was_refused_before_it_was_carried_out) {
  replies_ = {refusal(Code::kThrottled), ok()};
  EXPECT_THAT(count(*store()), succeeds());
  EXPECT_EQ(server_.requests(), 2);
}

TEST_F(Faults, repeats_a_put_unless_it_is_told_not_to) {
  replies_ = {closed(), ok()};
  EXPECT_THAT(store()->put_item("t", {{"id", 1}}), succeeds());
  replies_ = {closed(), ok()};
  const auto careful = store({.retry = {.repeat_writes = false}});
  EXPECT_THAT(careful->put_item("t", {{"id", 1}}), fails_with(Code::kUnknownOutcome));
}

TEST_F(Faults, does_not_call_a_condition_failed_that_its_own_first_attempt_may_have_broken) {
  replies_ = {closed(), refusal(Code::kConditionFailed)};
  const PutOptions absent{.condition = attr("id").not_exists()};
  EXPECT_THAT(store()->put_item("t", {{"id", 1}}, absent), fails_with(Code::kUnknownOutcome));
  replies_ = {refusal(Code::kThrottled), refusal(Code::kConditionFailed)};
  EXPECT_THAT(store()->put_item("t", {{"id", 1}}, absent), fails_with(Code::kConditionFailed));
}

TEST_F(Faults, repeats_a_transaction_with_the_token_of_the_first) {
  replies_ = {closed(), refusal(Code::kTransactionInProgress), refusal(Code::kTransactionCanceled)};
  const auto written = store()->transact_write({PutAction{"t", {{"id", 1}}}});
  EXPECT_THAT(written, fails_with(Code::kTransactionCanceled));
  ASSERT_EQ(received_.size(), 3U);
  EXPECT_NE(received_[0].body.find(R"("ClientRequestToken":")"), std::string::npos);
  EXPECT_EQ(received_[0].body, received_[1].body);
  EXPECT_EQ(received_[0].body, received_[2].body);
}

TEST_F(Faults, times_out) {
  replies_ = {Reply{"HTTP/1.1 200 OK\r\n", Then::kHang}};
  const auto impatient = store({.request_timeout = 50ms, .retry = {.attempts_max = 2}});
  EXPECT_THAT(impatient->get_item("t", {{"id", 1}}), fails_with(Code::kTimeout));
  EXPECT_EQ(server_.requests(), 2);
  EXPECT_THAT(count(*impatient), fails_with(Code::kUnknownOutcome));
  EXPECT_EQ(server_.requests(), 3);
}

TEST_F(Faults, waits_for_an_answer_that_trickles_in_until_it_times_out) {
  const std::string answer = TestServer::response(200, R"({"Item":{"id":{"N":"1"}}})");
  replies_ = {Reply{answer, Then::kTrickle}};
  const auto kept = store();
  for (int i = 0; i < 2; ++i) EXPECT_EQ(kept->get_item("t", {{"id", 1}}).value().item, (Item{{"id", 1}}));
  replies_ = {Reply{TestServer::response(200, std::string(100'000, ' ')), Then::kTrickle}};
  const auto impatient = store({.request_timeout = 50ms, .retry = {.attempts_max = 1}});
  EXPECT_THAT(impatient->get_item("t", {{"id", 1}}), fails_with(Code::kTimeout));
}

TEST_F(Faults, refuses_a_response_that_is_too_large) {
  replies_ = {ok(std::string(2000, ' '))};
  const auto small = store({.response_bytes_max = 1000, .retry = {.attempts_max = 1}});
  EXPECT_THAT(small->get_item("t", {{"id", 1}}), fails_with(Code::kUnexpectedResponse));
}

TEST_F(Faults, refuses_a_response_that_is_not_dynamodbs) {
  for (const char* body : {"", "[]", "{", "healthy", R"({"Item":[]})", R"({"Item":{"id":{"X":"1"}}})",
                           R"({"Item":{"id":{"N":"one"}}})", R"({"ConsumedCapacity":3})"}) {
    replies_ = {ok(body)};
    const auto got = store()->get_item("t", {{"id", 1}});
    ASSERT_FALSE(got.has_value()) << body;
    EXPECT_THAT(got, fails_with(Code::kUnexpectedResponse)) << body;
  }
  replies_ = {ok("welcome to this network")};
  EXPECT_THAT(count(*store()), fails_with(Code::kUnknownOutcome));
}

TEST_F(Faults, reads_compressed_responses_with_the_checksum_of_the_compressed_bytes) {
  const std::string body = R"({"Item":{"id":{"N":"1"},"text":{"S":")" + std::string(1000, 'x') + R"("}}})";
  const std::string packed = compress(Encoding::kGzip, body);
  replies_ = {Reply{
      TestServer::response(200, packed, fmt::format("Content-Encoding: gzip\r\nx-amz-crc32: {}\r\n", crc32(packed)))}};
  EXPECT_EQ(store()->get_item("t", {{"id", 1}}).value().item->at("text").string(), std::string(1000, 'x'));
  EXPECT_EQ(received_[0].header("accept-encoding"), "gzip");
  // Cut off, followed by more, or not gzip's at all.
  for (const std::string& damaged : {packed.substr(0, packed.size() - 4), packed + "x", std::string("plain text")}) {
    replies_ = {Reply{TestServer::response(200, damaged, "Content-Encoding: gzip\r\n")}};
    const auto got = store({.retry = {.attempts_max = 1}})->get_item("t", {{"id", 1}});
    EXPECT_THAT(got, fails_with(Code::kUnexpectedResponse));
  }
  replies_ = {Reply{
      TestServer::response(200, compress(Encoding::kGzip, std::string(1'000'000, ' ')), "Content-Encoding: gzip\r\n")}};
  const auto small = store({.response_bytes_max = 10'000, .retry = {.attempts_max = 1}});
  EXPECT_EQ(small->get_item("t", {{"id", 1}}).error().message(), "the response is larger than 10000 bytes");
}

TEST_F(Faults, signs_what_the_server_receives) {
  const auto now = std::chrono::system_clock::from_time_t(1'800'000'000);
  replies_ = {ok(R"({"TableNames":[]})")};
  const auto signing = store(
      {.region = "eu-west-1", .credentials = AwsCredentials{"AKID", "secret", "session"}, .now = [&] { return now; }});
  ASSERT_THAT(signing->list_tables(), succeeds());
  ASSERT_EQ(received_.size(), 1U);
  const TestServer::Received request = received_[0];
  SignatureInput input{.body = request.body, .region = "eu-west-1", .time = now};
  for (const char* name : {"content-type", "host", "x-amz-date", "x-amz-security-token", "x-amz-target"})
    input.headers.emplace_back(name, request.header(name));
  EXPECT_EQ(request.header("authorization"), authorization({"AKID", "secret"}, input));
  EXPECT_EQ(request.header("x-amz-security-token"), "session");
  EXPECT_EQ(request.header("host"), server_.url().substr(7));
  EXPECT_TRUE(request.head.starts_with("POST / HTTP/1.1\r\n"));
}

TEST_F(Faults, gets_new_credentials_once_when_temporary_ones_are_refused) {
  int fetched = 0;
  const auto source = [&]() -> Result<AwsCredentials> {
    return AwsCredentials{fmt::format("key{}", ++fetched), "secret", "session"};
  };
  replies_ = {Reply{TestServer::response(400, R"({"__type":"ExpiredTokenException","message":"expired"})")}, ok()};
  EXPECT_THAT(count(*store({.credential_source = source})), succeeds());
  EXPECT_EQ(fetched, 2);
  replies_ = {Reply{TestServer::response(400, R"({"__type":"AccessDeniedException","message":"no"})")}};
  EXPECT_THAT(count(*store({.credential_source = source})), fails_with(Code::kAccessDenied, "no"));
  EXPECT_EQ(fetched, 4);
}

TEST_F(Faults, maps_unprocessed_parts_of_a_batch_back_to_what_was_asked) {
  replies_ = {ok(R"({"UnprocessedItems":{"b":[{"DeleteRequest":{"Key":{"id":{"N":"2.0"}}}}]}})")};
  const BatchDelete second{"b", {{"id", 2}}};
  const auto written = store()->batch_write({second, BatchPut{"a", {{"id", 1}}}, BatchPut{"b", {{"id", 3}}}});
  EXPECT_EQ(written.value().unprocessed, std::vector<BatchAction>{second});
  replies_ = {ok(R"({"Responses":{},"UnprocessedKeys":{"a":{"Keys":[{"id":{"N":"2"}}]}}})")};
  const auto got = store()->batch_get({{.table = "a", .keys = {{{"id", 1}}, {{"id", 2}}}}});
  EXPECT_EQ(got.value().unprocessed.at(0).keys, std::vector{Item({{"id", 2}})});
  replies_ = {ok(R"({"Responses":{},"UnprocessedKeys":{"a":{"Keys":[{"id":{"N":"7"}}]}}})")};
  EXPECT_THAT(store()->batch_get({{.table = "a", .keys = {{{"id", 1}}}}}), fails_with(Code::kUnexpectedResponse));
}

}  // namespace
}  // namespace dolmen::remote
