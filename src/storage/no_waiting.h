#pragma once

#include <string_view>
#include <utility>

namespace dolmen::storage {

/// While it lives, this thread reads from files of tables only what the kernel has in memory. A read that would have to
/// wait for the disk fails instead, and `has_refused` says so from then on: what was read meanwhile is worthless then,
/// and so is every error, and the whole work must be done again without this. Whoever uses it asks Storage::would_wait.
///
///     storage::NoWaiting attempt;
///     Result<bool> found = storage.get(...);
///     if (!storage.would_wait(attempt)) return found;
///     // ... again, on a thread that may wait.
///
/// It says nothing of writes, and of a store in memory it refuses nothing. Whoever reads may refuse by itself what
/// takes longer than such a thread has time for. It costs a few instructions.
class NoWaiting {
 public:
  /// Changes nothing unless it `applies`.
  explicit NoWaiting(bool applies = true) : applies_(applies) {
    if (applies_) outer_ = std::exchange(current_, this);
  }
  ~NoWaiting() { end(); }
  NoWaiting(const NoWaiting&) = delete;
  NoWaiting& operator=(const NoWaiting&) = delete;

  /// This thread may wait again, unless another one lives around it.
  void end() {
    if (std::exchange(applies_, false)) current_ = outer_;
  }

  [[nodiscard]] bool has_refused() const { return refused_; }

  // For what reads.

  /// The innermost of this thread; null when it may wait.
  [[nodiscard]] static NoWaiting* current() { return current_; }
  void refuse() { refused_ = true; }

 private:
  static inline constinit thread_local NoWaiting* current_ = nullptr;

  bool applies_;
  bool refused_ = false;
  NoWaiting* outer_ = nullptr;
};

/// What is said of a read that was refused before it began. Whoever asked does it again, so that nobody sees it.
inline constexpr std::string_view kRefusedRead = "the read might have to wait";

}  // namespace dolmen::storage
