#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "dolmen/error.h"
#include "vector/distance.h"
#include "vector/row_pool.h"
#include "vector/row_store.h"
#include "vector/search.h"

namespace dolmen::vector {

class Graph;
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
  /// lock of the set then. Not called again before `work` has returned false. Must return quickly and not call `work`:
  /// it puts the set into a queue of the owner, say.
  std::function<void(VectorSet&)> work_due;
};

/// The size of a set.
struct Stats {
  std::size_t rows = 0;     ///< published rows
  std::size_t retired = 0;  ///< removed rows that cannot be used again yet
  std::size_t bytes = 0;    ///< memory of the rows that were ever in use at one time, without `sizeof(VectorSet)`
  bool has_graph = false;
  std::size_t graph_nodes = 0;  ///< rows in the graph, with the dead ones
  std::size_t graph_dead = 0;   ///< of these, removed rows that walks still pass through
  std::size_t graph_bytes = 0;  ///< memory of the graph, which `bytes` does not count
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
  /// whether more is due. While one thread works, others that call this return false at once. One that calls this in a
  /// loop must be ready to stop: a set that is written to always has more.
  bool work(std::size_t rows);

  /// The graph as bytes with a checksum, to be stored and given to `load_graph` of a set with the same vectors later.
  /// They know vectors by their content, so rows may have other numbers then. Empty while there is no graph. Waits for
  /// `work`.
  [[nodiscard]] std::string save_graph() const;
  /// Takes over a saved graph, instead of building one for minutes. Nothing else may change the set meanwhile, and
  /// `work` must not have been called before. Vectors that are not in the saved graph are inserted by `work`, and links
  /// to vectors that are not here any more are led around. Returns how many rows are nodes now: 0 when more than a
  /// fifth of the saved vectors are not here, or when the set is too small for a graph. Fails with kCorruption when the
  /// bytes are damaged or do not belong to vectors like these; the set then has no graph, as before.
  [[nodiscard]] Result<std::size_t> load_graph(std::string_view bytes);

 private:
  static constexpr std::uint64_t kNoRow = UINT64_MAX;

  void leave(RowPool::Generation generation) const;
  /// Whether the worker has something to do.
  [[nodiscard]] bool is_work_due() const;
  void tell_of_work();
  void wait_for_worker() const;
  void end_work() const;

  // What the worker does.
  bool work_some(std::size_t& rows);
  [[nodiscard]] std::optional<Row> claim_waiting_row();
  void insert_next_row(Row row);
  void begin_repair();
  void repair(std::size_t& rows);
  void drop_graph();

  const SetOptions& options_;
  RowStore store_;
  std::atomic<std::size_t> size_ = 0;
  std::atomic<std::size_t> nodes_ = 0;  ///< Of the graph, with the dead ones.
  std::atomic<std::size_t> dead_ = 0;   ///< Nodes that are not live.
  std::atomic<bool> has_graph_ = false;
  std::atomic<bool> no_memory_ = false;  ///< There was none for a graph; the set goes on without.
  std::atomic<bool> told_ = false;       ///< The owner knows that work is due.
  mutable std::atomic<bool> working_ = false;

  mutable std::mutex pool_mutex_;  ///< Guards the following, and the growth of `store_`.
  mutable RowPool pool_;
  std::shared_ptr<Graph> graph_;
  std::uint64_t inserting_ = kNoRow;  ///< The row that the worker makes a node just now.

  std::size_t next_word_ = 0;  ///< Where the worker looks for the next row to insert.
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
  Reading(const VectorSet& set, RowPool::Generation generation, std::shared_ptr<const Graph> graph);

  const VectorSet* set_;  ///< Null when moved from.
  RowPool::Generation generation_;
  std::shared_ptr<const Graph> graph_;
};

}  // namespace dolmen::vector
