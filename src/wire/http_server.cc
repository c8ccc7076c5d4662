#include "wire/http_server.h"

#include <algorithm>
#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>
#include <vector>

#include "base/fail.h"
#include "wire/http_connection.h"

namespace dolmen::wire {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

/// Totals over the connections of all loops.
struct Totals {
  std::atomic<std::size_t> connections = 0;
  std::atomic<std::ptrdiff_t> receiving_bytes = 0;
};

/// One thread with its connections. Everything but the constructor, the destructor and `join` runs on that thread.
class Loop final : public ConnectionList {
 public:
  Loop(const HttpServerOptions& options, HttpHandler& handler, Totals& totals)
      : options_(options), handler_(handler), totals_(totals) {
    sweep_later();
    thread_ = std::thread([this] {
      entrance_->adopt_thread();
      context_.run();
    });
  }

  ~Loop() override {
    join();
    entrance_->close();
  }

  asio::io_context& context() { return context_; }

  void adopt(tcp::socket socket, std::shared_ptr<TlsSettings> tls) {
    if (draining_ || totals_.connections.load() >= options_.connections_max) return;  // Closes the socket.
    ++totals_.connections;
    auto connection =
        std::make_shared<HttpConnection>(std::move(socket), std::move(tls), handler_, options_.limits, *this);
    connections_.emplace(connection.get(), connection);
    connection->start(entrance_);
  }

  void closed(HttpConnection& connection) override {
    if (connections_.erase(&connection) == 0) return;
    --totals_.connections;
    if (draining_ && connections_.empty()) finish();
  }

  bool receiving(std::ptrdiff_t change) override {
    const std::ptrdiff_t now = totals_.receiving_bytes += change;
    return change <= 0 || static_cast<std::size_t>(now) <= options_.receiving_bytes_max;
  }

  void drain() {
    draining_ = true;
    sweep_timer_.cancel();
    for (const auto& connection : open()) connection->drain();
    if (connections_.empty()) finish();
  }

  void cut_off() {
    for (const auto& connection : open()) connection->close();
  }

  void join() {
    if (thread_.joinable()) thread_.join();
  }

 private:
  /// How late at most a connection is closed.
  static constexpr std::chrono::milliseconds kSweepEveryMax{5000};

  void finish() { work_.reset(); }

  /// A copy, since connections leave the list when they close.
  [[nodiscard]] std::vector<std::shared_ptr<HttpConnection>> open() const {
    std::vector<std::shared_ptr<HttpConnection>> all;
    all.reserve(connections_.size());
    for (const auto& [key, connection] : connections_) all.push_back(connection);
    return all;
  }

  void sweep_later() {
    constexpr std::chrono::milliseconds kSweepEveryMin{1};
    sweep_timer_.expires_after(
        std::clamp(std::min(options_.idle_max, options_.request_max) / 4, kSweepEveryMin, kSweepEveryMax));
    sweep_timer_.async_wait([this](error_code error) {
      if (error || draining_) return;
      sweep();
      sweep_later();
    });
  }

  /// Closes connections that have been idle, or have kept the server waiting, for too long.
  void sweep() {
    const auto now = HttpConnection::Clock::now();
    for (const auto& connection : open()) {
      if (const auto idle = connection->idle_since(); idle && now - *idle > options_.idle_max) {
        connection->close();
      } else if (const auto waiting = connection->waiting_since(); waiting && now - *waiting > options_.request_max) {
        connection->give_up();
      }
    }
  }

  const HttpServerOptions& options_;
  HttpHandler& handler_;
  Totals& totals_;
  asio::io_context context_{1};
  const std::shared_ptr<LoopEntrance> entrance_ = std::make_shared<LoopEntrance>(context_);
  asio::executor_work_guard<asio::io_context::executor_type> work_{context_.get_executor()};
  asio::steady_timer sweep_timer_{context_};
  std::unordered_map<HttpConnection*, std::shared_ptr<HttpConnection>> connections_;
  bool draining_ = false;
  std::thread thread_;
};

}  // namespace

class HttpServer::Impl {
 public:
  explicit Impl(const HttpServerOptions& options) : options_(options) {}

  ~Impl() { stop(std::chrono::milliseconds(0)); }

  Result<void> reload_tls() {
    if (!options_.tls.given()) return {};
    DOLMEN_TRY(auto settings, TlsSettings::load(options_.tls));
    tls_ = std::move(settings);
    return {};
  }

  Result<void> listen() {
    DOLMEN_TRY_VOID(reload_tls());
    error_code error;
    const asio::ip::address address = asio::ip::make_address(options_.host, error);
    if (error)
      return fail(Code::kInvalidArgument, "\"{}\" is not an IP address to listen on; try 127.0.0.1 or 0.0.0.0",
                  options_.host);
    acceptor_.emplace(acceptor_context_);
    const tcp::endpoint endpoint(address, options_.port);
    acceptor_->open(endpoint.protocol(), error);
    if (!error) acceptor_->set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor_->bind(endpoint, error);
    if (!error) acceptor_->listen(asio::socket_base::max_listen_connections, error);
    if (error == asio::error::address_in_use)
      return fail(Code::kAddressInUse, "{}:{} is in use; choose another port with --port, or 0 for any free one",
                  options_.host, options_.port);
    if (error)
      return fail(Code::kInvalidArgument,
                  "cannot listen on {}:{}: {}; choose an address of this machine with --host, and a port with --port",
                  options_.host, options_.port, error.message());
    port_ = acceptor_->local_endpoint().port();
    return {};
  }

  void serve(HttpHandler& handler) {
    const unsigned cores = std::max(std::thread::hardware_concurrency(), 1U);
    const unsigned threads = options_.threads == 0 ? cores : options_.threads;
    for (unsigned i = 0; i < threads; ++i) loops_.push_back(std::make_unique<Loop>(options_, handler, totals_));
    accept();
    acceptor_thread_ = std::thread([this] { acceptor_context_.run(); });
  }

  [[nodiscard]] std::uint16_t port() const { return port_; }

  void stop(std::chrono::milliseconds patience) {
    if (loops_.empty()) return;
    if (acceptor_thread_.joinable()) {
      asio::post(acceptor_context_, [this] {
        stopping_ = true;
        retry_timer_.cancel();
        error_code ignored;
        acceptor_->close(ignored);
      });
      acceptor_thread_.join();
    }
    for (const auto& loop : loops_) asio::post(loop->context(), [&loop] { loop->drain(); });
    std::thread reaper([this, patience] { cut_off_after(patience); });
    for (const auto& loop : loops_) loop->join();
    {
      const std::lock_guard lock(drained_mutex_);
      drained_ = true;
    }
    drained_signal_.notify_one();
    reaper.join();
    loops_.clear();
  }

 private:
  void accept() {
    Loop& loop = *loops_[next_loop_++ % loops_.size()];
    acceptor_->async_accept(loop.context(), [this, &loop](error_code error, tcp::socket socket) {
      if (stopping_) return;
      if (error) return accept_later();
      asio::post(loop.context(), [&loop, socket = std::move(socket), tls = tls_.load()]() mutable {
        loop.adopt(std::move(socket), std::move(tls));
      });
      accept();
    });
  }

  /// Called when the process has no file descriptors left, or a client disconnected at once.
  void accept_later() {
    retry_timer_.expires_after(std::chrono::milliseconds(50));
    retry_timer_.async_wait([this](error_code error) {
      if (!error && !stopping_) accept();
    });
  }

  void cut_off_after(std::chrono::milliseconds patience) {
    std::unique_lock lock(drained_mutex_);
    if (drained_signal_.wait_for(lock, patience, [this] { return drained_; })) return;
    for (const auto& loop : loops_) asio::post(loop->context(), [&loop] { loop->cut_off(); });
  }

  const HttpServerOptions options_;
  std::uint16_t port_ = 0;
  std::atomic<std::shared_ptr<TlsSettings>> tls_;  // null: plain HTTP
  Totals totals_;
  std::vector<std::unique_ptr<Loop>> loops_;

  // Used on the acceptor's thread once it runs.
  asio::io_context acceptor_context_{1};
  std::optional<tcp::acceptor> acceptor_;
  asio::steady_timer retry_timer_{acceptor_context_};
  std::size_t next_loop_ = 0;
  bool stopping_ = false;
  std::thread acceptor_thread_;

  std::mutex drained_mutex_;  // guards drained_
  std::condition_variable drained_signal_;
  bool drained_ = false;
};

HttpServer::HttpServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
HttpServer::~HttpServer() = default;

Result<std::unique_ptr<HttpServer>> HttpServer::listen(const HttpServerOptions& options) {
  auto impl = std::make_unique<Impl>(options);
  DOLMEN_TRY_VOID(impl->listen());
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(impl)));
}

std::uint16_t HttpServer::port() const { return impl_->port(); }

Result<void> HttpServer::reload_tls() { return impl_->reload_tls(); }

void HttpServer::serve(HttpHandler& handler) { impl_->serve(handler); }

void HttpServer::stop(std::chrono::milliseconds patience) { impl_->stop(patience); }

}  // namespace dolmen::wire
