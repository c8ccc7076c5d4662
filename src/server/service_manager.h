#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"

namespace dolmen {

/// The service manager that started this process, such as systemd, if one did: it hands over sockets and hears how far
/// the service is (sd_listen_fds(3) and sd_notify(3), whose protocols need no library).
class ServiceManager {
 public:
  /// The values of the variables that it sets; empty for those that it does not.
  struct Environment {
    std::string notify_socket = {};
    std::string listen_pid = {};
    std::string listen_fds = {};
  };
  static Environment environment();

  /// Fails with kInvalidArgument for sockets that cannot be understood. Those of another process are not for this one.
  static Result<ServiceManager> open(Environment environment);

  /// Descriptors of sockets that listen already; usually none.
  [[nodiscard]] const std::vector<int>& sockets() const { return sockets_; }

  /// The states of sd_notify. Nobody hears them when there is no service manager; that it cannot be reached does not
  /// keep a service from working.
  void ready(std::string_view status) const;
  void reloading() const;
  void stopping() const;

 private:
  ServiceManager() = default;
  void send(std::string_view state) const;

  std::string notify_socket_;
  std::vector<int> sockets_;
};

/// The address to which a socket is bound, and its port.
struct SocketAddress {
  std::string host;
  std::uint16_t port = 0;
};
/// Fails with kInvalidArgument when the descriptor is not a socket of IPv4 or IPv6.
Result<SocketAddress> address_of_socket(int descriptor);

}  // namespace dolmen
