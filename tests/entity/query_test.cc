#include <algorithm>
#include <gmock/gmock.h>
#include <map>
#include <set>

#include "base/test_result.h"
#include "entity_store.h"

namespace dolmen {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using EntityQueries = EntityStoreTest;

/// All pages of a query, one after the other.
std::vector<Item> pages_of(const EntityQuery& query, std::size_t* pages = nullptr) {
  std::vector<Item> items;
  std::string token;
  for (int i = 0; i < 1000; ++i) {
    const Result<EntityQueryResult> page = query.run(token);
    EXPECT_THAT(page, succeeds());
    if (!page) return items;
    EXPECT_EQ(page->count, page->items.size());
    items.insert(items.end(), page->items.begin(), page->items.end());
    if (pages != nullptr) ++*pages;
    if (!page->has_more) return items;
    token = page->page_token;
  }
  ADD_FAILURE() << "the query does not end";
  return items;
}

TEST_F(EntityQueries, give_all_pages_what_one_page_gives_for_every_page_size_and_way) {
  const EntityClient entities = client();
  put_users(entities, users(60, 900, 25));
  const std::vector<std::string> all =
      sorted_ids_of(entities.query("user").index("created").limit(kNoLimit).run()->items);
  EXPECT_EQ(all.size(), 60U);
  for (const char* index : {"created", "lastName", "score"})
    for (const int page_size : {1, 3, 10, 100})
      for (const FanOut fan_out : {FanOut::kAll, FanOut::kShrinking, FanOut::kMerge})
        for (const int limit : {1, 7, 100}) {
          const EntityQuery query =
              entities.query("user").index(index).limit(limit).page_size(page_size).fan_out(fan_out);
          EXPECT_EQ(sorted_ids_of(pages_of(query)), all)
              << index << ", page size " << page_size << ", limit " << limit << ", way " << static_cast<int>(fan_out);
        }
}

TEST_F(EntityQueries, give_the_same_answer_however_many_threads_ask) {
  const EntityClient entities = client();
  put_users(entities, users(200, 2000, 1));
  for (const FanOut fan_out : {FanOut::kAll, FanOut::kShrinking, FanOut::kMerge}) {
    const auto page = [&](std::size_t threads) {
      return entities.query("user")
          .index("created")
          .limit(50)
          .page_size(1)
          .fan_out(fan_out)
          .threads(threads)
          .run()
          .value();
    };
    const EntityQueryResult one = page(1);
    const EntityQueryResult four = page(4);
    EXPECT_GE(one.count, 50U);
    EXPECT_EQ(four.items, one.items);
    EXPECT_EQ(four.page_token, one.page_token);
  }
}

TEST_F(EntityQueries, find_each_entity_once_through_several_indexes) {
  const EntityClient entities = client();
  put_users(entities, users(40, 900, 40));
  const auto result = entities.query("user").index("created").index("lastName").limit(kNoLimit).page_size(4).run();
  ASSERT_TRUE(result.has_value()) << result.error().message();
  EXPECT_EQ(result->count, 40U);
  EXPECT_EQ(sorted_ids_of(result->items), sorted_ids_of(users(40, 900, 40)));
}

TEST_F(EntityQueries, give_all_entities_once_and_sorted_as_a_whole) {
  const EntityClient entities = client();
  put_users(entities, users(40, 900, 40));
  const auto all = entities.query("user")
                       .index("lastName")
                       .index("created")
                       .sort({{"created", descending}})
                       .limit(3)
                       .page_size(2)
                       .all();
  ASSERT_THAT(all, succeeds());
  ASSERT_EQ(all->size(), 40U);
  for (std::size_t i = 0; i < all->size(); ++i)
    EXPECT_EQ((*all)[i].at("created").number().to_int64(), 900 + (39 - static_cast<std::int64_t>(i)) * 40);
  const auto projected =
      entities.query("user").index("lastName").index("created").sort({{"created"}}).project({"score"}).limit(3).all();
  ASSERT_EQ(projected->size(), 40U);
  EXPECT_EQ(projected->front(), (Item{{"score", -5}}));
}

TEST_F(EntityQueries, go_through_pages_of_properties_with_transcodes_of_the_programs_own) {
  const auto invalid = [] { return std::unexpected(Error(Code::kInvalidEntity, "invalid tag")); };
  EntityOptions options;
  options.transcodes.push_back({.name = "tag",
                                .encode = [=](const EntityValue& value) -> Result<std::string> {
                                  const auto* text = std::get_if<std::string>(&value);
                                  if (text == nullptr) return invalid();
                                  return "v:" + *text;
                                },
                                .decode = [=](std::string_view text) -> Result<EntityValue> {
                                  if (!text.starts_with("v:")) return invalid();
                                  return std::string(text.substr(2));
                                }});
  EntityConfig own = config();
  for (PropertyTranscode& one : own.property_transcodes)
    if (one.property == "userId" || one.property == "lastName") one.transcode = "tag";
  const EntityClient entities = client(own, options);
  put_users(entities, users(20, 900, 60));
  for (const char* index : {"created", "lastName", "score"}) {
    const EntityQuery query = entities.query("user").index(index).limit(3).page_size(1);
    EXPECT_EQ(sorted_ids_of(pages_of(query)), sorted_ids_of(users(20, 900, 60))) << index;
  }
  // Its own text would be read as another one.
  Item item = users(1, 900, 1).front();
  item.set("userId", "v:x");
  EXPECT_EQ(entities.put("user", item).error().message(), "userId does not fit its transcode");
}

TEST_F(EntityQueries, merge_shards_in_order_and_give_no_more_than_was_asked_for) {
  const EntityClient entities = client();
  put_users(entities, users(60, 900, 25));
  std::size_t pages = 0;
  const std::vector<Item> items =
      pages_of(entities.query("user").index("created").limit(8).fan_out(FanOut::kMerge), &pages);
  ASSERT_EQ(items.size(), 60U);
  EXPECT_EQ(pages, 8U);
  for (std::size_t i = 0; i < items.size(); ++i)
    EXPECT_EQ(items[i].at("created").number().to_int64(), 900 + static_cast<std::int64_t>(i) * 25);
  const std::vector<Item> back =
      pages_of(entities.query("user").index("created").limit(8).fan_out(FanOut::kMerge).backward());
  EXPECT_EQ(ids_of(back), [&] {
    std::vector<std::string> ids = ids_of(items);
    std::ranges::reverse(ids);
    return ids;
  }());
}

TEST_F(EntityQueries, ask_fewer_shards_when_few_items_are_wanted) {
  const EntityClient entities = client();
  put_users(entities, users(60, 2000, 1));
  const auto calls = [](const EntityQueryResult& result) {
    std::uint64_t count = 0;
    for (const ShardStatistics& shard : result.statistics) count += shard.calls;
    return count;
  };
  const EntityQuery base = entities.query("user").index("created").limit(5).statistics();
  EXPECT_EQ(calls(base.run().value()), 1U + 16U + 256U);
  EXPECT_LT(calls(EntityQuery(base).fan_out(FanOut::kShrinking).run().value()), 200U);
}

TEST_F(EntityQueries, take_typed_conditions_on_the_range_key_and_filters) {
  const EntityClient entities = client();
  put_users(entities, users(60, 900, 25));
  const auto some = entities.query("user")
                        .index("created", range("created").between(1000, 1200), attr("score") >= 0)
                        .limit(kNoLimit)
                        .sort({{"created", descending}})
                        .run()
                        .value();
  EXPECT_THAT(ids_of(some.items), ElementsAre("u10", "u9", "u8", "u7", "u6", "u5"));
  const EntityCondition from{
      .operation = "between", .property = "created", .values = {AttributeValue(2350), std::nullopt}};
  const EntityCondition nothing{.operation = "=", .property = "lastName", .values = {std::nullopt}};
  const EntityCondition either{.operation = "or",
                               .conditions = {{.operation = "=", .property = "score", .values = {AttributeValue(-1)}},
                                              {.operation = "=", .property = "score", .values = {AttributeValue(-2)}}}};
  const auto as_data = entities.query("user").index("created", from, {nothing, either}).limit(kNoLimit).run();
  ASSERT_TRUE(as_data.has_value()) << as_data.error().message();
  EXPECT_THAT(sorted_ids_of(as_data->items), ElementsAre("u58", "u59"));
  const EntityCondition bogus{.operation = "contains", .property = "created", .values = {AttributeValue(1)}};
  EXPECT_EQ(entities.query("user").index("created", bogus).run().error().message(), "invalid operator");
}

TEST_F(EntityQueries, sort_texts_as_people_do) {
  const EntityClient entities = client();
  put_users(entities, users(7, 1000, 1));
  const auto sorted = entities.query("user").index("created").sort({{"lastName"}}).limit(kNoLimit).run().value();
  std::vector<std::string> names;
  for (const Item& item : sorted.items) names.push_back(item.at("lastName").string());
  EXPECT_THAT(names, ElementsAre("Ångström", "émilie", "hamilton", "hopper", "Lovelace", "Noether", "Zuse"));
}

TEST_F(EntityQueries, give_back_only_what_was_projected) {
  const EntityClient entities = client();
  put_users(entities, users(5, 1000, 1));
  const auto result =
      entities.query("user").index("created").sort({{"userId"}}).project({"score"}).limit(2).page_size(1).run();
  ASSERT_TRUE(result.has_value()) << result.error().message();
  for (const Item& item : result->items) EXPECT_EQ(item.size(), 1U);
}

TEST_F(EntityQueries, project_from_an_index_that_does_not_hold_the_unique_property) {
  // Another table, whose index has only keys.
  EntityConfig narrow = config();
  narrow.indexes = {
      {.name = "created", .hash_key = "pk", .range_key = "created", .projections = std::vector<std::string>()},
      {.name = "score", .hash_key = "pk", .range_key = "scoreRK", .projections = {{"lastName"}}}};
  const EntityClient entities(client(narrow).entities(), *store_, table_ + "-narrow");
  ASSERT_THAT(entities.ensure_table({.interval = std::chrono::milliseconds(20)}), succeeds());
  put_users(entities, users(20, 900, 60));
  for (const FanOut fan_out : {FanOut::kAll, FanOut::kMerge}) {
    const auto created =
        entities.query("user").index("created").project({"created"}).limit(3).page_size(2).fan_out(fan_out).all();
    ASSERT_THAT(created, succeeds());
    EXPECT_EQ(created->size(), 20U);
    EXPECT_EQ(created->front().size(), 1U);
  }
  const auto ids =
      entities.query("user").index("created").project({"userId"}).sort({{"created"}}).limit(kNoLimit).run();
  ASSERT_THAT(ids, succeeds());
  EXPECT_EQ(sorted_ids_of(ids->items), sorted_ids_of(users(20, 900, 60)));
  EXPECT_EQ(ids->items.front(), (Item{{"userId", "u0"}}));
  const auto names = entities.query("user").index("score").project({"lastName", "userId"}).limit(kNoLimit).run();
  ASSERT_THAT(names, succeeds());
  EXPECT_EQ(names->items.front().size(), 2U);
  const auto refused = entities.query("user").index("created").project({"lastName"}).run();
  ASSERT_THAT(refused, fails_with(Code::kInvalidArgument));
  EXPECT_EQ(refused.error().message(), "index created does not hold lastName");
  EXPECT_THAT(store_->delete_table(entities.table()), succeeds());
}

TEST_F(EntityQueries, ask_the_shards_of_one_entity_by_a_sharded_property) {
  const EntityClient entities = client();
  put_users(entities, users(20, 1900, 20));
  const auto one = entities.query("user").index("userCreated").item({{"userId", "u7"}}).run();
  ASSERT_TRUE(one.has_value()) << one.error().message();
  EXPECT_THAT(ids_of(one->items), ElementsAre("u7"));
  EXPECT_EQ(entities.query("user").index("userCreated").run().error().message(),
            "item does not support hash key space");
}

TEST_F(EntityQueries, go_on_from_a_page_of_before_a_bump) {
  EntityConfig before = config();
  before.entities[0].shard_bumps.clear();
  const EntityClient young = client(before);
  put_users(young, users(20, 500, 1));
  const auto first = young.query("user").index("created").limit(5).page_size(5).run().value();
  ASSERT_EQ(first.count, 5U);

  const EntityClient grown = client();
  std::vector<Item> later;
  for (Item item : users(30, 1500, 1)) {
    item.set("userId", "later" + item.at("userId").string());
    later.push_back(std::move(item));
  }
  put_users(grown, later);
  std::vector<Item> items = first.items;
  std::string token = first.page_token;
  while (true) {
    const auto page = grown.query("user").index("created").limit(5).page_size(5).run(token);
    ASSERT_TRUE(page.has_value()) << page.error().message();
    items.insert(items.end(), page->items.begin(), page->items.end());
    if (!page->has_more) break;
    token = page->page_token;
  }
  EXPECT_EQ(sorted_ids_of(items), sorted_ids_of(users(20, 500, 1)));
}

TEST_F(EntityQueries, refuse_tokens_that_are_damaged_or_of_another_query) {
  const EntityClient entities = client();
  put_users(entities, users(60, 900, 25));
  const EntityQuery query = entities.query("user").index("created").limit(1).page_size(1);
  const std::string token = query.run()->page_token;
  EXPECT_TRUE(query.run(token).has_value());
  for (const std::string& bad : {std::string("garbage"), token.substr(0, token.size() / 2), token + "A" + token,
                                 std::string("NoIhBowXSA"), std::string("zzzzzzzz"), std::string(1, '\0')}) {
    const auto result = query.run(bad);
    if (result) {
      // lz-string ignores what comes after the end; then it must be the same page.
      EXPECT_EQ(ids_of(result->items), ids_of(query.run(token)->items));
      continue;
    }
    EXPECT_THAT(result, fails_with(Code::kInvalidPageToken)) << bad;
  }
  const auto other = entities.query("user").index("lastName").run(token);
  ASSERT_FALSE(other.has_value());
  EXPECT_THAT(other.error().message(), HasSubstr("mismatch"));
  EXPECT_THAT(entities.query("user").index("created").index("lastName").run(token),
              fails_with(Code::kInvalidPageToken));
}

TEST_F(EntityQueries, group_the_shards_that_fail_for_the_same_reason) {
  const EntityClient lost{
      EntityManager::make(config(), {.now = [] { return TimePoint(std::chrono::milliseconds(1500)); }}).value(),
      *store_, "no-such-table"};
  const auto result = lost.query("user").index("created").index("lastName").throttle(4).run();
  ASSERT_THAT(result, fails_with(Code::kShardQueriesFailed));
  ASSERT_EQ(result.error().details().size(), 2U);
  EXPECT_EQ(result.error().details()[0].path, "created");
  EXPECT_EQ(result.error().details()[1].path, "lastName");
  EXPECT_EQ(result.error().details()[0].rule, "TableNotFound");
  EXPECT_THAT(result.error().details()[0].message,
              HasSubstr("(17 shards: user!, user!0, user!1, user!2, user!3, user!4, user!5, user!6 and 9 more)"));
  EXPECT_THAT(result.error().message(), HasSubstr("34 of 34 shard queries failed for 2 reasons; index created: "));
  const auto stopped = lost.query("user").index("created").throttle(1).stop_at_first_failure().run();
  ASSERT_EQ(stopped.error().details().size(), 1U);
  EXPECT_THAT(stopped.error().details()[0].message, HasSubstr("(1 shard: user!)"));
}

TEST_F(EntityQueries, keep_different_reasons_apart) {
  const EntityManager entities = client().entities();
  EntityQueryOptions options{.entity = "user", .timestamp_to = 1500};
  options.shard_queries["created"] = [](const ShardRequest& shard, ShardDone done) {
    const bool is_odd = (shard.hash_key.back() - '0') % 2 == 1;
    done(std::unexpected(is_odd ? Error(Code::kThrottled, "slow down") : Error(Code::kUnavailable, "gone")));
  };
  const auto result = entities.query(options);
  ASSERT_THAT(result, fails_with(Code::kShardQueriesFailed));
  ASSERT_EQ(result.error().details().size(), 2U);
  EXPECT_THAT(result.error().details()[0].message, HasSubstr("gone (9 shards: user!, user!0, user!2, "));
  EXPECT_THAT(result.error().details()[1].message, HasSubstr("slow down (8 shards: user!1, user!3, "));
  EXPECT_EQ(result.error().details()[1].rule, "Throttled");
}

// ---- Ranges ----

/// Users with last names that begin alike, under one shard and under many.
class EntityRanges : public EntityStoreTest {
 protected:
  static constexpr const char* kNames[] = {"Lo", "Love", "Love", "Lovelace", "Lox", "Lévy", ""};

  void SetUp() override {
    EntityStoreTest::SetUp();
    std::vector<Item> all;
    for (int i = 0; i < 7; ++i) {
      all.push_back({{"userId", "u" + std::to_string(i)}, {"created", 700 + i * 100}, {"score", i}});
      if (*kNames[i] != 0) all.back().set("lastName", kNames[i]);
    }
    put_users(client(), all);
  }

  [[nodiscard]] std::vector<std::string> found(const char* index, const EntityRange& range) const {
    const auto result = client().query("user").index(index, range).limit(kNoLimit).run();
    EXPECT_THAT(result, succeeds());
    return result ? sorted_ids_of(result->items) : std::vector<std::string>();
  }
  [[nodiscard]] std::string refusal(const char* index, const EntityRange& range) const {
    const auto result = client().query("user").index(index, range).run();
    return result ? "none" : result.error().message();
  }
};

TEST_F(EntityRanges, are_by_the_values_of_properties) {
  EXPECT_THAT(found("lastName", range("lastName") == "Love"), ElementsAre("u1", "u2"));
  EXPECT_THAT(found("lastName", range("lastName").begins_with("Love")), ElementsAre("u1", "u2", "u3"));
  EXPECT_THAT(found("lastName", range("lastName") == "Love" && range("created") == 900), ElementsAre("u2"));
  // In whichever order they are given.
  EXPECT_THAT(found("lastName", range("created") == 900 && range("lastName") == "Love"), ElementsAre("u2"));
  EXPECT_THAT(found("lastName", range("lastName").begins_with("")), testing::SizeIs(7));
  EXPECT_THAT(found("created", range("created") >= 900), ElementsAre("u2", "u3", "u4", "u5", "u6"));
  EXPECT_THAT(found("created", range("created") >= 900 && range("created") <= 1000), ElementsAre("u2", "u3"));
  EXPECT_THAT(found("created", range("created") < 900), ElementsAre("u0", "u1"));
  // The last element of a generated key.
  EXPECT_THAT(found("score", range("score") == 3 && range("lastName") == "Lovelace"), ElementsAre("u3"));
  for (int i = 0; i < 7; ++i) {
    const std::string name = kNames[i];
    const auto finds = [&](const EntityRange& of_name) {
      return found("score", range("score") == i && of_name).size();
    };
    EXPECT_EQ(finds(range("lastName") >= "Love"), name >= "Love" ? 1U : 0U) << name;
    EXPECT_EQ(finds(range("lastName") > "Love"), name > "Love" ? 1U : 0U) << name;
    EXPECT_EQ(finds(range("lastName") <= "Love"), !name.empty() && name <= "Love" ? 1U : 0U) << name;
    EXPECT_EQ(finds(range("lastName").between("Love", "Lovez")), name >= "Love" && name <= "Lovez" ? 1U : 0U) << name;
  }
}

TEST_F(EntityRanges, refuse_what_a_key_cannot_say) {
  EXPECT_THAT(refusal("lastName", range("lastNameRK").begins_with("lastName#Lo")),
              HasSubstr("its range key lastNameRK is made of lastName, created"));
  EXPECT_THAT(refusal("lastName", range("created") == 900), HasSubstr("lastName stands before it"));
  EXPECT_THAT(refusal("lastName", range("lastName") > "Lo"), HasSubstr("other properties follow it"));
  EXPECT_THAT(refusal("lastName", range("lastName") == "Love" && range("created") > 5),
              HasSubstr("only texts are in order"));
  EXPECT_THAT(refusal("score", range("score") == 3 && range("lastName") < "x"), HasSubstr("use <= or between"));
  EXPECT_THAT(refusal("lastName", range("lastName") == "a|b"), HasSubstr("contains the delimiter"));
  EXPECT_THAT(refusal("lastName", range("lastName") == 5), HasSubstr("does not fit its transcode"));
  EXPECT_THAT(refusal("created", range("created") == "900"), HasSubstr("it is of type N, and the value of type S"));
  EXPECT_THAT(refusal("created", range("lastName") == "x"), HasSubstr("its range key is created"));
  EXPECT_THAT(refusal("created", range("created") > 5 && range("created") < 9), HasSubstr("several conditions"));
}

}  // namespace
}  // namespace dolmen
