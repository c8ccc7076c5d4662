#include <gtest/gtest.h>
#include <stdexcept>
#include <string>

#include "c_api/last_error.h"
#include "dolmen/c.h"
#include "opened.h"

namespace dolmen::c_api {
namespace {

dolmen_store* open_with_a_change() {
  dolmen_store* store = open_with_stream();
  char* answer = nullptr;
  EXPECT_EQ(dolmen_call(store, "PutItem", R"({"TableName":"notes","Item":{"id":{"S":"a"}}})", &answer), DOLMEN_OK);
  dolmen_free(answer);
  return store;
}

TEST(CApi, lets_no_exception_of_a_callback_pass) {
  dolmen_store* store = open_with_a_change();
  const auto throws = [](void*, const char*, const char*) -> int { throw std::runtime_error("from the callback"); };
  EXPECT_EQ(dolmen_stream(store, "notes", nullptr, throws, nullptr), DOLMEN_INTERNAL);
  EXPECT_STREQ(dolmen_last_error_message(), "from the callback");
  EXPECT_STREQ(dolmen_last_error_code(), "Internal");
  const auto throws_a_number = [](void*, const char*, const char*) -> int { throw 7; };
  EXPECT_EQ(dolmen_stream(store, "notes", nullptr, throws_a_number, nullptr), DOLMEN_INTERNAL);
  // The store goes on, and can be closed.
  char* answer = nullptr;
  EXPECT_EQ(dolmen_call(store, "ListTables", "{}", &answer), DOLMEN_OK);
  dolmen_free(answer);
  EXPECT_EQ(dolmen_close(store), DOLMEN_OK);
}

TEST(CApi, calls_operations_of_dolmen_itself_as_those_of_dynamodb) {
  dolmen_store* store = open_with_a_change();
  char* answer = nullptr;
  EXPECT_EQ(dolmen_call(store, "Dolmen_20261115.ListContracts", "{}", &answer), DOLMEN_OK)
      << dolmen_last_error_message();
  dolmen_free(answer);
  EXPECT_EQ(dolmen_call(store, "ListContracts", "{}", &answer), DOLMEN_OK) << dolmen_last_error_message();
  dolmen_free(answer);
  EXPECT_EQ(dolmen_close(store), DOLMEN_OK);
}

TEST(CApi, refuses_a_request_that_is_larger_than_a_server_accepts) {
  dolmen_store* store = open_with_a_change();
  const std::string large((std::size_t{16} << 20) + 1, ' ');
  dolmen_answer answer{};
  EXPECT_EQ(dolmen_request(store, "GetItem", large.data(), large.size(), &answer), DOLMEN_INVALID);
  EXPECT_EQ(answer.http_status, 413);
  dolmen_free(answer.body);
  EXPECT_EQ(dolmen_close(store), DOLMEN_OK);
}

TEST(CApi, says_what_a_program_can_do_about_an_error) {
  EXPECT_EQ(status_of(Error(Code::kThrottled, "")), DOLMEN_TRY_AGAIN);
  EXPECT_EQ(status_of(Error(Code::kUnknownOutcome, "")), DOLMEN_UNKNOWN_OUTCOME);
  EXPECT_EQ(status_of(Error(Code::kNoSpace, "")), DOLMEN_STORAGE);
  EXPECT_EQ(status_of(Error(Code::kAccessDenied, "")), DOLMEN_DENIED);
  EXPECT_EQ(status_of(Error(Code::kValidation, "")), DOLMEN_INVALID);
}

TEST(CApi, names_the_argument_that_is_missing) {
  dolmen_store* store = open_with_a_change();
  char* answer = nullptr;
  EXPECT_EQ(dolmen_call(store, nullptr, "{}", &answer), DOLMEN_INVALID);
  EXPECT_STREQ(dolmen_last_error_message(), "operation is NULL");
  EXPECT_EQ(dolmen_call(store, "ListTables", nullptr, &answer), DOLMEN_INVALID);
  EXPECT_STREQ(dolmen_last_error_message(), "request is NULL");
  EXPECT_EQ(dolmen_call(store, "ListTables", "{}", nullptr), DOLMEN_INVALID);
  EXPECT_STREQ(dolmen_last_error_message(), "answer is NULL");
  EXPECT_EQ(dolmen_close(store), DOLMEN_OK);
}

TEST(CApi, opens_aws_in_one_region) {
  dolmen_options options = DOLMEN_OPTIONS;
  options.region = "eu-west-1";
  dolmen_store* store = nullptr;
  EXPECT_EQ(dolmen_open_with("aws:us-east-1", &options, &store), DOLMEN_INVALID);
  EXPECT_STREQ(dolmen_last_error_message(), "aws:us-east-1 names another region than eu-west-1");
  for (const char* address : {"aws:", "aws:eu-west-1"}) {
    ASSERT_EQ(dolmen_open_with(address, &options, &store), DOLMEN_OK) << dolmen_last_error_message();
    EXPECT_EQ(dolmen_close(store), DOLMEN_OK);
  }
}

}  // namespace
}  // namespace dolmen::c_api
