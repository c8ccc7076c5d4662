#include "document/turns.h"

#include <atomic>
#include <gtest/gtest.h>
#include <latch>
#include <thread>
#include <vector>

namespace dolmen::document {
namespace {

TEST(Turns, let_one_writer_at_a_time_write_a_document) {
  constexpr int kThreads = 4;
  const RowKey row{.partition = "p", .sort = "s"};
  Turns turns;
  std::latch start(kThreads);
  std::atomic<int> writing = 0;
  std::atomic<bool> alone = true;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t)
      threads.emplace_back([&] {
        start.arrive_and_wait();
        for (int i = 0; i < 1000; ++i) {
          const Turns::Turn turn = turns.take(row);
          if (++writing > 1) alone = false;
          std::this_thread::yield();
          --writing;
        }
      });
  }
  EXPECT_TRUE(alone);
}

TEST(Turns, of_several_documents_do_not_wait_for_each_other) {
  Turns turns;
  const Turns::Turn one = turns.take({.partition = "p", .sort = "s"});
  const Turns::Turn other = turns.take({.partition = "p", .sort = "t"});
}

}  // namespace
}  // namespace dolmen::document
