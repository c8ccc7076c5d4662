#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "vector/prepared_query.h"
#include "vector/search.h"

namespace dolmen::vector {

/// The best rows of those that were offered, by their scores in binary64.
class TopHits {
 public:
  TopHits(const PreparedQuery& query, const RowStore& store, const Search& search);

  /// Offers rows with their keys. Most are refused by their key alone.
  void offer(std::span<const Row> rows, const float* keys);
  [[nodiscard]] std::size_t size() const { return heap_.size(); }
  [[nodiscard]] bool is_full() const { return heap_.size() == top_k_; }
  /// The hits, best first. The object is empty afterwards.
  std::vector<Hit> take();

 private:
  void offer_one(Row row);
  [[nodiscard]] bool comes_before(const Hit& a, const Hit& b) const;

  const PreparedQuery& query_;
  const RowStore& store_;
  const std::function<bool(Row, Row)>& tie_before_;
  std::size_t top_k_;
  float limit_ = std::numeric_limits<float>::infinity();  ///< No row with a greater key is among the best.
  std::vector<Hit> heap_;                                 ///< The worst is the first.
};

}  // namespace dolmen::vector
