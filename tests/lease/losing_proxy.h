#pragma once

#include <atomic>
#include <fmt/format.h>
#include <functional>
#include <memory>

#include "dolmen/remote.h"
#include "http_client/http_client.h"
#include "server/server.h"
#include "tests/http_client/test_server.h"

namespace dolmen {

/// A real Dolmen server behind a proxy that carries requests out and loses answers.
class LosingProxy {
 public:
  /// The answers of so many of the next requests that write are lost.
  std::atomic<int> lose = 0;
  /// The next UpdateItem gets no answer, and is not carried out.
  std::atomic<bool> hang = false;
  /// Requests that read, or that write, are answered with an error, and are not carried out.
  std::atomic<bool> refuse_reads = false;
  std::atomic<bool> refuse_writes = false;
  /// What happens before an answer is passed on.
  std::function<void()> on_answer = [] {};

  std::unique_ptr<Store> connect() {
    return open_remote({.endpoint = proxy_.url(), .retry = {.first_delay = std::chrono::milliseconds(1)}}).value();
  }

  [[nodiscard]] int requests() const { return proxy_.requests(); }

 private:
  TestServer::Reply pass_on(const TestServer::Received& received) {
    http::Request request{.url = fmt::format("http://127.0.0.1:{}", server_->port()), .body = received.body};
    for (const char* name : {"content-type", "x-amz-target"}) request.headers.push_back({name, received.header(name)});
    const std::string target = received.header("x-amz-target");
    if (target.ends_with("UpdateItem") && hang.exchange(false)) return {"", TestServer::Then::kHang};
    if (target.ends_with("GetItem") ? refuse_reads : refuse_writes)
      return {TestServer::response(
          500, R"({"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError","message":"the table is away"})",
          "")};
    const http::Outcome outcome = client_.send_and_wait(std::move(request));
    if (!outcome) return {"", TestServer::Then::kClose};
    on_answer();
    if (!target.ends_with("GetItem") && lose > 0) {
      --lose;
      return {"", TestServer::Then::kReset};
    }
    return {TestServer::response(outcome->status, outcome->body,
                                 fmt::format("x-amz-crc32: {}\r\n", outcome->header("x-amz-crc32").value_or("")))};
  }

  std::unique_ptr<Server> server_ =
      Server::start({.store = {.durability = Durability::kMemory}, .http = {.port = 0}}).value();
  http::Client client_;
  TestServer proxy_{[this](const TestServer::Received& received) { return pass_on(received); }};
};

}  // namespace dolmen
