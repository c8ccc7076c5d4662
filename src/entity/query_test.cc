#include <algorithm>
#include <atomic>
#include <barrier>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "dolmen/entity_threads.h"
#include "entity/test_configs.h"

namespace dolmen {
namespace {

using testing::ElementsAre;

EntityManager manager(EntityOptions options = {}) {
  options.now = [] { return std::int64_t{1500}; };
  return EntityManager::make(users_and_emails(), std::move(options)).value();
}

/// Shards that have so many items each, read in the order of their time.
class Shards {
 public:
  explicit Shards(std::map<std::string, int> counts) : counts_(std::move(counts)) {}

  ShardPage read(const ShardRequest& request) {
    ++calls;
    const auto found = counts_.find(request.hash_key);
    const int count = found == counts_.end() ? 0 : found->second;
    int next = request.page_key ? static_cast<int>(*request.page_key->at("created").number().to_int64()) : 0;
    ShardPage page;
    for (std::uint32_t i = 0; i < request.page_size && next < count; ++i)
      page.items.push_back({{"pk", request.hash_key},
                            {"sk", "userId#" + request.hash_key.substr(5) + "-" + std::to_string(next)},
                            {"userId", request.hash_key.substr(5) + "-" + std::to_string(next)},
                            {"created", ++next}});
    if (next < count) {
      const Item& last = page.items.back();
      page.page_key = Item{{"pk", last.at("pk")}, {"sk", last.at("sk")}, {"created", last.at("created")}};
    }
    return page;
  }

  int calls = 0;

 private:
  std::map<std::string, int> counts_;
};

EntityQueryOptions options_for(Shards& shards) {
  EntityQueryOptions options{.entity = "user"};
  options.shard_queries["created"] = [&shards](const ShardRequest& request, ShardDone done) {
    done(shards.read(request));
  };
  return options;
}

TEST(EntityQuery, asks_a_shard_that_is_at_its_end_never_again) {
  Shards shards({{"user!", 2}, {"user!3", 5}});
  EntityQueryOptions options = options_for(shards);
  options.limit = kNoLimit;
  options.page_size = 1;
  EXPECT_EQ(manager().query(options)->count, 7U);
  EXPECT_EQ(shards.calls, 17 + 1 + 4);
}

TEST(EntityQuery, asks_it_again_for_those_who_want_what_the_package_does) {
  Shards shards({{"user!", 2}, {"user!3", 3}});
  EntityQueryOptions options = options_for(shards);
  options.limit = kNoLimit;
  options.page_size = 1;
  EXPECT_EQ(manager({.requery_exhausted = true}).query(options)->count, 5U);
  EXPECT_EQ(shards.calls, 6 * 17);
}

TEST(EntityQuery, is_over_when_there_is_nothing_to_ask) {
  Shards shards({});
  EntityQueryOptions options = options_for(shards);
  options.timestamp_to = -1;
  const EntityQueryResult result = manager().query(options).value();
  EXPECT_EQ(result.count, 0U);
  EXPECT_FALSE(result.has_more);
  EXPECT_EQ(result.page_token, "NoXSA");
  EXPECT_EQ(shards.calls, 0);
}

TEST(EntityQuery, reads_a_token_in_another_process_by_what_it_says_alone) {
  Shards shards({{"user!7", 30}});
  EntityQueryOptions options = options_for(shards);
  options.limit = 10;
  options.page_token = manager().query(options)->page_token;
  const std::vector<std::string> texts = read_entity_page_token(options.page_token).value();
  ASSERT_EQ(texts.size(), 17U);
  EXPECT_EQ(texts[8], "0000000000010|7-9");
  EXPECT_EQ(manager().query(options)->items.front().at("userId").string(), "7-10");
}

TEST(EntityQuery, leaves_no_item_out_and_gives_none_twice_with_any_limit_and_way) {
  for (const FanOut fan_out : {FanOut::kAll, FanOut::kShrinking, FanOut::kMerge})
    for (int limit = 1; limit < 40; limit += 3)
      for (const int page_size : {1, 2, 7}) {
        Shards shards({{"user!", 3}, {"user!0", 1}, {"user!4", 11}, {"user!5", 2}, {"user!f", 8}});
        EntityQueryOptions options = options_for(shards);
        options.limit = limit;
        options.page_size = page_size;
        options.fan_out = fan_out;
        std::multiset<std::string> seen;
        bool more = true;
        while (more) {
          const EntityQueryResult page = manager().query(options).value();
          if (fan_out == FanOut::kMerge) {
            EXPECT_LE(page.count, static_cast<std::uint64_t>(limit));
          }
          for (const Item& item : page.items) seen.insert(item.at("userId").string());
          options.page_token = page.page_token;
          more = page.has_more;
        }
        EXPECT_EQ(seen.size(), 25U) << limit << " " << page_size;
        EXPECT_EQ(std::set<std::string>(seen.begin(), seen.end()).size(), 25U);
      }
}

TEST(EntityQuery, lets_code_that_waits_answer_as_many_at_a_time_as_the_throttle_says) {
  constexpr int kThrottle = 4;
  std::atomic<int> calls = 0;
  // Nobody leaves before four are there; the 17th call is alone.
  std::barrier all(kThrottle);
  EntityQueryOptions options{.entity = "user", .throttle = kThrottle};
  options.shard_queries["created"] = in_threads([&](const ShardRequest& /*request*/) -> Result<ShardPage> {
    if (++calls <= 16) all.arrive_and_wait();
    return ShardPage{};
  });
  EXPECT_TRUE(manager().query(options).has_value());
  EXPECT_EQ(calls, 17);
}

TEST(EntityQuery, refuses_what_makes_no_sense) {
  Shards shards({});
  EntityQueryOptions options = options_for(shards);
  options.limit = 0;
  EXPECT_EQ(manager().query(options).error().message(), "limit must be a positive integer or Infinity.");
  options = options_for(shards);
  options.fan_out = FanOut::kMerge;
  options.sort = {{"created"}};
  EXPECT_EQ(manager().query(options).error().code(), Code::kInvalidArgument);
  options = options_for(shards);
  options.shard_queries["lastName"] = options.shard_queries["created"];
  options.fan_out = FanOut::kMerge;
  EXPECT_EQ(manager().query(options).error().message(), "inconsistent rangeKeys");
  options = options_for(shards);
  options.shard_queries["userCreated"] = options.shard_queries["created"];
  EXPECT_EQ(manager().query(options).error().message(), "inconsistent hashKeys");
  EXPECT_EQ(shards.calls, 0);
}

}  // namespace
}  // namespace dolmen
