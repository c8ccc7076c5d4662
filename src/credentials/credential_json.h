#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "dolmen/credentials.h"
#include "dolmen/error.h"

namespace dolmen {

/// When credentials end, from a time such as 2026-11-16T12:34:56Z, without its fraction. Nothing when it is none. A
/// time that the clock does not reach is the last one that it does.
std::optional<std::chrono::system_clock::time_point> expiry_of(std::string_view text);

/// Reads credentials as a container's or machine's metadata service, or a credential process, writes them: an object
/// with AccessKeyId, SecretAccessKey, Token or SessionToken, and Expiration. Fails with kCredentials; `source` begins
/// the message.
Result<AwsCredentials> read_credential_json(std::string_view json, std::string_view source);

}  // namespace dolmen
