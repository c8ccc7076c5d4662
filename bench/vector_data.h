#pragma once

#include <cmath>
#include <cstddef>
#include <random>
#include <span>
#include <vector>

namespace dolmen::bench {

/// Vectors in 1,000 overlapping clusters which lie in a space of 32 dimensions, with some noise in all others: like
/// embeddings, and unlike independent numbers, they have neighbours.
class ClusteredData {
 public:
  explicit ClusteredData(std::size_t dimensions)
      : dimensions_(dimensions), axes_(normals(dimensions * kInner, 1)), centres_(normals(kClusters * kInner, 2)) {}

  [[nodiscard]] std::vector<float> vectors(std::size_t count, unsigned seed) const {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    std::vector<float> out(count * dimensions_);
    std::vector<float> inner(kInner);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t cluster = random() % kClusters;
      for (std::size_t k = 0; k < kInner; ++k) inner[k] = centres_[cluster * kInner + k] + 0.5F * normal(random);
      for (std::size_t j = 0; j < dimensions_; ++j) {
        float sum = 0;
        for (std::size_t k = 0; k < kInner; ++k) sum += axes_[j * kInner + k] * inner[k];
        out[i * dimensions_ + j] = sum / std::sqrt(static_cast<float>(kInner)) + 0.02F * normal(random);
      }
    }
    return out;
  }

 private:
  static constexpr std::size_t kInner = 32;
  static constexpr std::size_t kClusters = 1000;

  static std::vector<float> normals(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    std::vector<float> out(count);
    for (float& number : out) number = normal(random);
    return out;
  }

  std::size_t dimensions_;
  std::vector<float> axes_;
  std::vector<float> centres_;
};

}  // namespace dolmen::bench
