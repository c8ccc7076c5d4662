#include "wire/listening.h"

#include <boost/asio/ip/address.hpp>
#include <fcntl.h>
#include <optional>
#include <sys/socket.h>

#include "base/fail.h"

namespace dolmen::wire {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

/// The protocol of a TCP socket that listens; nothing for anything else.
std::optional<tcp> protocol_of(int descriptor) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  int type = 0;
  socklen_t type_size = sizeof type;
  int listens = 0;
  socklen_t listens_size = sizeof listens;
  if (::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) != 0 ||
      ::getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &type_size) != 0 ||
      ::getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &listens_size) != 0 || type != SOCK_STREAM ||
      listens == 0)
    return std::nullopt;
  if (address.ss_family == AF_INET) return tcp::v4();
  return address.ss_family == AF_INET6 ? std::optional(tcp::v6()) : std::nullopt;
}

}  // namespace

Result<tcp::acceptor> open_port(asio::io_context& context, const std::string& host, std::uint16_t port) {
  error_code error;
  const asio::ip::address address = asio::ip::make_address(host, error);
  if (error)
    return fail(Code::kInvalidArgument, "\"{}\" is not an IP address to listen on; try 127.0.0.1 or 0.0.0.0", host);
  tcp::acceptor acceptor(context);
  const tcp::endpoint endpoint(address, port);
  acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error == asio::error::address_in_use)
    return fail(Code::kAddressInUse, "{}:{} is in use; choose another port with --port, or 0 for any free one", host,
                port);
  if (error)
    return fail(Code::kInvalidArgument,
                "cannot listen on {}:{}: {}; choose an address of this machine with --host, and a port with --port",
                host, port, error.message());
  return acceptor;
}

Result<tcp::acceptor> take_socket(asio::io_context& context, int descriptor) {
  const std::optional<tcp> protocol = protocol_of(descriptor);
  if (!protocol)
    return fail(Code::kInvalidArgument, "descriptor {} is not a TCP socket that listens (ListenStream= of systemd)",
                descriptor);
  ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);  // Only programs that this one starts would notice a failure.
  tcp::acceptor acceptor(context);
  error_code error;
  acceptor.assign(*protocol, descriptor, error);
  if (error) return fail(Code::kInvalidArgument, "cannot listen on descriptor {}: {}", descriptor, error.message());
  return acceptor;
}

}  // namespace dolmen::wire
