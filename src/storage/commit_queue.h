#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "base/metrics.h"
#include "dolmen/error.h"
#include "storage/batch.h"

namespace dolmen::storage {

/// The destination of committed batches. Never called by two threads at a time.
class CommitSink {
 public:
  virtual ~CommitSink() = default;

  /// Writes all of `group` as one atomic record. Returns when it is as durable as the store's options say; may wait
  /// until the store has caught up with earlier writes.
  virtual Result<void> write(std::span<const Batch> group) = 0;

  /// The same, unless the store has to catch up first: then it changes nothing and returns false.
  virtual Result<bool> try_write(std::span<const Batch> group) = 0;

  /// How many numbered rows have been written (Batch::append).
  [[nodiscard]] virtual std::uint64_t appended_rows() const { return 0; }

  /// Whether a sink that has failed may take writes again without being opened again.
  [[nodiscard]] virtual bool may_recover() const { return false; }

  /// Tries to take writes again after a failed one, of which then nothing is left. False when the cause is still there.
  /// Fails when the sink must be opened again.
  virtual Result<bool> recover() { return false; }
};

/// Writes batches to a sink, one write at a time, in the order in which they were submitted.
///
/// After a failed write every later one is refused. When it is known that nothing of the failed write is left, as after
/// a full disk, the queue tries again from time to time whether the sink takes writes (CommitSink::recover).
class CommitQueue {
 public:
  /// Called once with the outcome of a batch. Must not block, and may submit further batches.
  using Done = std::move_only_function<void(Result<void>)>;

  enum class Mode : std::uint8_t {
    kGrouped,  ///< The queue's own thread writes all waiting batches as one group, then calls each `done`.
    kInline,   ///< The submitting thread writes, and calls `done` before it returns; one that works in rounds
              ///< (base/round.h) writes what it has submitted in a round together, at its end. When the sink would make
              ///< it wait, the queue's thread takes over until the sink has caught up.
  };

  struct Limits {
    std::size_t batch_bytes_max = SIZE_MAX;
    std::size_t queued_bytes_max = SIZE_MAX;
    /// The time between two attempts to recover.
    std::chrono::milliseconds recovery_pause = std::chrono::milliseconds(500);
  };

  /// Called when a write has failed, with the reason why all later ones are refused, and without one when writes are
  /// accepted again. Must not block.
  using OnFailure = std::function<void(const std::optional<Error>& failure)>;

  /// Starts the thread. `sink` must outlive the queue.
  CommitQueue(CommitSink& sink, Mode mode, Limits limits, OnFailure on_failure = {});
  ~CommitQueue();
  CommitQueue(const CommitQueue&) = delete;
  CommitQueue& operator=(const CommitQueue&) = delete;

  /// Calls `done` exactly once. Any thread may call this. It never waits for the disk to sync or to catch up. When a
  /// batch is refused (closed, failed before, over a limit), `done` is called before this returns.
  void submit(Batch batch, Done done);

  /// Completes everything submitted so far and refuses later batches with kClosed. May be called again, but neither
  /// from two threads at a time, nor from within a `done`, nor by a thread that works in rounds.
  void stop();

  /// True on the queue's own thread, where a `done` must not wait for another.
  [[nodiscard]] bool is_own_thread() const { return std::this_thread::get_id() == thread_id_; }

  /// The writes of the queue's thread: how many commits each had, how large it was and how long it took, with its sync.
  struct Statistics {
    metrics::Histogram commits;
    metrics::Histogram bytes;
    metrics::Histogram time;
    /// Commits that the submitting threads wrote.
    metrics::Counter inline_commits;

    Statistics();
  };
  [[nodiscard]] const Statistics& statistics() const { return statistics_; }

  /// Why every commit is refused; nothing while they are accepted.
  [[nodiscard]] std::optional<Error> failure() const;

  /// How many batches were refused with kThrottled because too many bytes were waiting.
  [[nodiscard]] std::uint64_t refused() const { return refused_.load(std::memory_order_relaxed); }

 private:
  struct Group {
    std::vector<Batch> batches;
    std::vector<Done> dones;
    std::size_t bytes = 0;
  };
  using Lock = std::unique_lock<std::mutex>;

  void run();
  void gather(Lock& lock);
  void write_group(Lock& lock, Group& group);
  Result<void> write_part(Lock& lock, std::span<const Batch> part);
  bool put_off(Batch& batch, Done& done);
  void end_round();
  void write_inline(std::span<Batch> batches, std::span<Done> dones);
  void enqueue_or_refuse(Lock& lock, std::span<Batch> batches, std::span<Done> dones);
  /// What the calling thread writes at the end of its round, and where to.
  struct PutOff;
  static PutOff& put_off_here();
  void spin_while_writing() const;
  void enqueue(Batch batch, Done done);
  void end_write(const Result<void>& written);
  void recover(Lock& lock);
  [[nodiscard]] std::optional<Error> oversize(const Batch& batch) const;
  [[nodiscard]] std::optional<Error> refusal(const Batch& batch) const;
  [[nodiscard]] bool is_behind() const { return thread_writes_ || !queued_.batches.empty(); }

  CommitSink& sink_;
  const Mode mode_;
  const Limits limits_;
  const OnFailure on_failure_;
  Statistics statistics_;

  mutable std::atomic<std::uint64_t> refused_ = 0;
  std::atomic<std::size_t> rounds_ = 0;  ///< How many threads have put off commits to the end of their round.

  mutable std::mutex mutex_;  ///< Guards all members below. Never held during a write or a `done`.
  Group queued_;
  std::atomic<bool> writing_ = false;  ///< A thread is inside the sink. Written under the lock only.
  bool thread_writes_ = false;         ///< The queue's thread has a group that is not completely written yet.
  bool stopping_ = false;
  std::size_t expected_ = 0;                ///< The expected number of commits in the next group; see `gather`.
  std::chrono::nanoseconds write_time_{0};  ///< The time that writing the last group took.
  int groups_without_gather_ = 0;           ///< For so many groups `gather` does not wait, because it did not help.
  std::optional<Error> failure_;
  bool recoverable_ = false;      ///< The queue's thread tries to end the failure.
  std::condition_variable work_;  ///< The queue's thread waits here for work.
  std::condition_variable turn_;  ///< Inline writers wait here for `writing_` to end, or for a reason not to write.
  std::thread thread_;
  const std::thread::id thread_id_;
};

}  // namespace dolmen::storage
