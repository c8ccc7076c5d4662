// The comparison of the expression fuzzers, with as many random requests as suit every run of the tests, and without a
// fuzzer's compiler.
#include "fuzz/reference/agreement.h"

#include <gtest/gtest.h>
#include <random>

#include "base/test_seed.h"
#include "fuzz/reference/decimal.h"
#include "fuzz/reference/generator.h"
#include "fuzz/reference/meaning.h"

namespace dolmen::reference {
namespace {

constexpr int kRequests = 20'000;

/// Calls `disagreement(generator)` with random choices until it returns something.
template <class Disagreement>
void expect_agreement(const char* test, Disagreement disagreement) {
  std::mt19937_64 random(test_seed(test));
  for (int i = 0; i < kRequests; ++i) {
    std::string bytes(16 + random() % 240, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    Choices choices(bytes);
    Generator generator(choices);
    const std::optional<std::string> problem = disagreement(generator);
    ASSERT_FALSE(problem.has_value()) << *problem;
  }
}

TEST(Expressions, hold_for_the_items_for_which_the_reference_says_so) {
  expect_agreement("conditions", [](Generator& generator) {
    const Item item = generator.item();
    return condition_disagreement(generator.condition(), item);
  });
}

TEST(Expressions, project_what_the_reference_projects) {
  expect_agreement("projections", [](Generator& generator) {
    const Item item = generator.item();
    return projection_disagreement(generator.projection(), item);
  });
}

TEST(Expressions, update_items_as_the_reference_does) {
  expect_agreement("updates", [](Generator& generator) {
    const Item item = generator.item();
    return update_disagreement(generator.update(), item);
  });
}

TEST(Expressions, give_the_key_bounds_that_the_reference_gives) {
  expect_agreement("key conditions",
                   [](Generator& generator) { return key_condition_disagreement(generator.key_condition()); });
}

/// A generator that makes mostly invalid requests would prove little.
TEST(Generator, makes_mostly_requests_that_are_accepted) {
  std::mt19937_64 random(test_seed("generator"));
  int conditions = 0;
  int holding = 0;
  int updates = 0;
  constexpr int kTries = 2000;
  for (int i = 0; i < kTries; ++i) {
    std::string bytes(256, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    Choices choices(bytes);
    Generator generator(choices);
    const Item item = generator.item();
    if (const auto condition = read_condition(generator.condition())) {
      ++conditions;
      holding += holds(*condition, item) ? 1 : 0;
    }
    if (const auto update = read_update(generator.update())) updates += updated(*update, item) ? 1 : 0;
  }
  EXPECT_GT(conditions, kTries / 4);
  EXPECT_GT(holding, conditions / 8);
  EXPECT_LT(holding, conditions * 7 / 8);
  EXPECT_GT(updates, kTries / 40);
}

TEST(Decimals, are_added_and_compared_as_on_paper) {
  EXPECT_EQ(add_decimals("1", "-1"), "0");
  EXPECT_EQ(add_decimals("99.5", "0.5"), "100");
  EXPECT_EQ(add_decimals("-0.25", "0.2"), "-0.05");
  EXPECT_EQ(add_decimals("100000000000000000000", "0.000000000000000001"), std::nullopt);
  EXPECT_LT(compare_decimals("-10", "-9.5"), 0);
  EXPECT_GT(compare_decimals("10", "9.5"), 0);
  EXPECT_EQ(compare_decimals("0.5", "0.5"), 0);
}

}  // namespace
}  // namespace dolmen::reference
