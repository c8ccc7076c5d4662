#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <semaphore>
#include <string>
#include <thread>
#include <vector>

#include "dolmen/c.h"
#include "opened.h"

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

/// A thread that puts another item some time after each change, until there were enough.
class SlowWriter {
 public:
  static constexpr int kItems = 8;

  explicit SlowWriter(dolmen_store* store) : store_(store), thread_([this] { put_items(); }) {}
  ~SlowWriter() { thread_.join(); }
  SlowWriter(const SlowWriter&) = delete;
  SlowWriter& operator=(const SlowWriter&) = delete;

  static int on_change(void* writer, const char* /*record*/, const char* /*position*/) {
    static_cast<SlowWriter*>(writer)->seen_.release();
    return ++static_cast<SlowWriter*>(writer)->changes_ == kItems ? 1 : 0;
  }
  [[nodiscard]] int changes() const { return changes_; }

 private:
  void put_items() {
    for (int i = 0; i < kItems; ++i) {
      const std::string put = R"({"TableName":"notes","Item":{"id":{"S":")" + std::to_string(i) + R"("}}})";
      char* answer = nullptr;
      EXPECT_EQ(dolmen_call(store_, "PutItem", put.c_str(), &answer), DOLMEN_OK);
      dolmen_free(answer);
      // The stream sees that there is nothing more, and waits. It gives up long before this does.
      if (!seen_.try_acquire_for(std::chrono::seconds(5))) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }

  dolmen_store* store_;
  std::counting_semaphore<kItems> seen_{0};
  int changes_ = 0;
  std::thread thread_;
};

TEST(CApi, waits_as_long_for_the_next_change_as_for_the_first) {
  dolmen_store* store = open_with_stream();
  dolmen_stream_options options = DOLMEN_STREAM_OPTIONS;
  // All of the pauses together are longer than this.
  options.wait_ms = 500;
  {
    SlowWriter writer(store);
    EXPECT_EQ(dolmen_stream(store, "notes", &options, SlowWriter::on_change, &writer), DOLMEN_OK);
    EXPECT_EQ(writer.changes(), SlowWriter::kItems);
  }
  EXPECT_EQ(dolmen_close(store), DOLMEN_OK);
}

}  // namespace
}  // namespace dolmen::c_api
