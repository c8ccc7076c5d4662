#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_result.h"
#include "tests/models/hard_names.h"
#include "tests/models/sample.h"
#include "tests/models/user.h"
#include "tests/support/test_store.h"

// Headers that `dolmen model generate` wrote, as programs use them. Each is what it would write now; see
// src/generate/cpp_models_test.cc.
namespace dolmen {
namespace {

using acme::accounts::User;
using std::chrono::seconds;
using std::chrono::sys_seconds;
using testing::ElementsAre;

TEST(Generated, models_are_those_of_their_files) {
  EXPECT_THAT(load_models("tests/models/user.yml").value().models,
              ElementsAre(acme::accounts::models::user(), acme::accounts::models::page_metadata()));
  EXPECT_THAT(load_models("contract/models/sample.yml").value().models,
              ElementsAre(contract::models::sample(), contract::models::reserved()));
  namespace hard = acme::hard_names::models;
  EXPECT_THAT(load_models("tests/models/hard_names.yml").value().models,
              ElementsAre(hard::class_(), hard::model(), hard::class_2()));
}

struct World {
  std::unique_ptr<Store> store = test_store();
  std::unique_ptr<KeyProvider> keys = deterministic_keys("generated");
  ModelTableOptions options{.keys = keys.get(), .now = [] { return TimePoint(std::chrono::seconds(1768525323)); }};

  template <Record T>
  Table<T> open_table(const Model& model) {
    Table<T> table = Table<T>::open(*store, model, options).value();
    table.items().create_table().value();
    return table;
  }
};

TEST(Generated, a_struct_is_created_updated_and_read) {
  World world;
  Table<User> users = world.open_table<User>(acme::accounts::models::user());
  User ada{.pk = "USER#1", .sk = "PROFILE", .nickname = "Ada", .phone = "+33 2 98"};
  ada.ttl = sys_seconds(seconds(4100000000));
  ASSERT_THAT(users.create(ada), succeeds());
  EXPECT_EQ(ada.created_at, "2026-01-16T01:02:03.000000000Z");
  Item stored = world.store->get_item("users", {{"PK", "USER#1"}, {"SK", "PROFILE"}}).value().item.value();
  EXPECT_EQ(stored.at("phone").type(), Type::kMap);
  stored.erase("phone");
  EXPECT_EQ(stored, (Item{{"PK", "USER#1"},
                          {"SK", "PROFILE"},
                          {"nickname", "Ada"},
                          {"settings", nullptr},
                          {"createdAt", ada.created_at},
                          {"updatedAt", ada.created_at},
                          {"version", 0},
                          {"ttl", 4100000000}}));

  ada.nickname = "Countess";
  ada.tags = {"admin"};
  ASSERT_THAT(users.update(ada, {&User::nickname, &User::tags}), succeeds());
  EXPECT_EQ(ada.version, 1);
  EXPECT_EQ(users.get({"USER#1", "PROFILE"}).value(), ada);
}

contract::Sample full_sample() {
  return {.pk = "P",
          .sk = 1,
          .text = "t",
          .number = Number::parse("12345678901234567890.5").value(),
          .flag = true,
          .blob = Bytes("b"),
          .list = {1, "two"},
          .map = {{"a", 1}},
          .strings = {"s"},
          .numbers = {1, 2},
          .blobs = {Bytes("x")},
          .json = Item{{"a", List{1}}},
          .moment = "2026-01-16T01:02:03.000000004Z",
          .seconds = sys_seconds(seconds(1700000000)),
          .whole = -7,
          .vector = std::array{0.1F, -1.0F, 1e-7F},
          .expires = sys_seconds(seconds(4100000000)),
          .group = "g",
          .rank = 3,
          .secret_text = "hidden",
          .secret_numbers = {3}};
}

TEST(Generated, a_member_of_every_type_is_stored_as_its_attribute_and_read_back) {
  World world;
  Table<contract::Sample> samples = world.open_table<contract::Sample>(contract::models::sample());
  contract::Sample sample = full_sample();
  const Result<void> put = samples.put(sample);
  ASSERT_THAT(put, succeeds());
  EXPECT_EQ(samples.get({"P", 1}).value(), sample);

  const Item stored = world.store->get_item("samples", {{"PK", "P"}, {"SK", 1}}).value().item.value();
  for (const ModelAttribute& attribute : contract::models::sample().attributes) {
    const AttributeValue* value = stored.find(attribute.name);
    if (value == nullptr) {
      EXPECT_TRUE(attribute.omit_empty) << attribute.name;
    } else if (attribute.encrypted) {
      EXPECT_EQ(value->type(), Type::kMap) << attribute.name;
    } else {
      EXPECT_EQ(value->type(), attribute.type) << attribute.name;
    }
  }
  EXPECT_EQ(stored.at("number"), AttributeValue(Number::parse("12345678901234567890.5").value()));
  EXPECT_EQ(stored.at("json"), AttributeValue(R"({"a":[1]})"));
  EXPECT_EQ(stored.at("seconds"), AttributeValue(1700000000));
}

TEST(Generated, a_struct_with_nothing_but_its_key_can_be_put) {
  World world;
  Table<contract::Sample> samples = world.open_table<contract::Sample>(contract::models::sample());
  contract::Sample sample{.pk = "P", .sk = 2};
  const Result<void> put = samples.put(sample);
  ASSERT_THAT(put, succeeds());
  EXPECT_EQ(samples.get({"P", 2}).value(), sample);
}

TEST(Generated, hard_names_are_stored_as_the_model_spells_them) {
  World world;
  using acme::hard_names::Class;
  Table<Class> table = world.open_table<Class>(acme::hard_names::models::class_());
  Class item{.the_key_quoted = "k", .attribute_2fa = 2, .class_ = "c", .email_hash = "1", .email_hash_2 = "2"};
  item.email_hash_2_2 = "3";
  item.attribute = "n";
  item.back_slash = "b";
  item.tab_and_trigraph = "t";
  item.std_ = {"s"};
  item.errno_ = false;
  ASSERT_THAT(table.put(item), succeeds());
  EXPECT_EQ(table.get({"k", 2}).value(), item);
  const Item key{{"the \"key\", (quoted)", "k"}, {"2fa", 2}};
  EXPECT_EQ(world.store->get_item("hard.names-1", key).value().item.value(), (Item{{"the \"key\", (quoted)", "k"},
                                                                                   {"2fa", 2},
                                                                                   {"class", "c"},
                                                                                   {"emailHash", "1"},
                                                                                   {"email_hash", "2"},
                                                                                   {"email-hash 2", "3"},
                                                                                   {"名前", "n"},
                                                                                   {"back\\slash", "b"},
                                                                                   {"tab\tand ?\?/ trigraph", "t"},
                                                                                   {"std", StringSet{"s"}},
                                                                                   {"errno", false}}));
}

}  // namespace
}  // namespace dolmen
