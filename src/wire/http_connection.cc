#include "wire/http_connection.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <utility>

namespace dolmen::wire {

namespace asio = boost::asio;
using boost::system::error_code;

HttpConnection::HttpConnection(asio::ip::tcp::socket socket, std::shared_ptr<TlsSettings> tls, HttpHandler& handler,
                               HttpParser::Limits limits, ConnectionList& list)
    : stream_(std::move(socket), std::move(tls)), handler_(handler), list_(list), parser_(limits) {}

void HttpConnection::start(std::shared_ptr<LoopEntrance> loop) {
  return_address_ = std::make_shared<const ReturnAddress>(std::move(loop), weak_from_this());
  error_code ignored;  // Without this option responses are only slower, and a client that has gone has no address.
  peer_ = stream_.socket().remote_endpoint(ignored).address().to_string();
  stream_.socket().set_option(asio::ip::tcp::no_delay(true), ignored);
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
  last_response_ = true;
  if (!handling_ && !writing_) close();
}

void HttpConnection::close() {
  if (closed_) return;
  closed_ = true;
  stream_.close();
  penalty_.reset();
  count_received(0);
  list_.closed(*this);
}

void HttpConnection::give_up() {
  if (greeting_ || writing_ || lingering_) return close();
  refuse({.status = 408, .reason = "the request did not arrive in time"});
  write();
}

std::optional<HttpConnection::Clock::time_point> HttpConnection::waiting_since() const {
  if (greeting_) return quiet_since_;
  if (lingering_) return lingering_since_;
  if (!writing_) return receiving_since_;
  return std::min(writing_since_, receiving_since_.value_or(writing_since_));
}

std::optional<HttpConnection::Clock::time_point> HttpConnection::idle_since() const {
  const bool idle = !greeting_ && !handling_ && !writing_ && !lingering_ && received_.empty();
  return idle ? std::optional(quiet_since_) : std::nullopt;
}

void HttpConnection::read() {
  if (reading_ || closed_ || input_ended_) return;
  reading_ = true;
  const std::span<char> spare = received_.spare();
  stream_.read_some(asio::buffer(spare.data(), spare.size()),
                    [self = shared_from_this()](error_code error, std::size_t count) {
                      self->reading_ = false;
                      if (error == asio::error::eof) return self->end_input();
                      if (error) return self->close();
                      if (self->lingering_) return self->linger(count);
                      self->received_.added(count);
                      self->process();
                    });
}

/// Reports the size of an unfinished request to the list. False when all requests together are too large.
bool HttpConnection::count_received(std::size_t bytes) {
  const std::size_t counted = bytes < kCountedBytesMin ? 0 : bytes;
  if (counted == counted_bytes_) return true;
  const std::size_t before = std::exchange(counted_bytes_, counted);
  return list_.receiving(static_cast<std::ptrdiff_t>(counted) - static_cast<std::ptrdiff_t>(before));
}

/// The client sends no more requests, but it may still wait for responses.
void HttpConnection::end_input() {
  input_ended_ = true;
  if (lingering_) return close();
  process();
}

void HttpConnection::process() {
  processing_ = true;
  while (!handling_ && !last_response_ && !closed_ && pending_bytes() < kPendingBytesMax) {
    const HttpParser::State state = parser_.parse(received_.view());
    if (state == HttpParser::State::kNeedsMore) {
      if (!count_received(received_.view().size() + parser_.kept_bytes())) {
        refuse({.status = 503, .reason = "too many large requests are being received; try again"});
        break;
      }
      if (parser_.expects_continue()) allow_body();
      if (input_ended_) last_response_ = true;
      if (!receiving_since_ && !received_.empty()) receiving_since_ = Clock::now();
      read();
      break;
    }
    if (state == HttpParser::State::kBad) {
      refuse(parser_.problem());
    } else {
      handle_request();
    }
  }
  processing_ = false;
  write();
}

void HttpConnection::handle_request() {
  const HttpRequest request(parser_, received_.view(), peer_);
  const std::size_t size = parser_.size();
  handling_ = true;
  receiving_since_.reset();
  count_received(0);
  handler_.handle(request, [to = return_address_, keep_alive = request.keep_alive()](HttpResponse response) {
    to->loop->run([to, keep_alive, response = std::move(response)]() mutable {
      const auto self = to->connection.lock();
      if (self == nullptr) return;
      if (response.wait.count() > 0) return self->respond_later(std::move(response), keep_alive);
      self->respond(std::move(response), keep_alive);
    });
  });
  received_.consume(size);
  parser_.reset();
  continued_ = false;
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
  if (!keep_alive) last_response_ = true;
  append_response(to_write_, std::move(response), !last_response_);
  if (!processing_) process();
}

void HttpConnection::refuse(HttpParser::Problem problem) {
  last_response_ = true;
  linger_after_ = true;
  receiving_since_.reset();
  count_received(0);
  append_response(to_write_, handler_.refusal(problem), false);
}

void HttpConnection::allow_body() {
  if (continued_) return;
  continued_ = true;
  to_write_.end().append("HTTP/1.1 100 Continue\r\n\r\n");
}

void HttpConnection::write() {
  if (writing_ || closed_) return;
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
  read();
}

}  // namespace dolmen::wire
