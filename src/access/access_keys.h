#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "access/access_key.h"
#include "base/file_state.h"
#include "dolmen/error.h"
#include "protocol/signature.h"

namespace dolmen::access {

/// A key, and the signing keys that were made of it.
class KnownKey {
 public:
  explicit KnownKey(AccessKey key) : key_(std::move(key)) {}

  [[nodiscard]] const AccessKey& key() const { return key_; }
  /// The signature of a text within a scope, whose text is `scope_text`. The signing key is made once for each scope,
  /// of which only the latest few are kept.
  [[nodiscard]] Digest sign(const SignatureScope& scope, std::string_view scope_text, std::string_view text) const;

 private:
  static constexpr std::size_t kScopesMax = 8;

  [[nodiscard]] HmacKey signing_key(const SignatureScope& scope, std::string_view scope_text) const;

  const AccessKey key_;
  mutable std::mutex scopes_mutex_;  // guards scopes_
  mutable std::vector<std::pair<std::string, HmacKey>> scopes_;
};

/// The keys of an access file, which is read again when it has changed. Thread-safe.
class AccessKeys {
 public:
  using Log = std::function<void(std::string)>;
  using Clock = std::chrono::steady_clock;

  /// Fails as `read_access_file` does. `log` hears of every later reading, and of files that cannot be read: then the
  /// keys stay as they were.
  static Result<std::unique_ptr<AccessKeys>> open(std::filesystem::path file, Log log = {});

  /// Nothing when there is no such key. Looks whether the file has changed when nobody has for a second.
  [[nodiscard]] std::shared_ptr<const KnownKey> find(std::string_view id, Clock::time_point now = Clock::now());

  /// Looks now whether the file has changed.
  void refresh();

 private:
  using Keys = std::map<std::string, std::shared_ptr<const KnownKey>, std::less<>>;
  /// How long a revoked key may still be accepted.
  static constexpr std::chrono::seconds kLookEvery{1};

  AccessKeys(std::filesystem::path file, Log log) : file_(std::move(file)), log_(std::move(log)) {}

  Result<void> read();

  const std::filesystem::path file_;
  const Log log_;
  std::mutex reading_mutex_;  // guards state_
  FileState state_;
  std::atomic<std::shared_ptr<const Keys>> keys_;
  std::atomic<Clock::time_point> looked_ = Clock::time_point::min();
};

}  // namespace dolmen::access
