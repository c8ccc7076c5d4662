#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "dolmen/clock.h"
#include "dolmen/credentials.h"
#include "dolmen/error.h"
#include "objects/object_store.h"

namespace dolmen {

/// A server with the protocol of S3, or AWS.
struct S3Options {
  /// http://HOST:PORT or https://HOST, where the bucket is the first part of the path; empty for AWS in `region`.
  std::string endpoint = {};
  /// Empty: as for `RemoteOptions`.
  std::string region = {};
  /// What objects are to everybody who gets them.
  std::string content_type = "application/octet-stream";
  /// Without them they are looked for as every AWS tool does.
  std::optional<AwsCredentials> credentials = std::nullopt;
  std::string profile = {};
  std::chrono::milliseconds connect_timeout{2000};
  std::chrono::milliseconds request_timeout{30'000};
  /// Larger responses are refused with kUnexpectedResponse.
  std::size_t response_bytes_max = std::size_t{64} << 20;
  /// Every request has the same effect when it is repeated. The first one counts.
  int attempts_max = 3;
  /// For tests: the time that signatures go by, and what waits before a repetition.
  Now now = {};
  Sleep sleep = {};
};

/// A bucket, and what page bodies need beside objects.
class S3Bucket : public ObjectStore {
 public:
  /// The whole object; nothing when there is none.
  virtual Result<std::optional<std::string>> get(const std::string& key) = 0;
  /// Its size; nothing when there is none.
  virtual Result<std::optional<std::uint64_t>> size_of(const std::string& key) = 0;
  /// `list` without its limit, in any order.
  virtual Result<void> visit(const std::string& prefix, const std::function<void(const ObjectInfo&)>& found) = 0;
};

/// Does not connect yet. Fails with kInvalidArgument for a malformed endpoint or bucket name, or when there is no
/// region. Calls fail as ObjectStore says, and with kCredentials and kUnexpectedResponse.
Result<std::unique_ptr<S3Bucket>> open_s3_bucket(const std::string& bucket, const S3Options& options);

/// All buckets of a server. Fails with kInvalidArgument for a malformed endpoint.
Result<std::shared_ptr<Buckets>> open_s3_buckets(const S3Options& options);

}  // namespace dolmen
