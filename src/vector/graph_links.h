#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "vector/growing_array.h"
#include "vector/row_store.h"

namespace dolmen::vector {

/// The links of a graph in layers. Every node is in layer 0, and each layer above has a sixteenth of the nodes of the
/// one below; a node links to nodes that are near it in the same layer.
///
/// One thread changes links while others read them. A reader may see a part of an old list and a part of the new one;
/// both name nodes. Zero marks the end of a list, so a link is stored as row + 1.
class GraphLinks {
 public:
  static constexpr std::size_t kLowest = 32;  ///< The most links of a node in layer 0.
  static constexpr std::size_t kUpper = 16;   ///< The same in the other layers.
  static constexpr std::size_t kLayersMax = 8;

  struct Entry {
    Row row = 0;
    std::size_t layer = 0;  ///< The highest layer of the graph.
  };
  /// Room for the neighbours of one node.
  using Neighbours = std::array<Row, kLowest>;

  static constexpr std::size_t links_max(std::size_t layer) { return layer == 0 ? kLowest : kUpper; }

  // ---- For all threads ----

  /// Where every walk begins. Nothing while the graph is empty.
  [[nodiscard]] std::optional<Entry> entry() const;
  /// Copies the neighbours of a node.
  [[nodiscard]] std::span<const Row> neighbours(Row row, std::size_t layer, Neighbours& out) const;
  void prefetch(Row row) const { __builtin_prefetch(&lowest_[row]); }
  /// Bit i is set when row 64 * word + i is a node. Rows that were not known when the reader began are not.
  [[nodiscard]] std::uint64_t node_word(std::size_t word) const;
  [[nodiscard]] bool is_node(Row row) const { return ((node_word(row / 64) >> (row % 64)) & 1U) != 0; }
  [[nodiscard]] std::size_t nodes() const { return nodes_.load(std::memory_order_relaxed); }

  // ---- For the one thread that changes the graph ----

  /// Makes room for rows below `end`. False when there is no memory.
  [[nodiscard]] bool grow(std::size_t end);
  /// Gives a row lists in layers 0 to `layer`, all empty. False when there is no memory.
  [[nodiscard]] bool open(Row row, std::size_t layer);
  /// Lets readers know that the row is a node, after its lists and those of its neighbours have been set.
  void announce(Row row);
  /// The highest layer of an opened row.
  [[nodiscard]] std::size_t layer_of(Row row) const { return info_[row].load(std::memory_order_relaxed) % kLayersMax; }
  /// No list may name the row any more. Its own lists stay as they are for readers that stand on it; `open` may be
  /// called for the row again when these are gone.
  void close(Row row);
  void set_entry(std::optional<Entry> entry);
  void set_neighbours(Row row, std::size_t layer, std::span<const Row> rows);

  [[nodiscard]] std::size_t bytes() const;

 private:
  using Link = std::atomic<Row>;
  template <std::size_t kLength>
  struct alignas(kLength * sizeof(Link) >= 64 ? 64 : 4) List {
    std::array<Link, kLength> links;
  };

  [[nodiscard]] std::span<Link> list(Row row, std::size_t layer) const;

  GrowingArray<List<kLowest>> lowest_;
  GrowingArray<List<kUpper>> upper_;
  /// The highest layer of a row, and above it the place of its first list in `upper_`.
  GrowingArray<std::atomic<std::uint32_t>> info_;
  GrowingArray<std::atomic<std::uint64_t>> node_words_;
  std::atomic<std::size_t> end_ = 0;
  std::atomic<std::size_t> nodes_ = 0;
  std::atomic<std::uint64_t> entry_ = 0;  ///< (row + 1) * kLayersMax + layer; 0 for none.
  std::size_t upper_end_ = 0;
  std::array<std::vector<std::uint32_t>, kLayersMax> free_upper_;  ///< Places of lists, by the layers of their node.
};

}  // namespace dolmen::vector
