#pragma once

#include <cstdint>
#include <span>

namespace dolmen::vector {

/// How near two vectors are. The smallest score is the best with kCosine and kEuclidean, the largest with kDotProduct.
enum class Distance : std::uint8_t { kCosine, kEuclidean, kDotProduct };

/// The score of two vectors of equal length: sums in binary64, clamped to the finite binary32 numbers, then rounded to
/// binary32. Never NaN for finite vectors.
///
/// kCosine:     1 - a·b / (|a||b|), from 0 to 2; exactly 1 when a vector is zero, exactly 0 for equal vectors
/// kEuclidean:  the root of the sum of squared differences
/// kDotProduct: a·b
float score(Distance distance, std::span<const float> a, std::span<const float> b);

/// Whether score `a` is strictly better than `b`.
constexpr bool is_better(Distance distance, float a, float b) {
  return distance == Distance::kDotProduct ? a > b : a < b;
}

}  // namespace dolmen::vector
