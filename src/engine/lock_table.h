#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

namespace dolmen::engine {

enum class LockMode : std::uint8_t { kShared, kExclusive };

/// What to lock, as LockTable names it.
struct LockRequest {
  std::uint32_t lock = 0;
  LockMode mode = LockMode::kExclusive;
};

/// The locks of all writes, held from the first read of a write until it is durable. A waiting request leaves a
/// continuation and does not block a thread. Waiters of a lock are served in the order in which they came.
///
/// Locks are taken in one global order, which excludes deadlocks: the lock of all tables, then the locks of tables,
/// then those of keys (items and client tokens), each kind by its number. A request may name its locks in any order;
/// `acquire` sorts them.
///
/// Tables share a lock when their hashes are equal modulo the number of locks, and so do keys. A table and a key never
/// share one: otherwise each write of such an item would stop its whole table. The hash has a secret seed, so that a
/// client cannot choose keys that all share one lock.
class LockTable {
  struct Waiter;

 public:
  /// Held locks, which the destructor releases. Continuations that become ready then run on the releasing thread.
  class Held {
   public:
    Held(Held&& other) noexcept;
    Held& operator=(Held&&) = delete;
    ~Held();

   private:
    friend class LockTable;
    Held(LockTable& table, std::vector<LockRequest> locks);

    LockTable* table_;
    std::vector<LockRequest> locks_;
  };

  using Granted = std::move_only_function<void(Held)>;

  /// The seed should differ from process to process.
  explicit LockTable(std::uint64_t seed) : seed_(seed) {}
  LockTable(const LockTable&) = delete;
  LockTable& operator=(const LockTable&) = delete;

  /// Held exclusively while a table is added or removed.
  [[nodiscard]] static LockRequest all_tables() { return {.lock = kAllTablesLock}; }
  /// Held shared by every write to a table's items, and exclusively by changes of the table itself.
  [[nodiscard]] LockRequest table(std::string_view name, LockMode mode) const;
  /// Held exclusively by writes of the item at a storage key, and shared by checks of it.
  [[nodiscard]] LockRequest item(std::string_view storage_key, LockMode mode = LockMode::kExclusive) const;
  /// Held exclusively by a transaction with that client token.
  [[nodiscard]] LockRequest client_token(std::string_view token) const;

  /// Calls `granted` once all locks are held: at once on this thread if they are free, otherwise on the thread that
  /// frees the last of them.
  void acquire(std::span<const LockRequest> requests, Granted granted);

 private:
  // The numbers of the locks are their order.
  static constexpr std::uint32_t kTableLocks = 256;
  static constexpr std::uint32_t kKeyLocks = 1024;
  static constexpr std::uint32_t kAllTablesLock = 0;
  static constexpr std::uint32_t kFirstTableLock = kAllTablesLock + 1;
  static constexpr std::uint32_t kFirstKeyLock = kFirstTableLock + kTableLocks;
  static constexpr std::uint32_t kLocks = kFirstKeyLock + kKeyLocks;

  struct Lock {
    std::mutex mutex;  // guards the rest; never held while another lock's mutex is taken
    int readers = 0;
    bool written = false;
    Waiter* first_waiter = nullptr;
    Waiter* last_waiter = nullptr;

    [[nodiscard]] bool admits(LockMode mode) const { return !written && (mode == LockMode::kShared || readers == 0); }
    void admit(LockMode mode);
  };

  /// Takes the locks from `next` on. When one is not free, a waiter continues later.
  void take_from(std::size_t next, std::vector<LockRequest> locks, Granted granted);
  void release(const LockRequest& held);

  const std::uint64_t seed_;
  std::array<Lock, kLocks> locks_;
};

}  // namespace dolmen::engine
