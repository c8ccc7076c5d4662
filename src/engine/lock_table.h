#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

namespace dolmen::engine {

enum class LockMode : std::uint8_t { kShared, kExclusive };

/// What to lock: anything that has a hash. Two things with the same hash share a lock.
struct LockRequest {
  std::uint64_t hash = 0;
  LockMode mode = LockMode::kExclusive;
};

/// Locks for keys, held from the first read of a write until it is durable. Waiting costs no thread: whoever must wait
/// leaves a continuation. Locks of one request are taken in one global order, so there is no deadlock; waiters of a
/// lock are served first come, first served.
class LockTable {
  struct Entry {
    std::uint32_t stripe;
    LockMode mode;
  };
  struct Waiter;

 public:
  /// Locks that are held; given back when this is destroyed. Continuations that become ready then run on the thread
  /// that gives them back.
  class Held {
   public:
    Held(Held&& other) noexcept;
    Held& operator=(Held&&) = delete;
    ~Held();

   private:
    friend class LockTable;
    Held(LockTable& table, std::vector<Entry> entries);

    LockTable* table_;
    std::vector<Entry> entries_;
  };

  using Granted = std::move_only_function<void(Held)>;

  LockTable() = default;
  LockTable(const LockTable&) = delete;
  LockTable& operator=(const LockTable&) = delete;

  /// Calls `granted` once all locks are held: at once on this thread if they are free, else later on the thread that
  /// frees the last of them.
  void acquire(std::span<const LockRequest> requests, Granted granted);

 private:
  static constexpr std::size_t kStripes = 1024;

  struct Stripe {
    std::mutex mutex;  // guards the rest; never held while another stripe's is taken
    int readers = 0;
    bool written = false;
    Waiter* first_waiter = nullptr;
    Waiter* last_waiter = nullptr;

    [[nodiscard]] bool admits(LockMode mode) const { return !written && (mode == LockMode::kShared || readers == 0); }
    void admit(LockMode mode);
  };

  /// Takes the locks of `held` from `next` on. When one is not free the rest is left to a waiter.
  void take_from(std::size_t next, std::vector<Entry> entries, Granted granted);
  void release(const Entry& entry);

  std::array<Stripe, kStripes> stripes_;
};

}  // namespace dolmen::engine
