#include "base/line_log.h"

#include <chrono>
#include <future>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <semaphore>
#include <vector>

namespace dolmen {
namespace {

TEST(LineLog, hands_over_every_line_in_order_before_it_goes) {
  std::vector<std::string> got;
  {
    LineLog log([&](std::string_view line) { got.emplace_back(line); });
    for (int i = 0; i < 100; ++i) log.write(std::to_string(i));
  }
  ASSERT_EQ(got.size(), 100U);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(got[static_cast<std::size_t>(i)], std::to_string(i));
}

TEST(LineLog, hands_over_a_line_without_waiting_for_another) {
  std::counting_semaphore<> got{0};
  LineLog log([&](std::string_view) { got.release(); });
  for (int i = 0; i < 100; ++i) {
    log.write("line");
    ASSERT_TRUE(got.try_acquire_for(std::chrono::seconds(10)));
  }
}

TEST(LineLog, calls_the_sink_on_a_thread_of_its_own) {
  std::thread::id caller;
  {
    LineLog log([&](std::string_view) { caller = std::this_thread::get_id(); });
    log.write("x");
  }
  EXPECT_NE(caller, std::thread::id());
  EXPECT_NE(caller, std::this_thread::get_id());
}

TEST(LineLog, keeps_nobody_waiting_for_a_stuck_sink_and_says_how_much_was_lost) {
  std::promise<void> stuck;
  std::promise<void> go_on;
  std::vector<std::string> got;
  {
    LineLog log([&](std::string_view line) {
      if (got.empty()) {
        stuck.set_value();
        go_on.get_future().wait();
      }
      got.emplace_back(line);
    });
    log.write("first");
    stuck.get_future().wait();
    for (std::size_t i = 0; i < LineLog::kWaitingMax + 7; ++i) log.write("line");
    go_on.set_value();
  }
  ASSERT_EQ(got.size(), 1 + LineLog::kWaitingMax + 1);
  EXPECT_EQ(got.back(), "7 more lines were dropped because they came faster than they could be written");
}

TEST(LineLog, without_a_sink_swallows_everything) {
  LineLog log({});
  log.write("x");
}

}  // namespace
}  // namespace dolmen
