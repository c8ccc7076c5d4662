// Entities that are found by their unique property alone, and that move from one shard to another.
#include <atomic>
#include <gmock/gmock.h>
#include <thread>

#include "base/test_result.h"
#include "entity_store.h"

namespace dolmen {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using EntityMoves = EntityStoreTest;

Item user(std::int64_t created, const char* id = "ada") {
  return {{"userId", id}, {"created", created}, {"lastName", "Lovelace"}, {"score", 5}};
}
const Item kById{{"userId", "ada"}};
// One moment under each bump.
constexpr std::int64_t kMoments[] = {500, 1500, 2500};

/// Every item of the table with that range key.
std::vector<Item> copies_of(Store& store, const std::string& table, const std::string& range_key) {
  std::vector<Item> copies;
  for (const Result<Item>& item : store.scan(table, {.filter = attr("sk") == range_key}))
    copies.push_back(item.value());
  return copies;
}

TEST_F(EntityMoves, list_the_keys_of_an_entity_under_each_bump_the_newest_first) {
  const EntityManager entities = client().entities();
  const std::vector<Item> keys = entities.possible_keys("user", kById).value();
  ASSERT_THAT(keys, SizeIs(3));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(keys[2 - i], entities.primary_key("user", user(kMoments[i])).value());
  EXPECT_THAT(entities.possible_keys("email", {{"email", "x"}}).value(), SizeIs(1));
  EXPECT_THAT(entities.possible_keys("user", {{"created", 5}}), fails_with(Code::kInvalidEntity));
}

TEST_F(EntityMoves, get_update_and_remove_by_the_unique_value_alone) {
  const EntityClient entities = client();
  for (const std::int64_t created : kMoments) {
    EXPECT_EQ(entities.get("user", kById).value(), std::nullopt);
    const Item stored = entities.put("user", user(created)).value();
    EXPECT_EQ(entities.get("user", kById).value(), stored);
    EXPECT_THAT(entities.get_all("user", {kById}).items, ElementsAre(stored));
    EXPECT_EQ(entities.get("user", kById, {.projection = "score"}).value(), (Item{{"score", 5}}));
    const Item counted = entities.update("user", kById, Update().add(attr("score"), 2)).value();
    EXPECT_EQ(counted.at("score"), AttributeValue(7));
    EXPECT_EQ(counted.at("pk"), stored.at("pk"));
    const auto removed = entities.remove("user", kById, {.return_values = ReturnValues::kAllOld});
    EXPECT_EQ(removed.value().attributes, counted);
    EXPECT_THAT(entities.remove("user", kById), succeeds());
  }
  EXPECT_THAT(entities.update("user", kById, Update().add(attr("score"), 2)), fails_with(Code::kItemNotFound));
  EXPECT_THAT(entities.update("user", user(500), Update().add(attr("score"), 2)), fails_with(Code::kItemNotFound));
  EXPECT_EQ(entities.get("user", kById).value(), std::nullopt);
}

TEST_F(EntityMoves, check_the_condition_of_a_remove_wherever_the_entity_is) {
  const EntityClient entities = client();
  EXPECT_THAT(entities.remove("user", kById, {.condition = attr("score") == 5}), fails_with(Code::kConditionFailed));
  for (const std::int64_t created : kMoments) {
    const Item stored = entities.put("user", user(created)).value();
    const auto refused =
        entities.remove("user", kById, {.condition = attr("score") == 6, .return_item_on_failure = true});
    ASSERT_THAT(refused, fails_with(Code::kConditionFailed));
    EXPECT_EQ(failed_item(refused.error()), stored);
    EXPECT_THAT(entities.remove("user", kById, {.condition = attr("score") == 5}), succeeds());
    EXPECT_EQ(entities.get("user", kById).value(), std::nullopt);
  }
}

TEST_F(EntityMoves, leave_no_copy_behind_when_a_put_has_another_time) {
  const EntityClient entities = client();
  for (const std::int64_t from : kMoments)
    for (const std::int64_t to : kMoments) {
      ASSERT_THAT(entities.put("user", user(from)), succeeds());
      const Item stored = entities.put("user", user(to)).value();
      EXPECT_THAT(copies_of(*store_, table_, "userId#ada"), ElementsAre(stored)) << from << " to " << to;
    }
}

TEST_F(EntityMoves, check_the_condition_of_a_put_on_the_copy_that_there_is) {
  const EntityClient entities = client();
  for (const std::int64_t from : kMoments)
    for (const std::int64_t to : kMoments) {
      ASSERT_THAT(entities.remove("user", kById), succeeds());
      ASSERT_THAT(entities.put("user", user(from), {.condition = attr("userId").not_exists()}), succeeds());
      const auto again =
          entities.put("user", user(to), {.condition = attr("userId").not_exists(), .return_item_on_failure = true});
      ASSERT_THAT(again, fails_with(Code::kConditionFailed)) << from << " to " << to;
      EXPECT_EQ(failed_item(again.error())->at("created"), AttributeValue(from));
      EXPECT_EQ(failed_item(entities.put("user", user(to), {.condition = attr("score") == 1}).error()), std::nullopt);
      const Item stored = entities.put("user", user(to), {.condition = attr("created") == from}).value();
      EXPECT_THAT(copies_of(*store_, table_, "userId#ada"), ElementsAre(stored)) << from << " to " << to;
    }
}

TEST_F(EntityMoves, make_generated_properties_anew_when_an_update_changes_their_elements) {
  const EntityClient entities = client();
  ASSERT_THAT(entities.put("user", user(1500)), succeeds());
  Item now = entities.update("user", kById, Update("SET lastName = :n", {{":n", "King"}})).value();
  EXPECT_EQ(now.at("lastNameRK").string(), "lastName#King|created#1500");
  EXPECT_EQ(now.at("scoreRK").string(), "score#5|lastName#King");
  // A value that depends on others.
  now = entities.update("user", kById, Update().set(attr("nick"), "Countess")).value();
  now = entities.update("user", kById, Update().set(attr("lastName"), attr("nick")).add(attr("score"), 1)).value();
  EXPECT_EQ(now.at("lastNameRK").string(), "lastName#Countess|created#1500");
  EXPECT_EQ(now.at("scoreRK").string(), "score#6|lastName#Countess");
  now = entities.update("user", kById, Update().remove(attr("lastName"))).value();
  EXPECT_EQ(now.at("lastNameRK").string(), "lastName#|created#1500");
  EXPECT_EQ(entities.get("user", kById).value(), now);
}

TEST_F(EntityMoves, move_to_the_shard_of_the_time_that_an_update_sets) {
  const EntityClient entities = client();
  for (const std::int64_t from : kMoments)
    for (const std::int64_t to : kMoments) {
      ASSERT_THAT(entities.put("user", user(from)), succeeds());
      EXPECT_THAT(entities.update("user", kById, Update().set(attr("created"), to), {.condition = attr("score") == 6}),
                  fails_with(Code::kConditionFailed));
      const Item now =
          entities.update("user", kById, Update().set(attr("created"), to), {.condition = attr("score") == 5}).value();
      EXPECT_EQ(now, entities.entities().add_keys("user", user(to)).value());
      EXPECT_THAT(copies_of(*store_, table_, "userId#ada"), ElementsAre(now)) << from << " to " << to;
    }
}

TEST_F(EntityMoves, refuse_updates_of_what_the_config_makes) {
  const EntityClient entities = client();
  ASSERT_THAT(entities.put("user", user(1500)), succeeds());
  for (const char* name : {"pk", "sk", "userPK", "lastNameRK", "userId"}) {
    const auto refused = entities.update("user", kById, Update().set(attr(name), "x"));
    ASSERT_THAT(refused, fails_with(Code::kInvalidArgument)) << name;
    EXPECT_EQ(refused.error().details().at(0).path, name);
  }
  EXPECT_THAT(entities.update("user", kById, Update().set(attr("lastName"), "a|b")), fails_with(Code::kInvalidEntity));
  EXPECT_EQ(entities.get("user", kById)->value().at("lastName").string(), "Lovelace");
}

TEST_F(EntityMoves, write_all_of_a_transaction_wherever_the_entities_are) {
  const EntityClient entities = client();
  const Item email{{"email", "ada@example.org"}, {"created", 1500}, {"userId", "ada"}};
  ASSERT_THAT(entities.transaction().put("user", user(500)).put("email", email).run(), succeeds());
  // The user moves while the e-mail is checked.
  ASSERT_THAT(entities.transaction()
                  .update("user", kById, Update().set(attr("created"), 2500))
                  .check("email", {{"email", "ada@example.org"}}, attr("userId") == "ada")
                  .run(),
              succeeds());
  EXPECT_EQ(copies_of(*store_, table_, "userId#ada").at(0).at("created"), AttributeValue(2500));
  // A failed condition leaves everything as it was, and the reasons are those of the writes.
  const auto refused = entities.transaction()
                           .put("user", user(1500))
                           .remove("email", {{"email", "ada@example.org"}}, attr("userId") == "bob")
                           .run();
  ASSERT_THAT(refused, fails_with(Code::kTransactionCanceled));
  ASSERT_THAT(transact_failures(refused.error()), SizeIs(2));
  EXPECT_EQ(transact_failures(refused.error())[0].reason, "None");
  EXPECT_EQ(transact_failures(refused.error())[1].reason, "ConditionalCheckFailed");
  EXPECT_EQ(copies_of(*store_, table_, "userId#ada").at(0).at("created"), AttributeValue(2500));
  EXPECT_THAT(entities.transaction().update("user", {{"userId", "bob"}}, Update().add(attr("score"), 1)).run(),
              fails_with(Code::kItemNotFound));
  EXPECT_THAT(entities.transaction().check("user", kById, attr("userId").not_exists()).run(),
              fails_with(Code::kTransactionCanceled));
  ASSERT_THAT(entities.transaction().put("user", user(1500)).remove("email", email).run(), succeeds());
  EXPECT_THAT(copies_of(*store_, table_, "userId#ada"), SizeIs(1));
  EXPECT_THAT(copies_of(*store_, table_, "email#ada@example.org"), IsEmpty());
}

TEST_F(EntityMoves, are_seen_by_everybody_in_one_place_at_a_time) {
  const EntityClient entities = client();
  ASSERT_THAT(entities.put("user", user(500)), succeeds());
  constexpr int kRounds = 60;
  std::atomic<int> moved = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 2; ++t)
      threads.emplace_back([&, t] {
        for (int i = 0; i < kRounds; ++i) EXPECT_THAT(entities.put("user", user(kMoments[(i + t) % 3])), succeeds());
      });
    threads.emplace_back([&] {
      for (int i = 0; i < kRounds; ++i) {
        const auto now = entities.update("user", kById, Update().set(attr("created"), kMoments[i % 3]));
        if (now)
          ++moved;
        else
          EXPECT_THAT(now, fails_with(Code::kTransactionConflict));
      }
    });
    threads.emplace_back([&] {
      for (int i = 0; i < kRounds; ++i) EXPECT_TRUE(entities.get("user", kById)->has_value());
    });
  }
  EXPECT_GT(moved, 0);
  EXPECT_THAT(copies_of(*store_, table_, "userId#ada"), SizeIs(1));
}

TEST_F(EntityMoves, name_the_limit_of_a_transaction_with_many_bumps) {
  const EntityClient entities = client();
  EntityTransaction many = entities.transaction();
  for (int i = 0; i < 34; ++i) many.put("user", user(500, std::to_string(i).c_str()));
  const auto refused = many.run();
  ASSERT_THAT(refused, fails_with(Code::kLimitExceeded));
  EXPECT_THAT(refused.error().message(), testing::HasSubstr("102 actions and may have 100"));
}

}  // namespace
}  // namespace dolmen
