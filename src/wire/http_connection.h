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
};

/// What a connection may take; see HttpServerOptions.
struct ConnectionLimits {
  HttpParser::Limits parser = {};
  std::chrono::milliseconds idle_max;
  std::chrono::milliseconds head_max;
  std::chrono::milliseconds request_max;
  std::chrono::milliseconds answer_max;
  std::size_t requests_in_flight_max;
  std::size_t request_memory_max;
};

/// One client. Reads requests, passes them to the handler one at a time and writes the responses in order. All calls
/// are made on the thread of its event loop, which owns it. A handler holds no reference to it: an answer that comes
/// after the connection has closed is dropped.
class HttpConnection : public std::enable_shared_from_this<HttpConnection> {
 public:
  using Clock = std::chrono::steady_clock;

  /// A client that has connected.
  struct Arrival {
    boost::asio::ip::tcp::socket socket;
    std::shared_ptr<TlsSettings> tls;  ///< null: plain
    boost::asio::ip::address address;
    bool turned_away = false;  ///< Its first request is refused.
  };

  /// Where it belongs. Everything but the traffic must outlive the connection.
  struct Home {
    HttpHandler& handler;
    const ConnectionLimits& limits;
    std::shared_ptr<Traffic> traffic;
    ConnectionList& list;
  };

  HttpConnection(Arrival arrival, Home home);

  /// Answers return through `loop`.
  void start(std::shared_ptr<LoopEntrance> loop);
  [[nodiscard]] bool is_turned_away() const { return turned_away_; }
  [[nodiscard]] const boost::asio::ip::address& address() const { return address_; }

  /// Closes at once when idle, otherwise after the response to the current request, which may still be coming in.
  void drain();
  void close();

  /// Ends what takes too long: refuses an incomplete request, or disconnects a client that is idle, does not take its
  /// responses, does not finish the TLS handshake, or goes on sending after a refusal.
  void check_time(Clock::time_point now);

 private:
  /// How many bytes may wait to be sent before further requests of the client wait too.
  static constexpr std::size_t kPendingBytesMax = std::size_t{1} << 20;
  /// A connection that holds less does not count towards the limit for all connections.
  static constexpr std::size_t kCountedBytesMin = std::size_t{16} << 10;
  /// How many bytes of a refused client are discarded.
  static constexpr std::size_t kThrownAwayMax = std::size_t{64} << 20;
  /// How long a connection without a request keeps its buffers.
  static constexpr std::chrono::milliseconds kBuffersKept{500};
  /// How long a client that is turned away may take for everything.
  static constexpr std::chrono::milliseconds kTurnedAwayMax{2000};

  /// Where the answer to a request goes.
  struct ReturnAddress {
    std::shared_ptr<LoopEntrance> loop;
    std::weak_ptr<HttpConnection> connection;
    std::shared_ptr<Traffic> traffic;
  };

  /// A request in flight, counted until it is answered or given up, also when the connection has closed meanwhile.
  class InFlight {
   public:
    InFlight(std::shared_ptr<const ReturnAddress> to, std::size_t bytes);
    InFlight(InFlight&&) noexcept = default;
    InFlight& operator=(InFlight&&) = delete;
    ~InFlight();

    [[nodiscard]] const std::shared_ptr<const ReturnAddress>& to() const { return to_; }

   private:
    std::shared_ptr<const ReturnAddress> to_;  // null after a move
    std::size_t counted_bytes_ = 0;
  };

  [[nodiscard]] std::size_t pending_bytes() const { return to_write_.size() + written_.size(); }
  [[nodiscard]] bool is_idle() const;
  void release_buffers();
  /// What the client has exceeded.
  [[nodiscard]] std::optional<Limit> overdue(Clock::time_point now) const;

  void read();
  void have_read(boost::system::error_code error, std::size_t count);
  void count_memory();
  [[nodiscard]] bool has_too_much_memory() const;
  void end_input();
  void process();
  void handle_requests();
  void skip_blank_line();
  void wait_for_more();
  void handle_request();
  void end_request();
  void respond(HttpResponse response, bool keep_alive);
  void respond_later(HttpResponse response, bool keep_alive);
  void refuse(HttpParser::Problem problem);
  bool refuse_for_now();
  void allow_body();
  void write();
  void finish();
  void linger(std::size_t count);

  ClientStream stream_;
  const Home home_;
  HttpParser parser_;
  const boost::asio::ip::address address_;  // of the client
  const bool turned_away_;
  std::string peer_;                                  // the same as text
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
  bool draining_ = false;
  bool last_response_ = false;       // close once everything is written
  bool continued_ = false;           // "100 Continue" has been sent for this request
  bool blank_line_skipped_ = false;  // before this request
  bool input_ended_ = false;         // the client has closed its side
  bool linger_after_ = false;        // see `finish`
  bool lingering_ = false;
  bool closed_ = false;
  std::size_t thrown_away_ = 0;
  std::size_t counted_bytes_ = 0;  // the part of Traffic::request_bytes that is of this connection
};

}  // namespace dolmen::wire
