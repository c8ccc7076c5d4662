#include <chrono>
#include <gmock/gmock.h>

#include "base/test_result.h"
#include "entity_store.h"

namespace dolmen {
namespace {

using testing::IsEmpty;
using testing::SizeIs;
using EntityClients = EntityStoreTest;

const Item kAda{{"userId", "ada"}, {"created", 1500}, {"lastName", "Lovelace"}, {"score", 5}};

TEST_F(EntityClients, put_get_and_remove_by_the_properties_of_the_keys) {
  const EntityClient entities = client();
  const Item stored = entities.put("user", kAda).value();
  EXPECT_EQ(entities.get("user", {{"userId", "ada"}, {"created", 1500}}).value(), stored);
  EXPECT_EQ(entities.entities().remove_keys("user", stored).value(), kAda);
  EXPECT_THAT(entities.remove("user", kAda), succeeds());
  EXPECT_EQ(entities.get("user", kAda).value(), std::nullopt);
}

TEST_F(EntityClients, make_the_keys_of_a_changed_entity_anew) {
  const EntityClient entities = client();
  Item stored = entities.put("user", kAda).value();
  stored.set("lastName", "King");
  EXPECT_EQ(entities.put("user", stored)->at("lastNameRK").string(), "lastName#King|created#1500");
}

TEST_F(EntityClients, write_and_read_many) {
  const EntityClient entities = client();
  const std::vector<Item> all = users(130, 900, 10);
  EXPECT_EQ(entities.put_all("user", all).done, 130U);
  const EntityGetResult read = entities.get_all("user", all);
  EXPECT_TRUE(read.complete());
  EXPECT_EQ(sorted_ids_of(read.items), sorted_ids_of(all));
  EXPECT_TRUE(entities.remove_all("user", all).complete());
  EXPECT_THAT(entities.get_all("user", all).items, IsEmpty());
}

TEST_F(EntityClients, read_an_entity_once_however_often_it_is_named) {
  const EntityClient entities = client();
  std::vector<Item> all = users(120, 900, 10);
  ASSERT_TRUE(entities.put_all("user", all).complete());
  // In the same request as the first, and in the next.
  all.insert(all.begin() + 1, all[0]);
  all.push_back(all[0]);
  const EntityGetResult read = entities.get_all("user", all);
  EXPECT_TRUE(read.complete());
  EXPECT_THAT(read.items, SizeIs(120));
}

TEST_F(EntityClients, write_nothing_of_a_batch_with_an_item_that_has_no_key) {
  const EntityClient entities = client();
  std::vector<Item> all = users(3, 900, 10);
  all[2].erase("userId");
  const EntityWriteResult written = entities.put_all("user", all);
  EXPECT_EQ(written.done, 0U);
  EXPECT_EQ(written.not_done, all);
  ASSERT_TRUE(written.error.has_value());
  EXPECT_EQ(written.error->code(), Code::kInvalidEntity);
}

TEST_F(EntityClients, say_of_many_items_soon_which_were_not_written) {
  const EntityClient missing(client().entities(), *store_, table_ + "missing");
  // Many enough that looking for each among all would take a minute.
  const std::vector<Item> all = users(100'000, 900, 10);
  const auto begin = std::chrono::steady_clock::now();
  for (const EntityWriteResult& written : {missing.put_all("user", all), missing.remove_all("user", all)}) {
    EXPECT_EQ(written.done, 0U);
    EXPECT_EQ(written.not_done, all);
    ASSERT_TRUE(written.error.has_value());
    EXPECT_EQ(written.error->code(), Code::kTableNotFound);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
}

TEST_F(EntityClients, say_which_of_two_items_with_one_key_were_not_written) {
  const EntityClient entities = client();
  std::vector<Item> all = users(30, 900, 10);
  // In the second request, which is refused since it has the key twice.
  all.push_back(all[0]);
  all.push_back(all[0]);
  for (std::size_t i = 30; i < 32; ++i) all[i].set("score", static_cast<std::int64_t>(i));
  const EntityWriteResult written = entities.put_all("user", all);
  EXPECT_EQ(written.done, 25U);
  EXPECT_EQ(written.not_done, std::vector<Item>(all.begin() + 25, all.end()));
}

TEST_F(EntityClients, write_all_of_a_transaction_or_nothing) {
  const EntityClient entities = client();
  const Item email{{"email", "ada@example.org"}, {"created", 1500}, {"userId", "ada"}};
  ASSERT_TRUE(entities.transaction().put("user", kAda).put("email", email).run().has_value());
  const auto again = entities.transaction().remove("user", kAda).put("email", email, attr("email").not_exists()).run();
  ASSERT_FALSE(again.has_value());
  EXPECT_THAT(again, fails_with(Code::kTransactionCanceled));
  EXPECT_TRUE(entities.get("user", kAda)->has_value());
  EXPECT_THAT(entities.transaction().put("user", {{"userId", "x"}}).run(), fails_with(Code::kInvalidEntity));
}

TEST_F(EntityClients, say_how_a_live_table_differs) {
  EXPECT_THAT(client().table_differences().value(), IsEmpty());
  EntityConfig other = config();
  other.indexes.pop_back();
  EXPECT_FALSE(client(other).table_differences()->empty());
  EXPECT_THAT(client(other).ensure_table(), fails_with(Code::kInvalidArgument));
}

}  // namespace
}  // namespace dolmen
