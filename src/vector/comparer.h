#pragma once

#include <cstddef>
#include <span>

#include "vector/distance.h"
#include "vector/kernels.h"
#include "vector/row_store.h"

namespace dolmen::vector {

/// Compares rows of a store with one vector, by a key of which the smallest is the best:
///
///     kCosine      -q·s / (|q||s|)
///     kEuclidean   |q - s|²
///     kDotProduct  -q·s
///
/// Keys are binary32. They are quick, not exact; see `PreparedQuery` for how far they may be off.
class Comparer {
 public:
  static constexpr std::size_t kRowsAtOnce = 64;

  /// `query` has the store's stride. With kCosine its length is `1 / factor`. Both must outlive the comparer.
  Comparer(Distance distance, const RowStore& store, const float* query, float factor)
      : distance_(distance), store_(store), kernels_(kernels()), query_(query), factor_(factor) {}
  /// Compares rows with a row.
  Comparer(Distance distance, const RowStore& store, Row row)
      : Comparer(distance, store, store.floats(row), store.measure(row)) {}

  /// The keys of at most kRowsAtOnce rows. One that overflows is infinite or NaN.
  void keys(std::span<const Row> rows, float* keys) const;
  /// The same with finite keys, which can be sorted.
  void finite_keys(std::span<const Row> rows, float* keys) const;
  [[nodiscard]] float finite_key(Row row) const;

 private:
  [[nodiscard]] float slow_key(Row row) const;

  Distance distance_;
  const RowStore& store_;
  const Kernels& kernels_;
  const float* query_;
  float factor_;
};

/// What a store keeps beside each vector as its measure: 1 / |s| with kCosine, |s| with kDotProduct. NaN where binary32
/// cannot hold it well enough, which makes the keys of the row NaN.
float measure_of(Distance distance, std::span<const float> vector);

}  // namespace dolmen::vector
