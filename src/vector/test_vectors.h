#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <span>
#include <vector>

#include "vector/distance.h"
#include "vector/search.h"

namespace dolmen::vector {

using Floats = std::vector<float>;

inline constexpr Distance kDistances[] = {Distance::kCosine, Distance::kEuclidean, Distance::kDotProduct};

/// The definition of the scores, one number after the other.
inline float naive_score(Distance distance, std::span<const float> a, std::span<const float> b) {
  double dot = 0;
  double squares_a = 0;
  double squares_b = 0;
  double differences = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = a[i];
    const double y = b[i];
    dot += x * y;
    squares_a += x * x;
    squares_b += y * y;
    differences += (x - y) * (x - y);
  }
  constexpr double kMax = std::numeric_limits<float>::max();
  switch (distance) {
    case Distance::kCosine:
      if (squares_a == 0 || squares_b == 0) return 1;
      return static_cast<float>(std::max(0.0, 1 - dot / std::sqrt(squares_a * squares_b)));
    case Distance::kEuclidean: return static_cast<float>(std::min(kMax, std::sqrt(differences)));
    case Distance::kDotProduct: return static_cast<float>(std::clamp(dot, -kMax, kMax));
  }
  return 0;
}

/// Whether two scores are the same up to the rounding of sums in binary64 in another order. `size` is that of the
/// terms.
inline bool is_same_score(float a, float b, double size = 1) {
  return std::abs(static_cast<double>(a) - static_cast<double>(b)) <=
         1e-12 * size + std::ldexp(std::abs(static_cast<double>(b)), -22);
}

/// Vectors in clusters which lie in a space of few dimensions, as embeddings do.
class ClusteredVectors {
 public:
  ClusteredVectors(std::size_t dimensions, std::uint64_t seed) : dimensions_(dimensions), random_(seed) {
    std::normal_distribution<float> normal;
    for (Floats& axis : axes_) axis = some(normal, dimensions);
    for (Floats& centre : centres_) centre = some(normal, axes_.size());
  }

  Floats next() {
    std::normal_distribution<float> normal;
    const Floats& centre = centres_[random_() % centres_.size()];
    Floats vector(dimensions_);
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      const float along = centre[i] + 0.5F * normal(random_);
      for (std::size_t j = 0; j < dimensions_; ++j) vector[j] += along * axes_[i][j];
    }
    for (float& number : vector) number += 0.02F * normal(random_);
    return vector;
  }

 private:
  Floats some(std::normal_distribution<float>& normal, std::size_t count) {
    Floats numbers(count);
    for (float& number : numbers) number = normal(random_);
    return numbers;
  }

  std::size_t dimensions_;
  std::mt19937_64 random_;
  std::vector<Floats> axes_ = std::vector<Floats>(8);
  std::vector<Floats> centres_ = std::vector<Floats>(20);
};

}  // namespace dolmen::vector
