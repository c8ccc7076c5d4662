#pragma once

// A naive model of a table with vector indexes: all items in a map, every search a loop over them.

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/table.h"

namespace dolmen::vectors_torture {

struct ModelItem {
  std::optional<std::vector<float>> vector;
  std::optional<std::string> tenant;
  std::optional<int> kind;
  int note = 0;
};

/// By the partition key.
using ModelTable = std::map<std::string, ModelItem>;

struct ModelSearch {
  VectorDistance distance = VectorDistance::kCosine;
  std::vector<float> query;
  std::optional<std::string> tenant;
  std::optional<int> kind;
  /// Only items with a tenant are in the index.
  bool by_tenant = false;
};

inline double dot_product(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sum;
}

inline double euclidean_distance(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = static_cast<double>(a[i]) - static_cast<double>(b[i]);
    sum += difference * difference;
  }
  return std::sqrt(sum);
}

inline double cosine_distance(const std::vector<float>& a, const std::vector<float>& b) {
  const double squares_a = dot_product(a, a);
  const double squares_b = dot_product(b, b);
  return squares_a == 0 || squares_b == 0 ? 1 : 1 - dot_product(a, b) / (std::sqrt(squares_a) * std::sqrt(squares_b));
}

/// The score as AWS defines it: sums in 64 bits, the result rounded to 32.
inline float naive_score(VectorDistance distance, const std::vector<float>& a, const std::vector<float>& b) {
  const double score = distance == VectorDistance::kCosine      ? cosine_distance(a, b)
                       : distance == VectorDistance::kEuclidean ? euclidean_distance(a, b)
                                                                : dot_product(a, b);
  constexpr double kMax = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(score, -kMax, kMax));
}

inline bool matches(const ModelSearch& search, const ModelItem& item) {
  if (!item.vector || (search.by_tenant && item.tenant != search.tenant)) return false;
  return !search.kind || item.kind == search.kind;
}

/// The best scores of the items that match, best first.
inline std::vector<float> naive_scores(const ModelTable& table, const ModelSearch& search, std::size_t top_k) {
  std::vector<float> scores;
  for (const auto& [key, item] : table)
    if (matches(search, item)) scores.push_back(naive_score(search.distance, search.query, *item.vector));
  const bool largest_first = search.distance == VectorDistance::kDotProduct;
  const std::size_t count = std::min(scores.size(), top_k);
  std::ranges::partial_sort(scores, scores.begin() + static_cast<std::ptrdiff_t>(count),
                            [&](float a, float b) { return largest_first ? a > b : a < b; });
  scores.resize(count);
  return scores;
}

}  // namespace dolmen::vectors_torture
