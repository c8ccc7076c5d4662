#include "storage/commit_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <latch>
#include <thread>

#include "base/round.h"
#include "base/test_result.h"
#include "test_support.h"

namespace dolmen::storage {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Mode = CommitQueue::Mode;

/// Writes down the sizes of the groups it is given, and does as the test says.
class FakeSink final : public CommitSink {
 public:
  Result<void> write(std::span<const Batch> group) override {
    const InUse guard(*this);
    std::unique_lock lock(mutex_);
    ++writes_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return open_; });
    if (next_error_) return std::unexpected(*std::exchange(next_error_, std::nullopt));
    groups_.push_back(group.size());
    return {};
  }

  Result<bool> try_write(std::span<const Batch> group) override {
    const InUse guard(*this);
    {
      std::unique_lock lock(mutex_);
      ++tries_;
      changed_.notify_all();
      changed_.wait(lock, [this] { return tries_open_; });
      if (stalled_) return false;
    }
    DOLMEN_TRY_VOID(write(group));
    return true;
  }

  void hold() { set(open_, false); }
  void release() { set(open_, true); }
  void hold_tries() { set(tries_open_, false); }
  void release_tries() { set(tries_open_, true); }
  void stall(bool stalled) { set(stalled_, stalled); }
  void fail_next(Error error) { set(next_error_, std::optional(std::move(error))); }

  /// Return once `count` writes, or attempts to write at once, have been asked for in all.
  void await_writes(std::size_t count) { await(writes_, count); }
  void await_tries(std::size_t count) { await(tries_, count); }

  std::vector<std::size_t> groups() {
    const std::scoped_lock lock(mutex_);
    return groups_;
  }

 private:
  struct InUse {
    explicit InUse(FakeSink& sink) : sink_(sink), outer_(sink_.user_ != std::this_thread::get_id()) {
      if (!outer_) return;
      EXPECT_EQ(sink_.users_.fetch_add(1), 0) << "two threads are in the sink";
      sink_.user_ = std::this_thread::get_id();
    }
    ~InUse() {
      if (!outer_) return;
      sink_.user_ = std::thread::id();
      sink_.users_.fetch_sub(1);
    }
    FakeSink& sink_;
    const bool outer_;
  };

  void await(const std::size_t& counter, std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return counter >= count; });
  }

  template <class T>
  void set(T& member, T value) {
    const std::scoped_lock lock(mutex_);
    member = std::move(value);
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = true;
  bool tries_open_ = true;
  bool stalled_ = false;
  std::size_t writes_ = 0;
  std::size_t tries_ = 0;
  std::optional<Error> next_error_;
  std::vector<std::size_t> groups_;
  std::atomic<int> users_ = 0;
  std::atomic<std::thread::id> user_;
};

/// Collects what the callbacks are told.
class Results {
 public:
  CommitQueue::Done next() {
    return [this](Result<void> result) {
      const std::scoped_lock lock(mutex_);
      results_.push_back(result ? "ok" : std::string(code_name(result.error().code())));
      messages_.push_back(result ? "" : result.error().message());
    };
  }
  std::vector<std::string> codes() {
    const std::scoped_lock lock(mutex_);
    return results_;
  }
  std::string last_message() {
    const std::scoped_lock lock(mutex_);
    return messages_.back();
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> results_;
  std::vector<std::string> messages_;
};

Batch batch_of(std::size_t bytes) {
  Batch batch;
  batch.put(Keyspace{0}, "k", std::string(bytes, 'v'));
  return batch;
}

TEST(CommitQueue, writes_what_came_during_a_write_as_one_group) {
  FakeSink sink;
  Results results;
  CommitQueue queue(sink, Mode::kGrouped, {});
  sink.hold();
  queue.submit(batch_of(1), results.next());
  sink.await_writes(1);
  for (int i = 0; i < 9; ++i) queue.submit(batch_of(1), results.next());
  EXPECT_TRUE(results.codes().empty());
  sink.release();
  queue.stop();
  EXPECT_THAT(sink.groups(), ElementsAre(1, 9));
  EXPECT_EQ(results.codes(), std::vector<std::string>(10, "ok"));
}

TEST(CommitQueue, splits_a_group_of_more_than_a_mebibyte) {
  FakeSink sink;
  Results results;
  CommitQueue queue(sink, Mode::kGrouped, {});
  sink.hold();
  queue.submit(batch_of(1), results.next());
  sink.await_writes(1);
  for (int i = 0; i < 5; ++i) queue.submit(batch_of(400 << 10), results.next());
  queue.submit(batch_of(2 << 20), results.next());
  sink.release();
  queue.stop();
  EXPECT_THAT(sink.groups(), ElementsAre(1, 2, 2, 1, 1));
}

TEST(CommitQueue, fails_everything_after_a_failed_write) {
  FakeSink sink;
  Results results;
  CommitQueue queue(sink, Mode::kGrouped, {});
  EXPECT_FALSE(queue.failure());
  sink.hold();
  sink.fail_next(Error(Code::kIo, "the disk is gone"));
  queue.submit(batch_of(1), results.next());
  sink.await_writes(1);
  queue.submit(batch_of(1), results.next());
  sink.release();
  queue.stop();
  EXPECT_THAT(results.codes(), ElementsAre("Io", "Io"));
  EXPECT_THAT(results.last_message(), HasSubstr("until it is reopened"));
  EXPECT_THAT(results.last_message(), HasSubstr("the disk is gone"));
  EXPECT_TRUE(sink.groups().empty());
  EXPECT_TRUE(queue.failure());
}

TEST(CommitQueue, refuses_a_batch_over_the_limit_and_says_the_number) {
  FakeSink sink;
  for (const Mode mode : {Mode::kGrouped, Mode::kInline}) {
    Results results;
    CommitQueue queue(sink, mode, {.batch_bytes_max = 1000});
    queue.submit(batch_of(1001), results.next());
    EXPECT_THAT(results.codes(), ElementsAre("LimitExceeded"));
    EXPECT_THAT(results.last_message(), HasSubstr("1000 bytes"));
    queue.submit(batch_of(900), results.next());
    queue.stop();
    EXPECT_THAT(results.codes(), ElementsAre("LimitExceeded", "ok"));
  }
}

TEST(CommitQueue, refuses_to_let_more_wait_than_allowed_and_says_the_number) {
  FakeSink sink;
  Results results;
  CommitQueue queue(sink, Mode::kGrouped, {.queued_bytes_max = 1000});
  sink.hold();
  queue.submit(batch_of(1), results.next());
  sink.await_writes(1);
  queue.submit(batch_of(2000), results.next());  // Alone in the queue: it would never fit otherwise.
  queue.submit(batch_of(1), results.next());
  EXPECT_THAT(results.codes(), ElementsAre("Throttled"));
  EXPECT_THAT(results.last_message(), HasSubstr("the limit is 1000 bytes"));
  sink.release();
  queue.stop();
  EXPECT_THAT(results.codes(), ElementsAre("Throttled", "ok", "ok"));
  EXPECT_EQ(queue.refused(), 1U);
}

TEST(CommitQueue, completes_what_waits_when_it_is_stopped_and_refuses_the_rest) {
  for (const Mode mode : {Mode::kGrouped, Mode::kInline}) {
    FakeSink sink;
    Results results;
    CommitQueue queue(sink, mode, {});
    for (int i = 0; i < 3; ++i) queue.submit(batch_of(1), results.next());
    queue.stop();
    EXPECT_THAT(results.codes(), ElementsAre("ok", "ok", "ok"));
    queue.submit(batch_of(1), results.next());
    EXPECT_THAT(results.codes(), ElementsAre("ok", "ok", "ok", "Closed"));
    queue.stop();
  }
}

TEST(CommitQueue, lets_a_callback_submit_again) {
  FakeSink sink;
  Results results;
  for (const Mode mode : {Mode::kGrouped, Mode::kInline}) {
    std::latch second_done(1);
    CommitQueue queue(sink, mode, {});
    queue.submit(batch_of(1), [&](Result<void>) {
      queue.submit(batch_of(1), [&](Result<void> result) {
        EXPECT_THAT(result, succeeds());
        second_done.count_down();
      });
    });
    second_done.wait();
  }
}

TEST(CommitQueueInline, writes_and_reports_on_the_calling_thread) {
  FakeSink sink;
  CommitQueue queue(sink, Mode::kInline, {});
  std::thread::id reported_by;
  queue.submit(batch_of(1), [&](Result<void> result) {
    EXPECT_THAT(result, succeeds());
    reported_by = std::this_thread::get_id();
  });
  EXPECT_EQ(reported_by, std::this_thread::get_id());
}

TEST(CommitQueueInline, never_makes_a_caller_wait_for_a_stalled_store_and_keeps_the_order) {
  FakeSink sink;
  Results results;
  CommitQueue queue(sink, Mode::kInline, {});
  queue.submit(batch_of(1), results.next());
  sink.stall(true);
  sink.hold();
  queue.submit(batch_of(1), results.next());
  sink.await_writes(2);  // The queue's thread has taken over, and the store keeps it waiting.
  for (int i = 0; i < 3; ++i) queue.submit(batch_of(1), results.next());
  EXPECT_THAT(results.codes(), ElementsAre("ok"));
  sink.stall(false);
  queue.submit(batch_of(1), results.next());  // Must not overtake.
  EXPECT_THAT(results.codes(), ElementsAre("ok"));
  sink.release();
  queue.stop();
  EXPECT_THAT(results.codes(), ElementsAre("ok", "ok", "ok", "ok", "ok", "ok"));
  EXPECT_THAT(sink.groups(), ElementsAre(1, 1, 4));
}

TEST(CommitQueueInline, lets_go_those_who_wait_for_their_turn_when_the_store_stalls) {
  constexpr int kOthers = 4;
  FakeSink sink;
  Results results;
  CommitQueue queue(sink, Mode::kInline, {});
  sink.hold_tries();
  std::thread first([&] { queue.submit(batch_of(1), results.next()); });
  sink.await_tries(1);
  std::latch started(kOthers);
  std::vector<std::thread> others;
  for (int i = 0; i < kOthers; ++i) {
    others.emplace_back([&] {
      started.count_down();
      queue.submit(batch_of(1), results.next());
    });
  }
  started.wait();
  sink.stall(true);
  sink.hold();
  sink.release_tries();
  first.join();
  for (auto& other : others) other.join();  // While the queue's thread is still kept waiting.
  EXPECT_TRUE(results.codes().empty());
  sink.release();
  queue.stop();
  EXPECT_EQ(results.codes(), std::vector<std::string>(1 + kOthers, "ok"));
}

TEST(CommitQueueInline, refuses_an_oversized_batch_at_once_while_another_is_written) {
  FakeSink sink;
  Results results;
  CommitQueue queue(sink, Mode::kInline, {.batch_bytes_max = 1000});
  sink.hold_tries();
  std::thread writer([&] { queue.submit(batch_of(1), results.next()); });
  sink.await_tries(1);
  Results refused;
  queue.submit(batch_of(1001), refused.next());
  EXPECT_THAT(refused.codes(), ElementsAre("LimitExceeded"));
  sink.release_tries();
  writer.join();
  EXPECT_THAT(results.codes(), ElementsAre("ok"));
}

TEST(CommitQueueInline, an_oversized_batch_does_not_swallow_the_turn_of_those_who_wait) {
  constexpr int kRounds = 50;
  constexpr int kWaiting = 6;
  for (int round = 0; round < kRounds; ++round) {
    FakeSink sink;
    Results results;
    CommitQueue queue(sink, Mode::kInline, {.batch_bytes_max = 1000});
    sink.hold_tries();
    std::thread first([&] { queue.submit(batch_of(1), results.next()); });
    sink.await_tries(1);
    std::latch started(kWaiting);
    std::vector<std::thread> waiting;
    for (int i = 0; i < kWaiting; ++i) {
      waiting.emplace_back([&, bytes = i % 2 == 0 ? 1001U : 1U] {
        started.count_down();
        queue.submit(batch_of(bytes), results.next());
      });
    }
    started.wait();
    sink.release_tries();
    first.join();
    for (auto& thread : waiting) thread.join();
    EXPECT_EQ(results.codes().size(), 1U + kWaiting);
    EXPECT_EQ(sink.groups().size(), 1U + kWaiting / 2);
  }
}

TEST(CommitQueueInline, stops_after_the_write_under_way_even_if_that_is_handed_over) {
  for (const bool stalled : {false, true}) {
    FakeSink sink;
    Results results;
    CommitQueue queue(sink, Mode::kInline, {});
    sink.stall(stalled);
    sink.hold_tries();
    std::thread writer([&] { queue.submit(batch_of(1), results.next()); });
    sink.await_tries(1);
    std::thread stopper([&] { queue.stop(); });
    Results late;
    queue.submit(batch_of(1), late.next());  // Waits for its turn until the queue stops.
    EXPECT_THAT(late.codes(), ElementsAre("Closed"));
    sink.release_tries();
    writer.join();
    stopper.join();
    EXPECT_THAT(results.codes(), ElementsAre("ok"));
  }
}

TEST(CommitQueueInline, fails_everything_after_a_failed_write) {
  FakeSink sink;
  Results results;
  CommitQueue queue(sink, Mode::kInline, {});
  sink.fail_next(Error(Code::kNoSpace, "full"));
  queue.submit(batch_of(1), results.next());
  queue.submit(batch_of(1), results.next());
  EXPECT_THAT(results.codes(), ElementsAre("NoSpace", "NoSpace"));
  EXPECT_TRUE(sink.groups().empty());
}

/// Rounds that end when the test says so. The thread of the test works in them while this object lives.
class TestRounds final : public Round {
 public:
  TestRounds() { adopt_thread(); }
  ~TestRounds() override { EXPECT_TRUE(work_.empty()); }

  void at_end(std::move_only_function<void()> work) override { work_.push_back(std::move(work)); }
  void end() {
    for (auto& work : std::exchange(work_, {})) work();
  }
  [[nodiscard]] bool has_work() const { return !work_.empty(); }

 private:
  const Pause before_;  // The thread has no rounds again afterwards.
  std::vector<std::move_only_function<void()>> work_;
};

TEST(CommitQueueRounds, writes_the_commits_of_a_round_together_at_its_end) {
  FakeSink sink;
  Results results;
  CommitQueue queue(sink, Mode::kInline, {});
  TestRounds rounds;
  for (int i = 0; i < 3; ++i) queue.submit(batch_of(1), results.next());
  EXPECT_TRUE(results.codes().empty());
  EXPECT_TRUE(sink.groups().empty());
  rounds.end();
  EXPECT_THAT(results.codes(), ElementsAre("ok", "ok", "ok"));
  EXPECT_THAT(sink.groups(), ElementsAre(3));
  EXPECT_EQ(queue.statistics().inline_commits.value(), 3U);
  queue.submit(batch_of(1), results.next());
  rounds.end();
  EXPECT_THAT(sink.groups(), ElementsAre(3, 1));
}

TEST(CommitQueueRounds, leave_what_a_callback_commits_to_the_next_round) {
  FakeSink sink;
  Results results;
  CommitQueue queue(sink, Mode::kInline, {});
  TestRounds rounds;
  queue.submit(batch_of(1), [&](const Result<void>&) { queue.submit(batch_of(1), results.next()); });
  rounds.end();
  EXPECT_TRUE(results.codes().empty());
  ASSERT_TRUE(rounds.has_work());
  rounds.end();
  EXPECT_THAT(results.codes(), ElementsAre("ok"));
  EXPECT_THAT(sink.groups(), ElementsAre(1, 1));
}

TEST(CommitQueueRounds, do_not_put_off_what_somebody_waits_for) {
  FakeSink sink;
  Results results;
  CommitQueue queue(sink, Mode::kInline, {});
  TestRounds rounds;
  {
    const Round::Pause pause;
    queue.submit(batch_of(1), results.next());
    EXPECT_THAT(results.codes(), ElementsAre("ok"));
  }
  EXPECT_EQ(Round::current(), &rounds);
}

TEST(CommitQueueRounds, split_what_is_more_than_a_mebibyte) {
  FakeSink sink;
  Results results;
  CommitQueue queue(sink, Mode::kInline, {});
  TestRounds rounds;
  for (int i = 0; i < 3; ++i) queue.submit(batch_of(400 << 10), results.next());
  rounds.end();
  EXPECT_THAT(sink.groups(), ElementsAre(2, 1));
  EXPECT_THAT(results.codes(), ElementsAre("ok", "ok", "ok"));
}

TEST(CommitQueueRounds, refuse_all_commits_of_a_round_whose_write_failed_and_all_later_ones) {
  FakeSink sink;
  Results results;
  CommitQueue queue(sink, Mode::kInline, {});
  TestRounds rounds;
  sink.fail_next(Error(Code::kIo, "the disk is gone"));
  for (int i = 0; i < 2; ++i) queue.submit(batch_of(1), results.next());
  rounds.end();
  queue.submit(batch_of(1), results.next());
  rounds.end();
  EXPECT_THAT(results.codes(), ElementsAre("Io", "Io", "Io"));
  EXPECT_TRUE(sink.groups().empty());
}

TEST(CommitQueueRounds, hand_over_to_the_queue_when_the_store_stalls) {
  FakeSink sink;
  Results results;
  CommitQueue queue(sink, Mode::kInline, {});
  TestRounds rounds;
  sink.stall(true);
  for (int i = 0; i < 3; ++i) queue.submit(batch_of(1), results.next());
  rounds.end();
  queue.stop();
  EXPECT_THAT(results.codes(), ElementsAre("ok", "ok", "ok"));
  EXPECT_THAT(sink.groups(), ElementsAre(3));
}

TEST(CommitQueueRounds, write_at_once_what_belongs_to_a_second_store) {
  FakeSink sinks[2];
  Results results[2];
  CommitQueue first(sinks[0], Mode::kInline, {});
  CommitQueue second(sinks[1], Mode::kInline, {});
  TestRounds rounds;
  first.submit(batch_of(1), results[0].next());
  second.submit(batch_of(1), results[1].next());
  EXPECT_TRUE(results[0].codes().empty());
  EXPECT_THAT(results[1].codes(), ElementsAre("ok"));
  rounds.end();
  EXPECT_THAT(results[0].codes(), ElementsAre("ok"));
}

TEST(CommitQueueRounds, are_ended_before_the_queue_stops) {
  FakeSink sink;
  Results results;
  CommitQueue queue(sink, Mode::kInline, {});
  TestRounds rounds;
  queue.submit(batch_of(1), results.next());
  std::thread stopping([&] { queue.stop(); });
  rounds.end();
  stopping.join();
  EXPECT_THAT(results.codes(), ElementsAre("ok"));
}

TEST(CommitQueue, calls_back_once_for_each_batch_of_many_threads_whatever_the_store_does) {
  constexpr std::size_t kThreads = 4;
  constexpr std::size_t kBatches = 500;
  for (const Mode mode : {Mode::kGrouped, Mode::kInline}) {
    FakeSink sink;
    std::atomic<std::size_t> completed = 0;
    CommitQueue queue(sink, mode, {});
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        for (std::size_t i = 0; i < kBatches; ++i) {
          if (t == 0) sink.stall(i % 3 == 0);
          queue.submit(batch_of(1), [&](Result<void> result) { completed += result ? 1 : 0; });
        }
      });
    }
    for (auto& thread : threads) thread.join();
    queue.stop();
    EXPECT_EQ(completed, kThreads * kBatches);
  }
}

TEST(CommitQueueDeathTest, does_not_let_a_callback_stop_it) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  FakeSink sink;
  const auto stop_in_callback = [&sink] {
    CommitQueue queue(sink, Mode::kGrouped, {});
    std::latch never(1);
    queue.submit(batch_of(1), [&](Result<void>) { queue.stop(); });
    never.wait();
  };
  EXPECT_DEATH(stop_in_callback(), "cannot close the store");
}

}  // namespace
}  // namespace dolmen::storage
