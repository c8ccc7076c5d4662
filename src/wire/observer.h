#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "dolmen/error.h"

namespace dolmen::wire {

/// What became of a request. Lives only during the call.
struct AnsweredView {
  /// Empty when the request names none that is known.
  std::string_view operation;
  /// The table that it names; "*" for several, and empty for none.
  std::string_view table;
  int status = 200;
  /// Null when it was done. Its message may repeat what the request had in it, or name files of this machine.
  const Error* error = nullptr;
  std::chrono::nanoseconds time{0};
  std::size_t request_bytes = 0;
  std::size_t response_bytes = 0;
  /// The id of the key that signed it; empty when nobody looked, or none did.
  std::string_view access_key;
  /// The address that it came from.
  std::string_view peer;
  std::string_view request_id;
};

/// Hears of every request, and knows how the server is. Thread-safe. Nothing may block but `metrics`.
class Observer {
 public:
  virtual ~Observer() = default;

  /// Called before the answer is sent, so it must be quick.
  virtual void answered(const AnsweredView& request) = 0;
  /// A request that is not HTTP, took too long or is too large.
  virtual void refused(int status) = 0;

  /// All numbers of the server, in the text format of Prometheus.
  [[nodiscard]] virtual std::string metrics() const = 0;
  /// Fails when the server does not accept writes. The message is for everybody.
  [[nodiscard]] virtual Result<void> ready() const = 0;
};

}  // namespace dolmen::wire
