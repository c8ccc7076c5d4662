#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>

#include "engine/lock_table.h"
#include "service/elsewhere.h"
#include "service/service.h"
#include "storage/storage.h"

namespace dolmen::engine {

/// The only way in which anything is written: lock, read and check, build one batch, commit it, unlock, answer.
///
///   1. The locks are taken in one global order (lock_table.h).
///   2. `work` runs under them. It reads what it needs, checks everything and fills the batch; nothing is visible yet.
///      A failure ends the write without a trace. Where it would have to wait for the disk, it may be called a second
///      time, on another thread and with an empty batch.
///   3. The batch is committed. Once it is durable, and only then, it is visible to readers.
///   4. The locks are released and `done` is called, on the thread on which the commit ended.
class WritePipeline {
 public:
  /// `lock_seed` should differ from process to process (lock_table.h).
  WritePipeline(storage::Storage& storage, std::uint64_t lock_seed) : storage_(storage), locks_(lock_seed) {}

  /// Names the locks to ask for.
  [[nodiscard]] const LockTable& locks() const { return locks_; }
  /// The number of writes so far, by which work in the background sees whether it is alone.
  [[nodiscard]] std::uint64_t started() const { return started_.load(std::memory_order_relaxed); }

  /// The response of a write, and optionally what must happen between commit and unlock.
  template <class Response>
  struct Outcome {
    Response response;
    std::move_only_function<void()> when_committed = nullptr;
  };

  /// Where `work` runs.
  struct Place {
    /// Null: on the calling thread or on the one that frees the locks, and it may wait for the disk there. Otherwise
    /// neither of them waits: what would have to goes there, with its locks.
    const Elsewhere* elsewhere = nullptr;
    /// Those threads have no time for it at all, so that it goes there from the beginning.
    bool takes_long = false;
  };

  template <class Response, class Work>
  void run(std::span<const LockRequest> locks, Work work, Done<Response> done, Place place) {
    started_.fetch_add(1, std::memory_order_relaxed);
    locks_.acquire(locks, [this, place, work = std::move(work), done = std::move(done)](LockTable::Held held) mutable {
      write<Response>(std::move(held), work, std::move(done), place);
    });
  }
  /// On threads that may wait.
  template <class Response, class Work>
  void run(std::span<const LockRequest> locks, Work work, Done<Response> done) {
    run<Response>(locks, std::move(work), std::move(done), Place{});
  }

 private:
  template <class Response, class Work>
  void write(LockTable::Held held, Work& work, Done<Response> done, Place place) {
    const bool has_time = place.elsewhere == nullptr || HasTime::here();
    if (has_time || !place.takes_long) {
      storage::Batch batch;
      storage::NoWaiting attempt(!has_time);
      Result<Outcome<Response>> outcome = work(batch);
      if (!storage_.would_wait(attempt))
        return commit(std::move(held), std::move(batch), std::move(outcome), std::move(done));
    }
    auto again = [this, held = std::move(held), work = std::move(work)](Done<Response> answer) mutable {
      storage::Batch batch;
      Result<Outcome<Response>> outcome = work(batch);
      commit(std::move(held), std::move(batch), std::move(outcome), std::move(answer));
    };
    if (place.takes_long) return go_elsewhere<Response>(*place.elsewhere, std::move(done), std::move(again));
    go_elsewhere_or_stay<Response>(*place.elsewhere, std::move(done), std::move(again));
  }

  template <class Response>
  void commit(LockTable::Held held, storage::Batch batch, Result<Outcome<Response>> outcome, Done<Response> done) {
    if (!outcome || batch.empty()) return finish(std::move(held), std::move(outcome), std::move(done));
    storage_.commit_async(std::move(batch), [held = std::move(held), outcome = std::move(outcome),
                                             done = std::move(done)](Result<void> committed) mutable {
      if (!committed) outcome = std::unexpected(std::move(committed).error());
      finish(std::move(held), std::move(outcome), std::move(done));
    });
  }

  template <class Response>
  static void finish(LockTable::Held held, Result<Outcome<Response>> outcome, Done<Response> done) {
    if (outcome && outcome->when_committed) outcome->when_committed();
    { const LockTable::Held released(std::move(held)); }
    if (!outcome) return done(std::unexpected(std::move(outcome).error()));
    done(std::move(outcome->response));
  }

  storage::Storage& storage_;
  LockTable locks_;
  std::atomic<std::uint64_t> started_ = 0;
};

}  // namespace dolmen::engine
