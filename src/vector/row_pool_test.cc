#include "vector/row_pool.h"

#include <gtest/gtest.h>

namespace dolmen::vector {
namespace {

TEST(RowPool, gives_a_row_again_only_after_all_who_may_read_it_have_left) {
  RowPool pool(2);
  EXPECT_EQ(pool.take(), Row{0});
  EXPECT_EQ(pool.take(), Row{1});
  EXPECT_EQ(pool.take(), std::nullopt);
  const auto early = pool.enter();
  pool.retire(0);
  EXPECT_EQ(pool.take(), std::nullopt);
  const auto late = pool.enter();
  pool.leave(early);
  // The late reader came after the row was gone, but entered before that could be known of everybody.
  pool.leave(late);
  EXPECT_EQ(pool.take(), Row{0});
}

TEST(RowPool, reuses_rows_though_somebody_is_always_reading) {
  RowPool pool(1000);
  auto reader = pool.enter();
  for (int i = 0; i < 10000; ++i) {
    const std::optional<Row> row = pool.take();
    ASSERT_TRUE(row);
    pool.retire(*row);
    const auto next = pool.enter();
    pool.leave(reader);
    reader = next;
  }
  EXPECT_LT(pool.end(), 10U);
}

}  // namespace
}  // namespace dolmen::vector
