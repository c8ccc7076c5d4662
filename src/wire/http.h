#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "wire/http_parser.h"
#include "wire/limits.h"

namespace dolmen::wire {

class SendBuffer;

/// Memory that belongs to a request, counted while this object lives. It may outlive the server.
class HeldMemory {
 public:
  HeldMemory() = default;
  HeldMemory(std::shared_ptr<Traffic> traffic, std::size_t bytes) : traffic_(std::move(traffic)), bytes_(bytes) {
    if (traffic_ != nullptr) traffic_->request_bytes += static_cast<std::ptrdiff_t>(bytes_);
  }
  HeldMemory(HeldMemory&& other) noexcept = default;
  HeldMemory& operator=(HeldMemory&&) = delete;
  ~HeldMemory() {
    if (traffic_ != nullptr) traffic_->request_bytes -= static_cast<std::ptrdiff_t>(bytes_);
  }

 private:
  std::shared_ptr<Traffic> traffic_;
  std::size_t bytes_ = 0;
};

/// A complete request. Lives only until the handler returns.
class HttpRequest {
 public:
  /// `peer` is the address that it came from. Without `traffic`, nothing is counted.
  HttpRequest(const HttpParser& parser, std::string_view buffer, std::string_view peer = {},
              const std::shared_ptr<Traffic>* traffic = nullptr)
      : parser_(parser), buffer_(buffer), view_(parser.request(buffer)), peer_(peer), traffic_(traffic) {}

  [[nodiscard]] std::string_view method() const { return view_.method; }
  /// The parts of the target before and after its first question mark. The path of a URI without a path is "/".
  [[nodiscard]] std::string_view path() const {
    const std::string_view path = view_.target.substr(0, view_.target.find('?'));
    return path.empty() ? "/" : path;
  }
  [[nodiscard]] std::string_view query() const {
    const std::size_t mark = view_.target.find('?');
    return mark == std::string_view::npos ? std::string_view() : view_.target.substr(mark + 1);
  }
  [[nodiscard]] std::string_view body() const { return view_.body; }
  [[nodiscard]] bool keep_alive() const { return view_.keep_alive; }
  [[nodiscard]] std::optional<std::string_view> header(std::string_view lower_name) const {
    return parser_.header(buffer_, lower_name);
  }
  [[nodiscard]] std::size_t header_count() const { return parser_.header_count(); }
  [[nodiscard]] std::pair<std::string_view, std::string_view> header(std::size_t index) const {
    return parser_.header(buffer_, index);
  }
  [[nodiscard]] std::string_view peer() const { return peer_; }
  /// All of it, from which a parser can read it again.
  [[nodiscard]] std::string_view raw() const { return buffer_.substr(0, parser_.size()); }

  /// Counts memory that a handler needs beside the request itself, such as its decompressed body.
  [[nodiscard]] HeldMemory hold(std::size_t bytes) const { return {traffic(), bytes}; }
  /// What the server counts; null when nothing is counted.
  [[nodiscard]] std::shared_ptr<Traffic> traffic() const {
    return traffic_ == nullptr ? std::shared_ptr<Traffic>() : *traffic_;
  }
  /// Counts that the handler refuses the request because of a limit.
  void hit(Limit limit) const {
    if (const auto counted = traffic()) counted->hit(limit);
  }

 private:
  const HttpParser& parser_;
  std::string_view buffer_;
  HttpRequestView view_;
  std::string_view peer_;
  const std::shared_ptr<Traffic>* traffic_;
};

struct HttpResponse {
  int status = 200;
  /// Complete lines with their line ends, in addition to those of every response.
  std::string headers = {};
  std::string body = {};
  /// What Content-Length says where the body is not sent: the length of the response to a GET.
  std::optional<std::size_t> length = std::nullopt;
  /// How long the client waits for it.
  std::chrono::milliseconds wait{0};
  /// The connection closes instead, and the client gets nothing.
  bool cut = false;
};

/// Answers requests. Called from every network thread.
class HttpHandler {
 public:
  /// Must be called exactly once, from any thread. It may outlive the server, and then does nothing.
  using Respond = std::move_only_function<void(HttpResponse)>;

  virtual ~HttpHandler() = default;
  /// Must not block.
  virtual void handle(const HttpRequest& request, Respond respond) = 0;
  /// The response to a request that is malformed, too large, too slow (408) or too much for now (503).
  [[nodiscard]] virtual HttpResponse refusal(const HttpParser::Problem& problem) const;
};

/// The reason phrase of a status.
std::string_view status_reason(int status);

/// Appends a whole response to `out`.
void append_response(SendBuffer& out, HttpResponse response, bool keep_alive);

}  // namespace dolmen::wire
