#include "expr/cache.h"

#include <gtest/gtest.h>

#include "base/test_result.h"

namespace dolmen::expr {
namespace {

TEST(ExpressionCache, keeps_what_was_parsed) {
  const std::shared_ptr<const Node> first = cached_condition("kept = b").value();
  EXPECT_EQ(cached_condition("kept = b").value(), first);
}

TEST(ExpressionCache, does_not_grow_without_a_bound) {
  const std::weak_ptr<const Node> first = cached_condition("early = b").value();
  EXPECT_FALSE(first.expired());
  // 400 KB of texts.
  for (int i = 0; i < 100; ++i)
    ASSERT_THAT(cached_condition("a" + std::to_string(i) + std::string(4000, ' ') + "= b"), succeeds());
  EXPECT_TRUE(first.expired());
}

}  // namespace
}  // namespace dolmen::expr
