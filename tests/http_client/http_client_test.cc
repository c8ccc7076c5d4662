#include "http_client/http_client.h"

#include <atomic>
#include <cstdlib>
#include <gtest/gtest.h>
#include <new>

#include "test_server.h"

namespace {

/// Allocations by C++ of at least the first and less than the second size fail.
std::atomic<std::size_t> failing_from = 0;
std::atomic<std::size_t> failing_to = 0;

}  // namespace

// Not inlined, so that the compiler does not take free() for the counterpart of the library's operator new.
[[gnu::noinline]] void* operator new(std::size_t size) {
  if (size >= failing_from && size < failing_to) throw std::bad_alloc();
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t /*size*/) noexcept { std::free(memory); }

namespace dolmen::http {
namespace {

/// From when it is told until its end, a range of allocations fails.
class FailingAllocations {
 public:
  FailingAllocations() = default;
  ~FailingAllocations() { failing_to = 0; }
  FailingAllocations(const FailingAllocations&) = delete;
  FailingAllocations& operator=(const FailingAllocations&) = delete;

  static void begin(std::size_t from, std::size_t to) {
    failing_from = from;
    failing_to = to;
  }
};

std::string error_of(const Outcome& outcome) {
  return outcome ? "" : fmt::format("{}: {}", code_name(outcome.error().error.code()), outcome.error().error.message());
}

TEST(HttpClient, brings_a_response) {
  TestServer server([](const TestServer::Received& request) -> TestServer::Reply {
    return {TestServer::response(201, request.body, "X-Some: Thing\r\n")};
  });
  Client client;
  const Outcome outcome = client.send_and_wait({.url = server.url(), .body = "hello"});
  ASSERT_TRUE(outcome.has_value());
  EXPECT_EQ(outcome->status, 201);
  EXPECT_EQ(outcome->header("x-some"), "Thing");
  EXPECT_EQ(outcome->body, "hello");
}

TEST(HttpClient, fails_when_there_is_no_memory_for_a_body) {
  constexpr std::size_t kLarge = std::size_t{1} << 20;
  const FailingAllocations failing;
  TestServer server([&](const TestServer::Received& /*request*/) -> TestServer::Reply {
    TestServer::Reply reply{TestServer::response(200, std::string(4 * kLarge, 'b'))};
    FailingAllocations::begin(kLarge, 8 * kLarge);
    return reply;
  });
  Client client;
  const Outcome outcome = client.send_and_wait({.url = server.url()});
  EXPECT_EQ(error_of(outcome), fmt::format("Unavailable: not enough memory for the response of {}", server.url()));
  EXPECT_TRUE(outcome.error().may_have_arrived);
}

TEST(HttpClient, fails_when_there_is_no_memory_for_a_header) {
  constexpr std::size_t kLarge = 50'000;
  const FailingAllocations failing;
  std::atomic<bool> first = true;
  TestServer server([&](const TestServer::Received& /*request*/) -> TestServer::Reply {
    if (!first.exchange(false)) return {TestServer::response(200, "again")};
    TestServer::Reply reply{TestServer::response(200, "", "A: " + std::string(kLarge, 'a') + "\r\n"),
                            TestServer::Then::kClose};
    FailingAllocations::begin(kLarge, kLarge + 100);
    return reply;
  });
  Client client;
  const Outcome outcome = client.send_and_wait({.url = server.url()});
  EXPECT_EQ(error_of(outcome), fmt::format("Unavailable: not enough memory for the response of {}", server.url()));
  EXPECT_TRUE(outcome.error().may_have_arrived);
  // The client goes on.
  EXPECT_EQ(client.send_and_wait({.url = server.url()}).value().body, "again");
}

TEST(HttpClient, bounds_the_size_of_all_headers) {
  std::string headers;
  for (int i = 0; i < 10; ++i) headers += "A: " + std::string(1000, 'a') + "\r\n";
  TestServer server([&](const TestServer::Received& /*request*/) -> TestServer::Reply {
    return {TestServer::response(200, "", headers)};
  });
  Client client;
  EXPECT_EQ(error_of(client.send_and_wait({.url = server.url(), .response_header_bytes_max = 10'100})), "");
  EXPECT_EQ(
      error_of(client.send_and_wait({.url = server.url(), .response_header_bytes_max = 10'000})),
      fmt::format("UnexpectedResponse: the headers of the response of {} are larger than 10000 bytes", server.url()));
}

TEST(HttpClient, bounds_the_number_of_headers) {
  std::string headers;
  for (int i = 0; i < 2000; ++i) headers += "A: a\r\n";
  TestServer server([&](const TestServer::Received& /*request*/) -> TestServer::Reply {
    return {TestServer::response(200, "", headers)};
  });
  Client client;
  EXPECT_EQ(error_of(client.send_and_wait({.url = server.url(), .response_headers_max = 2003})), "");
  EXPECT_EQ(error_of(client.send_and_wait({.url = server.url()})),
            fmt::format("UnexpectedResponse: the response of {} has more than 1000 lines of headers", server.url()));
}

TEST(HttpClient, bounds_the_headers_of_interim_responses_with_the_others) {
  std::string hints;
  for (int i = 0; i < 500; ++i) hints += "HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n";
  TestServer server([&](const TestServer::Received& /*request*/) -> TestServer::Reply {
    return {hints + TestServer::response(200, "")};
  });
  Client client;
  EXPECT_EQ(error_of(client.send_and_wait({.url = server.url()})),
            fmt::format("UnexpectedResponse: the response of {} has more than 1000 lines of headers", server.url()));
}

TEST(HttpClient, bounds_trailers_with_the_headers_and_passes_over_them) {
  const auto response = [](int trailers) {
    std::string text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n";
    for (int i = 0; i < trailers; ++i) text += "X-Late: 1\r\n";
    return text + "\r\n";
  };
  int trailers = 1;
  TestServer server([&](const TestServer::Received& /*request*/) -> TestServer::Reply { return {response(trailers)}; });
  Client client;
  const Outcome outcome = client.send_and_wait({.url = server.url()});
  ASSERT_EQ(error_of(outcome), "");
  EXPECT_EQ(outcome->body, "hi");
  EXPECT_EQ(outcome->header("x-late"), std::nullopt);
  trailers = 2000;
  EXPECT_EQ(error_of(client.send_and_wait({.url = server.url()})),
            fmt::format("UnexpectedResponse: the response of {} has more than 1000 lines of headers", server.url()));
}

TEST(HttpClient, bounds_the_size_of_the_body) {
  TestServer server([](const TestServer::Received& /*request*/) -> TestServer::Reply {
    return {TestServer::response(200, "12345")};
  });
  Client client;
  EXPECT_EQ(error_of(client.send_and_wait({.url = server.url(), .response_bytes_max = 5})), "");
  EXPECT_EQ(error_of(client.send_and_wait({.url = server.url(), .response_bytes_max = 4})),
            fmt::format("UnexpectedResponse: the response of {} is larger than 4 bytes", server.url()));
}

}  // namespace
}  // namespace dolmen::http
