#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "wire/http.h"
#include "wire/loop_entrance.h"
#include "wire/receive_buffer.h"
#include "wire/send_buffer.h"

namespace dolmen::wire {

class HttpConnection;

/// Knows its open connections. One for each event loop, used only on its thread.
class ConnectionList {
 public:
  virtual ~ConnectionList() = default;
  virtual void closed(HttpConnection& connection) = 0;
  /// A connection keeps so many bytes more, or fewer, of a request that has not come whole. False when all connections
  /// together keep too many.
  virtual bool receiving(std::ptrdiff_t change) = 0;
};

/// One client. Reads requests, hands them to the handler one at a time and writes the responses in order. All calls are
/// made on the thread of its event loop, which alone owns it: a handler that answers late, from whatever thread, has
/// nothing of it in its hands and finds it gone.
class HttpConnection : public std::enable_shared_from_this<HttpConnection> {
 public:
  using Clock = std::chrono::steady_clock;

  HttpConnection(boost::asio::ip::tcp::socket socket, HttpHandler& handler, HttpParser::Limits limits,
                 ConnectionList& list);

  /// `loop` is the way back for the answers.
  void start(std::shared_ptr<LoopEntrance> loop);
  /// Closes at once when idle, else after the response to the request under way.
  void drain();
  void close();

  /// The client has kept the server waiting for too long: a request that has not come whole is refused, and the
  /// connection closed.
  void give_up();

  /// Since when the client has kept the server waiting: for the rest of a request, from its first byte, however
  /// steadily it trickles in; for room to answer; or for its end, after a refusal. Nothing while it does not.
  [[nodiscard]] std::optional<Clock::time_point> waiting_since() const;
  /// Since when no request has been received, handled or answered. Nothing while one is.
  [[nodiscard]] std::optional<Clock::time_point> idle_since() const;

 private:
  /// How much may wait to be sent before further requests of the client wait too.
  static constexpr std::size_t kPendingBytesMax = std::size_t{1} << 20;
  /// Unfinished requests that are smaller are not counted against the memory for all.
  static constexpr std::size_t kCountedBytesMin = std::size_t{64} << 10;
  /// How much of a refused client's bytes is taken off its hands.
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
  void refuse(HttpParser::Problem problem);
  void allow_body();
  void write();
  void finish();
  void linger(std::size_t count);

  boost::asio::ip::tcp::socket socket_;
  HttpHandler& handler_;
  ConnectionList& list_;
  HttpParser parser_;
  std::shared_ptr<const ReturnAddress> return_address_;
  ReceiveBuffer received_;
  SendBuffer to_write_;                               // being gathered
  SendBuffer written_;                                // being sent
  Clock::time_point quiet_since_ = Clock::now();      // when the client came, or all had been written
  std::optional<Clock::time_point> receiving_since_;  // when the first bytes of an unfinished request were seen
  Clock::time_point writing_since_;                   // while writing_
  Clock::time_point lingering_since_;                 // while lingering_
  bool processing_ = false;                           // inside `process`
  bool handling_ = false;                             // a request is with the handler
  bool reading_ = false;
  bool writing_ = false;
  bool last_response_ = false;  // close once everything is written
  bool continued_ = false;      // "100 Continue" has been sent for this request
  bool input_ended_ = false;    // the client has closed its side
  bool linger_after_ = false;   // see `finish`
  bool lingering_ = false;
  bool closed_ = false;
  std::size_t thrown_away_ = 0;
  std::size_t counted_bytes_ = 0;  // what the list has been told
};

}  // namespace dolmen::wire
