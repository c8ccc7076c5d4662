#include "vector/graph.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/hash.h"

namespace dolmen::vector {
namespace {

void keys_among(const Comparer& comparer, std::span<const Near> rows, float* keys) {
  GraphLinks::Neighbours list;
  for (std::size_t i = 0; i < rows.size(); ++i) list[i] = rows[i].row;
  comparer.finite_keys({list.data(), rows.size()}, keys);
}

std::vector<Row> rows_among(std::span<const Near> nodes) {
  std::vector<Row> rows;
  rows.reserve(nodes.size());
  for (const Near& near : nodes) rows.push_back(near.row);
  return rows;
}

}  // namespace

Graph::Graph(const RowStore& store, Distance distance, std::uint64_t seed)
    : store_(store), distance_(distance), seed_(seed), walk_(links_, store) {}

std::size_t Graph::layer_for(Row row) const {
  const std::string_view bytes(reinterpret_cast<const char*>(&row), sizeof(row));
  // 53 random bits as a number above 0 and at most 1.
  const double random = (static_cast<double>(hash64(bytes, seed_) >> 11) + 1) * std::ldexp(1.0, -53);
  const auto layer = static_cast<std::size_t>(-std::log(random) / std::log(static_cast<double>(GraphLinks::kUpper)));
  return std::min(layer, GraphLinks::kLayersMax - 1);
}

bool Graph::insert(Row row) {
  const std::size_t layer = layer_for(row);
  if (!links_.grow(row + std::size_t{1}) || !links_.open(row, layer)) return false;
  const std::optional<GraphLinks::Entry> entry = links_.entry();
  if (!entry) {
    links_.announce(row);
    links_.set_entry(GraphLinks::Entry{row, layer});
    return true;
  }
  const Comparer comparer = comparer_of(row);
  std::vector<Near> starts{walk_.descend(comparer, {comparer.finite_key(entry->row), entry->row}, entry->layer, layer)};
  const auto accepts = [this, row](Row other) { return other != row && store_.is_live(other) && !is_dead(other); };
  for (std::size_t i = std::min(layer, entry->layer) + 1; i-- > 0;) {
    std::vector<Near> found = walk_.around(comparer, starts, {.layer = i, .width = kBuildWidth}, accepts);
    if (!found.empty()) starts = found;
    choose(found, GraphLinks::kUpper);
    links_.set_neighbours(row, i, rows_among(found));
    for (const Near& near : found) link_back(near.row, row, i);
  }
  links_.announce(row);
  if (layer > entry->layer) links_.set_entry(GraphLinks::Entry{row, layer});
  return true;
}

void Graph::choose(std::vector<Near>& candidates, std::size_t count) {
  if (candidates.size() <= 1) return;
  std::array<float, GraphLinks::kLowest> keys;
  chosen_.clear();
  spare_.clear();
  for (const Near& candidate : candidates) {
    if (chosen_.size() == count) break;
    // A candidate that is nearer to a chosen one than to the node can be reached through that one.
    const Comparer comparer = comparer_of(candidate.row);
    bool redundant = false;
    for (std::size_t i = 0; i < chosen_.size() && !redundant; i += 4) {
      const std::size_t some = std::min<std::size_t>(4, chosen_.size() - i);
      keys_among(comparer, std::span(chosen_).subspan(i, some), keys.data());
      redundant = std::any_of(keys.begin(), keys.begin() + some, [&](float key) { return key < candidate.key; });
    }
    (redundant ? spare_ : chosen_).push_back(candidate);
  }
  // The dot product is not a distance: a long vector makes nearly all others redundant, and few links would be left.
  if (distance_ == Distance::kDotProduct) {
    const std::size_t more = std::min(spare_.size(), count - chosen_.size());
    chosen_.insert(chosen_.end(), spare_.begin(), spare_.begin() + static_cast<std::ptrdiff_t>(more));
  }
  candidates = chosen_;
}

void Graph::link_back(Row from, Row to, std::size_t layer) {
  GraphLinks::Neighbours list;
  const std::span<const Row> before = links_.neighbours(from, layer, list);
  std::vector<Row> rows(before.begin(), before.end());
  rows.push_back(to);
  if (rows.size() > GraphLinks::links_max(layer)) {
    const Comparer comparer = comparer_of(from);
    std::array<float, GraphLinks::kLowest + 1> keys;
    comparer.finite_keys(rows, keys.data());
    std::vector<Near> candidates;
    for (std::size_t i = 0; i < rows.size(); ++i) candidates.push_back({keys[i], rows[i]});
    std::sort(candidates.begin(), candidates.end());
    choose(candidates, GraphLinks::links_max(layer));
    rows = rows_among(candidates);
  }
  links_.set_neighbours(from, layer, rows);
}

}  // namespace dolmen::vector
