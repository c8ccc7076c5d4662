#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "dolmen/credentials.h"
#include "dolmen/error.h"

namespace dolmen {

/// Reads a time such as 2026-11-16T12:34:56Z, with or without a fraction. Nothing when it is none.
std::optional<std::chrono::system_clock::time_point> parse_utc_time(std::string_view text);

/// Reads credentials as a container's or machine's metadata service, or a credential process, writes them: an object
/// with AccessKeyId, SecretAccessKey, Token or SessionToken, and Expiration. Fails with kCredentials; `source` begins
/// the message.
Result<AwsCredentials> read_credential_json(std::string_view json, std::string_view source);

}  // namespace dolmen
