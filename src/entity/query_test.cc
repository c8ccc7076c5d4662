#include <algorithm>
#include <atomic>
#include <barrier>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "base/test_result.h"
#include "dolmen/entity/threads.h"
#include "entity/test_configs.h"

namespace dolmen {
namespace {

using testing::ElementsAre;

EntityManager manager(EntityOptions options = {}) {
  options.now = [] { return TimePoint(std::chrono::milliseconds(1500)); };
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

TEST(EntityQuery, writes_places_in_the_order_of_names_although_javascript_lists_numbers_by_value) {
  EntityConfig config = users_and_emails();
  for (const char* name : {"900", "1000"}) {
    config.indexes.push_back(config.indexes[0]);
    config.indexes.back().name = name;
  }
  const EntityManager entities =
      EntityManager::make(config, {.now = [] { return TimePoint(std::chrono::milliseconds(1500)); }}).value();
  Shards none({});
  Shards some({{"user!7", 30}});
  EntityQueryOptions options{.entity = "user", .limit = 10};
  options.shard_queries["900"] = options_for(some).shard_queries["created"];
  options.shard_queries["1000"] = options_for(none).shard_queries["created"];
  options.page_token = entities.query(options)->page_token;
  const std::vector<std::string> texts = read_entity_page_token(options.page_token).value();
  ASSERT_EQ(texts.size(), 2U * 17U);
  EXPECT_EQ(texts[8], "") << "of index 1000, which comes first as a text and last as a number";
  EXPECT_EQ(texts[17 + 8], "0000000000010|7-9");
  EXPECT_EQ(entities.query(options)->items.front().at("userId").string(), "7-10");
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

TEST(EntityQuery, merges_items_that_tie_and_come_from_two_indexes) {
  EntityConfig config = users_and_emails();
  config.indexes.push_back(config.indexes[0]);
  config.indexes.back().name = "again";
  const EntityManager entities =
      EntityManager::make(config, {.now = [] { return TimePoint(std::chrono::milliseconds(1500)); }}).value();
  // Ten items of the same moment in two shards, by their range keys.
  const auto read = [](const ShardRequest& request, ShardDone done) {
    ShardPage page;
    if (request.hash_key != "user!1" && request.hash_key != "user!2") return done(std::move(page));
    const std::string after = request.page_key ? request.page_key->at("sk").string() : "";
    for (char c = 'a'; c < 'k'; ++c) {
      const std::string id = std::string(1, c) + request.hash_key.back();
      if ("userId#" + id <= after) continue;
      if (page.items.size() == request.page_size) {
        page.page_key = page.items.back();
        page.page_key->erase("userId");
        break;
      }
      page.items.push_back({{"pk", request.hash_key}, {"sk", "userId#" + id}, {"userId", id}, {"created", 1200}});
    }
    done(std::move(page));
  };
  for (int limit = 1; limit < 25; ++limit)
    for (const int page_size : {1, 3, 10}) {
      EntityQueryOptions options{.entity = "user", .limit = limit, .page_size = page_size, .fan_out = FanOut::kMerge};
      options.shard_queries["created"] = read;
      options.shard_queries["again"] = read;
      std::vector<std::string> seen;
      for (bool more = true; more;) {
        const EntityQueryResult page = entities.query(options).value();
        for (const Item& item : page.items) seen.push_back(item.at("userId").string());
        options.page_token = page.page_token;
        more = page.has_more;
      }
      EXPECT_EQ(seen.size(), 20U) << limit << " " << page_size;
      EXPECT_TRUE(std::ranges::is_sorted(seen));
    }
}

TEST(EntityQuery, reads_little_in_vain_when_it_merges) {
  std::map<std::string, int> counts;
  for (const char digit : std::string("0123456789abcdef")) counts[std::string("user!") + digit] = 100;
  Shards shards(std::move(counts));
  EntityQueryOptions options = options_for(shards);
  options.limit = 10;
  options.page_size = 10;
  options.fan_out = FanOut::kMerge;
  options.statistics = true;
  const EntityQueryResult result = manager().query(options).value();
  std::uint64_t read = 0;
  for (const ShardStatistics& shard : result.statistics) read += shard.items;
  EXPECT_LE(read, 16U + 2 * 10);
}

TEST(EntityQuery, sorts_numbers_by_value_whether_a_double_holds_them_or_not) {
  EntityQueryOptions options{.entity = "user", .limit = kNoLimit, .sort = {{"n"}}};
  const std::vector<const char*> sorted = {"-12345678901234567890.5", "0.12345678901234567891", "3", "7",
                                           "9007199254740995",        "12345678901234567890"};
  options.shard_queries["created"] = [&](const ShardRequest& request, ShardDone done) {
    ShardPage page;
    if (request.hash_key == "user!")
      for (std::size_t i = 0; i < sorted.size(); ++i) {
        const std::size_t at = (i * 5 + 2) % sorted.size();
        page.items.push_back({{"userId", "u" + std::to_string(at)}, {"n", Number::parse(sorted[at]).value()}});
      }
    done(std::move(page));
  };
  const EntityQueryResult result = manager().query(options).value();
  ASSERT_EQ(result.count, sorted.size());
  for (std::size_t i = 0; i < sorted.size(); ++i)
    EXPECT_EQ(result.items[i].at("userId").string(), "u" + std::to_string(i));
}

TEST(EntityQuery, goes_on_where_the_clock_has_not_reached_the_bump_of_the_first_page) {
  const auto at = [](std::int64_t now) {
    return EntityManager::make(users_and_emails(), {.now = [now] { return TimePoint(std::chrono::milliseconds(now)); }})
        .value();
  };
  Shards shards({{"user!7", 3}, {"user!7f", 4}});
  EntityQueryOptions options = options_for(shards);
  options.limit = 2;
  options.page_size = 1;
  std::set<std::string> seen;
  std::int64_t now = 2001;
  for (bool more = true; more; now = 1999) {
    const EntityQueryResult page = at(now).query(options).value();
    for (const Item& item : page.items) seen.insert(item.at("userId").string());
    options.page_token = page.page_token;
    more = page.has_more;
  }
  EXPECT_EQ(seen.size(), 7U);
}

TEST(EntityQuery, knows_items_by_their_range_key_when_an_index_does_not_hold_the_unique_property) {
  for (const FanOut fan_out : {FanOut::kAll, FanOut::kMerge}) {
    EntityQueryOptions options{.entity = "user", .limit = kNoLimit, .fan_out = fan_out};
    options.shard_queries["created"] = [](const ShardRequest& request, ShardDone done) {
      ShardPage page;
      if (request.hash_key == "user!")
        for (const char* id : {"a", "b", "a"})
          page.items.push_back({{"sk", std::string("userId#") + id}, {"created", 1}});
      done(std::move(page));
    };
    EXPECT_EQ(manager().query(options)->count, 2U);
    options.shard_queries["created"] = [](const ShardRequest& /*request*/, ShardDone done) {
      done(ShardPage{.items = {{{"sk", "email#x"}, {"created", 1}}}});
    };
    EXPECT_EQ(manager().query(options).error().message(), "missing item unique property");
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
  EXPECT_THAT(manager().query(options), succeeds());
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
  EXPECT_THAT(manager().query(options), fails_with(Code::kInvalidArgument));
  options = options_for(shards);
  options.fan_out = FanOut::kShrinking;
  EXPECT_THAT(manager({.requery_exhausted = true}).query(options), fails_with(Code::kInvalidArgument));
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
