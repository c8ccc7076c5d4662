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
  /// For everything, from the first try to connect to the last byte of the response.
  std::chrono::milliseconds timeout{30'000};
  std::size_t response_bytes_max = std::size_t{32} << 20;
  /// Of all lines before and after the body, those of interim responses too.
  std::size_t response_header_bytes_max = std::size_t{256} << 10;
  std::size_t response_headers_max = 1000;
  /// Whether the environment's proxies (https_proxy and its like) apply.
  bool use_proxy = true;
  /// Ends the request with kCanceled, wherever it is.
  std::stop_token stop = {};
};

struct Response {
  int status = 0;
  /// Their names are in lower case. Trailers, which come after the body, are not among them.
  std::vector<Header> headers;
  /// As it came: nothing is decompressed.
  std::string body;

  [[nodiscard]] std::optional<std::string_view> header(std::string_view lower_case_name) const;
};

/// Why there is no response.
struct Failure {
  /// kUnavailable, kTimeout, kUnexpectedResponse (too large, or not HTTP), kClosed, kCanceled, or kInvalidArgument for
  /// a URL. A response for which there is no memory is kUnavailable.
  Error error;
  /// False only when the request cannot have reached the server.
  bool may_have_arrived = false;
};

using Outcome = std::expected<Response, Failure>;

struct ClientOptions {
  /// Connections to one server at the same time; more requests wait for their turn.
  long connections_max = 64;
  /// A connection that was idle for longer is not used again.
  std::chrono::seconds idle_timeout{55};
  /// Certificates to trust instead of the system's; empty means the system's.
  std::string ca_file = {};
};

/// Sends requests over connections that are kept and shared. A request is sent once: nothing is repeated here, not even
/// on a kept connection that turns out to be closed. Thread-safe.
class Client {
 public:
  /// Called once, on the client's own thread. It must not block.
  using Completion = std::move_only_function<void(Outcome)>;
  using Task = std::move_only_function<void()>;

  explicit Client(ClientOptions options = {});
  /// Closes.
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void send(Request request, Completion done);
  /// The same, waiting. Not for the client's own thread.
  Outcome send_and_wait(Request request);

  /// Runs `task` on the client's thread after a time, or at once when the client is closed or `stop` is requested.
  void after(std::chrono::milliseconds delay, Task task, std::stop_token stop = {});

  /// Ends what is under way, and everything that is sent from now on, with kClosed. Returns when the client's thread,
  /// which must not call this, has ended; from then on completions and tasks run at once on the thread that asks.
  void close();

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace dolmen::http
