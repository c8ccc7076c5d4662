// The HTTP parser: it reads the same from one piece as from two, never beyond its input, and the framing of accepted
// requests is unambiguous.
#include "fuzz/fuzz.h"
#include "wire/http_parser.h"

using dolmen::wire::HttpParser;
using dolmen::wire::HttpRequestView;

namespace {

struct Outcome {
  HttpParser::State state;
  std::size_t size = 0;
  std::string method, target, body;
  int problem = 0;

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome outcome(HttpParser& parser, std::string_view input) {
  Outcome result{.state = parser.parse(input)};
  if (result.state == HttpParser::State::kBad) result.problem = parser.problem().status;
  if (result.state != HttpParser::State::kComplete) return result;
  const HttpRequestView request = parser.request(input);
  return {result.state, parser.size(), std::string(request.method), std::string(request.target),
          std::string(request.body)};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzz_input(data, size);
  const HttpParser::Limits limits{.request_line_bytes_max = 512,
                                  .header_bytes_max = 512,
                                  .headers_max = 16,
                                  .body_bytes_max = 4096,
                                  .chunk_line_bytes_max = 64,
                                  .chunk_framing_bytes_max = 512};
  HttpParser whole(limits);
  const Outcome expected = outcome(whole, input);
  if (expected.state == HttpParser::State::kComplete) {
    DOLMEN_CHECK(expected.size <= input.size(), "a request ends within its input");
    DOLMEN_CHECK(expected.body.size() <= limits.body_bytes_max, "the body keeps its limit");
    DOLMEN_CHECK(expected.size - expected.body.size() <= limits.head_bytes_max() + limits.chunk_framing_bytes_max,
                 "what is not the body keeps its limits");
    DOLMEN_CHECK(whole.header(input, "x-amz-target").value_or("").size() <= input.size(), "a header lies within it");
  }
  if (input.empty()) return 0;

  HttpParser pieces(limits);
  const std::size_t cut = static_cast<unsigned char>(input.back()) * input.size() / 256;
  const Outcome first = outcome(pieces, input.substr(0, cut));
  if (first.state == HttpParser::State::kNeedsMore)
    DOLMEN_CHECK(outcome(pieces, input) == expected, "two pieces read as one");
  else
    DOLMEN_CHECK(first == expected, "an early end is the same end");

  pieces.reset();
  DOLMEN_CHECK(outcome(pieces, input) == expected, "a reset parser is a new one");
  return 0;
}
