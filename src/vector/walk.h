#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "vector/comparer.h"
#include "vector/graph_links.h"

namespace dolmen::vector {

/// A row and its key.
struct Near {
  float key = 0;
  Row row = 0;

  /// By key, then by row, so that equal keys have one order.
  friend bool operator<(const Near& a, const Near& b) { return a.key != b.key ? a.key < b.key : a.row < b.row; }
};

/// Walks through a graph towards a vector. Keeps its memory for the next walk.
class Walk {
 public:
  struct Options {
    std::size_t layer = 0;
    /// How many accepted rows are kept in view: the walk ends when none of them can be bettered by going on.
    std::size_t width = 64;
    /// Gives up when more rows than this were compared.
    std::size_t compared_max = SIZE_MAX;
  };

  explicit Walk(const GraphLinks& links, const RowStore& store) : links_(links), store_(store) {}

  /// From `start`, which is in `from_layer`, always on to the nearest neighbour, down to `to_layer`.
  Near descend(const Comparer& comparer, Near start, std::size_t from_layer, std::size_t to_layer);
  /// The accepted rows in view at the end, nearest first. Valid until the next call.
  template <class Accepts>
  const std::vector<Near>& around(const Comparer& comparer, const std::vector<Near>& starts, const Options& options,
                                  const Accepts& accepts);

  [[nodiscard]] std::size_t compared() const { return compared_; }
  [[nodiscard]] bool gave_up() const { return gave_up_; }

 private:
  /// A set of rows: open addressing, row + 1, 0 for free.
  class Seen {
   public:
    void clear();
    /// False when the row is in the set already.
    bool add(Row row);

   private:
    void enlarge();

    std::vector<Row> slots_;
    std::size_t count_ = 0;
    unsigned shift_ = 0;
  };

  /// The neighbours of a node that were not seen before, with their keys.
  std::size_t unseen_neighbours(const Comparer& comparer, Row row, std::size_t layer);
  void keep(Near near, std::size_t width);

  const GraphLinks& links_;
  const RowStore& store_;
  Seen seen_;
  std::vector<Near> ahead_;  ///< A heap, the nearest first.
  std::vector<Near> best_;   ///< A heap, the farthest first.
  GraphLinks::Neighbours list_;
  GraphLinks::Neighbours rows_;
  std::array<float, GraphLinks::kLowest> keys_;
  std::size_t compared_ = 0;
  bool gave_up_ = false;
};

// ---- Implementation ----

template <class Accepts>
const std::vector<Near>& Walk::around(const Comparer& comparer, const std::vector<Near>& starts, const Options& options,
                                      const Accepts& accepts) {
  const auto farther = [](const Near& a, const Near& b) { return b < a; };
  seen_.clear();
  ahead_.clear();
  best_.clear();
  gave_up_ = false;
  for (const Near& start : starts) {
    if (!seen_.add(start.row)) continue;
    ahead_.push_back(start);
    if (accepts(start.row)) keep(start, options.width);
  }
  std::make_heap(ahead_.begin(), ahead_.end(), farther);
  while (!ahead_.empty()) {
    const Near nearest = ahead_.front();
    if (best_.size() == options.width && best_.front() < nearest) break;
    std::pop_heap(ahead_.begin(), ahead_.end(), farther);
    ahead_.pop_back();
    if (!ahead_.empty()) links_.prefetch(ahead_.front().row);
    const std::size_t count = unseen_neighbours(comparer, nearest.row, options.layer);
    for (std::size_t i = 0; i < count; ++i) {
      const Near near{.key = keys_[i], .row = rows_[i]};
      if (best_.size() == options.width && best_.front() < near) continue;
      ahead_.push_back(near);
      std::push_heap(ahead_.begin(), ahead_.end(), farther);
      if (accepts(near.row)) keep(near, options.width);
    }
    if (compared_ > options.compared_max) {
      gave_up_ = true;
      break;
    }
  }
  std::sort_heap(best_.begin(), best_.end());
  return best_;
}

}  // namespace dolmen::vector
