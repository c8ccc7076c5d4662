// Calls of a remote store that are canceled, or end with the store, in all the places where they can be.
#include <atomic>
#include <future>
#include <gtest/gtest.h>
#include <latch>
#include <thread>

#include "base/test_result.h"
#include "dolmen/cancel.h"
#include "service/dolmen_calls.h"
#include "test_faults.h"

namespace dolmen::remote {
namespace {

using namespace std::chrono_literals;

using Ending = Faults;

TEST_F(Ending, ends_calls_under_way_when_the_store_is_closed) {
  replies_ = {Reply{"", Then::kHang}};
  auto closing = store();
  std::promise<Code> code;
  closing->async_get_item("t", {{"id", 1}}, {}, [&](Result<GetResult> got) { code.set_value(code_of_failure(got)); });
  while (server_.requests() == 0) std::this_thread::yield();
  closing.reset();
  EXPECT_EQ(code.get_future().get(), Code::kClosed);
}

TEST_F(Ending, ends_a_call_under_way_when_it_is_canceled_and_no_other) {
  replies_ = {Reply{"", Then::kHang}};
  std::promise<Code> get;
  std::promise<Code> write;
  std::promise<Code> other;
  const auto whole = store({.request_timeout = 60s});
  std::stop_source stop;
  const auto calls = cancelable(*whole, stop.get_token());
  calls->async_get_item("t", {{"id", 1}}, {}, [&](Result<GetResult> got) { get.set_value(code_of_failure(got)); });
  calls->async_put_item("t", {{"id", 1}}, {}, [&](Result<WriteResult> put) { write.set_value(code_of_failure(put)); });
  whole->async_get_item("t", {{"id", 2}}, {}, [&](Result<GetResult> got) { other.set_value(code_of_failure(got)); });
  while (server_.requests() < 3) std::this_thread::yield();
  stop.request_stop();
  EXPECT_EQ(get.get_future().get(), Code::kCanceled);
  EXPECT_EQ(write.get_future().get(), Code::kUnknownOutcome);
  auto others = other.get_future();
  EXPECT_EQ(others.wait_for(0s), std::future_status::timeout);

  replies_ = {ok("{}")};
  EXPECT_THAT(calls->put_item("t", {{"id", 1}}), fails_with(Code::kCanceled));
  EXPECT_EQ(server_.requests(), 3) << "what is canceled is not sent";
  EXPECT_THAT(whole->put_item("t", {{"id", 1}}), succeeds());
}

TEST_F(Ending, ends_a_call_under_way_by_the_stop_of_an_outer_cancelable_store_when_the_inner_is_gone) {
  replies_ = {Reply{"", Then::kHang}};
  const auto whole = store({.request_timeout = 60s});
  std::stop_source outer;
  std::stop_source inner;
  const auto calls = cancelable(*whole, outer.get_token());
  std::promise<Code> code;
  cancelable(*calls, inner.get_token())->async_get_item("t", {{"id", 1}}, {}, [&](const Result<GetResult>& got) {
    code.set_value(code_of_failure(got));
  });
  while (server_.requests() == 0) std::this_thread::yield();
  outer.request_stop();
  EXPECT_EQ(code.get_future().get(), Code::kCanceled);
}

TEST_F(Ending, cancels_a_call_of_dolmens_own_protocol) {
  replies_ = {Reply{"", Then::kHang}};
  const auto whole = store({.request_timeout = 60s});
  std::stop_source stop;
  const auto calls = cancelable(*whole, stop.get_token());
  auto* const own = calls->companions().find<DolmenCalls>();
  ASSERT_NE(own, nullptr);
  std::promise<Code> code;
  own->call("GetDocument", "{}", [&](const Result<std::string>& answer) { code.set_value(code_of_failure(answer)); });
  while (server_.requests() == 0) std::this_thread::yield();
  stop.request_stop();
  EXPECT_EQ(code.get_future().get(), Code::kCanceled);
}

TEST_F(Ending, cancels_a_call_that_waits_for_a_connection) {
  replies_ = {Reply{"", Then::kHang}};
  std::promise<Code> first;
  const auto whole = store({.request_timeout = 60s, .connections_max = 1});
  whole->async_get_item("t", {{"id", 1}}, {}, [&](Result<GetResult> got) { first.set_value(code_of_failure(got)); });
  while (server_.requests() == 0) std::this_thread::yield();
  std::stop_source stop;
  const auto calls = cancelable(*whole, stop.get_token());
  std::promise<Code> waiting;
  calls->async_put_item("t", {{"id", 1}}, {},
                        [&](Result<WriteResult> put) { waiting.set_value(code_of_failure(put)); });
  // The store's thread takes calls in their order, so when this one has ended it has begun with the put.
  std::stop_source stopped;
  stopped.request_stop();
  EXPECT_THAT(cancelable(*whole, stopped.get_token())->get_item("t", {{"id", 1}}), fails_with(Code::kCanceled));
  stop.request_stop();
  EXPECT_EQ(waiting.get_future().get(), Code::kCanceled) << "it was never sent, so its outcome is known";
}

TEST_F(Ending, cancels_a_call_that_waits_for_another_attempt) {
  replies_ = {Reply{TestServer::response(500, "{}")}};
  std::atomic<bool> chose_wait = false;
  const auto whole = store({.retry = {.attempts_max = 2, .first_delay = 600s, .delay_max = 600s}, .random = [&] {
                              chose_wait = true;
                              return 600'000;
                            }});
  std::stop_source stop;
  const auto calls = cancelable(*whole, stop.get_token());
  std::promise<Code> code;
  calls->async_get_item("t", {{"id", 1}}, {}, [&](Result<GetResult> got) { code.set_value(code_of_failure(got)); });
  while (!chose_wait) std::this_thread::yield();
  stop.request_stop();
  EXPECT_EQ(code.get_future().get(), Code::kCanceled);
  EXPECT_EQ(server_.requests(), 1);
}

/// A source of credentials that gives none until it is let go.
class StuckSource {
 public:
  [[nodiscard]] std::function<Result<AwsCredentials>()> source() {
    return [this]() -> Result<AwsCredentials> {
      ++asked_;
      let_go_.wait();
      return AwsCredentials{"key", "secret"};
    };
  }
  [[nodiscard]] int asked() const { return asked_; }
  void let_go() { let_go_.count_down(); }

 private:
  std::atomic<int> asked_ = 0;
  std::latch let_go_{1};
};

TEST_F(Ending, cancels_a_call_that_waits_for_credentials) {
  replies_ = {ok()};
  StuckSource stuck;
  const auto whole = store({.credential_source = stuck.source()});
  std::stop_source stop;
  const auto calls = cancelable(*whole, stop.get_token());
  std::promise<Code> canceled;
  std::promise<bool> other;
  calls->async_put_item("t", {{"id", 1}}, {},
                        [&](const Result<WriteResult>& put) { canceled.set_value(code_of_failure(put)); });
  whole->async_put_item("t", {{"id", 2}}, {},
                        [&](const Result<WriteResult>& put) { other.set_value(put.has_value()); });
  while (stuck.asked() == 0) std::this_thread::yield();
  stop.request_stop();
  EXPECT_EQ(canceled.get_future().get(), Code::kCanceled);
  EXPECT_EQ(server_.requests(), 0);
  stuck.let_go();
  EXPECT_TRUE(other.get_future().get());
}

TEST_F(Ending, does_not_ask_for_credentials_for_a_call_that_is_canceled_before_it_begins) {
  StuckSource stuck;
  const auto whole = store({.credential_source = stuck.source()});
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THAT(count(*cancelable(*whole, stop.get_token())), fails_with(Code::kCanceled));
  EXPECT_EQ(stuck.asked(), 0);
}

TEST_F(Ending, says_that_the_store_was_closed_to_a_call_that_waits_for_credentials) {
  StuckSource stuck;
  auto closing = store({.credential_source = stuck.source()});
  std::promise<Code> code;
  closing->async_get_item("t", {{"id", 1}}, {},
                          [&](const Result<GetResult>& got) { code.set_value(code_of_failure(got)); });
  while (stuck.asked() == 0) std::this_thread::yield();
  std::jthread closer([&] { closing.reset(); });
  EXPECT_EQ(code.get_future().get(), Code::kClosed) << "while the source still has nothing";
  stuck.let_go();
}

TEST_F(Ending, says_that_the_store_was_closed_when_that_ends_the_look_up_of_credentials) {
  replies_ = {Reply{"", Then::kHang}};
  auto service = open_service({.endpoint = "http://tables.invalid"}, [this](const std::string& name) {
    return name == "AWS_CONTAINER_CREDENTIALS_FULL_URI" ? server_.url() : std::string();
  });
  auto closing = std::make_unique<Store>(std::move(service).value());
  std::promise<Code> code;
  closing->async_get_item("t", {{"id", 1}}, {},
                          [&](const Result<GetResult>& got) { code.set_value(code_of_failure(got)); });
  while (server_.requests() == 0) std::this_thread::yield();
  closing.reset();
  EXPECT_EQ(code.get_future().get(), Code::kClosed);
}

}  // namespace
}  // namespace dolmen::remote
