#include "wire/http_server.h"

#include <algorithm>
#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>
#include <vector>

#include "base/round.h"
#include "base/thread_name.h"
#include "wire/admission.h"
#include "wire/http_connection.h"
#include "wire/listening.h"

namespace dolmen::wire {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

/// Connections that are refused with an answer at the same time; further ones are only closed. Their descriptors are
/// among those that are not for connections.
constexpr std::size_t kTurnedAwayMax = 64;

/// What the loops of a server share. Thread-safe.
struct Shared {
  const ConnectionLimits limits;
  const std::shared_ptr<Traffic> traffic;
  Admission admission;
  std::atomic<std::size_t> turned_away = 0;

  /// Whether a new connection is served (false), refused with an answer (true), or closed at once (nothing).
  std::optional<bool> turn_away(const asio::ip::address& address, bool is_tls) {
    const std::optional<Limit> beyond = admission.admit(address);
    if (!beyond) return false;
    traffic->hit(*beyond);
    // A handshake costs more than an answer, so clients with TLS get none.
    if (is_tls || turned_away >= kTurnedAwayMax) return std::nullopt;
    ++turned_away;
    return true;
  }

  void leave(const asio::ip::address& address, bool was_turned_away) {
    if (was_turned_away)
      --turned_away;
    else
      admission.leave(address);
  }
};

/// The rounds of an event loop: what was ready when it last looked.
class LoopRounds final : public Round {
 public:
  explicit LoopRounds(asio::io_context& context) : context_(context) {}
  void at_end(std::move_only_function<void()> work) override { asio::post(context_, std::move(work)); }

 private:
  asio::io_context& context_;
};

/// One thread with its connections. Everything but the constructor, the destructor and `join` runs on that thread.
class Loop final : public ConnectionList {
 public:
  Loop(HttpHandler& handler, Shared& shared) : handler_(handler), shared_(shared) {
    sweep_later();
    thread_ = std::thread([this] {
      name_thread("network");
      entrance_->adopt_thread();
      rounds_.adopt_thread();
      context_.run();
    });
  }

  ~Loop() override {
    join();
    entrance_->close();
  }

  asio::io_context& context() { return context_; }

  void adopt(HttpConnection::Arrival arrival) {
    if (draining_) return shared_.leave(arrival.address, arrival.turned_away);  // Closes the socket.
    auto connection = std::make_shared<HttpConnection>(
        std::move(arrival),
        HttpConnection::Home{.handler = handler_, .limits = shared_.limits, .traffic = shared_.traffic, .list = *this});
    connections_.emplace(connection.get(), connection);
    connection->start(entrance_);
  }

  void closed(HttpConnection& connection) override {
    if (connections_.erase(&connection) == 0) return;
    shared_.leave(connection.address(), connection.is_turned_away());
    if (draining_ && connections_.empty()) finish();
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
  static constexpr std::chrono::milliseconds kSweepEveryMax{1000};

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
    const ConnectionLimits& limits = shared_.limits;
    const auto shortest = std::min({limits.idle_max, limits.head_max, limits.request_max, limits.answer_max});
    sweep_timer_.expires_after(std::clamp(shortest / 4, kSweepEveryMin, kSweepEveryMax));
    sweep_timer_.async_wait([this](error_code error) {
      if (error || draining_) return;
      sweep();
      sweep_later();
    });
  }

  /// Ends what takes too long.
  void sweep() {
    const auto now = HttpConnection::Clock::now();
    for (const auto& connection : open()) connection->check_time(now);
  }

  HttpHandler& handler_;
  Shared& shared_;
  asio::io_context context_{1};
  LoopRounds rounds_{context_};
  const std::shared_ptr<LoopEntrance> entrance_ = std::make_shared<LoopEntrance>(context_);
  asio::executor_work_guard<asio::io_context::executor_type> work_{context_.get_executor()};
  asio::steady_timer sweep_timer_{context_};
  std::unordered_map<HttpConnection*, std::shared_ptr<HttpConnection>> connections_;
  bool draining_ = false;
  std::thread thread_;
};

ConnectionLimits connection_limits(const HttpServerOptions& options) {
  return {.parser = options.limits,
          .idle_max = options.idle_max,
          .head_max = options.head_max,
          .request_max = options.request_max,
          .answer_max = options.answer_max,
          .requests_in_flight_max = options.requests_in_flight_max,
          .request_memory_max = options.request_memory_max};
}

Admission::Limits admission_limits(const HttpServerOptions& options) {
  const std::size_t all =
      connections_within(descriptors_max(), options.descriptors_kept + kTurnedAwayMax, options.connections_max);
  const std::size_t of_address = options.connections_per_address_max;
  return {.connections_max = all, .connections_per_address_max = of_address == 0 ? (3 * all + 3) / 4 : of_address};
}

}  // namespace

class HttpServer::Impl {
 public:
  explicit Impl(const HttpServerOptions& options)
      : options_(options),
        traffic_(std::make_shared<Traffic>()),
        shared_{.limits = connection_limits(options),
                .traffic = traffic_,
                .admission = Admission(admission_limits(options), *traffic_)} {}

  ~Impl() { stop(std::chrono::milliseconds(0)); }

  Result<void> reload_tls() {
    if (!options_.tls.given()) return {};
    DOLMEN_TRY(auto settings, TlsSettings::load(options_.tls));
    tls_ = std::move(settings);
    return {};
  }

  Result<void> listen() {
    DOLMEN_TRY_VOID(reload_tls());
    const auto add = [this](tcp::acceptor acceptor) {
      listeners_.push_back({std::move(acceptor), asio::steady_timer(acceptor_context_)});
    };
    if (options_.sockets.empty()) {
      DOLMEN_TRY(tcp::acceptor acceptor, open_port(acceptor_context_, options_.host, options_.port));
      add(std::move(acceptor));
    }
    for (const int socket : options_.sockets) {
      DOLMEN_TRY(tcp::acceptor acceptor, take_socket(acceptor_context_, socket));
      add(std::move(acceptor));
    }
    error_code ignored;  // An open socket has an address.
    port_ = listeners_.front().acceptor.local_endpoint(ignored).port();
    return {};
  }

  void serve(HttpHandler& handler) {
    const unsigned cores = std::max(std::thread::hardware_concurrency(), 1U);
    const unsigned threads = options_.threads == 0 ? cores : options_.threads;
    for (unsigned i = 0; i < threads; ++i) loops_.push_back(std::make_unique<Loop>(handler, shared_));
    for (Listener& listener : listeners_) accept(listener);
    acceptor_thread_ = std::thread([this] { acceptor_context_.run(); });
  }

  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] std::shared_ptr<Traffic> traffic() const { return traffic_; }

  void stop(std::chrono::milliseconds patience) {
    if (loops_.empty()) return;
    if (acceptor_thread_.joinable()) {
      asio::post(acceptor_context_, [this] {
        stopping_ = true;
        for (Listener& listener : listeners_) {
          listener.retry.cancel();
          error_code ignored;
          listener.acceptor.close(ignored);
        }
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
  struct Listener {
    tcp::acceptor acceptor;
    asio::steady_timer retry;
  };

  void accept(Listener& listener) {
    Loop& loop = *loops_[next_loop_++ % loops_.size()];
    listener.acceptor.async_accept(loop.context(), [this, &listener, &loop](error_code error, tcp::socket socket) {
      if (stopping_) return;
      if (error) return accept_later(listener, error);
      admit(loop, std::move(socket));
      accept(listener);
    });
  }

  void admit(Loop& loop, tcp::socket socket) {
    error_code gone;
    const asio::ip::address address = socket.remote_endpoint(gone).address();
    if (gone) return;
    std::shared_ptr<TlsSettings> tls = tls_.load();
    const std::optional<bool> turned_away = shared_.turn_away(address, tls != nullptr);
    if (!turned_away) return;
    asio::post(loop.context(), [&loop, arrival = HttpConnection::Arrival{.socket = std::move(socket),
                                                                         .tls = std::move(tls),
                                                                         .address = address,
                                                                         .turned_away = *turned_away}]() mutable {
      loop.adopt(std::move(arrival));
    });
  }

  /// Called when the process has no file descriptors left, or a client disconnected at once.
  void accept_later(Listener& listener, error_code error) {
    if (error == asio::error::no_descriptors) traffic_->hit(Limit::kDescriptors);
    listener.retry.expires_after(std::chrono::milliseconds(50));
    listener.retry.async_wait([this, &listener](error_code cancelled) {
      if (!cancelled && !stopping_) accept(listener);
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
  const std::shared_ptr<Traffic> traffic_;
  Shared shared_;
  std::vector<std::unique_ptr<Loop>> loops_;

  // Used on the acceptor's thread once it runs.
  asio::io_context acceptor_context_{1};
  std::vector<Listener> listeners_;
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

std::shared_ptr<Traffic> HttpServer::traffic() const { return impl_->traffic(); }

Result<void> HttpServer::reload_tls() { return impl_->reload_tls(); }

void HttpServer::serve(HttpHandler& handler) { impl_->serve(handler); }

void HttpServer::stop(std::chrono::milliseconds patience) { impl_->stop(patience); }

}  // namespace dolmen::wire
