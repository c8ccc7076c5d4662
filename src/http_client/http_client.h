#pragma once

#include <chrono>
#include <cstddef>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"

/// HTTP requests to other machines, many at a time on one thread.
namespace dolmen::http {

struct Header {
  std::string name;
  std::string value;

  friend bool operator==(const Header&, const Header&) = default;
};

struct Request {
  std::string method = "POST";
  /// http: or https:.
  std::string url;
  std::vector<Header> headers = {};
  std::string body = {};
  std::chrono::milliseconds connect_timeout{2000};
  /// Covers everything from the first attempt to connect to the last byte of the response.
  std::chrono::milliseconds timeout{30'000};
  std::size_t response_bytes_max = std::size_t{32} << 20;
  /// Limits all lines before and after the body, including those of interim responses.
  std::size_t response_header_bytes_max = std::size_t{256} << 10;
  std::size_t response_headers_max = 1000;
  /// Whether the proxies of the environment (https_proxy and similar variables) are used.
  bool use_proxy = true;
  /// Ends the request with kCanceled at any stage.
  std::stop_token stop = {};
};

struct Response {
  int status = 0;
  /// Names are in lower case. Trailers, which follow the body, are not included.
  std::vector<Header> headers;
  /// As received, not decompressed.
  std::string body;

  [[nodiscard]] std::optional<std::string_view> header(std::string_view lower_case_name) const;
};

/// Why there is no response.
struct Failure {
  /// kUnavailable (also when memory does not suffice for the response), kTimeout, kUnexpectedResponse (too large, or
  /// not HTTP), kClosed, kCanceled, or kInvalidArgument for a URL.
  Error error;
  /// False only when the request cannot have reached the server.
  bool may_have_arrived = false;
};

using Outcome = std::expected<Response, Failure>;

struct ClientOptions {
  /// The number of simultaneous connections to one server; more requests wait for their turn.
  long connections_max = 64;
  /// A connection that was idle for longer is not used again.
  std::chrono::seconds idle_timeout{55};
  /// Certificates to trust instead of the system's; empty means the system's.
  std::string ca_file = {};
};

/// Sends requests over connections that are kept and shared. Sends each request once and never repeats it, not even
/// when a kept connection turns out to be closed. Thread-safe.
class Client {
 public:
  /// Called once, on the client's own thread. It must not block.
  using Completion = std::move_only_function<void(Outcome)>;
  using Task = std::move_only_function<void()>;

  explicit Client(ClientOptions options = {});
  /// Closes the client.
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void send(Request request, Completion done);
  /// The same, but waits for the outcome. Must not be called on the client's own thread.
  Outcome send_and_wait(Request request);

  /// Runs `task` on the client's thread after `delay`, or at once when the client is closed or `stop` is requested.
  void after(std::chrono::milliseconds delay, Task task, std::stop_token stop = {});

  /// Ends all current and future requests with kClosed. Returns when the client's thread has ended, which must not call
  /// this. From then on completions and tasks run at once on the calling thread.
  void close();

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace dolmen::http
