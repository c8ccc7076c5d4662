#pragma once

#include <boost/asio/ip/address.hpp>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>

#include "wire/limits.h"

namespace dolmen::wire {

/// Counts the connections of a server, in all and by address. Thread-safe.
class Admission {
 public:
  struct Limits {
    std::size_t connections_max = 0;
    std::size_t connections_per_address_max = 0;
  };

  Admission(Limits limits, Traffic& traffic) : limits_(limits), traffic_(traffic) {}

  /// Counts a new connection. When there are too many already it is not counted, and the limit that it is beyond is
  /// returned.
  [[nodiscard]] std::optional<Limit> admit(const boost::asio::ip::address& address);
  /// A connection that was admitted has closed.
  void leave(const boost::asio::ip::address& address);

 private:
  const Limits limits_;
  Traffic& traffic_;
  std::mutex by_address_mutex_;                                 // guards by_address_
  std::map<boost::asio::ip::address, std::size_t> by_address_;  // without zeros
};

/// The number of connections that a process can have when it may open `descriptors_max` files and keeps some of them
/// for the store: at most `wanted`. When there are few in all, the store gets half of them.
std::size_t connections_within(std::size_t descriptors_max, std::size_t kept, std::size_t wanted);

/// How many files this process may open.
std::size_t descriptors_max();

}  // namespace dolmen::wire
