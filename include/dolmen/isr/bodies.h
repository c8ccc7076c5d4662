#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "dolmen/clock.h"
#include "dolmen/credentials.h"
#include "dolmen/error.h"
#include "dolmen/isr/body_store.h"

/// The places for bodies that Dolmen comes with.
namespace dolmen {

/// A file for each body, below a directory that is created when it is missing. Slashes in keys are directories; what a
/// file name cannot hold is written as %XX. A body is written beside its place, synced, and renamed over the old one.
/// A key with a part that is too long for a file's name (255 bytes, as it is written) fails with kInvalidArgument.
/// Fails with kDirectoryUnusable, kNoSpace.
Result<std::unique_ptr<BodyStore>> open_body_directory(const std::filesystem::path& directory);

/// A bucket of S3, or of another server with its protocol.
struct BucketOptions {
  std::string bucket;
  /// http://HOST:PORT or https://HOST, where the bucket is the first part of the path; empty for AWS in `region`.
  std::string endpoint = {};
  /// Empty: as for `RemoteOptions`.
  std::string region = {};
  /// What bodies are to everybody who gets them from the bucket itself.
  std::string content_type = "text/html; charset=utf-8";
  /// Without them they are looked for as every AWS tool does.
  std::optional<AwsCredentials> credentials = std::nullopt;
  std::string profile = {};
  std::chrono::milliseconds connect_timeout{2000};
  std::chrono::milliseconds request_timeout{30'000};
  /// Larger bodies are refused with kUnexpectedResponse.
  std::size_t body_bytes_max = std::size_t{64} << 20;
  /// Every request has the same effect when it is repeated. The first one counts.
  int attempts_max = 3;
  /// For tests: the time that signatures go by, and what waits before a repetition.
  Now now = {};
  Sleep sleep = {};
};

/// Does not connect yet. Fails with kInvalidArgument for a malformed endpoint or bucket name, or when there is no
/// region. Calls fail with kUnavailable, kTimeout, kCredentials, kAccessDenied, kBucketNotFound,
/// kThrottled, kUnexpectedResponse.
Result<std::unique_ptr<BodyStore>> open_body_bucket(const BucketOptions& options);

}  // namespace dolmen
