#include "dolmen/entity/threads.h"

#include <atomic>
#include <functional>
#include <gtest/gtest.h>
#include <latch>
#include <mutex>
#include <set>
#include <thread>

#include "base/test_result.h"
#include "entity/test_configs.h"

namespace dolmen {
namespace {

TEST(ShardThreads, are_no_more_than_the_throttle_says) {
  const EntityManager entities =
      EntityManager::make(users_and_emails(), {.now = [] { return TimePoint(std::chrono::milliseconds(1500)); }})
          .value();
  for (const int throttle : {1, 4}) {
    std::mutex guards_threads;
    std::set<std::thread::id> threads;
    EntityQueryOptions options{.entity = "user", .throttle = throttle};
    options.shard_queries["created"] = in_threads([&](const ShardRequest& /*request*/) -> Result<ShardPage> {
      const std::lock_guard lock(guards_threads);
      threads.insert(std::this_thread::get_id());
      return ShardPage{};
    });
    for (int i = 0; i < 100; ++i) ASSERT_THAT(entities.query(options), succeeds());
    EXPECT_LE(threads.size(), static_cast<std::size_t>(throttle));
  }
}

/// Answers on the thread that asks.
class Inline {
 public:
  EntityQueryResult query(const EntityQueryOptions& options) {
    // By then there are 1, 16 and 256 shards.
    const EntityManager entities =
        EntityManager::make(users_and_emails(), {.now = [] { return TimePoint(std::chrono::milliseconds(2500)); }})
            .value();
    EntityQueryOptions asked = options;
    asked.entity = "user";
    asked.limit = kNoLimit;
    asked.sort = {{"userId"}};
    asked.shard_queries["created"] = [this](const ShardRequest& request, ShardDone done) {
      {
        const std::lock_guard lock(guards_threads);
        threads.insert(std::this_thread::get_id());
      }
      if (meet) meet();
      done(ShardPage{.items = {{{"userId", request.hash_key}, {"created", 1}}}});
    };
    return entities.query(asked).value();
  }

  std::function<void()> meet;
  std::mutex guards_threads;
  std::set<std::thread::id> threads;
};

TEST(ShardThreads, that_make_calls_give_the_answer_that_one_gives) {
  Inline one;
  Inline several;
  const EntityQueryResult expected = one.query({.throttle = 10});
  const EntityQueryResult result = several.query({.throttle = 10, .threads = 4});
  EXPECT_EQ(one.threads.size(), 1U);
  EXPECT_LE(several.threads.size(), 4U);
  EXPECT_EQ(result.items, expected.items);
  EXPECT_EQ(result.page_token, expected.page_token);
  EXPECT_EQ(result.count, 273U);
}

TEST(ShardThreads, that_make_calls_are_at_work_at_the_same_time) {
  Inline shards;
  std::atomic<int> calls = 0;
  std::latch two(2);
  shards.meet = [&] {
    if (++calls <= 2) two.arrive_and_wait();
  };
  EXPECT_EQ(shards.query({.throttle = 10, .threads = 2}).count, 273U);
  EXPECT_EQ(shards.threads.size(), 2U);
}

TEST(ShardThreads, that_make_calls_are_not_started_for_a_few) {
  const EntityManager entities =
      EntityManager::make(users_and_emails(), {.now = [] { return TimePoint(std::chrono::milliseconds(1500)); }})
          .value();
  std::set<std::thread::id> threads;
  EntityQueryOptions options{.entity = "user", .throttle = 10, .threads = 4};
  options.shard_queries["created"] = [&](const ShardRequest& /*request*/, ShardDone done) {
    threads.insert(std::this_thread::get_id());
    done(ShardPage{});
  };
  ASSERT_TRUE(entities.query(options));
  EXPECT_EQ(threads, std::set{std::this_thread::get_id()});
  options.threads = 0;
  EXPECT_THAT(entities.query(options), fails_with(Code::kInvalidArgument));
}

}  // namespace
}  // namespace dolmen
