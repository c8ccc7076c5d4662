#include "wire/http_connection.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/write.hpp>
#include <fmt/format.h>

namespace dolmen::wire {

namespace asio = boost::asio;
using boost::system::error_code;

HttpConnection::HttpConnection(asio::ip::tcp::socket socket, HttpHandler& handler, HttpParser::Limits limits,
                               ConnectionList& list)
    : socket_(std::move(socket)), handler_(handler), list_(list), parser_(limits) {}

void HttpConnection::start() {
  error_code ignored;  // Without it responses are merely slower.
  socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
  read();
}

void HttpConnection::drain() {
  last_response_ = true;
  if (!handling_ && !writing_) close();
}

void HttpConnection::close() {
  if (closed_) return;
  closed_ = true;
  error_code ignored;  // The peer may have gone first.
  socket_.shutdown(asio::ip::tcp::socket::shutdown_both, ignored);
  socket_.close(ignored);
  list_.closed(*this);
}

void HttpConnection::read() {
  if (reading_ || closed_) return;
  reading_ = true;
  const std::span<char> spare = received_.spare();
  socket_.async_read_some(asio::buffer(spare.data(), spare.size()),
                          [self = shared_from_this()](error_code error, std::size_t count) {
                            self->reading_ = false;
                            if (error) return self->close();
                            self->received_.added(count);
                            self->active_at_ = Clock::now();
                            self->process();
                          });
}

void HttpConnection::process() {
  processing_ = true;
  while (!handling_ && !last_response_ && !closed_) {
    const HttpParser::State state = parser_.parse(received_.view());
    if (state == HttpParser::State::kNeedsMore) {
      if (parser_.expects_continue()) allow_body();
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
  const HttpRequest request(parser_, received_.view());
  const std::size_t size = parser_.size();
  handling_ = true;
  handler_.handle(request, [self = shared_from_this(), keep_alive = request.keep_alive()](HttpResponse response) {
    // Runs at once when the handler answers on this very thread.
    asio::dispatch(self->socket_.get_executor(), [self, keep_alive, response = std::move(response)] {
      self->respond(response, keep_alive);
    });
  });
  received_.consume(size);
  parser_.reset();
  continued_ = false;
}

void HttpConnection::respond(const HttpResponse& response, bool keep_alive) {
  handling_ = false;
  if (closed_) return;
  active_at_ = Clock::now();
  if (!keep_alive) last_response_ = true;
  append_response(to_write_, response, !last_response_);
  if (!processing_) process();
}

void HttpConnection::refuse(HttpParser::Problem problem) {
  last_response_ = true;
  append_response(to_write_,
                  {.status = problem.status,
                   .headers = "Content-Type: text/plain\r\n",
                   .body = fmt::format("{}\n", problem.reason)},
                  false);
}

void HttpConnection::allow_body() {
  if (continued_) return;
  continued_ = true;
  to_write_.append("HTTP/1.1 100 Continue\r\n\r\n");
}

void HttpConnection::write() {
  if (writing_ || closed_) return;
  if (to_write_.empty()) {
    if (last_response_ && !handling_) close();
    return;
  }
  writing_ = true;
  written_.clear();
  std::swap(written_, to_write_);
  asio::async_write(socket_, asio::buffer(written_), [self = shared_from_this()](error_code error, std::size_t) {
    self->writing_ = false;
    if (error) return self->close();
    self->write();
  });
}

}  // namespace dolmen::wire
