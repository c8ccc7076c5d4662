#include "engine/conflicts.h"

#include <gtest/gtest.h>

namespace dolmen::engine {
namespace {

using Kind = Conflicts::Kind;
using Positions = std::vector<std::size_t>;

TEST(Conflicts, writes_of_one_item_do_not_conflict) {
  Conflicts conflicts;
  const auto first = conflicts.enter({"a"}, Kind::kWrite);
  EXPECT_TRUE(first);
  EXPECT_TRUE(conflicts.enter({"a"}, Kind::kWrite));
}

TEST(Conflicts, a_transaction_conflicts_with_writes_and_transactions_that_come_later) {
  Conflicts conflicts;
  const auto transaction = conflicts.enter({"a", "b"}, Kind::kTransaction);
  ASSERT_TRUE(transaction);
  EXPECT_EQ(conflicts.enter({"b"}, Kind::kWrite).error(), Positions({0}));
  EXPECT_EQ(conflicts.enter({"x", "b", "a"}, Kind::kTransaction).error(), Positions({1, 2}));
  EXPECT_TRUE(conflicts.enter({"x"}, Kind::kTransaction));
}

TEST(Conflicts, a_refused_request_leaves_no_trace) {
  Conflicts conflicts;
  const auto transaction = conflicts.enter({"a"}, Kind::kTransaction);
  EXPECT_FALSE(conflicts.enter({"b", "a"}, Kind::kTransaction));
  EXPECT_TRUE(conflicts.enter({"b"}, Kind::kTransaction));
}

TEST(Conflicts, a_transaction_waits_for_a_write_and_then_keeps_others_away) {
  Conflicts conflicts;
  const auto write = conflicts.enter({"a"}, Kind::kWrite);
  const auto transaction = conflicts.enter({"a"}, Kind::kTransaction);
  EXPECT_TRUE(transaction);
  EXPECT_FALSE(conflicts.enter({"a"}, Kind::kWrite));
}

TEST(Conflicts, reads_of_a_transaction_conflict_with_every_write_until_it_ends) {
  Conflicts conflicts;
  const std::vector<std::string> keys{"a", "b"};
  {
    const auto write = conflicts.enter({"b"}, Kind::kWrite);
    EXPECT_EQ(conflicts.in_the_way(keys), Positions({1}));
  }
  EXPECT_EQ(conflicts.in_the_way(keys), Positions());
}

TEST(Conflicts, a_token_is_in_use_until_its_transaction_ends) {
  Conflicts conflicts;
  {
    const auto token = conflicts.enter_token("t");
    EXPECT_TRUE(token);
    EXPECT_FALSE(conflicts.enter_token("t"));
    EXPECT_TRUE(conflicts.enter_token("u"));
  }
  EXPECT_TRUE(conflicts.enter_token("t"));
}

}  // namespace
}  // namespace dolmen::engine
