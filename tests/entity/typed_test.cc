// Entities as structs, and without waiting.
#include <atomic>
#include <future>
#include <gmock/gmock.h>
#include <mutex>
#include <thread>

#include "base/test_result.h"
#include "dolmen/coroutine.h"
#include "dolmen/entity/typed.h"
#include "entity_store.h"

namespace dolmen {
namespace {

struct User {
  std::string userId;
  std::int64_t created = 0;
  std::string lastName;
  std::optional<std::int64_t> score;

  friend bool operator==(const User&, const User&) = default;
};
DOLMEN_RECORD(User, userId, created, lastName, score);

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using TypedEntities = EntityStoreTest;
using AsyncEntities = EntityStoreTest;

const User kAda{.userId = "ada", .created = 1500, .lastName = "Lovelace", .score = 5};

/// Starts a call and waits for what it gives to its callback.
template <class T, class Start>
Result<T> outcome_of(Start start) {
  std::promise<Result<T>> promise;
  start(Callback<T>([&](Result<T> result) { promise.set_value(std::move(result)); }));
  return promise.get_future().get();
}

TEST_F(TypedEntities, are_put_found_changed_and_removed_by_their_unique_value) {
  const EntitiesOf<User> users(client(), "user");
  EXPECT_FALSE(users.get("ada").found());
  EXPECT_EQ(users.put(kAda).value(), kAda);
  EXPECT_EQ(users.get("ada").value(), kAda);
  const User moved = users.update("ada", Update().set(attr("created"), 2500).remove(attr("score"))).value();
  EXPECT_EQ(moved, (User{.userId = "ada", .created = 2500, .lastName = "Lovelace"}));
  EXPECT_THAT(users.put(kAda, {.condition = attr("userId").not_exists()}), fails_with(Code::kConditionFailed));
  EXPECT_EQ(users.remove("ada").value(), moved);
  EXPECT_FALSE(users.remove("ada").found());
  EXPECT_THAT(users.update("ada", Update().remove(attr("score"))), fails_with(Code::kItemNotFound));
  const EntitiesOf<User> nobodies(client(), "nobody");
  EXPECT_TRUE(nobodies.get("ada").failed());
}

TEST_F(TypedEntities, are_listed_page_by_page_and_as_a_whole) {
  const EntityClient untyped = client();
  put_users(untyped, EntityStoreTest::users(30, 900, 50));
  const EntitiesOf<User> users(untyped, "user");
  const EntityQueryOf<User> query = users.query().index("created").limit(7).fan_out(FanOut::kMerge);
  std::vector<User> seen;
  EntityPageOf<User> page;
  do {
    page = query.run(page.page_token).value();
    seen.insert(seen.end(), page.records.begin(), page.records.end());
  } while (page.has_more);
  ASSERT_THAT(seen, SizeIs(30));
  EXPECT_EQ(seen[3].userId, "u3");
  EXPECT_EQ(query.all().value(), seen);
  const auto named = users.query().index("lastName", range("lastName") == "Zuse").sort({{"created"}}).all().value();
  EXPECT_EQ(named.at(0).userId, "u4");
  // An item that does not fit the struct is an error, and not half of one.
  store_->put_item(table_, untyped.entities().add_keys("user", {{"userId", "x"}, {"created", 1000}}).value()).value();
  EXPECT_THAT(query.all(), fails_with(Code::kValidation));
  EXPECT_TRUE(users.get("x").failed());
}

TEST_F(AsyncEntities, do_what_calls_that_wait_do) {
  const EntityClient entities = client();
  const EntitiesOf<User> users(entities, "user");
  EXPECT_EQ(outcome_of<User>([&](auto done) { users.async_put(kAda, {}, std::move(done)); }), kAda);
  EXPECT_EQ(outcome_of<std::optional<User>>([&](auto done) { users.async_get("ada", std::move(done)); }).value(), kAda);
  const auto moved = outcome_of<User>(
      [&](auto done) { users.async_update("ada", Update().set(attr("created"), 500), {}, std::move(done)); });
  EXPECT_EQ(moved.value().created, 500);
  const auto refused = outcome_of<User>(
      [&](auto done) { users.async_put(kAda, {.condition = attr("userId").not_exists()}, std::move(done)); });
  EXPECT_THAT(refused, fails_with(Code::kConditionFailed));
  const Item key{{"userId", "ada"}};
  const auto found = outcome_of<std::optional<Item>>(
      [&](auto done) { entities.async_get("user", key, {.projection = "created"}, std::move(done)); });
  EXPECT_EQ(found.value(), (Item{{"created", 500}}));
  const auto changed = outcome_of<TransactWriteResult>([&](auto done) {
    entities.transaction()
        .update("user", key, Update().set(attr("created"), 2500))
        .put("email", {{"email", "a"}, {"created", 5}})
        .async_run({}, std::move(done));
  });
  EXPECT_THAT(changed, succeeds());
  EXPECT_EQ(users.get("ada")->created, 2500);
  const auto gone = outcome_of<std::optional<User>>([&](auto done) { users.async_remove("ada", {}, std::move(done)); });
  EXPECT_EQ(gone.value()->created, 2500);
  EXPECT_THAT(outcome_of<Item>([&](auto done) {
                entities.async_update("user", key, Update().remove(attr("score")), {}, std::move(done));
              }),
              fails_with(Code::kItemNotFound));
}

TEST_F(AsyncEntities, answer_queries_as_calls_that_wait_do) {
  const EntityClient entities = client();
  put_users(entities, EntityStoreTest::users(60, 900, 25));
  for (const FanOut fan_out : {FanOut::kAll, FanOut::kShrinking, FanOut::kMerge}) {
    const EntityQuery query = entities.query("user").index("created").limit(7).page_size(3).fan_out(fan_out);
    std::string token;
    for (bool has_more = true; has_more;) {
      const EntityQueryResult waited = query.run(token).value();
      const auto page = outcome_of<EntityQueryResult>([&](auto done) { query.async_run(token, std::move(done)); });
      ASSERT_THAT(page, succeeds());
      EXPECT_EQ(page->items, waited.items);
      EXPECT_EQ(page->page_token, waited.page_token);
      token = waited.page_token;
      has_more = waited.has_more;
    }
    const auto all = outcome_of<std::vector<Item>>([&](auto done) { query.async_all(std::move(done)); });
    EXPECT_EQ(all.value(), query.all().value());
  }
  const EntitiesOf<User> users(entities, "user");
  const auto page = outcome_of<EntityPageOf<User>>(
      [&](auto done) { users.query().index("created").limit(5).async_run("", std::move(done)); });
  EXPECT_GE(page.value().records.size(), 5U);
  EXPECT_THAT(outcome_of<EntityQueryResult>(
                  [&](auto done) { entities.query("user").index("no").async_run("", std::move(done)); }),
              fails_with(Code::kInvalidArgument));
  const EntityClient lost(entities.entities(), *store_, "no-such-table");
  EXPECT_THAT(outcome_of<EntityQueryResult>(
                  [&](auto done) { lost.query("user").index("created").async_run("", std::move(done)); }),
              fails_with(Code::kShardQueriesFailed));
  EXPECT_THAT(
      outcome_of<std::vector<Item>>([&](auto done) { lost.query("user").index("created").async_all(std::move(done)); }),
      fails_with(Code::kShardQueriesFailed));
}

TEST_F(AsyncEntities, go_on_with_many_calls_that_end_at_once_or_later_and_never_more_than_the_throttle) {
  EntityConfig wide = config();
  wide.entities[0].shard_bumps = {{.timestamp = 1, .char_bits = 5, .chars = 3}};
  const EntityManager entities = client(wide).entities();
  std::atomic<int> under_way = 0;
  std::atomic<int> most = 0;
  for (const bool at_once : {true, false}) {
    std::mutex mutex;
    std::vector<std::jthread> threads;
    EntityQueryOptions options{.entity = "user", .throttle = 5};
    std::atomic<int> calls = 0;
    options.shard_queries["created"] = [&](const ShardRequest& request, ShardDone done) {
      most = std::max<int>(most, ++under_way);
      ShardPage page;
      if (request.hash_key.ends_with("7")) page.items.push_back({{"userId", request.hash_key}, {"created", 5}});
      auto answer = [&under_way, page = std::move(page), done = std::move(done)]() mutable {
        --under_way;
        done(std::move(page));
      };
      if (at_once || ++calls % 500 != 0) {
        answer();
      } else {
        const std::lock_guard lock(mutex);
        threads.emplace_back(std::move(answer));
      }
    };
    const auto page =
        outcome_of<EntityQueryResult>([&](EntityQueryDone done) { entities.async_query(options, std::move(done)); });
    ASSERT_THAT(page, succeeds());
    EXPECT_EQ(page->count, 1024U);
  }
  EXPECT_LE(most, 5);
  EXPECT_EQ(under_way, 0);
}

Task<Result<std::int64_t>> count_up(EntitiesOf<User> users, int steps) {
  std::int64_t score = 0;
  for (int i = 0; i < steps; ++i) {
    const Result<User> now = co_await awaitable<User>(
        [&](Callback<User> done) { users.async_update("ada", Update().add(attr("score"), 1), {}, std::move(done)); });
    if (!now) co_return std::unexpected(now.error());
    score = *now->score;
  }
  co_return score;
}

TEST_F(AsyncEntities, can_be_awaited) {
  const EntitiesOf<User> users(client(), "user");
  ASSERT_THAT(users.put(kAda), succeeds());
  EXPECT_EQ(sync_wait(count_up(users, 20)).value(), 25);
}

}  // namespace
}  // namespace dolmen
