#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <memory>
#include <optional>
#include <utility>

#include "wire/tls.h"

namespace dolmen::wire {

/// The bytes to and from one client, over TLS or plain. Used only on the thread of its event loop.
class ClientStream {
 public:
  using Error = boost::system::error_code;

  /// Plain when there are no TLS settings.
  ClientStream(boost::asio::ip::tcp::socket socket, std::shared_ptr<TlsSettings> tls)
      : tls_settings_(std::move(tls)), socket_(std::move(socket)) {
    if (tls_settings_ != nullptr) tls_.emplace(socket_, tls_settings_->context());
  }
  ClientStream(const ClientStream&) = delete;
  ClientStream& operator=(const ClientStream&) = delete;

  boost::asio::ip::tcp::socket& socket() { return socket_; }
  [[nodiscard]] bool is_tls() const { return tls_.has_value(); }

  /// Only over TLS; must come first.
  template <class Handler>
  void handshake(Handler handler) {
    tls_->async_handshake(boost::asio::ssl::stream_base::server, std::move(handler));
  }

  template <class Handler>
  void read_some(boost::asio::mutable_buffer buffer, Handler handler) {
    if (tls_) return tls_->async_read_some(buffer, std::move(handler));
    socket_.async_read_some(buffer, std::move(handler));
  }

  /// Waits until there is something to read, without memory for it. Only without TLS; `read_now` then reads it.
  template <class Handler>
  void wait_for_bytes(Handler handler) {
    socket_.async_wait(boost::asio::ip::tcp::socket::wait_read, std::move(handler));
  }

  std::size_t read_now(boost::asio::mutable_buffer buffer, Error& error) { return socket_.read_some(buffer, error); }

  /// Sends what can be sent at once. Only without TLS.
  template <class Buffers>
  std::size_t write_now(const Buffers& buffers, Error& error) {
    return socket_.write_some(buffers, error);
  }

  template <class Buffers, class Handler>
  void write(Buffers buffers, Handler handler) {
    if (tls_) return boost::asio::async_write(*tls_, std::move(buffers), std::move(handler));
    boost::asio::async_write(socket_, std::move(buffers), std::move(handler));
  }

  /// Tells the client that nothing more comes.
  void end_sending() {
    Error ignored;  // The client may have gone.
    socket_.shutdown(boost::asio::ip::tcp::socket::shutdown_send, ignored);
  }

  void close() {
    Error ignored;  // The client may have closed first.
    socket_.shutdown(boost::asio::ip::tcp::socket::shutdown_both, ignored);
    socket_.close(ignored);
  }

 private:
  std::shared_ptr<TlsSettings> tls_settings_;  // The certificates may be replaced while the connection lasts.
  boost::asio::ip::tcp::socket socket_;
  std::optional<boost::asio::ssl::stream<boost::asio::ip::tcp::socket&>> tls_;
};

}  // namespace dolmen::wire
