#include "http_client/endpoint.h"

#include <gtest/gtest.h>

#include "base/test_result.h"

namespace dolmen::http {
namespace {

TEST(Endpoint, leaves_the_own_port_of_a_scheme_out_of_the_host) {
  EXPECT_EQ(parse_endpoint("http://127.0.0.1:8000").value().host, "127.0.0.1:8000");
  EXPECT_EQ(parse_endpoint("http://example:80/").value().host, "example");
  EXPECT_EQ(parse_endpoint("https://example:443").value().host, "example");
  EXPECT_EQ(parse_endpoint("https://example:80").value().host, "example:80");
  EXPECT_EQ(parse_endpoint("http://[::1]:8000/").value().url, "http://[::1]:8000/");
}

TEST(Endpoint, knows_what_is_on_this_machine) {
  for (const char* url : {"http://127.0.0.1:1", "http://127.8.9.1", "http://localhost:8000", "https://[::1]"})
    EXPECT_TRUE(parse_endpoint(url).value().loopback) << url;
  for (const char* url : {"http://127.example.com", "http://10.0.0.1", "https://dynamodb.eu-west-1.amazonaws.com"})
    EXPECT_FALSE(parse_endpoint(url).value().loopback) << url;
}

TEST(Endpoint, refuses_what_is_none) {
  for (const char* url : {"", "127.0.0.1:8000", "ftp://a", "http://", "http://:8000", "http://a:0", "http://a:99999",
                          "http://a:", "http://a/path", "http://key:secret@host", "http://a b", "http://[::1"})
    EXPECT_THAT(parse_endpoint(url), fails_with(Code::kInvalidArgument)) << url;
}

TEST(Endpoint, of_aws_depends_on_the_partition) {
  EXPECT_EQ(aws_endpoint("eu-west-1"), "https://dynamodb.eu-west-1.amazonaws.com");
  EXPECT_EQ(aws_endpoint("cn-north-1"), "https://dynamodb.cn-north-1.amazonaws.com.cn");
  EXPECT_EQ(aws_streams_endpoint("eu-west-1"), "https://streams.dynamodb.eu-west-1.amazonaws.com");
}

}  // namespace
}  // namespace dolmen::http
