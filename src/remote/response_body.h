#pragma once

#include <cstddef>
#include <string>

#include "dolmen/error.h"
#include "http_client/http_client.h"

namespace dolmen::remote {

/// The body of a response, decompressed if need be, after its checksum over the received bytes has been checked. Fails
/// with kUnexpectedResponse when it is damaged or larger than `bytes_max`.
Result<std::string> checked_body(http::Response response, std::size_t bytes_max);

}  // namespace dolmen::remote
