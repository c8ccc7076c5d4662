#pragma once

#include <atomic>
#include <utility>

#include "storage/no_waiting.h"

namespace dolmen::storage {

/// A step of a read, as long as it lives. RocksDB opens a table under a lock, for which others that need the table
/// wait. So while a step of any thread opens one, which it does when it may wait, those that may not wait refuse to
/// begin.
///
///     if (PatientRead::must_refuse()) return ...;
///     const PatientRead step;
///     ... RocksDB reads ...
///
/// It costs a few instructions. Only work of RocksDB in the background opens tables without this.
class PatientRead {
 public:
  PatientRead() : outer_(std::exchange(current_, this)) {}
  ~PatientRead() {
    current_ = outer_;
    if (opens_table_) [[unlikely]]
      opening_.fetch_sub(1, std::memory_order_relaxed);
  }
  PatientRead(const PatientRead&) = delete;
  PatientRead& operator=(const PatientRead&) = delete;

  /// Whether this thread must not begin a step, since it might have to wait; then its NoWaiting has refused.
  [[nodiscard]] static bool must_refuse() {
    NoWaiting* const attempt = NoWaiting::current();
    if (attempt == nullptr || opening_.load(std::memory_order_relaxed) == 0) return false;
    attempt->refuse();
    return true;
  }

  /// For files: the step of this thread, if it is in one, opens a table until it ends.
  static void opens_table() {
    if (current_ == nullptr || std::exchange(current_->opens_table_, true)) return;
    opening_.fetch_add(1, std::memory_order_relaxed);
  }

 private:
  static inline constinit thread_local PatientRead* current_ = nullptr;
  static inline constinit std::atomic<int> opening_ = 0;  ///< How many steps open tables.

  PatientRead* outer_;
  bool opens_table_ = false;
};

}  // namespace dolmen::storage
