#include "vector/top_hits.h"

#include <algorithm>
#include <utility>

namespace dolmen::vector {

TopHits::TopHits(const PreparedQuery& query, const RowStore& store, const Search& search)
    : query_(query), store_(store), tie_before_(search.tie_before), top_k_(search.top_k) {
  heap_.reserve(std::min<std::size_t>(top_k_, 1024));
}

bool TopHits::comes_before(const Hit& a, const Hit& b) const {
  if (a.score != b.score) return is_better(query_.distance(), a.score, b.score);
  return tie_before_ ? tie_before_(a.row, b.row) : a.row < b.row;
}

void TopHits::offer(std::span<const Row> rows, const float* keys) {
  const bool has_slack = query_.distance() == Distance::kDotProduct;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    // Written so that a key that is not a number is never refused.
    if (keys[i] > limit_ && (!has_slack || keys[i] - query_.slack(store_.measure(rows[i])) > limit_)) continue;
    offer_one(rows[i]);
  }
}

void TopHits::offer_one(Row row) {
  if (top_k_ == 0) return;
  const auto before = [this](const Hit& a, const Hit& b) { return comes_before(a, b); };
  const Hit hit{.row = row, .score = query_.score(store_.floats(row))};
  if (is_full()) {
    if (!comes_before(hit, heap_.front())) return;
    std::ranges::pop_heap(heap_, before);
    heap_.back() = hit;
  } else {
    heap_.push_back(hit);
  }
  std::ranges::push_heap(heap_, before);
  if (is_full()) limit_ = query_.key_limit(heap_.front().score);
}

std::vector<Hit> TopHits::take() {
  std::ranges::sort_heap(heap_, [this](const Hit& a, const Hit& b) { return comes_before(a, b); });
  limit_ = std::numeric_limits<float>::infinity();
  return std::exchange(heap_, {});
}

}  // namespace dolmen::vector
