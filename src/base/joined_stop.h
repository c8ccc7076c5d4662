#pragma once

#include <stop_token>

namespace dolmen {

/// A stop that is requested as soon as one of two others is. Valid for the lifetime of this object.
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
