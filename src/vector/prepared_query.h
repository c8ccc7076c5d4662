#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "vector/comparer.h"
#include "vector/distance.h"
#include "vector/kernels.h"
#include "vector/row_store.h"

namespace dolmen::vector {

/// A vector to search for. Rows are compared by quick keys first (see `Comparer`). Rounding makes these wrong by a
/// little, of which the bound is known. So only rows whose key is within that bound of the best ones have to be scored
/// in binary64, and no row is lost that `score` would have put among them.
class PreparedQuery {
 public:
  PreparedQuery(Distance distance, std::size_t stride, std::span<const float> query);

  /// Compares the rows of a store with the query, which must outlive it.
  [[nodiscard]] Comparer comparer(const RowStore& store) const {
    return {distance_, store, distance_ == Distance::kCosine ? unit_.get() : query_.get(), 1.0F};
  }

  /// The score of a row, as `score` says.
  [[nodiscard]] float score(const float* row) const;
  /// The greatest key of a row whose score is as good as `score`, before the slack.
  [[nodiscard]] float key_limit(float score) const;
  /// How much the key of a row may be too large.
  [[nodiscard]] float slack(float measure) const {
    return distance_ == Distance::kDotProduct ? slack_ * measure : 0.0F;
  }
  [[nodiscard]] Distance distance() const { return distance_; }
  /// The query, filled with zeros.
  [[nodiscard]] const float* floats() const { return query_.get(); }

 private:
  struct Free {
    void operator()(float* floats) const;
  };
  using Floats = std::unique_ptr<float[], Free>;
  static Floats aligned_copy(std::span<const float> vector, std::size_t stride);

  Distance distance_;
  std::size_t stride_;
  const Kernels& kernels_;
  Floats query_;
  Floats unit_;       ///< The query with length 1, for kCosine.
  double norm2_ = 0;  ///< The squared length of the query.
  double error_ = 0;  ///< The bound of the relative error of a key.
  double floor_ = 0;  ///< The bound of what underflow takes from a key.
  float slack_ = 0;
};

}  // namespace dolmen::vector
