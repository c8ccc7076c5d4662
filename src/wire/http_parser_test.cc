#include "wire/http_parser.h"

#include <gtest/gtest.h>

#include "base/test_seed.h"

namespace dolmen::wire {
namespace {

using State = HttpParser::State;

constexpr std::string_view kPost =
    "POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target:  DynamoDB_20120810.GetItem \r\nContent-Length: 2\r\n\r\n{}";

int refused_with(std::string_view text) {
  HttpParser parser;
  return parser.parse(text) == State::kBad ? parser.problem().status : 0;
}

TEST(HttpParser, reads_a_request) {
  HttpParser parser;
  ASSERT_EQ(parser.parse(kPost), State::kComplete);
  const HttpRequestView request = parser.request(kPost);
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.target, "/");
  EXPECT_EQ(request.body, "{}");
  EXPECT_TRUE(request.keep_alive);
  EXPECT_EQ(parser.header(kPost, "x-amz-target"), "DynamoDB_20120810.GetItem");
  EXPECT_EQ(parser.header(kPost, "authorization"), std::nullopt);
  EXPECT_EQ(parser.size(), kPost.size());
}

TEST(HttpParser, reads_it_in_pieces_of_any_size) {
  for (std::size_t first = 0; first < kPost.size(); ++first) {
    HttpParser parser;
    ASSERT_EQ(parser.parse(kPost.substr(0, first)), State::kNeedsMore) << first;
    ASSERT_EQ(parser.parse(kPost), State::kComplete) << first;
    ASSERT_EQ(parser.request(kPost).body, "{}");
  }
}

TEST(HttpParser, ends_where_the_next_request_begins) {
  const std::string two = std::string(kPost) + "GET /second HTTP/1.1\r\nHost: x\r\n\r\n";
  HttpParser parser;
  ASSERT_EQ(parser.parse(two), State::kComplete);
  const std::string_view rest = std::string_view(two).substr(parser.size());
  parser.reset();
  ASSERT_EQ(parser.parse(rest), State::kComplete);
  EXPECT_EQ(parser.request(rest).target, "/second");
  EXPECT_EQ(parser.request(rest).body, "");
  EXPECT_EQ(parser.header(rest, "content-length"), std::nullopt);
}

TEST(HttpParser, takes_the_path_out_of_a_whole_uri) {
  const auto target = [](std::string_view uri) {
    const std::string text = "GET " + std::string(uri) + " HTTP/1.1\r\nHost: x\r\n\r\n";
    HttpParser parser;
    return parser.parse(text) == State::kComplete ? std::string(parser.request(text).target) : "refused";
  };
  EXPECT_EQ(target("http://localhost:8000/"), "/");
  EXPECT_EQ(target("HTTPS://localhost/a/b?c=d"), "/a/b?c=d");
  EXPECT_EQ(target("http://localhost"), "");
  EXPECT_EQ(target("http://localhost?c=/"), "?c=/");
  EXPECT_EQ(target("/http://localhost/"), "/http://localhost/");
  EXPECT_EQ(target("http:///"), "refused");
}

TEST(HttpParser, puts_chunks_together_however_they_arrive) {
  const std::string_view text =
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA;note=1\r\n0123456789\r\n0\r\n\r\n";
  for (std::size_t first = 0; first < text.size(); ++first) {
    HttpParser parser;
    ASSERT_EQ(parser.parse(text.substr(0, first)), State::kNeedsMore);
    ASSERT_EQ(parser.parse(text), State::kComplete);
    ASSERT_EQ(parser.request(text).body, "abc0123456789");
    ASSERT_EQ(parser.size(), text.size());
  }
}

/// A chunked body, as it follows its head.
const std::string kChunkedHead = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";

TEST(HttpParser, takes_time_in_proportion_to_the_length_of_a_body_in_many_chunks) {
  // If each chunk cost a look at all that follow, this would take minutes.
  constexpr std::size_t kChunks = 100'000;
  const std::string data(128, 'd');
  std::string text = kChunkedHead;
  for (std::size_t i = 0; i < kChunks; ++i) text += "80\r\n" + data + "\r\n";
  text += "0\r\n\r\n";
  HttpParser parser;
  ASSERT_EQ(parser.parse(text), State::kComplete);
  EXPECT_EQ(parser.request(text).body.size(), kChunks * data.size());
  EXPECT_EQ(parser.size(), text.size());
}

TEST(HttpParser, passes_over_chunk_extensions) {
  for (const std::string_view line : {"2;a", "2;a=b;c=\"d e\"", "2 ;a", "2\t; a=b", "0002;", "2;\xC3\xA4"}) {
    const std::string text = kChunkedHead + std::string(line) + "\r\n{}\r\n0;last\r\n\r\n";
    HttpParser parser;
    ASSERT_EQ(parser.parse(text), State::kComplete) << line;
    EXPECT_EQ(parser.request(text).body, "{}") << line;
  }
}

TEST(HttpParser, refuses_a_chunk_line_that_two_parsers_could_end_differently) {
  EXPECT_EQ(refused_with(kChunkedHead + "2\n"), 400);
  EXPECT_EQ(refused_with(kChunkedHead + "2;a\n"), 400);
  EXPECT_EQ(refused_with(kChunkedHead + "2;a\nb\r\n{}\r\n0\r\n\r\n"), 400);
  EXPECT_EQ(refused_with(kChunkedHead + "2;a\rb\r\n{}\r\n0\r\n\r\n"), 400);
  EXPECT_EQ(refused_with(kChunkedHead + "2\r\r\n{}\r\n0\r\n\r\n"), 400);
  EXPECT_EQ(refused_with(kChunkedHead + std::string("2;\0\r\n", 5)), 400);
  EXPECT_EQ(refused_with(kChunkedHead + " 2\r\n"), 400);
  EXPECT_EQ(refused_with(kChunkedHead + "2 \r\n"), 400);
  EXPECT_EQ(refused_with(kChunkedHead + "2 2\r\n"), 400);
  EXPECT_EQ(refused_with(kChunkedHead + "0x2\r\n"), 400);
  EXPECT_EQ(refused_with(kChunkedHead + ";a\r\n"), 400);
  EXPECT_EQ(refused_with(kChunkedHead + "2\r\n{}\n0\r\n\r\n"), 400);
}

TEST(HttpParser, refuses_trailers) {
  EXPECT_EQ(refused_with(kChunkedHead + "0\r\nA: b\r\n\r\n"), 400);
  EXPECT_EQ(refused_with(kChunkedHead + "0\r\nA:"), 400);
}

TEST(HttpParser, bounds_what_a_chunked_body_has_besides_its_data) {
  const HttpParser::Limits limits{.chunk_line_bytes_max = 8, .chunk_framing_bytes_max = 20};
  const auto status = [&](const std::string& chunks) {
    const std::string text = kChunkedHead + chunks;
    HttpParser parser(limits);
    return parser.parse(text) == State::kBad ? parser.problem().status : 0;
  };
  EXPECT_EQ(status("2;abcd\r\n{}\r\n0\r\n\r\n"), 0);
  EXPECT_EQ(status("2;abcde\r\n{}\r\n0\r\n\r\n"), 400);
  EXPECT_EQ(status("2;abcdef"), 400);
  EXPECT_EQ(status("1\r\n{\r\n1\r\n}\r\n1\r\n \r\n0\r\n\r\n"), 0);
  EXPECT_EQ(status("1\r\n{\r\n1\r\n}\r\n1\r\n \r\n0;\r\n\r\n"), 413);
  EXPECT_EQ(status("1\r\n{\r\n1\r\n}\r\n1\r\n \r\n1\r\n \r\n0"), 0);
  EXPECT_EQ(status("1\r\n{\r\n1\r\n}\r\n1\r\n \r\n1\r\n \r\n0\r\n"), 413);
}

TEST(HttpParser, closes_when_the_client_wants_it) {
  const auto keeps = [](std::string_view text) {
    HttpParser parser;
    EXPECT_EQ(parser.parse(text), State::kComplete);
    return parser.request(text).keep_alive;
  };
  EXPECT_FALSE(keeps("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"));
  EXPECT_FALSE(keeps("GET / HTTP/1.1\r\nHost: x\r\nConnection: x, Close\r\n\r\n"));
  EXPECT_TRUE(keeps("GET / HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\n\r\n"));
  EXPECT_FALSE(keeps("GET / HTTP/1.0\r\n\r\n"));
}

TEST(HttpParser, tells_when_the_client_waits_for_leave_to_send_the_body) {
  const std::string head = "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\n";
  HttpParser parser;
  ASSERT_EQ(parser.parse(head), State::kNeedsMore);
  EXPECT_TRUE(parser.expects_continue());
  ASSERT_EQ(parser.parse(head + "{}"), State::kComplete);
  EXPECT_FALSE(parser.expects_continue());
}

TEST(HttpParser, refuses_what_two_parsers_could_read_differently) {
  EXPECT_EQ(refused_with("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n"), 400);
  EXPECT_EQ(refused_with("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n"), 400);
  EXPECT_EQ(refused_with("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: +2\r\n\r\n"), 400);
  EXPECT_EQ(refused_with("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \r\n\r\n"), 400);
  EXPECT_EQ(refused_with("POST / HTTP/1.1\r\nHost: x\r\nContent-Length : 2\r\n\r\n"), 400);
  EXPECT_EQ(refused_with("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"), 501);
  EXPECT_EQ(refused_with("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"), 400);
  EXPECT_EQ(refused_with("GET / HTTP/1.1\r\nHost: x\r\n folded\r\n\r\n"), 400);
  EXPECT_EQ(refused_with("GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n"), 400);
  EXPECT_EQ(refused_with("GET / HTTP/1.1\r\nHost: x\r\nA: b\nC: d\r\n\r\n"), 400);
  EXPECT_EQ(refused_with("GET / HTTP/1.1\r\nHost: x\r\nA: b\rC: d\r\n\r\n"), 400);
  EXPECT_EQ(refused_with(std::string("GET / HTTP/1.1\r\nHost: x\r\nA: \0\r\n\r\n", 34)), 400);
}

TEST(HttpParser, refuses_malformed_requests) {
  EXPECT_EQ(refused_with("GET / HTTP/1.1\r\n\r\n"), 400);
  EXPECT_EQ(refused_with("\r\n\r\n"), 400);
  EXPECT_EQ(refused_with("GET /\r\n\r\n"), 400);
  EXPECT_EQ(refused_with("GET / a HTTP/1.1\r\nHost: x\r\n\r\n"), 400);
  EXPECT_EQ(refused_with("G(T / HTTP/1.1\r\nHost: x\r\n\r\n"), 400);
  EXPECT_EQ(refused_with("GET / HTTP/2.0\r\nHost: x\r\n\r\n"), 505);
  EXPECT_EQ(refused_with("GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n"), 400);
  EXPECT_EQ(refused_with("GET / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n"), 417);
  const std::string chunked = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
  EXPECT_EQ(refused_with(chunked + "xyz\r\n"), 400);
  EXPECT_EQ(refused_with(chunked + "\r\n"), 400);
  EXPECT_EQ(refused_with(chunked + "1\r\nabc"), 400);
  EXPECT_EQ(refused_with(chunked + std::string(300, '0')), 400);
}

/// Values are looked at in blocks, so a character is put at each place of one that has several.
TEST(HttpParser, refuses_control_characters_at_any_place_of_a_header) {
  constexpr std::size_t kLength = 21;
  for (int code = 0; code < 256; ++code)
    for (std::size_t at = 0; at < kLength; ++at) {
      std::string value(kLength, 'v');
      value[at] = static_cast<char>(code);
      const bool fits = (code >= 0x20 && code != 0x7F) || code == '\t';
      // A line end is a line end.
      if (code == '\r' || code == '\n') continue;
      EXPECT_EQ(refused_with("GET / HTTP/1.1\r\nHost: x\r\nA: " + value + "\r\n\r\n"), fits ? 0 : 400)
          << code << " at " << at;
    }
}

TEST(HttpParser, finds_headers_in_any_case_and_no_others) {
  const std::string text =
      "GET / HTTP/1.1\r\nHost: x\r\nX-AMZ-TARGET-2: long\r\nX-Amz-Targe: near\r\nx-Amz-tArget: found\r\nETAG: "
      "short\r\n\r\n";
  HttpParser parser;
  ASSERT_EQ(parser.parse(text), State::kComplete);
  EXPECT_EQ(parser.header(text, "x-amz-target"), "found");
  EXPECT_EQ(parser.header(text, "etag"), "short");
  EXPECT_EQ(parser.header(text, "x-amz-targes"), std::nullopt);
  EXPECT_EQ(parser.header(text, "y-amz-target"), std::nullopt);
  EXPECT_EQ(parser.header(text, "tag"), std::nullopt);
}

TEST(HttpParser, keeps_its_limits) {
  const HttpParser::Limits limits{
      .request_line_bytes_max = 20, .header_bytes_max = 80, .headers_max = 2, .body_bytes_max = 10};
  const auto status = [&](const std::string& text) {
    HttpParser parser(limits);
    return parser.parse(text) == State::kBad ? parser.problem().status : 0;
  };
  EXPECT_EQ(status("GET / HTTP/1.1\r\nHost: " + std::string(100, 'x')), 400);
  EXPECT_EQ(status("GET / HTTP/1.1\r\nHost: x\r\nA: 1\r\nB: 2\r\n\r\n"), 400);
  EXPECT_EQ(status("GET /123456 HTTP/1.1\r\nHost: x\r\n\r\n"), 0);
  EXPECT_EQ(status("GET /1234567 HTTP/1.1\r\nHost: x\r\n\r\n"), 400);
  const std::string longest(80 - std::string_view("\r\nHost: ").size(), 'x');
  EXPECT_EQ(status("GET / HTTP/1.1\r\nHost: " + longest + "\r\n\r\n"), 0);
  EXPECT_EQ(status("GET / HTTP/1.1\r\nHost: " + longest + "x\r\n\r\n"), 400);
  EXPECT_EQ(status("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\n"), 413);
  EXPECT_EQ(status("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n0123456789"), 0);
  EXPECT_EQ(status("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n01234567\r\n3\r\n"), 413);
  EXPECT_EQ(status("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n"), 413);
}

}  // namespace
}  // namespace dolmen::wire
