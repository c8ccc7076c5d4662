#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace dolmen {

/// What a request to AWS is signed with.
struct AwsCredentials {
  std::string access_key_id;
  std::string secret_access_key;
  /// Only temporary credentials have one.
  std::string session_token = {};
  /// When they expire; empty when they do not.
  std::optional<std::chrono::system_clock::time_point> expires = std::nullopt;

  friend bool operator==(const AwsCredentials&, const AwsCredentials&) = default;
};

}  // namespace dolmen
