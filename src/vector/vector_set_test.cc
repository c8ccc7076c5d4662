#include "vector/vector_set.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <random>
#include <vector>

#include "base/test_result.h"
#include "base/test_seed.h"

namespace dolmen::vector {
namespace {

using Floats = std::vector<float>;

/// The definition of the scores, one number after the other.
float naive_score(Distance distance, std::span<const float> a, std::span<const float> b) {
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

constexpr Distance kDistances[] = {Distance::kCosine, Distance::kEuclidean, Distance::kDotProduct};

std::vector<float> scores_of(const Found& found) {
  std::vector<float> scores;
  for (const Hit& hit : found.hits) scores.push_back(hit.score);
  return scores;
}

std::vector<Row> rows_of(const Found& found) {
  std::vector<Row> rows;
  for (const Hit& hit : found.hits) rows.push_back(hit.row);
  return rows;
}

Found search_of(const VectorSet& set, const Search& search) { return set.read().search(search).value(); }

TEST(VectorSet, scores_the_example_of_the_service) {
  const std::map<Distance, Floats> expected{{Distance::kCosine, {0, 0.4F, 1, 2}},
                                            {Distance::kEuclidean, {0, std::sqrt(0.8F), std::sqrt(2.0F), 2}},
                                            {Distance::kDotProduct, {1, 0.6F, 0, -1}}};
  for (const Distance distance : kDistances) {
    const SetOptions options{.dimensions = 3, .distance = distance};
    VectorSet set(options);
    for (const Floats& vector : {Floats{1, 0, 0}, Floats{0, 1, 0}, Floats{-1, 0, 0}, Floats{.6F, .8F, 0}})
      set.add(vector).value();
    const Floats query{1, 0, 0};
    const Found found = search_of(set, {.query = query});
    EXPECT_EQ(rows_of(found), (std::vector<Row>{0, 3, 1, 2}));
    for (std::size_t i = 0; i < 4; ++i) EXPECT_FLOAT_EQ(found.hits[i].score, expected.at(distance)[i]);
  }
}

}  // namespace
}  // namespace dolmen::vector
