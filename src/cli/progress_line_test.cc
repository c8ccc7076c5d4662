#include "cli/progress_line.h"

#include <gtest/gtest.h>

namespace dolmen::cli {
namespace {

TEST(ProgressLine, draws_eighths) {
  EXPECT_EQ(progress_bar(0, 4), "    ");
  EXPECT_EQ(progress_bar(0.5, 4), "██  ");
  EXPECT_EQ(progress_bar(0.6, 4), "██▍ ");
  EXPECT_EQ(progress_bar(7, 4), "████");
}

TEST(ProgressLine, writes_times_and_numbers_for_people) {
  EXPECT_EQ(duration_text(0), "0:00");
  EXPECT_EQ(duration_text(61.2), "1:02");
  EXPECT_EQ(duration_text(3723), "1:02:03");
  EXPECT_EQ(grouped_digits(7), "7");
  EXPECT_EQ(grouped_digits(631204), "631,204");
  EXPECT_EQ(grouped_digits(1000000), "1,000,000");
}

}  // namespace
}  // namespace dolmen::cli
