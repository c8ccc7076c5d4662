#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "dolmen/lease.h"
#include "dolmen/store.h"
#include "history.h"

namespace dolmen::torture {

inline constexpr std::int64_t kSkewMaxMs = 2000;
inline constexpr int kTtlBufferSeconds = 30;

/// What all workers share.
struct World {
  Store& store;
  std::string table;
  std::size_t keys = 0;
  /// The true time, which passes with what the workers do.
  std::atomic<std::int64_t> time_ms = 1'700'000'000'000;
  std::atomic<Moment> moments = 0;
  /// Acquisitions that nobody has begun yet, and those that have succeeded.
  std::atomic<std::int64_t> permits = 0;
  std::atomic<std::uint64_t> acquired = 0;
  /// Somebody saw what must not be.
  std::atomic<bool> stop = false;
  std::mutex violations_mutex;
  std::vector<std::string> violations = {};

  Moment next_moment() { return ++moments; }

  void report(std::string violation) {
    const std::lock_guard lock(violations_mutex);
    violations.push_back(std::move(violation));
    stop = true;
  }

  /// Every second key has generations.
  static bool is_fenced(std::size_t key) { return key % 2 == 0; }
  static LeaseKey lease_key(std::size_t key) { return {.partition = "CACHE#" + std::to_string(key)}; }
};

}  // namespace dolmen::torture
