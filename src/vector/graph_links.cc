#include "vector/graph_links.h"

#include <algorithm>

#include "base/check.h"

namespace dolmen::vector {

std::optional<GraphLinks::Entry> GraphLinks::entry() const {
  const std::uint64_t packed = entry_.load(std::memory_order_acquire);
  if (packed == 0) return std::nullopt;
  return Entry{.row = static_cast<Row>(packed / kLayersMax - 1), .layer = packed % kLayersMax};
}

void GraphLinks::set_entry(std::optional<Entry> entry) {
  entry_.store(entry ? (std::uint64_t{entry->row} + 1) * kLayersMax + entry->layer : 0, std::memory_order_release);
}

std::span<GraphLinks::Link> GraphLinks::list(Row row, std::size_t layer) const {
  if (layer == 0) return lowest_[row].links;
  return upper_[info_[row].load(std::memory_order_relaxed) / kLayersMax + layer - 1].links;
}

std::span<const Row> GraphLinks::neighbours(Row row, std::size_t layer, Neighbours& out) const {
  std::size_t count = 0;
  for (const Link& link : list(row, layer)) {
    const Row next = link.load(std::memory_order_acquire);
    if (next == 0) break;
    out[count++] = next - 1;
  }
  return {out.data(), count};
}

void GraphLinks::set_neighbours(Row row, std::size_t layer, std::span<const Row> rows) {
  const std::span<Link> links = list(row, layer);
  DOLMEN_CHECK(rows.size() <= links.size(), "a node has no more links than its list holds");
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (links[i].load(std::memory_order_relaxed) != rows[i] + 1) links[i].store(rows[i] + 1, std::memory_order_release);
  for (std::size_t i = rows.size(); i < links.size(); ++i) links[i].store(0, std::memory_order_relaxed);
}

std::uint64_t GraphLinks::node_word(std::size_t word) const {
  if (word * 64 >= end_.load(std::memory_order_acquire)) return 0;
  return node_words_[word].load(std::memory_order_acquire);
}

bool GraphLinks::grow(std::size_t end) {
  if (end <= end_.load(std::memory_order_relaxed)) return true;
  if (!lowest_.grow(end) || !info_.grow(end) || !node_words_.grow(end / 64 + 1)) return false;
  end_.store(end, std::memory_order_release);
  return true;
}

bool GraphLinks::open(Row row, std::size_t layer) {
  DOLMEN_CHECK(layer < kLayersMax, "a graph has at most kLayersMax layers");
  // Readers of the node that the row was before are gone, so its upper lists can be used again.
  const std::uint32_t before = info_[row].load(std::memory_order_relaxed);
  if (before % kLayersMax > 0) free_upper_[before % kLayersMax].push_back(before / kLayersMax);
  std::uint32_t place = 0;
  if (layer > 0 && !free_upper_[layer].empty()) {
    place = free_upper_[layer].back();
    free_upper_[layer].pop_back();
  } else if (layer > 0) {
    if (!upper_.grow(upper_end_ + layer)) {
      info_[row].store(0, std::memory_order_relaxed);
      return false;
    }
    place = static_cast<std::uint32_t>(upper_end_);
    upper_end_ += layer;
  }
  info_[row].store(static_cast<std::uint32_t>(place * kLayersMax + layer), std::memory_order_relaxed);
  for (std::size_t i = 0; i <= layer; ++i) set_neighbours(row, i, {});
  return true;
}

void GraphLinks::announce(Row row) {
  node_words_[row / 64].fetch_or(std::uint64_t{1} << (row % 64), std::memory_order_release);
  nodes_.fetch_add(1, std::memory_order_relaxed);
}

void GraphLinks::close(Row row) {
  node_words_[row / 64].fetch_and(~(std::uint64_t{1} << (row % 64)), std::memory_order_release);
  nodes_.fetch_sub(1, std::memory_order_relaxed);
}

std::size_t GraphLinks::bytes() const {
  const std::size_t rows = end_.load(std::memory_order_relaxed);
  return rows * (sizeof(List<kLowest>) + sizeof(std::uint32_t)) + rows / 8 + upper_end_ * sizeof(List<kUpper>);
}

}  // namespace dolmen::vector
