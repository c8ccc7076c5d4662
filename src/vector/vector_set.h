#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>

#include "dolmen/error.h"
#include "vector/distance.h"
#include "vector/row_pool.h"
#include "vector/row_store.h"
#include "vector/search.h"

namespace dolmen::vector {

class VectorSet;

/// What the sets of one index have in common.
struct SetOptions {
  std::size_t dimensions = 0;
  Distance distance = Distance::kCosine;
  /// The most rows of one set, with those that wait to be used again. At most `kRowsMax`.
  std::size_t rows_max = kRowsMax;
  /// A set with fewer rows has no graph: scanning it is as fast.
  std::size_t graph_rows_min = 20'000;
  /// Chooses the layers of the graph. Equal calls in equal order give equal graphs with equal seeds.
  std::uint64_t seed = 0;
  /// Called when `VectorSet::work` has something to do, by the thread that published or removed a row, which holds no
  /// lock of the set then. Must return quickly and not call the set: it puts the set into a queue of the owner.
  std::function<void(VectorSet&)> work_due;
};

/// The size of a set.
struct Stats {
  std::size_t rows = 0;     ///< published rows
  std::size_t waiting = 0;  ///< removed rows that cannot be used again yet
  std::size_t bytes = 0;    ///< memory, without `sizeof(VectorSet)`; large blocks count in full as soon as they begin
};

/// Vectors of one length, and the search for those nearest to another.
///
/// All functions may be called by any number of threads at the same time, with one exception: a row belongs to the
/// thread that staged it until it is published, and `publish` and `remove` of one row must not overlap. Searches take
/// no lock while they compare, so they neither delay changes nor wait for them.
///
/// A change is in two steps, so that nobody finds a row before its owner knows what it means:
///
///     DOLMEN_TRY(const Row row, set.stage(vector));
///     keys[row] = key;
///     set.publish(row);                            // searches that begin now find it
///
/// A search sees a row when it was published before the search began and removed after it ended; of what happens in
/// between it sees any part. To replace a vector, publish the new row and then remove the old one; a search in between
/// may return both.
class VectorSet {
 public:
  class Reading;

  /// `options` must outlive the set and have dimensions.
  explicit VectorSet(const SetOptions& options);
  /// Nobody may be reading or working.
  ~VectorSet();
  VectorSet(const VectorSet&) = delete;
  VectorSet& operator=(const VectorSet&) = delete;

  /// Copies a vector of finite numbers into a row that no search sees yet. Fails with kLimitExceeded when the set is
  /// full and with kValidation when the vector has another length than the set.
  [[nodiscard]] Result<Row> stage(std::span<const float> vector);
  /// Makes a staged row visible.
  void publish(Row row);
  /// Takes a row out, published or only staged. Searches that begin now do not find it.
  void remove(Row row);
  /// Stages and publishes.
  [[nodiscard]] Result<Row> add(std::span<const float> vector);

  /// Searches, and the meaning of the rows that they return, last as long as the reading. Keep it short: rows that are
  /// removed meanwhile cannot be used again before it ends.
  [[nodiscard]] Reading read() const;

  [[nodiscard]] Stats stats() const;
  [[nodiscard]] std::size_t size() const { return size_.load(std::memory_order_relaxed); }
  [[nodiscard]] const SetOptions& options() const { return options_; }

  /// Does a part of what is due in the background, about as much as inserting `rows` rows into the graph costs. Returns
  /// whether more is due. While one thread works, others that call this return false at once.
  bool work(std::size_t rows);

 private:
  void leave(RowPool::Generation generation) const;

  const SetOptions& options_;
  std::atomic<std::size_t> size_ = 0;
  RowStore store_;
  mutable std::mutex pool_mutex_;  ///< Guards `pool_` and the growth of `store_`.
  mutable RowPool pool_;
};

/// While it lives, a row that was published when it began, or later, is not used again: whatever the owner keeps beside
/// the row can be read without a lock. Must end before its set.
class VectorSet::Reading {
 public:
  Reading(Reading&& other) noexcept;
  Reading& operator=(Reading&&) = delete;
  ~Reading();

  /// Fails with kValidation when the query has another length than the set.
  [[nodiscard]] Result<Found> search(const Search& search) const;
  /// The vector of a published row.
  [[nodiscard]] std::span<const float> vector(Row row) const;
  /// Whether the row is published and not removed now.
  [[nodiscard]] bool contains(Row row) const;

 private:
  friend class VectorSet;
  Reading(const VectorSet& set, RowPool::Generation generation) : set_(&set), generation_(generation) {}

  const VectorSet* set_;  ///< Null when moved from.
  RowPool::Generation generation_;
};

}  // namespace dolmen::vector
