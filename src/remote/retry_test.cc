#include "remote/retry.h"

#include <gtest/gtest.h>

namespace dolmen::remote {
namespace {

using namespace std::chrono_literals;

Repeat repeat_of_update(std::string text, const Item& values = {}) {
  WriteRequest request{.kind = WriteKind::kUpdate, .table = "t", .update = Expression{std::move(text)}};
  request.placeholders.values = values;
  return repeat_of(request, {});
}

TEST(Repeat, takes_puts_and_deletes_for_the_same_effect_again) {
  for (const WriteKind kind : {WriteKind::kPut, WriteKind::kDelete}) {
    EXPECT_EQ(repeat_of({.kind = kind}, {}), Repeat::kSame);
    EXPECT_EQ(repeat_of({.kind = kind, .condition = Expression{"attribute_exists(a)"}}, {}), Repeat::kSame);
    EXPECT_EQ(repeat_of({.kind = kind, .return_values = ReturnValues::kAllOld}, {}), Repeat::kNever);
    EXPECT_EQ(repeat_of({.kind = kind}, {.repeat_writes = false}), Repeat::kNever);
  }
}

TEST(Repeat, tells_updates_that_only_set_from_those_that_count) {
  EXPECT_EQ(repeat_of_update("SET a = :v, b.c = :v REMOVE d"), Repeat::kSame);
  EXPECT_EQ(repeat_of_update("SET a = if_not_exists(a, :v)"), Repeat::kSame);
  EXPECT_EQ(repeat_of_update("ADD tags :v", {{":v", StringSet{"x"}}}), Repeat::kSame);
  EXPECT_EQ(repeat_of_update("DELETE tags :v", {{":v", StringSet{"x"}}}), Repeat::kSame);
  EXPECT_EQ(repeat_of_update("ADD n :v", {{":v", 1}}), Repeat::kNever);
  EXPECT_EQ(repeat_of_update("SET n = n + :v", {{":v", 1}}), Repeat::kNever);
  EXPECT_EQ(repeat_of_update("SET l = list_append(l, :v)"), Repeat::kNever);
  EXPECT_EQ(repeat_of_update("SET a = b"), Repeat::kNever);
  EXPECT_EQ(repeat_of_update("SET a = if_not_exists(b, :v)"), Repeat::kNever);
  EXPECT_EQ(repeat_of_update("REMOVE l[0]"), Repeat::kNever);
  EXPECT_EQ(repeat_of_update("SET l[9] = :v"), Repeat::kNever);
}

TEST(Backoff, doubles_up_to_its_limit_with_full_jitter) {
  const RetryOptions options{.first_delay = 50ms, .delay_max = 150ms};
  EXPECT_EQ(backoff(options, 1, 50), 50ms);
  EXPECT_EQ(backoff(options, 1, 51), 0ms);
  EXPECT_EQ(backoff(options, 2, 100), 100ms);
  EXPECT_EQ(backoff(options, 3, 150), 150ms);
  EXPECT_EQ(backoff(options, 60, 150), 150ms);
  EXPECT_EQ(backoff({.first_delay = 0ms}, 5, 12345), 0ms);
}

TEST(RetryBudget, is_spent_and_refilled_up_to_its_capacity) {
  RetryBudget budget(12);
  EXPECT_TRUE(budget.take(5));
  EXPECT_TRUE(budget.take(5));
  EXPECT_FALSE(budget.take(5));
  budget.give_back(100);
  EXPECT_TRUE(budget.take(12));
  EXPECT_FALSE(budget.take(1));
}

}  // namespace
}  // namespace dolmen::remote
