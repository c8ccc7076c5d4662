#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "dolmen/error.h"

namespace dolmen::wire {

/// Opens a port; 0 is any free one. Fails with kAddressInUse or kInvalidArgument.
Result<boost::asio::ip::tcp::acceptor> open_port(boost::asio::io_context& context, const std::string& host,
                                                 std::uint16_t port);

/// Takes a socket that listens already, and owns it from then on. Fails with kInvalidArgument when the descriptor is
/// not such a socket.
Result<boost::asio::ip::tcp::acceptor> take_socket(boost::asio::io_context& context, int descriptor);

}  // namespace dolmen::wire
