#pragma once

#include <stop_token>

namespace dolmen {

/// A stop that is requested when one of two is, for as long as this lives.
class JoinedStop {
 public:
  JoinedStop(const std::stop_token& first, const std::stop_token& second)
      : on_first_(first, Request{joined_}), on_second_(second, Request{joined_}) {}
  JoinedStop(const JoinedStop&) = delete;
  JoinedStop& operator=(const JoinedStop&) = delete;

  [[nodiscard]] std::stop_token token() const { return joined_.get_token(); }

 private:
  struct Request {
    std::stop_source joined;
    void operator()() noexcept { joined.request_stop(); }
  };

  std::stop_source joined_;
  std::stop_callback<Request> on_first_;
  std::stop_callback<Request> on_second_;
};

}  // namespace dolmen
