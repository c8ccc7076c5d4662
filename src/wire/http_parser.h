#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wire/limits.h"

namespace dolmen::wire {

/// One HTTP request: views into the buffer and the parser, which are valid until either of them changes.
struct HttpRequestView {
  std::string_view method;
  std::string_view target;  ///< path and query, even when the client sent a whole URI
  std::string_view body;
  bool keep_alive = true;
};

/// Reads HTTP/1.1 requests (and 1.0, without keep-alive), strictly: refuses everything that RFC 9112 allows a server to
/// refuse because two parsers could interpret it differently. One parser reads one request at a time.
///
///     while (...) {
///       switch (parser.parse(buffer)) { ... }   // each time with more bytes, from the first of the request
///     }
class HttpParser {
 public:
  struct Limits {
    /// The limits of DynamoDB: of the request line, and of all headers together.
    std::size_t request_line_bytes_max = std::size_t{16} << 10;
    std::size_t header_bytes_max = std::size_t{16} << 10;
    std::size_t headers_max = 128;
    std::size_t body_bytes_max = std::size_t{16} << 20;
    /// The limit of one line with the size of a chunk, including its extensions and its end.
    std::size_t chunk_line_bytes_max = 256;
    /// The limit of everything in a chunked body that is not data: those lines and the ends of the chunks. Without it,
    /// a body in tiny chunks or with long extensions could take many times body_bytes_max of memory.
    std::size_t chunk_framing_bytes_max = std::size_t{1} << 20;

    /// The limit of everything before the body.
    [[nodiscard]] constexpr std::size_t head_bytes_max() const { return request_line_bytes_max + header_bytes_max; }
  };

  enum class State : std::uint8_t {
    kNeedsMore,
    kComplete,
    kBad,  ///< see `problem`; the connection cannot be used further
  };

  /// Why a request was refused.
  struct Problem {
    int status = 400;
    std::string_view reason;
    /// The limit that it exceeded, if that is why.
    std::optional<Limit> limit = std::nullopt;
  };

  HttpParser() : HttpParser(Limits{}) {}
  explicit HttpParser(Limits limits) : limits_(limits) {}

  /// `buffer` begins with the first byte of the request. With every call it holds at least the same bytes as before,
  /// but may lie elsewhere.
  State parse(std::string_view buffer);

  /// The request, when it is complete. `buffer` must be that of the last `parse`.
  [[nodiscard]] HttpRequestView request(std::string_view buffer) const;
  /// The value of a header by its lower-case name (is_header_name); nothing when it is absent. The first of repeated
  /// headers counts.
  [[nodiscard]] std::optional<std::string_view> header(std::string_view buffer, std::string_view lower_name) const;
  [[nodiscard]] std::size_t header_count() const { return headers_.size(); }
  /// The name and the value of one header, in the order in which they came.
  [[nodiscard]] std::pair<std::string_view, std::string_view> header(std::string_view buffer, std::size_t index) const;
  /// The number of bytes of the request; the next one begins there.
  [[nodiscard]] std::size_t size() const { return end_; }
  /// The number of bytes that the parser itself keeps.
  [[nodiscard]] std::size_t kept_bytes() const { return chunked_body_.capacity(); }
  /// True once everything before the body has come.
  [[nodiscard]] bool has_head() const { return head_end_ != 0; }
  /// The size of the whole request, when it is known.
  [[nodiscard]] std::optional<std::size_t> expected_size() const {
    return head_end_ != 0 && content_length_ ? std::optional(head_end_ + *content_length_) : std::nullopt;
  }
  /// True while the client waits for permission to send the body ("Expect: 100-continue").
  [[nodiscard]] bool expects_continue() const { return head_end_ != 0 && end_ == 0 && expect_continue_; }
  [[nodiscard]] Problem problem() const { return problem_; }

  /// Prepares for the next request.
  void reset();

 private:
  struct Span {
    std::uint32_t begin = 0;
    std::uint32_t length = 0;
  };
  struct Header {
    Span name;
    Span value;
  };

  /// Records the problem and returns false, so that a check can return it.
  bool refuse(int status, std::string_view reason, std::optional<Limit> limit = std::nullopt);
  State bad(int status, std::string_view reason, std::optional<Limit> limit = std::nullopt);
  bool parse_head(std::string_view head);
  bool parse_request_line(std::string_view line);
  bool parse_header(std::string_view head, std::string_view line);
  bool apply_header(std::string_view name, std::string_view value);
  bool check_framing();
  State parse_chunks(std::string_view buffer);
  bool check_chunk(std::string_view line, std::optional<std::uint64_t> size);

  Limits limits_;
  Problem problem_;
  std::size_t head_end_ = 0;  // of the blank line; 0 until the head is complete
  std::size_t searched_ = 0;  // how far the end of the head has been searched for
  std::size_t end_ = 0;       // of the request; 0 until it is complete

  Span method_;
  Span target_;
  std::vector<Header> headers_;
  std::optional<std::uint64_t> content_length_;
  bool chunked_ = false;
  bool http_1_0_ = false;
  bool close_ = false;
  bool has_host_ = false;
  bool expect_continue_ = false;

  std::size_t chunk_at_ = 0;  // where the next chunk begins
  std::string chunked_body_;
};

}  // namespace dolmen::wire
