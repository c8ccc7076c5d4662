#include "wire/browser_guard.h"

#include <gtest/gtest.h>

#include "base/test_result.h"

namespace dolmen::wire {
namespace {

TEST(BrowserGuard, knows_the_hosts_that_no_page_can_have) {
  const BrowserGuard guard({.host_names = {"dolmen.example.org"}});
  for (const std::string_view host :
       {"", "localhost", "LOCALHOST:8000", "db.localhost:8000", "127.0.0.1:8000", "10.1.2.3", "[::1]:8000", "[fe80::1]",
        "dolmen", "Dolmen.example.org:8000", "dynamodb.us-east-1.amazonaws.com",
        "streams.dynamodb.eu-west-2.amazonaws.com:443", "dynamodb.eu-west-1.api.aws"})
    EXPECT_THAT(guard.check(host, std::nullopt), succeeds()) << host;
}

TEST(BrowserGuard, refuses_names_that_a_page_can_have) {
  const BrowserGuard guard({});
  for (const std::string_view host : {"example.com", "evil.example:8000", "localhost.example.com", "127.0.0.1.nip.io",
                                      "x.localhost.org", "dynamodb.example.com", "evil.s3.amazonaws.com"})
    EXPECT_THAT(guard.check(host, std::nullopt), fails_with(Code::kAccessDenied)) << host;
  EXPECT_THAT(guard.check("localhost", "https://example.com"), fails_with(Code::kAccessDenied));
}

TEST(BrowserGuard, knows_pages_that_came_from_this_server) {
  const BrowserGuard guard({.host_names = {"dolmen.example.org"}});
  for (const std::string_view host : {"localhost:8000", "db.localhost", "127.0.0.1:8000", "[::1]:8000",
                                      "dolmen.example.org", "Dolmen.Example.org:8443"}) {
    EXPECT_TRUE(guard.is_own_origin("http://" + std::string(host), host)) << host;
    EXPECT_TRUE(guard.is_own_origin("https://" + std::string(host), host)) << host;
  }
}

TEST(BrowserGuard, does_not_take_other_pages_for_its_own) {
  const BrowserGuard guard({});
  struct Case {
    std::string_view origin;
    std::string_view host;
  };
  for (const auto& [origin, host] : {Case{"http://127.0.0.1:3000", "127.0.0.1:8000"},
                                     {"http://localhost:8000", "127.0.0.1:8000"},
                                     {"http://127.0.0.1", "127.0.0.1:8000"},
                                     {"http://evil.example:8000", "evil.example:8000"},
                                     {"http://127.0.0.1:8000.evil.example", "127.0.0.1:8000"},
                                     {"http://dolmen:8000", "dolmen:8000"},
                                     {"http://dynamodb.us-east-1.amazonaws.com", "dynamodb.us-east-1.amazonaws.com"},
                                     {"file://127.0.0.1:8000", "127.0.0.1:8000"},
                                     {"null", ""},
                                     {"http://", ""}})
    EXPECT_FALSE(guard.is_own_origin(origin, host)) << origin << " at " << host;
}

}  // namespace
}  // namespace dolmen::wire
