#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "vector/graph_links.h"
#include "vector/prepared_query.h"
#include "vector/row_store.h"
#include "vector/walk.h"

namespace dolmen::vector {

/// A navigable graph over rows of a store, in layers (hierarchical navigable small world). Searches walk through
/// `links` while one thread, the worker, changes them with the functions below.
///
/// A node that is not live any more stays where it is, so that walks still pass through it, until a repair has led all
/// links around it.
class Graph {
 public:
  /// How many rows an insertion keeps in view. More give better links and cost more.
  static constexpr std::size_t kBuildWidth = 100;

  Graph(const RowStore& store, Distance distance, std::uint64_t seed);

  [[nodiscard]] const GraphLinks& links() const { return links_; }

  /// Makes a live row, which is not a node, one. False when there is no memory.
  [[nodiscard]] bool insert(Row row);

  /// Begins to lead links around the given nodes, which are not live.
  void begin_repair(std::vector<Row> dead);
  [[nodiscard]] bool is_repairing() const { return !dead_.empty(); }
  /// Looks at some more nodes, as many as cost about `insertions`, which is reduced. At the end no link leads to the
  /// dead nodes, and they are returned; until then nothing is.
  std::vector<Row> repair(std::size_t& insertions);

 private:
  friend class GraphFile;

  [[nodiscard]] std::size_t layer_for(Row row) const;
  [[nodiscard]] bool is_dead(Row row) const { return row < dead_bits_.size() && dead_bits_[row]; }
  [[nodiscard]] Comparer comparer_of(Row row) const { return {distance_, store_, row}; }
  /// Of the candidates, which are sorted, those that lead into different directions, at most `count`.
  void choose(std::vector<Near>& candidates, std::size_t count);
  void link_back(Row from, Row to, std::size_t layer);
  /// Sets the links of a node to the best of `rows`, in which a row may be several times.
  void choose_neighbours(Row row, std::size_t layer, std::vector<Row> rows);
  /// False when none of the node's links leads to a dead node.
  bool lead_around_dead(Row row, std::size_t layer);
  /// The first of the highest nodes that are not dead becomes the entry.
  void choose_entry();

  const RowStore& store_;
  const Distance distance_;
  const std::uint64_t seed_;
  GraphLinks links_;
  Walk walk_;
  std::vector<Near> chosen_;  ///< Memory of `choose`.
  std::vector<Near> spare_;   ///< Candidates that were redundant.
  std::vector<Row> dead_;
  std::vector<bool> dead_bits_;
  std::size_t next_repair_ = 0;  ///< The next row to look at.
};

}  // namespace dolmen::vector
