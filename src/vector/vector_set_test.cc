#include "vector/vector_set.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <random>
#include <vector>

#include "base/test_result.h"
#include "base/test_seed.h"
#include "vector/test_vectors.h"

namespace dolmen::vector {
namespace {

constexpr float kHuge = std::numeric_limits<float>::max();

std::vector<Row> rows_found(const Found& found) {
  std::vector<Row> rows;
  for (const Hit& hit : found.hits) rows.push_back(hit.row);
  return rows;
}

Found found_in(const VectorSet& set, const Search& search) { return set.read().search(search).value(); }

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
    const Found found = found_in(set, {.query = query});
    EXPECT_EQ(rows_found(found), (std::vector<Row>{0, 3, 1, 2}));
    for (std::size_t i = 0; i < 4; ++i) EXPECT_FLOAT_EQ(found.hits[i].score, expected.at(distance)[i]);
  }
}

TEST(Score, is_one_for_a_zero_vector_and_cosine) {
  const Floats zero(5);
  const Floats tiny(5, 1e-23F);
  EXPECT_EQ(score(Distance::kCosine, zero, tiny), 1.0F);
  EXPECT_EQ(score(Distance::kCosine, tiny, zero), 1.0F);
  EXPECT_EQ(score(Distance::kCosine, zero, zero), 1.0F);
  EXPECT_EQ(score(Distance::kCosine, tiny, tiny), 0.0F);
}

TEST(Score, is_clamped_to_the_largest_finite_number) {
  const Floats up(3, kHuge);
  const Floats down(3, -kHuge);
  EXPECT_EQ(score(Distance::kEuclidean, up, down), kHuge);
  EXPECT_EQ(score(Distance::kDotProduct, up, up), kHuge);
  EXPECT_EQ(score(Distance::kDotProduct, up, down), -kHuge);
  EXPECT_EQ(score(Distance::kDotProduct, Floats{kHuge, kHuge}, Floats{kHuge, -kHuge}), 0.0F);
  EXPECT_EQ(score(Distance::kCosine, up, up), 0.0F);
  EXPECT_EQ(score(Distance::kCosine, up, down), 2.0F);
}

TEST(Score, of_a_vector_with_itself_is_exactly_zero) {
  std::mt19937_64 random(test_seed("Score"));
  std::normal_distribution<float> normal;
  for (std::size_t dimensions = 1; dimensions < 600; dimensions += 7) {
    Floats vector(dimensions);
    for (float& number : vector) number = normal(random);
    EXPECT_EQ(score(Distance::kCosine, vector, vector), 0.0F);
    EXPECT_EQ(score(Distance::kEuclidean, vector, vector), 0.0F);
  }
}

TEST(VectorSet, refuses_vectors_of_another_length) {
  const SetOptions options{.dimensions = 3};
  VectorSet set(options);
  EXPECT_THAT(set.add(Floats{1, 2}),
              fails_with(Code::kValidation, "a vector of 2 dimensions cannot be in a set of vectors of 3 dimensions"));
  EXPECT_THAT(set.read().search({.query = Floats{1}}), fails_with(Code::kValidation));
  EXPECT_EQ(set.size(), 0U);
}

TEST(VectorSet, refuses_more_rows_than_its_limit_and_uses_rows_again) {
  const SetOptions options{.dimensions = 1, .rows_max = 2};
  VectorSet set(options);
  set.add(Floats{1}).value();
  const Row second = set.add(Floats{2}).value();
  EXPECT_THAT(set.add(Floats{3}), fails_with(Code::kLimitExceeded, "a set of vectors has at most 2 rows"));
  set.remove(second);
  EXPECT_THAT(set.add(Floats{3}), holds(second));
}

TEST(VectorSet, finds_nothing_in_an_empty_set_and_nothing_when_nothing_is_asked_for) {
  const SetOptions options{.dimensions = 2};
  VectorSet set(options);
  const Floats query{1, 2};
  EXPECT_TRUE(found_in(set, {.query = query}).hits.empty());
  set.add(query).value();
  EXPECT_TRUE(found_in(set, {.query = query, .top_k = 0}).hits.empty());
}

TEST(VectorSet, shows_a_row_when_it_is_published_and_never_after_its_removal) {
  const SetOptions options{.dimensions = 1};
  VectorSet set(options);
  const Floats vector{1};
  const Row row = set.stage(vector).value();
  EXPECT_TRUE(found_in(set, {.query = vector}).hits.empty());
  set.publish(row);
  EXPECT_EQ(found_in(set, {.query = vector}).hits.size(), 1U);
  set.remove(row);
  EXPECT_TRUE(found_in(set, {.query = vector}).hits.empty());
}

TEST(VectorSet, keeps_a_removed_row_while_somebody_reads) {
  const SetOptions options{.dimensions = 1};
  VectorSet set(options);
  const Row row = set.add(Floats{1}).value();
  {
    const VectorSet::Reading reading = set.read();
    set.remove(row);
    EXPECT_NE(set.add(Floats{2}).value(), row);
    EXPECT_EQ(reading.vector(row)[0], 1.0F);
  }
  EXPECT_EQ(set.add(Floats{3}).value(), row);
}

TEST(VectorSet, breaks_ties_as_the_caller_says) {
  const SetOptions options{.dimensions = 2};
  VectorSet set(options);
  const Floats vector{1, 1};
  for (int i = 0; i < 100; ++i) set.add(vector).value();
  EXPECT_EQ(rows_found(found_in(set, {.query = vector, .top_k = 3})), (std::vector<Row>{0, 1, 2}));
  const auto larger = [](Row a, Row b) { return a > b; };
  EXPECT_EQ(rows_found(found_in(set, {.query = vector, .top_k = 3, .tie_before = larger})),
            (std::vector<Row>{99, 98, 97}));
}

TEST(VectorSet, takes_little_memory_for_one_row) {
  const SetOptions options{.dimensions = 128};
  VectorSet set(options);
  EXPECT_EQ(set.stats().bytes, 0U);
  set.add(Floats(128)).value();
  EXPECT_LE(set.stats().bytes + sizeof(VectorSet), 128 * sizeof(float) + 600);
}

/// Numbers of all sizes, of which sums lose digits, overflow and underflow in binary32.
float wild_number(std::mt19937_64& random) {
  std::normal_distribution<float> normal;
  switch (random() % 8) {
    case 0: return 0;
    case 1: return 1e-23F * normal(random);
    case 2: return 1e-44F * normal(random);
    case 3: return 1e38F * std::clamp(normal(random), -3.0F, 3.0F);
    case 4: return 1e18F * normal(random);
    default: return normal(random);
  }
}

Floats random_vector(std::mt19937_64& random, std::size_t dimensions, bool wild) {
  std::normal_distribution<float> normal;
  Floats vector(dimensions);
  // Some vectors are all zeros, or nearly equal to others.
  if (random() % 16 == 0) return vector;
  const bool alike = random() % 3 == 0;
  for (float& number : vector)
    number = wild ? wild_number(random) : alike ? 1 + 1e-6F * normal(random) : normal(random);
  return vector;
}

double length_of(std::span<const float> vector) {
  double squares = 0;
  for (const float number : vector) squares += static_cast<double>(number) * static_cast<double>(number);
  return std::sqrt(squares);
}

using Model = std::map<Row, Floats>;

/// What the search must find, by the definition.
void expect_exact(const VectorSet& set, const Model& model, const Search& search) {
  const Distance distance = set.options().distance;
  std::vector<float> expected;
  for (const auto& [row, vector] : model) {
    const bool among = !search.filter.among || std::ranges::count(*search.filter.among, row) > 0;
    if (among && (!search.filter.accepts || search.filter.accepts(row)))
      expected.push_back(naive_score(distance, search.query, vector));
  }
  std::ranges::sort(expected, [&](float a, float b) { return is_better(distance, a, b); });
  const Found found = found_in(set, search);
  ASSERT_EQ(found.hits.size(), std::min(search.top_k, expected.size()));
  for (std::size_t i = 0; i < found.hits.size(); ++i) {
    const Hit& hit = found.hits[i];
    ASSERT_TRUE(model.contains(hit.row));
    const Floats& vector = model.at(hit.row);
    double size = 1;
    if (distance == Distance::kDotProduct) size = length_of(vector) * length_of(search.query);
    EXPECT_TRUE(is_same_score(hit.score, naive_score(distance, search.query, vector), size)) << hit.score;
    EXPECT_TRUE(is_same_score(hit.score, expected[i], size)) << hit.score << " is not " << expected[i];
    if (i > 0) {
      EXPECT_FALSE(is_better(distance, hit.score, found.hits[i - 1].score));
    }
  }
}

TEST(VectorSet, finds_exactly_what_a_naive_model_finds) {
  std::mt19937_64 random(test_seed("VectorSet.naive"));
  for (int round = 0; round < 60; ++round) {
    const SetOptions options{.dimensions = 1 + random() % 70, .distance = kDistances[round % 3]};
    const bool wild = random() % 3 == 0;
    VectorSet set(options);
    Model model;
    for (int step = 0; step < 400; ++step) {
      if (random() % 4 != 0 || model.empty()) {
        const Floats vector = random_vector(random, options.dimensions, wild);
        model[set.add(vector).value()] = vector;
      } else {
        const auto gone = std::next(model.begin(), static_cast<std::ptrdiff_t>(random() % model.size()));
        set.remove(gone->first);
        model.erase(gone);
      }
      if (step % 20 != 0) continue;
      const Floats query = random_vector(random, options.dimensions, wild);
      Search search{.query = query, .top_k = 1 + random() % 20};
      std::vector<Row> among;
      for (Row row = 0; row < 500; row += static_cast<Row>(1 + random() % 5)) among.push_back(row);
      if (random() % 3 == 0) search.filter.among = among;
      if (random() % 3 == 0) search.filter.accepts = [](Row row) { return row % 3 == 1; };
      expect_exact(set, model, search);
      if (testing::Test::HasFailure()) return;
    }
    EXPECT_EQ(set.size(), model.size());
  }
}

}  // namespace
}  // namespace dolmen::vector
