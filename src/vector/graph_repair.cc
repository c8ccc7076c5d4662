#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "vector/graph.h"

namespace dolmen::vector {
namespace {

/// Looking at a node whose links are in order costs about this part of an insertion.
constexpr std::size_t kLooksPerInsertion = 256;
/// Leading the links of a node around dead ones costs about this part of an insertion.
constexpr std::size_t kLooksPerMend = 64;

}  // namespace

void Graph::begin_repair(std::vector<Row> dead) {
  dead_ = std::move(dead);
  for (const Row row : dead_) {
    if (row >= dead_bits_.size()) dead_bits_.resize(row + std::size_t{1});
    dead_bits_[row] = true;
  }
  next_repair_ = 0;
  const std::optional<GraphLinks::Entry> entry = links_.entry();
  if (entry && is_dead(entry->row)) choose_entry();
}

void Graph::choose_entry() {
  std::optional<GraphLinks::Entry> best;
  for (std::size_t word = 0; word * 64 < store_.end(); ++word) {
    for (std::uint64_t nodes = links_.node_word(word); nodes != 0; nodes &= nodes - 1) {
      const auto row = static_cast<Row>(word * 64 + static_cast<std::size_t>(std::countr_zero(nodes)));
      if (is_dead(row) || (best && links_.layer_of(row) <= best->layer)) continue;
      best = GraphLinks::Entry{row, links_.layer_of(row)};
    }
  }
  links_.set_entry(best);
}

bool Graph::lead_around_dead(Row row, std::size_t layer) {
  GraphLinks::Neighbours list;
  const std::span<const Row> neighbours = links_.neighbours(row, layer, list);
  if (std::ranges::none_of(neighbours, [this](Row next) { return is_dead(next); })) return false;
  // What the dead ones led to takes their place.
  std::vector<Row> rows;
  GraphLinks::Neighbours beyond_list;
  for (const Row next : neighbours) {
    if (!is_dead(next)) {
      rows.push_back(next);
      continue;
    }
    for (const Row beyond : links_.neighbours(next, layer, beyond_list))
      if (beyond != row && !is_dead(beyond)) rows.push_back(beyond);
  }
  choose_neighbours(row, layer, std::move(rows));
  return true;
}

void Graph::choose_neighbours(Row row, std::size_t layer, std::vector<Row> rows) {
  std::ranges::sort(rows);
  rows.erase(std::ranges::unique(rows).begin(), rows.end());
  const Comparer comparer = comparer_of(row);
  std::vector<Near> candidates;
  std::array<float, Comparer::kRowsAtOnce> keys;
  for (std::size_t i = 0; i < rows.size(); i += keys.size()) {
    const std::span<const Row> some = std::span(rows).subspan(i, std::min(keys.size(), rows.size() - i));
    comparer.finite_keys(some, keys.data());
    for (std::size_t j = 0; j < some.size(); ++j) candidates.push_back({keys[j], some[j]});
  }
  std::sort(candidates.begin(), candidates.end());
  choose(candidates, GraphLinks::links_max(layer));
  std::vector<Row> chosen;
  for (const Near& near : candidates) chosen.push_back(near.row);
  links_.set_neighbours(row, layer, chosen);
}

std::vector<Row> Graph::repair(std::size_t& insertions) {
  std::size_t looks = insertions * kLooksPerInsertion;
  const std::size_t end = store_.end();
  for (; next_repair_ < end && looks > 0; ++next_repair_) {
    const auto row = static_cast<Row>(next_repair_);
    --looks;
    if (!links_.is_node(row) || is_dead(row)) continue;
    for (std::size_t layer = 0; layer <= links_.layer_of(row); ++layer)
      if (lead_around_dead(row, layer)) looks -= std::min(looks, kLooksPerMend);
  }
  insertions = looks / kLooksPerInsertion;
  if (next_repair_ < end) return {};
  for (const Row row : dead_) links_.close(row);
  dead_bits_ = {};
  return std::exchange(dead_, {});
}

}  // namespace dolmen::vector
