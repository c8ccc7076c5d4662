#pragma once

#include <chrono>
#include <deque>
#include <gtest/gtest.h>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/store.h"
#include "protocol/errors.h"
#include "remote/open_remote.h"
#include "tests/http_client/test_server.h"

/// Shared by the tests of faults.
namespace dolmen::remote {

/// The error's code; kInvalidArgument, which no endpoint returns, when there is none.
template <class T>
Code code_of_failure(const Result<T>& result) {
  return result ? Code::kInvalidArgument : result.error().code();
}

/// What the server does with one request after the other; the last reply is repeated.
class Replies {
 public:
  Replies& operator=(std::initializer_list<TestServer::Reply> replies) {
    const std::lock_guard lock(replies_mutex_);
    replies_ = replies;
    return *this;
  }
  TestServer::Reply next() {
    const std::lock_guard lock(replies_mutex_);
    TestServer::Reply reply = replies_.front();
    if (replies_.size() > 1) replies_.pop_front();
    return reply;
  }

 private:
  std::mutex replies_mutex_;
  std::deque<TestServer::Reply> replies_;
};

/// The requests that were received.
class Requests {
 public:
  void add(TestServer::Received request) {
    const std::lock_guard lock(requests_mutex_);
    requests_.push_back(std::move(request));
  }
  TestServer::Received operator[](std::size_t position) const {
    const std::lock_guard lock(requests_mutex_);
    return requests_.at(position);
  }
  [[nodiscard]] std::size_t size() const {
    const std::lock_guard lock(requests_mutex_);
    return requests_.size();
  }

 private:
  mutable std::mutex requests_mutex_;
  std::vector<TestServer::Received> requests_;
};

/// A remote store and the server that it talks to, which replies as a test tells it to.
class Faults : public testing::Test {
 protected:
  using Reply = TestServer::Reply;
  using Then = TestServer::Then;

  static Reply ok(std::string_view body = "{}") { return {TestServer::response(200, body)}; }
  static Reply refusal(Code code) {
    return {TestServer::response(wire_error(code).status, error_body(Error(code, "refused")))};
  }
  static Reply closed() { return {"", Then::kClose}; }

  std::unique_ptr<Store> store(RemoteOptions options = {}) {
    options.endpoint = server_.url();
    if (options.retry.first_delay == RetryOptions{}.first_delay)
      options.retry.first_delay = std::chrono::milliseconds(0);
    auto service = open_service(std::move(options), [](const std::string&) { return std::string(); });
    return std::make_unique<Store>(std::move(service).value());
  }

  Result<WriteResult> count(Store& store) { return store.update_item("t", {{"id", 1}}, Update{}.add(attr("n"), 1)); }

  Replies replies_;
  Requests received_;
  TestServer server_{[this](const TestServer::Received& request) {
    received_.add(request);
    return replies_.next();
  }};
};

}  // namespace dolmen::remote
