#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "dolmen/credentials.h"
#include "dolmen/error.h"

namespace dolmen {

/// When credentials expire, from a time such as 2026-11-16T12:34:56Z, without its fraction. Nothing when the text is
/// not a time. A time beyond the range of the clock becomes the clock's last one.
std::optional<std::chrono::system_clock::time_point> expiry_of(std::string_view text);

/// Reads credentials from the metadata service of a container or machine, or from a credential process: an object
/// with AccessKeyId, SecretAccessKey, Token or SessionToken, and Expiration. Fails with kCredentials; `source` begins
/// the message.
Result<AwsCredentials> read_credential_json(std::string_view json, std::string_view source);

}  // namespace dolmen
