#include "vector/walk.h"

#include <algorithm>
#include <bit>

namespace dolmen::vector {
namespace {

constexpr std::size_t kSeenSlots = 4096;

}  // namespace

void Walk::Seen::clear() {
  if (slots_.empty()) slots_.resize(kSeenSlots);
  std::ranges::fill(slots_, Row{0});
  count_ = 0;
  shift_ = 32U - static_cast<unsigned>(std::countr_zero(slots_.size()));
}

bool Walk::Seen::add(Row row) {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = (row * 2654435769U) >> shift_;; slot = (slot + 1) & mask) {
    if (slots_[slot] == row + 1) return false;
    if (slots_[slot] != 0) continue;
    slots_[slot] = row + 1;
    if (++count_ * 2 > slots_.size()) enlarge();
    return true;
  }
}

void Walk::Seen::enlarge() {
  std::vector<Row> before(slots_.size() * 2);
  before.swap(slots_);
  count_ = 0;
  --shift_;
  for (const Row slot : before)
    if (slot != 0) add(slot - 1);
}

Near Walk::descend(const Comparer& comparer, Near start, std::size_t from_layer, std::size_t to_layer) {
  for (std::size_t layer = from_layer; layer > to_layer; --layer) {
    for (bool moved = true; moved;) {
      moved = false;
      const std::span<const Row> rows = links_.neighbours(start.row, layer, list_);
      for (const Row row : rows) store_.prefetch(row);
      comparer.finite_keys(rows, keys_.data());
      compared_ += rows.size();
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const Near near{.key = keys_[i], .row = rows[i]};
        if (!(near < start)) continue;
        start = near;
        moved = true;
      }
    }
  }
  return start;
}

std::size_t Walk::unseen_neighbours(const Comparer& comparer, Row row, std::size_t layer) {
  std::size_t count = 0;
  for (const Row next : links_.neighbours(row, layer, list_)) {
    if (!seen_.add(next)) continue;
    rows_[count++] = next;
    store_.prefetch(next);
  }
  comparer.finite_keys({rows_.data(), count}, keys_.data());
  compared_ += count;
  return count;
}

void Walk::keep(Near near, std::size_t width) {
  if (best_.size() == width) {
    if (!(near < best_.front())) return;
    std::pop_heap(best_.begin(), best_.end());
    best_.back() = near;
  } else {
    best_.push_back(near);
  }
  std::push_heap(best_.begin(), best_.end());
}

}  // namespace dolmen::vector
