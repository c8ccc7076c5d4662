#include "dolmen/entity/threads.h"

#include <gtest/gtest.h>
#include <mutex>
#include <set>
#include <thread>

#include "entity/test_configs.h"

namespace dolmen {
namespace {

TEST(ShardThreads, are_no_more_than_the_throttle_says) {
  const EntityManager entities =
      EntityManager::make(users_and_emails(), {.now = [] { return std::int64_t{1500}; }}).value();
  for (const int throttle : {1, 4}) {
    std::mutex guards_threads;
    std::set<std::thread::id> threads;
    EntityQueryOptions options{.entity = "user", .throttle = throttle};
    options.shard_queries["created"] = in_threads([&](const ShardRequest& /*request*/) -> Result<ShardPage> {
      const std::lock_guard lock(guards_threads);
      threads.insert(std::this_thread::get_id());
      return ShardPage{};
    });
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(entities.query(options).has_value());
    EXPECT_LE(threads.size(), static_cast<std::size_t>(throttle));
  }
}

}  // namespace
}  // namespace dolmen
