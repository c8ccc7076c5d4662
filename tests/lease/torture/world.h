#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "dolmen/isr/isr.h"
#include "dolmen/lease.h"
#include "dolmen/store.h"
#include "history.h"

namespace dolmen::torture {

inline constexpr std::int64_t kSkewMaxMs = 2000;
inline constexpr int kTtlBufferSeconds = 30;
/// A quarter of the workers, of which there are at most 1000.
inline constexpr std::size_t kKeysMax = 250;
/// How long a request is its worker's before it has the lease.
inline constexpr std::int64_t kRequestLengthMs = 3000;

/// What is published is a number, and all of it is in the metadata: bodies are not looked at.
class NoBodies final : public BodyStore {
 public:
  Result<void> put(const std::string& /*key*/, std::string_view /*body*/) override { return {}; }
  Result<std::optional<std::string>> get(const std::string& /*key*/) override { return std::nullopt; }
  Result<std::optional<BodyInfo>> head(const std::string& /*key*/) override { return std::nullopt; }
  Result<void> remove(const std::string& /*key*/) override { return {}; }
};

inline std::string etag_of(std::int64_t number) { return "\"" + std::to_string(number) + "\""; }
/// 0 when nothing was published yet.
inline std::int64_t number_of(const std::optional<PageMetadata>& metadata) {
  return metadata && metadata->etag ? std::stoll(metadata->etag->substr(1)) : 0;
}

/// What all workers share.
struct World {
  Store& store;
  std::string table;
  std::size_t keys = 0;
  /// The true time, which passes with what the workers do. Far ahead, so that the store, which goes by its own clock,
  /// removes no row.
  std::atomic<std::int64_t> time_ms = 4'100'000'000'000;
  std::atomic<Moment> moments = 0;
  /// Acquisitions that nobody has begun yet, and those that have succeeded.
  std::atomic<std::int64_t> permits = 0;
  std::atomic<std::uint64_t> acquired = 0;
  /// Somebody saw what must not be.
  std::atomic<bool> stop = false;
  std::mutex violations_mutex;
  std::vector<std::string> violations = {};
  NoBodies bodies = {};
  /// Of each key, the number of the first request that nobody has completed; workers choose among those that follow.
  std::array<std::atomic<std::int64_t>, kKeysMax> requests = {};
  /// Requests that were left by a worker that died, and those of them that were still there between rounds.
  std::atomic<std::uint64_t> abandoned_requests = 0;
  std::atomic<std::uint64_t> requests_freed = 0;

  Moment next_moment() { return ++moments; }

  void report(std::string violation) {
    const std::lock_guard lock(violations_mutex);
    violations.push_back(std::move(violation));
    stop = true;
  }

  /// Every second key has generations.
  static bool is_fenced(std::size_t key) { return key % 2 == 0; }
  static PageKey page_key(std::size_t key) { return {.name = std::to_string(key)}; }
  static LeaseKey lease_key(std::size_t key) { return {.partition = page_partition(page_key(key))}; }
};

}  // namespace dolmen::torture
