#pragma once

#include <string>

#include "dolmen/error.h"

namespace dolmen::http {

/// The destination of requests.
struct Endpoint {
  /// Ends with a slash.
  std::string url;
  /// The host, and the port unless it is the scheme's default, as in the Host header.
  std::string host;
  bool encrypted = false;
  /// True for an address of this machine: 127.x.x.x, ::1 or localhost.
  bool loopback = false;
};

/// Reads http://HOST[:PORT][/] or https://... Fails with kInvalidArgument for everything else.
Result<Endpoint> parse_endpoint(const std::string& url);

/// The URL of AWS's DynamoDB in a region.
std::string aws_endpoint(const std::string& region);
/// The URL of AWS's DynamoDB Streams in a region, which has a host of its own.
std::string aws_streams_endpoint(const std::string& region);
/// The URL at which AWS's DynamoDB searches vectors.
std::string aws_search_endpoint(const std::string& region);

}  // namespace dolmen::http
