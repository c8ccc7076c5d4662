#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"

/// Objects in buckets, as S3 has them, wherever they are kept.
namespace dolmen {

struct ObjectInfo {
  std::string key;
  std::uint64_t bytes = 0;
  std::chrono::system_clock::time_point modified_at = {};
};

/// One bucket. Thread-safe. Functions fail with kBucketNotFound and kAccessDenied for the bucket, with kInvalidArgument
/// for a key that it cannot hold, with kUnavailable, kThrottled or kTimeout when trying again may help, and as files
/// do.
class ObjectStore {
 public:
  /// How many objects `list` says at most.
  static constexpr std::size_t kListedMax = 50'000;

  virtual ~ObjectStore() = default;

  /// Adds or replaces an object. Whoever reads meanwhile gets all of the old one or all of the new one. It is durable
  /// when this returns.
  virtual Result<void> put(const std::string& key, std::string_view body) = 0;
  /// Up to `bytes_max` bytes from `offset` on; none at the end. Fails with kObjectNotFound.
  virtual Result<std::string> read(const std::string& key, std::uint64_t offset, std::size_t bytes_max) = 0;
  /// Also succeeds when there is no such object.
  virtual Result<void> remove(const std::string& key) = 0;
  /// The objects whose keys begin with `prefix`, in the order of their keys' bytes. Fails with kLimitExceeded when
  /// there are more than kListedMax.
  virtual Result<std::vector<ObjectInfo>> list(const std::string& prefix) = 0;
};

/// All buckets that may be read and written.
class Buckets {
 public:
  virtual ~Buckets() = default;
  /// Fails with kBucketNotFound, perhaps only when the bucket is used.
  virtual Result<std::shared_ptr<ObjectStore>> open(const std::string& bucket) = 0;
};

/// Fails with kInvalidArgument unless the key is 1 to 1,024 bytes of UTF-8 whose parts between slashes are neither ".",
/// nor ".."; `allow_empty_parts` is for stores to which "a//b" is a key like any other.
Result<std::vector<std::string_view>> object_key_parts(std::string_view key, bool allow_empty_parts = false);

}  // namespace dolmen
