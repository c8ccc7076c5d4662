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

/// The locks of all writes, held from the first read of a write until it is durable. Waiting costs no thread: whoever
/// must wait leaves a continuation. Waiters of a lock are served first come, first served.
///
/// There is one order in which locks are taken, so there is no deadlock: the lock of all tables, then those of tables,
/// then those of keys (items and client tokens), each kind by its number. A request may name its locks in any order;
/// `acquire` sorts them.
///
/// Things of one kind that have the same hash modulo the number of locks share a lock, and things of different kinds
/// never do: an item whose lock were its table's would stop the whole table with each of its writes. The hash has a
/// seed, so that nobody can choose keys that all share one lock.
class LockTable {
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
    Held(LockTable& table, std::vector<LockRequest> locks);

    LockTable* table_;
    std::vector<LockRequest> locks_;
  };

  using Granted = std::move_only_function<void(Held)>;

  /// The seed should differ from process to process.
  explicit LockTable(std::uint64_t seed) : seed_(seed) {}
  LockTable(const LockTable&) = delete;
  LockTable& operator=(const LockTable&) = delete;

  /// Held exclusively by whoever adds or removes tables.
  [[nodiscard]] static LockRequest all_tables() { return {.lock = kAllTablesLock}; }
  /// Held shared by every write to a table's items, exclusively by whoever changes the table itself.
  [[nodiscard]] LockRequest table(std::string_view name, LockMode mode) const;
  /// Held exclusively by whoever writes the item at a storage key, shared by whoever needs it to stay as it is.
  [[nodiscard]] LockRequest item(std::string_view storage_key, LockMode mode = LockMode::kExclusive) const;
  /// Held exclusively by a transaction with that client token.
  [[nodiscard]] LockRequest client_token(std::string_view token) const;

  /// Calls `granted` once all locks are held: at once on this thread if they are free, else later on the thread that
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
    std::mutex mutex;  // guards the rest; never held while another lock's is taken
    int readers = 0;
    bool written = false;
    Waiter* first_waiter = nullptr;
    Waiter* last_waiter = nullptr;

    [[nodiscard]] bool admits(LockMode mode) const { return !written && (mode == LockMode::kShared || readers == 0); }
    void admit(LockMode mode);
  };

  /// Takes the locks from `next` on. When one is not free the rest is left to a waiter.
  void take_from(std::size_t next, std::vector<LockRequest> locks, Granted granted);
  void release(const LockRequest& held);

  const std::uint64_t seed_;
  std::array<Lock, kLocks> locks_;
};

}  // namespace dolmen::engine
