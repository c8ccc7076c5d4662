#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "dolmen/batch.h"
#include "dolmen/error.h"
#include "dolmen/store.h"

namespace dolmen::transfer {

/// Puts many items into a table, in batches over several lanes at a time. Items with the same key take the same lane,
/// which has one batch under way, so the last one that was put stays. A few threads start the batches and none waits
/// for them: the more lanes there are, the more batches share one sync of an embedded store, and the more connections a
/// store elsewhere has. What is waiting is limited.
class ParallelWriter {
 public:
  /// Called on threads of the writer, one at a time, for an item that the store refuses.
  using Refused = std::function<void(std::uint64_t line, const Item& item, const Error& error)>;

  struct Options {
    unsigned lanes = 16;
    /// Without it the first refused item is an error, whose message begins with its line.
    Refused refused = {};
    BatchRetry retry = {};
  };

  ParallelWriter(Store& store, TableDefinition table, Options options);
  /// Drops what has not been written, apart from batches that are under way; use `drain` before.
  ~ParallelWriter();
  ParallelWriter(const ParallelWriter&) = delete;
  ParallelWriter& operator=(const ParallelWriter&) = delete;

  /// Waits while too much is waiting. Fails with the error of any earlier item, after which nothing more is written.
  /// The item must have its key. `line` says where it comes from. Thread-safe.
  Result<void> put(Item item, std::uint64_t line = 0);
  /// Waits until everything that was put is written. Fails as `put` does.
  Result<void> drain();

  [[nodiscard]] std::uint64_t written() const { return written_; }

 private:
  struct Batch {
    std::vector<BatchAction> actions;
    std::vector<std::uint64_t> lines;
    std::size_t bytes = 0;
  };
  struct Lane {
    Batch filling;
    /// Where the items of `filling` are, by key.
    std::unordered_map<std::string, std::size_t> places;
    std::deque<Batch> waiting;
    /// A batch is under way, or the lane is in `ready_`.
    bool busy = false;
  };
  /// A batch that was not written as a whole.
  struct Troubled {
    Lane* lane;
    Batch batch;
    Result<BatchWriteResult> outcome;
  };

  void start_batches(const std::stop_token& stop);
  void start(Lane& lane, Batch batch);
  void mend_batches(const std::stop_token& stop);
  void mend(Troubled troubled);
  void write_one(const Item& item, std::uint64_t line);
  void finish(Lane& lane, std::size_t bytes);
  void hand_over(Lane& lane, std::unique_lock<std::mutex>& lock);
  void stop_with(Error error);
  [[nodiscard]] Result<void> outcome() const;
  [[nodiscard]] bool is_idle() const;

  Store& store_;
  const TableDefinition table_;
  const Options options_;
  std::atomic<std::uint64_t> written_ = 0;
  std::mutex refused_mutex_;       ///< Held while `refused` runs.
  std::mutex lanes_mutex_;         ///< Guards the members below, apart from the threads.
  std::condition_variable freed_;  ///< A lane has taken or finished a batch.
  std::condition_variable_any has_ready_;
  std::condition_variable_any has_troubled_;
  std::optional<Error> error_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  /// Lanes with a batch to start.
  std::deque<Lane*> ready_;
  std::deque<Troubled> troubled_;
  std::size_t under_way_ = 0;
  /// Of the batches that wait or are under way.
  std::size_t bytes_ = 0;
  std::vector<std::jthread> starters_;
  /// Do what may take a while: repeat what was left unprocessed, and find out which item of a batch is refused.
  std::vector<std::jthread> menders_;
};

}  // namespace dolmen::transfer
