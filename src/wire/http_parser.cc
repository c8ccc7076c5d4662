#include "wire/http_parser.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include "base/ascii.h"

namespace dolmen::wire {
namespace {

/// The characters of a method or a header name (RFC 9110, "token").
constexpr auto kTokenCharacters = [] {
  std::array<bool, 256> table{};
  constexpr std::string_view kTokens = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  for (const char c : kTokens) table[static_cast<unsigned char>(c)] = true;
  return table;
}();

/// How many characters of a token the text begins with.
std::size_t token_size(std::string_view text) {
  std::size_t size = 0;
  while (size < text.size() && kTokenCharacters[static_cast<unsigned char>(text[size])]) ++size;
  return size;
}

bool is_token(std::string_view text) { return !text.empty() && token_size(text) == text.size(); }

/// The characters of a header value: no control characters other than tab.
bool is_field_value(std::string_view text) {
  const auto is_control = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && byte != '\t') || byte == 0x7F;
  };
  // Eight bytes at a time; nearly always none of them is below a space or DEL.
  constexpr std::uint64_t kEach = 0x0101010101010101;
  constexpr std::uint64_t kHighest = 0x80 * kEach;
  constexpr std::uint64_t kLower = 0x7F * kEach;
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  std::uint64_t plain = kHighest;
  std::string_view rest = text;
  for (; rest.size() >= kWord; rest.remove_prefix(kWord)) {
    std::uint64_t word;
    std::memcpy(&word, rest.data(), kWord);
    const std::uint64_t lower = word & kLower;
    const std::uint64_t not_del = (lower ^ kLower) + kLower;
    plain &= ((lower + 0x60 * kEach) & not_del) | word;
  }
  if (plain == kHighest) return std::ranges::none_of(rest, is_control);
  return std::ranges::none_of(text, is_control);
}

bool is_target(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte > 0x20 && byte < 0x7F;
  });
}

/// HTTP/ and two digits with a dot between them.
bool is_version(std::string_view text) {
  constexpr std::string_view kForm = "HTTP/1.1";
  return text.size() == kForm.size() && text.starts_with("HTTP/") && is_digit(text[5]) && text[6] == '.' &&
         is_digit(text[7]);
}

/// The offset of the path in a target: clients of proxies send whole URIs, http://host/path (RFC 9112, 3.2.2).
/// Nothing when the URI has no host.
std::optional<std::size_t> path_begin(std::string_view target) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!equals_ignoring_case(target.substr(0, scheme.size()), scheme)) continue;
    const std::size_t end = std::min(target.find_first_of("/?", scheme.size()), target.size());
    return end == scheme.size() ? std::nullopt : std::optional(end);
  }
  return 0;
}

/// True when a comma-separated list has the given word.
bool lists(std::string_view value, std::string_view lower_word) {
  while (!value.empty()) {
    const std::size_t comma = value.find(',');
    if (equals_ignoring_case(trimmed(value.substr(0, comma)), lower_word)) return true;
    if (comma == std::string_view::npos) return false;
    value.remove_prefix(comma + 1);
  }
  return false;
}

std::optional<std::uint64_t> parse_unsigned(std::string_view text, int base) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The size in the first line of a chunk, which ends with the first line feed: hexadecimal digits, and optionally
/// extensions after ';', which are ignored. Nothing when the line is malformed. A line feed without a carriage return
/// is malformed, because parsers disagree on whether it ends the line.
std::optional<std::uint64_t> chunk_size(std::string_view line) {
  if (!line.ends_with("\r\n")) return std::nullopt;
  line.remove_suffix(2);
  const std::size_t digits = std::min(line.find_first_of("; \t"), line.size());
  const std::string_view extensions = trimmed(line.substr(digits));
  const bool well_formed = digits == line.size() || (extensions.starts_with(';') && is_field_value(extensions));
  return well_formed ? parse_unsigned(line.substr(0, digits), 16) : std::nullopt;
}

}  // namespace

void HttpParser::reset() {
  std::string().swap(chunked_body_);  // An assignment would keep its memory.
  headers_.clear();
  std::vector<Header> headers = std::move(headers_);  // keeps its memory
  *this = HttpParser(limits_);
  headers_ = std::move(headers);
}

bool HttpParser::refuse(int status, std::string_view reason, std::optional<Limit> limit) {
  problem_ = {status, reason, limit};
  return false;
}

HttpParser::State HttpParser::bad(int status, std::string_view reason, std::optional<Limit> limit) {
  refuse(status, reason, limit);
  return State::kBad;
}

HttpParser::State HttpParser::parse(std::string_view buffer) {
  if (head_end_ == 0) {
    constexpr std::string_view kHeadEnd = "\r\n\r\n";
    const std::size_t from = searched_ < 3 ? 0 : searched_ - 3;
    const std::size_t found = buffer.substr(0, limits_.head_bytes_max()).find(kHeadEnd, from);
    if (found == std::string_view::npos) {
      searched_ = buffer.size();
      return buffer.size() >= limits_.head_bytes_max()
                 ? bad(400, "the request line or the headers are too long", Limit::kHeadBytes)
                 : State::kNeedsMore;
    }
    head_end_ = found + kHeadEnd.size();
    if (!parse_head(buffer.substr(0, found)) || !check_framing()) return State::kBad;
    chunk_at_ = head_end_;
  }
  if (chunked_) return parse_chunks(buffer);
  const std::size_t body = content_length_.value_or(0);
  if (buffer.size() - head_end_ < body) return State::kNeedsMore;
  end_ = head_end_ + body;
  return State::kComplete;
}

bool HttpParser::parse_head(std::string_view head) {
  std::size_t line_end = std::min(head.find("\r\n"), head.size());
  if (line_end > limits_.request_line_bytes_max) return refuse(400, "the request line is too long", Limit::kHeadBytes);
  if (head.size() - line_end > limits_.header_bytes_max)
    return refuse(400, "the headers are too long", Limit::kHeadBytes);
  if (!parse_request_line(head.substr(0, line_end))) return false;
  while (line_end < head.size()) {
    const std::size_t begin = line_end + 2;
    line_end = std::min(head.find("\r\n", begin), head.size());
    if (!parse_header(head, head.substr(begin, line_end - begin))) return false;
  }
  return true;
}

bool HttpParser::parse_request_line(std::string_view line) {
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) return refuse(400, "the request line is malformed");
  const std::string_view method = line.substr(0, first);
  const std::string_view target = line.substr(first + 1, last - first - 1);
  const std::string_view version = line.substr(last + 1);
  const std::optional<std::size_t> path = path_begin(target);
  if (!is_token(method) || !is_target(target) || !path) return refuse(400, "the request line is malformed");
  http_1_0_ = version == "HTTP/1.0";
  if (!is_version(version)) return refuse(400, "the request line is malformed");
  if (!http_1_0_ && version != "HTTP/1.1") return refuse(505, "only HTTP/1.0 and HTTP/1.1 are supported");
  method_ = {0, static_cast<std::uint32_t>(method.size())};
  target_ = {static_cast<std::uint32_t>(first + 1 + *path), static_cast<std::uint32_t>(target.size() - *path)};
  return true;
}

bool HttpParser::parse_header(std::string_view head, std::string_view line) {
  const std::size_t colon = token_size(line);
  if (colon == 0 || colon == line.size() || line[colon] != ':') return refuse(400, "a header is malformed");
  const std::string_view name = line.substr(0, colon);
  const std::string_view value = trimmed(line.substr(colon + 1));
  if (!is_field_value(value)) return refuse(400, "a header is malformed");
  if (headers_.size() >= limits_.headers_max) return refuse(400, "the request has too many headers", Limit::kHeadBytes);
  const auto span = [&](std::string_view part) {
    return Span{static_cast<std::uint32_t>(part.data() - head.data()), static_cast<std::uint32_t>(part.size())};
  };
  headers_.push_back({span(name), span(value)});
  return apply_header(name, value);
}

/// Records what a header says about the connection or the body.
bool HttpParser::apply_header(std::string_view name, std::string_view value) {
  if (is_header_name(name, "content-length")) {
    const bool digits = std::ranges::all_of(value, [](char c) { return c >= '0' && c <= '9'; });
    if (content_length_) return refuse(400, "the content length is given twice");
    content_length_ = digits ? parse_unsigned(value, 10) : std::nullopt;
    if (!content_length_) return refuse(400, "the content length is malformed");
  } else if (is_header_name(name, "transfer-encoding")) {
    if (chunked_ || !equals_ignoring_case(value, "chunked"))
      return refuse(501, "only the transfer encoding 'chunked' is supported");
    chunked_ = true;
  } else if (is_header_name(name, "connection")) {
    close_ = close_ || lists(value, "close");
  } else if (is_header_name(name, "host")) {
    if (has_host_) return refuse(400, "the host is given twice");
    has_host_ = true;
  } else if (is_header_name(name, "expect")) {
    if (!equals_ignoring_case(value, "100-continue"))
      return refuse(417, "only the expectation '100-continue' is supported");
    expect_continue_ = true;
  }
  return true;
}

/// Refuses requests whose body length parsers could interpret differently.
bool HttpParser::check_framing() {
  if (!http_1_0_ && !has_host_) return refuse(400, "the host is missing");
  if (chunked_ && (content_length_ || http_1_0_))
    return refuse(400, "a request cannot have both a content length and a transfer encoding");
  if (http_1_0_) expect_continue_ = false;  // Such clients do not understand the permission.
  if (content_length_.value_or(0) > limits_.body_bytes_max)
    return refuse(413, "the body is too long", Limit::kBodyBytes);
  return true;
}

HttpParser::State HttpParser::parse_chunks(std::string_view buffer) {
  constexpr std::string_view kLineEnd = "\r\n";
  for (;;) {
    const std::string_view rest = buffer.substr(chunk_at_);
    const std::size_t line_size = rest.substr(0, limits_.chunk_line_bytes_max).find('\n') + 1;
    if (line_size == 0)
      return rest.size() >= limits_.chunk_line_bytes_max ? bad(400, "the line of a chunk size is too long")
                                                         : State::kNeedsMore;
    const std::string_view line = rest.substr(0, line_size);
    const std::optional<std::uint64_t> size = chunk_size(line);
    if (!check_chunk(line, size)) return State::kBad;
    const std::size_t data_end = line_size + *size;
    if (rest.size() < data_end + kLineEnd.size()) return State::kNeedsMore;
    if (rest.substr(data_end, kLineEnd.size()) != kLineEnd)
      return bad(400, *size == 0 ? "trailers are not accepted" : "a chunk does not end where it should");
    chunked_body_.append(rest.substr(line_size, *size));
    chunk_at_ += data_end + kLineEnd.size();
    if (*size == 0) {
      end_ = chunk_at_;
      return State::kComplete;
    }
  }
}

/// Checks that the next chunk is well-formed and within the limits of the body.
bool HttpParser::check_chunk(std::string_view line, std::optional<std::uint64_t> size) {
  if (!size) return refuse(400, "a chunk size is malformed");
  if (*size > limits_.body_bytes_max - chunked_body_.size())
    return refuse(413, "the body is too long", Limit::kBodyBytes);
  const std::size_t framing = chunk_at_ - head_end_ - chunked_body_.size();
  if (framing + line.size() + 2 > limits_.chunk_framing_bytes_max)
    return refuse(413, "the body has too many chunks, or chunk extensions that are too long", Limit::kBodyBytes);
  return true;
}

HttpRequestView HttpParser::request(std::string_view buffer) const {
  const auto view = [&](Span span) { return buffer.substr(span.begin, span.length); };
  return {.method = view(method_),
          .target = view(target_),
          .body = chunked_ ? std::string_view(chunked_body_) : buffer.substr(head_end_, end_ - head_end_),
          .keep_alive = !http_1_0_ && !close_};
}

std::pair<std::string_view, std::string_view> HttpParser::header(std::string_view buffer, std::size_t index) const {
  const Header& header = headers_[index];
  return {buffer.substr(header.name.begin, header.name.length), buffer.substr(header.value.begin, header.value.length)};
}

std::optional<std::string_view> HttpParser::header(std::string_view buffer, std::string_view lower_name) const {
  for (const Header& header : headers_)
    if (is_header_name({buffer.data() + header.name.begin, header.name.length}, lower_name))
      return buffer.substr(header.value.begin, header.value.length);
  return std::nullopt;
}

}  // namespace dolmen::wire
