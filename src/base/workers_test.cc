#include <atomic>
#include <gtest/gtest.h>
#include <latch>
#include <memory>

#include "base/workers.h"

namespace dolmen {
namespace {

TEST(Workers, finish_everything_that_they_took) {
  std::atomic<int> done = 0;
  {
    Workers workers({.threads = 3, .waiting = 1000});
    for (int i = 0; i < 500; ++i) EXPECT_TRUE(workers.run([&] { ++done; }));
  }
  EXPECT_EQ(done, 500);
}

TEST(Workers, take_no_more_than_may_wait_and_nothing_after_the_end) {
  Workers workers({.threads = 1, .waiting = 2});
  std::latch started(1);
  std::latch go(1);
  EXPECT_TRUE(workers.run([&] {
    started.count_down();
    go.wait();
  }));
  started.wait();
  EXPECT_TRUE(workers.run([] {}));
  EXPECT_TRUE(workers.run([] {}));
  EXPECT_FALSE(workers.run([] {}));
  go.count_down();
  workers.stop();
  EXPECT_FALSE(workers.run([] {}));
}

TEST(Workers, drop_what_has_not_begun_when_they_stop_soon) {
  Workers workers({.threads = 1, .waiting = 2});
  std::latch started(1);
  std::latch go(1);
  bool finished = false;
  bool begun = false;
  EXPECT_TRUE(workers.run([&] {
    started.count_down();
    go.wait();
    finished = true;
  }));
  started.wait();
  // Destroyed unused, it lets the first go on.
  EXPECT_TRUE(workers.run([&, lets_go = std::shared_ptr<std::latch>(
                                  &go, [](std::latch* latch) { latch->count_down(); })] { begun = true; }));
  workers.stop_soon();
  EXPECT_TRUE(finished);
  EXPECT_FALSE(begun);
}

TEST(Workers, work_at_the_same_time) {
  Workers workers({.threads = 4, .waiting = 10});
  std::latch all(4);
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(workers.run([&] { all.arrive_and_wait(); }));
  workers.stop();
}

}  // namespace
}  // namespace dolmen
