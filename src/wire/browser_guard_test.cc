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

}  // namespace
}  // namespace dolmen::wire
