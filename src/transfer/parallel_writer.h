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

/// Puts many items into a table, in batches over several lanes at a time, each with a thread and thus a connection of
/// its own. Items with the same key take the same lane, so the last one that was put stays. What is waiting is limited.
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
  /// Drops what has not been written; use `drain` before.
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
    bool busy = false;
    /// Something is waiting. Each lane has its own, so that a batch wakes one thread.
    std::condition_variable_any ready;
    std::jthread thread;
  };

  void work(Lane& lane, const std::stop_token& stop);
  void write(Batch batch);
  void write_one(const Item& item, std::uint64_t line);
  void hand_over(Lane& lane, std::unique_lock<std::mutex>& lock);
  void stop_with(Error error);
  [[nodiscard]] Result<void> outcome() const;

  Store& store_;
  const TableDefinition table_;
  const Options options_;
  std::atomic<std::uint64_t> written_ = 0;
  std::mutex refused_mutex_;       ///< Held while `refused` runs.
  std::mutex lanes_mutex_;         ///< Guards the members below.
  std::condition_variable freed_;  ///< A lane has taken or finished a batch.
  std::optional<Error> error_;
  std::vector<std::unique_ptr<Lane>> lanes_;
};

}  // namespace dolmen::transfer
