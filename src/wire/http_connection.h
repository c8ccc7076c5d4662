#pragma once

#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "wire/client_stream.h"
#include "wire/http.h"
#include "wire/loop_entrance.h"
#include "wire/receive_buffer.h"
#include "wire/send_buffer.h"

namespace dolmen::wire {

class HttpConnection;

/// The open connections of one event loop. Used only on its thread.
class ConnectionList {
 public:
  virtual ~ConnectionList() = default;
  virtual void closed(HttpConnection& connection) = 0;
  /// Reports by how many bytes the incomplete request of a connection has grown or shrunk. False when all connections
  /// together hold too many.
  virtual bool receiving(std::ptrdiff_t change) = 0;
};

/// One client. Reads requests, passes them to the handler one at a time and writes the responses in order. All calls
/// are made on the thread of its event loop, which owns it. A handler holds no reference to it: an answer that comes
/// after the connection has closed is dropped.
class HttpConnection : public std::enable_shared_from_this<HttpConnection> {
 public:
  using Clock = std::chrono::steady_clock;

  /// Plain when there are no TLS settings.
  HttpConnection(boost::asio::ip::tcp::socket socket, std::shared_ptr<TlsSettings> tls, HttpHandler& handler,
                 HttpParser::Limits limits, ConnectionList& list);

  /// Answers return through `loop`.
  void start(std::shared_ptr<LoopEntrance> loop);
  /// Closes at once when idle, otherwise after the response to the current request.
  void drain();
  void close();

  /// Refuses an incomplete request and closes the connection, because the client has kept the server waiting too long.
  void give_up();

  /// Since when the server has been waiting for the client: for the rest of a request, from its first byte even when
  /// bytes keep coming; for the end of the TLS handshake; for room to send the response; or for its end, after a
  /// refusal. Nothing while it does not wait.
  [[nodiscard]] std::optional<Clock::time_point> waiting_since() const;
  /// Since when no request is being received, handled or answered. Nothing while one is.
  [[nodiscard]] std::optional<Clock::time_point> idle_since() const;

 private:
  /// How many bytes may wait to be sent before further requests of the client wait too.
  static constexpr std::size_t kPendingBytesMax = std::size_t{1} << 20;
  /// Smaller unfinished requests do not count towards the limit for all connections.
  static constexpr std::size_t kCountedBytesMin = std::size_t{64} << 10;
  /// How many bytes of a refused client are discarded.
  static constexpr std::size_t kThrownAwayMax = std::size_t{64} << 20;

  /// Where the answer to a request goes.
  struct ReturnAddress {
    std::shared_ptr<LoopEntrance> loop;
    std::weak_ptr<HttpConnection> connection;
  };

  [[nodiscard]] std::size_t pending_bytes() const { return to_write_.size() + written_.size(); }

  void read();
  bool count_received(std::size_t bytes);
  void end_input();
  void process();
  void handle_request();
  void respond(HttpResponse response, bool keep_alive);
  void respond_later(HttpResponse response, bool keep_alive);
  void refuse(HttpParser::Problem problem);
  void allow_body();
  void write();
  void finish();
  void linger(std::size_t count);

  ClientStream stream_;
  HttpHandler& handler_;
  ConnectionList& list_;
  HttpParser parser_;
  std::string peer_;                                  // the address of the client
  std::optional<boost::asio::steady_timer> penalty_;  // while an answer has to wait
  std::shared_ptr<const ReturnAddress> return_address_;
  ReceiveBuffer received_;
  SendBuffer to_write_;                               // being collected
  SendBuffer written_;                                // being sent
  Clock::time_point quiet_since_ = Clock::now();      // when the client connected, or everything was written
  std::optional<Clock::time_point> receiving_since_;  // when the first bytes of an unfinished request were seen
  Clock::time_point writing_since_;                   // while writing_
  Clock::time_point lingering_since_;                 // while lingering_
  bool greeting_ = false;                             // the TLS handshake has not ended
  bool processing_ = false;                           // inside `process`
  bool handling_ = false;                             // the handler has a request
  bool reading_ = false;
  bool writing_ = false;
  bool last_response_ = false;  // close once everything is written
  bool continued_ = false;      // "100 Continue" has been sent for this request
  bool input_ended_ = false;    // the client has closed its side
  bool linger_after_ = false;   // see `finish`
  bool lingering_ = false;
  bool closed_ = false;
  std::size_t thrown_away_ = 0;
  std::size_t counted_bytes_ = 0;  // the bytes reported to the list
};

}  // namespace dolmen::wire
