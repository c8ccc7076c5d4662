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

/// The score as AWS defines it: sums in 64 bits, the result rounded to 32.
inline float naive_score(VectorDistance distance, const std::vector<float>& a, const std::vector<float>& b) {
  double dot = 0;
  double squares_a = 0;
  double squares_b = 0;
  double difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = a[i];
    const double y = b[i];
    dot += x * y;
    squares_a += x * x;
    squares_b += y * y;
    difference += (x - y) * (x - y);
  }
  double score = dot;
  if (distance == VectorDistance::kEuclidean) score = std::sqrt(difference);
  if (distance == VectorDistance::kCosine)
    score = squares_a == 0 || squares_b == 0 ? 1 : 1 - dot / (std::sqrt(squares_a) * std::sqrt(squares_b));
  constexpr double kMax = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(score, -kMax, kMax));
}

inline bool matches(const ModelSearch& search, const ModelItem& item) {
  if (!item.vector || (search.by_tenant && item.tenant != search.tenant)) return false;
  return !search.kind || item.kind == search.kind;
}

/// The scores of all items that match, best first.
inline std::vector<float> naive_scores(const ModelTable& table, const ModelSearch& search) {
  std::vector<float> scores;
  for (const auto& [key, item] : table)
    if (matches(search, item)) scores.push_back(naive_score(search.distance, search.query, *item.vector));
  const bool largest_first = search.distance == VectorDistance::kDotProduct;
  std::ranges::sort(scores, [&](float a, float b) { return largest_first ? a > b : a < b; });
  return scores;
}

}  // namespace dolmen::vectors_torture
