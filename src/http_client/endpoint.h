#pragma once

#include <string>

#include "dolmen/error.h"

namespace dolmen::http {

/// Where requests go.
struct Endpoint {
  /// With the slash at its end.
  std::string url;
  /// The host, and the port unless it is the scheme's own, as the header Host has it.
  std::string host;
  bool encrypted = false;
  /// On this machine: 127.x.x.x, ::1 or localhost.
  bool loopback = false;
};

/// Reads http://HOST[:PORT][/] or https://... Fails with kInvalidArgument for everything else.
Result<Endpoint> parse_endpoint(const std::string& url);

/// AWS's DynamoDB in a region.
std::string aws_endpoint(const std::string& region);

}  // namespace dolmen::http
