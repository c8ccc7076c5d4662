#include "wire/http_connection.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <utility>

namespace dolmen::wire {

namespace asio = boost::asio;
using boost::system::error_code;

HttpConnection::InFlight::InFlight(std::shared_ptr<const ReturnAddress> to, std::size_t bytes)
    : to_(std::move(to)), counted_bytes_(bytes < kCountedBytesMin ? 0 : bytes) {
  ++to_->traffic->requests_in_flight;
  if (counted_bytes_ > 0) to_->traffic->request_bytes += static_cast<std::ptrdiff_t>(counted_bytes_);
}

HttpConnection::InFlight::~InFlight() {
  if (to_ == nullptr) return;
  --to_->traffic->requests_in_flight;
  if (counted_bytes_ > 0) to_->traffic->request_bytes -= static_cast<std::ptrdiff_t>(counted_bytes_);
}

HttpConnection::HttpConnection(Arrival arrival, Home home)
    : stream_(std::move(arrival.socket), std::move(arrival.tls)),
      home_(std::move(home)),
      parser_(home_.limits.parser),
      address_(arrival.address),
      turned_away_(arrival.turned_away) {}

void HttpConnection::start(std::shared_ptr<LoopEntrance> loop) {
  return_address_ = std::make_shared<const ReturnAddress>(std::move(loop), weak_from_this(), home_.traffic);
  peer_ = address_.to_string();
  error_code ignored;  // Without this option responses are only slower.
  stream_.socket().set_option(asio::ip::tcp::no_delay(true), ignored);
  stream_.socket().non_blocking(true, ignored);
  if (!stream_.is_tls()) return read();
  greeting_ = true;
  stream_.handshake([self = shared_from_this()](error_code error) {
    self->greeting_ = false;
    self->quiet_since_ = Clock::now();
    if (error) return self->close();
    self->read();
  });
}

void HttpConnection::drain() {
  draining_ = true;
  if (is_idle() || greeting_ || turned_away_) close();
}

void HttpConnection::close() {
  if (closed_) return;
  closed_ = true;
  stream_.close();
  penalty_.reset();
  if (counted_bytes_ > 0) home_.traffic->request_bytes -= static_cast<std::ptrdiff_t>(std::exchange(counted_bytes_, 0));
  home_.list.closed(*this);
}

void HttpConnection::check_time(Clock::time_point now) {
  if (is_idle() && now - quiet_since_ > kBuffersKept) release_buffers();
  const std::optional<Limit> limit = overdue(now);
  if (!limit) return;
  if (!turned_away_ && !lingering_) home_.traffic->hit(*limit);
  if (*limit == Limit::kIdleTime || turned_away_ || greeting_ || writing_ || lingering_) return close();
  refuse({.status = 408, .reason = "the request did not arrive in time"});
  write();
}

/// A connection that waits for a request for long has no buffers.
void HttpConnection::release_buffers() {
  to_write_.release();
  written_.release();
  // With TLS, the read in progress uses it.
  if (!stream_.is_tls()) received_.release();
}

std::optional<Limit> HttpConnection::overdue(Clock::time_point now) const {
  const auto is_over = [&](Clock::time_point since, std::chrono::milliseconds most) { return now - since > most; };
  const ConnectionLimits& limits = home_.limits;
  const auto head_max = std::min(limits.head_max, limits.request_max);
  if (turned_away_) return is_over(quiet_since_, kTurnedAwayMax) ? std::optional(Limit::kHeadTime) : std::nullopt;
  if (greeting_) return is_over(quiet_since_, head_max) ? std::optional(Limit::kHeadTime) : std::nullopt;
  if (lingering_)
    return is_over(lingering_since_, limits.request_max) ? std::optional(Limit::kRequestTime) : std::nullopt;
  if (writing_ && is_over(writing_since_, limits.answer_max)) return Limit::kAnswerTime;
  if (receiving_since_) {
    if (!parser_.has_head() && is_over(*receiving_since_, head_max)) return Limit::kHeadTime;
    if (is_over(*receiving_since_, limits.request_max)) return Limit::kRequestTime;
  }
  return is_idle() && is_over(quiet_since_, limits.idle_max) ? std::optional(Limit::kIdleTime) : std::nullopt;
}

bool HttpConnection::is_idle() const {
  return !greeting_ && !handling_ && !writing_ && !lingering_ && received_.empty();
}

void HttpConnection::read() {
  if (reading_ || closed_ || input_ended_) return;
  reading_ = true;
  if (received_.empty() && !stream_.is_tls()) {
    return stream_.wait_for_bytes([self = shared_from_this()](error_code error) {
      std::size_t count = 0;
      if (!error) {
        const std::span<char> spare = self->received_.spare();
        count = self->stream_.read_now(asio::buffer(spare.data(), spare.size()), error);
      }
      self->have_read(error, count);
    });
  }
  const std::span<char> spare = received_.spare(parser_.expected_size());
  stream_.read_some(
      asio::buffer(spare.data(), spare.size()),
      [self = shared_from_this()](error_code error, std::size_t count) { self->have_read(error, count); });
}

void HttpConnection::have_read(error_code error, std::size_t count) {
  reading_ = false;
  if (error == asio::error::would_block) return read();
  if (error == asio::error::eof) return end_input();
  if (error) return close();
  if (lingering_) return linger(count);
  received_.added(count);
  process();
}

/// Reports what this connection holds.
void HttpConnection::count_memory() {
  const std::size_t held = received_.capacity() + parser_.kept_bytes() + pending_bytes();
  const std::size_t counted = held < kCountedBytesMin ? 0 : held;
  if (counted == counted_bytes_) return;
  home_.traffic->request_bytes +=
      static_cast<std::ptrdiff_t>(counted) - static_cast<std::ptrdiff_t>(std::exchange(counted_bytes_, counted));
}

bool HttpConnection::has_too_much_memory() const {
  return home_.traffic->request_bytes > static_cast<std::ptrdiff_t>(home_.limits.request_memory_max);
}

/// The client sends no more requests, but it may still wait for responses.
void HttpConnection::end_input() {
  input_ended_ = true;
  if (lingering_) return close();
  process();
}

void HttpConnection::process() {
  processing_ = true;
  bool held_back = true;
  while (held_back && !closed_) {
    handle_requests();
    // Requests wait for the client to receive earlier responses.
    held_back = pending_bytes() >= kPendingBytesMax;
    write();
    held_back = held_back && pending_bytes() < kPendingBytesMax;
  }
  processing_ = false;
  count_memory();
}

void HttpConnection::handle_requests() {
  while (!handling_ && !last_response_ && !closed_ && pending_bytes() < kPendingBytesMax) {
    if (turned_away_ && !received_.empty()) {
      refuse({.status = 503, .reason = "the server has too many connections; try again"});
      break;
    }
    skip_blank_line();
    const HttpParser::State state = received_.empty() ? HttpParser::State::kNeedsMore : parser_.parse(received_.view());
    if (state == HttpParser::State::kNeedsMore) {
      wait_for_more();
      break;
    }
    if (state == HttpParser::State::kBad) {
      if (const auto limit = parser_.problem().limit) home_.traffic->hit(*limit);
      refuse(parser_.problem());
    } else if (!refuse_for_now()) {
      handle_request();
    }
  }
}

/// Some clients send a line end too many after a body; a server should not mind (RFC 9112, 2.2).
void HttpConnection::skip_blank_line() {
  constexpr std::string_view kLineEnd = "\r\n";
  if (blank_line_skipped_ || parser_.has_head() || !received_.view().starts_with(kLineEnd)) return;
  blank_line_skipped_ = true;
  received_.consume(kLineEnd.size());
  parser_.reset();
}

/// The request is not complete.
void HttpConnection::wait_for_more() {
  count_memory();
  if (counted_bytes_ > 0 && has_too_much_memory()) {
    home_.traffic->hit(Limit::kRequestMemory);
    return refuse({.status = 503, .reason = "requests and answers take too much memory; try again"});
  }
  if (parser_.expects_continue()) allow_body();
  if (input_ended_ || (draining_ && received_.empty())) last_response_ = true;
  if (!receiving_since_ && !received_.empty()) receiving_since_ = Clock::now();
  read();
}

/// Refuses a complete request when there is too much to do already; the connection stays open.
bool HttpConnection::refuse_for_now() {
  const bool too_many = home_.traffic->requests_in_flight >= home_.limits.requests_in_flight_max;
  if (!too_many && !has_too_much_memory()) return false;
  home_.traffic->hit(too_many ? Limit::kRequestsInFlight : Limit::kRequestMemory);
  const bool keep_alive = parser_.request(received_.view()).keep_alive;
  append_response(to_write_,
                  home_.handler.refusal({.status = 503,
                                         .reason = too_many ? "too many requests are in progress; try again"
                                                            : "requests and answers take too much memory; try again"}),
                  keep_alive);
  if (!keep_alive || draining_) last_response_ = true;
  end_request();
  return true;
}

/// The next request begins.
void HttpConnection::end_request() {
  received_.consume(parser_.size());
  parser_.reset();
  receiving_since_.reset();
  continued_ = false;
  blank_line_skipped_ = false;
}

void HttpConnection::handle_request() {
  const HttpRequest request(parser_, received_.view(), peer_, &home_.traffic);
  handling_ = true;
  receiving_since_.reset();
  home_.handler.handle(request, [in_flight = InFlight(return_address_, parser_.size()),
                                 keep_alive = request.keep_alive()](HttpResponse response) mutable {
    const std::shared_ptr<const ReturnAddress> to = InFlight(std::move(in_flight)).to();
    to->loop->run([to, keep_alive, response = std::move(response)]() mutable {
      const auto self = to->connection.lock();
      if (self == nullptr) return;
      if (response.wait.count() > 0) return self->respond_later(std::move(response), keep_alive);
      self->respond(std::move(response), keep_alive);
    });
  });
  end_request();
}

void HttpConnection::respond_later(HttpResponse response, bool keep_alive) {
  penalty_.emplace(stream_.socket().get_executor(), std::exchange(response.wait, {}));
  penalty_->async_wait(
      [self = shared_from_this(), response = std::move(response), keep_alive](error_code error) mutable {
        if (!error) self->respond(std::move(response), keep_alive);
      });
}

void HttpConnection::respond(HttpResponse response, bool keep_alive) {
  handling_ = false;
  if (closed_) return;
  if (response.cut) return close();
  if (!keep_alive || draining_) last_response_ = true;
  append_response(to_write_, std::move(response), !last_response_);
  if (!processing_) process();
}

void HttpConnection::refuse(HttpParser::Problem problem) {
  last_response_ = true;
  linger_after_ = true;
  receiving_since_.reset();
  if (!reading_) {  // A read in progress uses the buffer.
    received_.consume(received_.view().size());
    received_.release();
  }
  append_response(to_write_, home_.handler.refusal(problem), false);
  parser_.reset();
}

void HttpConnection::allow_body() {
  if (continued_) return;
  continued_ = true;
  to_write_.end().append("HTTP/1.1 100 Continue\r\n\r\n");
}

void HttpConnection::write() {
  if (writing_ || closed_) return;
  if (!to_write_.empty() && !stream_.is_tls()) {
    // Nearly always the socket takes all of it.
    error_code error;
    const std::size_t sent = stream_.write_now(to_write_.buffers(), error);
    if (error && error != asio::error::would_block) return close();
    to_write_.consume(sent);
    if (to_write_.empty()) quiet_since_ = Clock::now();
  }
  if (to_write_.empty()) {
    if (last_response_ && !handling_) finish();
    return;
  }
  writing_ = true;
  writing_since_ = Clock::now();
  written_.clear();
  std::swap(written_, to_write_);
  stream_.write(written_.buffers(), [self = shared_from_this()](error_code error, std::size_t) {
    self->writing_ = false;
    self->written_.clear();
    self->quiet_since_ = Clock::now();
    if (error) return self->close();
    self->count_memory();
    // Requests may have waited for the client to receive earlier responses.
    if (!self->handling_ && !self->last_response_) return self->process();
    self->write();
  });
}

/// Everything has been written. A refused client may still be sending. Closing now would reset the connection and could
/// destroy the response, so the client's bytes are discarded for a while.
void HttpConnection::finish() {
  if (!linger_after_ || input_ended_) return close();
  lingering_ = true;
  lingering_since_ = Clock::now();
  stream_.end_sending();
  // A read in progress uses the buffer, and continues with `linger` by itself.
  if (!reading_) linger(0);
}

void HttpConnection::linger(std::size_t count) {
  thrown_away_ += count;
  if (thrown_away_ > kThrownAwayMax) return close();
  received_.consume(received_.view().size());
  received_.release();
  count_memory();
  read();
}

}  // namespace dolmen::wire
