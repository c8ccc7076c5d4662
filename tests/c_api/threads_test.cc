#include <atomic>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <vector>

#include "dolmen/c.h"

namespace dolmen::c_api {
namespace {

TEST(CApi, closes_a_store_under_the_hands_of_other_threads) {
  constexpr int kRounds = 20;
  constexpr int kThreads = 4;
  for (int round = 0; round < kRounds; ++round) {
    dolmen_store* store = nullptr;
    ASSERT_EQ(dolmen_open("memory:", &store), DOLMEN_OK);
    std::atomic<int> calling = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i)
      threads.emplace_back([&] {
        dolmen_status status = DOLMEN_OK;
        while (status == DOLMEN_OK) {
          char* answer = nullptr;
          status = dolmen_call(store, "ListTables", "{}", &answer);
          EXPECT_EQ(answer != nullptr, status == DOLMEN_OK);
          dolmen_free(answer);
          ++calling;
        }
        EXPECT_EQ(status, DOLMEN_CLOSED);
        EXPECT_STREQ(dolmen_last_error_code(), "Closed");
      });
    while (calling < kThreads) std::this_thread::yield();
    EXPECT_EQ(dolmen_close(store), DOLMEN_OK);
    for (std::thread& thread : threads) thread.join();
  }
}

TEST(CApi, closes_a_store_once) {
  dolmen_store* store = nullptr;
  ASSERT_EQ(dolmen_open("memory:", &store), DOLMEN_OK);
  std::atomic<int> closed = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([&] { closed += dolmen_close(store) == DOLMEN_OK ? 1 : 0; });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(closed, 1);
}

}  // namespace
}  // namespace dolmen::c_api
