#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "vector/distance.h"
#include "vector/kernels.h"
#include "vector/row_store.h"

namespace dolmen::vector {

/// A vector to compare rows with. Rows are compared in binary32 first, by a key of which the smallest is the best:
///
///     kCosine      -q·s / (|q||s|)
///     kEuclidean   |q - s|²
///     kDotProduct  -q·s
///
/// Rounding makes keys wrong by a little, of which the bound is known. So only rows whose key is within that bound of
/// the best ones have to be scored in binary64, and no row is lost that `score` would have put among them.
///
/// The measure of a row, which is stored beside it, is 1/|s| for kCosine and |s| for kDotProduct.
class PreparedQuery {
 public:
  /// `query` may be a row of the store or any vector of its dimensions.
  PreparedQuery(Distance distance, std::size_t stride, std::span<const float> query);

  /// The measure to be stored with a vector. NaN where binary32 cannot hold it well enough, which makes every key of
  /// the row NaN.
  static float measure(Distance distance, std::span<const float> vector);

  /// The keys of rows, which must not be more than kRowsAtOnce. A key that overflows is not finite.
  void keys(const RowStore& store, std::span<const Row> rows, float* keys) const;
  static constexpr std::size_t kRowsAtOnce = 64;

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
