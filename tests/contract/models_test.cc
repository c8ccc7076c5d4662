// What models write to tables that are bound to them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_result.h"
#include "contract/contracts.h"
#include "dolmen/embedded.h"
#include "dolmen/model/encryption.h"
#include "dolmen/model/model_table.h"
#include "dolmen/model/transaction.h"
#include "dolmen/store.h"

namespace dolmen::contract {
namespace {

constexpr const char* kPeople = R"(dms_version: "0.1"
models:
  - name: "Person"
    table: { name: "people" }
    keys: { partition: { attribute: "pk", type: "S" }, sort: { attribute: "sk", type: "N" } }
    attributes:
      - { attribute: "pk", type: "S", required: true }
      - { attribute: "sk", type: "N", required: true }
      - { attribute: "name", type: "S", required: true }
      - { attribute: "tags", type: "SS" }
      - { attribute: "settings", type: "S", json: true }
      - { attribute: "photo", type: "B" }
      - { attribute: "phone", type: "S", encryption: {} }
      - { attribute: "steps", type: "L" }
      - { attribute: "expires", type: "N", roles: ["ttl"] }
      - { attribute: "created", type: "S", format: "rfc3339nano", roles: ["created_at"] }
      - { attribute: "updated", type: "S", format: "rfc3339nano", roles: ["updated_at"] }
      - { attribute: "version", type: "N", roles: ["version"] }
)";

struct People {
  std::unique_ptr<Store> store = open_embedded({.durability = Durability::kMemory}).value();
  std::unique_ptr<KeyProvider> keys = deterministic_keys("seed");
  ModelTable table =
      ModelTable::open(*store, parse_models(kPeople, "people.yml")->models.front(), {.keys = keys.get()}).value();
  Contracts contracts{*store};

  People() {
    table.create_table().value();
    const Definition definition{.models = {{"people.yml", kPeople}}, .schemas = {}, .discriminator = {}, .kinds = {}};
    contracts.bind({.table = "people", .version = "v1", .definition = definition}).value();
  }
};

LogicalItem ada(int sort) {
  return {{"pk", "P"},
          {"sk", sort},
          {"name", "Ada"},
          {"tags", LogicalValue::List{}},
          {"settings", LogicalItem{{"theme", "dark"}}},
          {"photo", Bytes("p")},
          {"phone", "+33"},
          {"steps", LogicalValue::List{1, nullptr}},
          {"expires", 4102444800}};  // not before 2100: the store removes what has expired
}

TEST(ContractOfModels, all_that_a_model_writes_passes_its_contract) {
  People people;
  ASSERT_TRUE(people.table.create(ada(0)));
  ASSERT_THAT(people.table.upsert(ada(0)), succeeds());
  LogicalItem again = people.table.get({{"pk", "P"}, {"sk", 0}}).value();
  again["name"] = "Countess";
  ASSERT_TRUE(people.table.update(again, {"name", "phone", "tags"}));
  again["tags"] = LogicalValue::List{"x"};
  ASSERT_THAT(people.table.upsert(again), succeeds());
  const auto changed = people.table.change(again, FieldUpdate{}.add("tags", "y").set("photo", Bytes("q")));
  ASSERT_TRUE(changed) << changed.error().message();
  ASSERT_TRUE(ModelTransaction(*people.store).put(people.table, ada(1)).commit());
  ASSERT_TRUE(people.table.remove({{"pk", "P"}, {"sk", 1}}));
  EXPECT_EQ(people.contracts.status("people")->findings.refused, 0U);
}

TEST(ContractOfModels, a_put_over_an_item_begins_it_anew_and_a_stale_copy_is_refused) {
  People people;
  ASSERT_THAT(people.table.create(ada(0)), succeeds());
  LogicalItem read = people.table.get(ada(0)).value();
  ASSERT_THAT(people.table.update(read, {"name"}), succeeds());
  const Item stale = people.store->get_item("people", {{"pk", "P"}, {"sk", 0}}).value().item.value();
  ASSERT_THAT(people.table.update(people.table.get(ada(0)).value(), {"name"}), succeeds());

  // What the model layer puts: without a version, with the one that was read, with any other.
  ASSERT_THAT(people.table.put(ada(0)), succeeds());
  ASSERT_THAT(people.table.put(people.table.get(ada(0)).value()), succeeds());
  read["version"] = 7;
  ASSERT_THAT(people.table.put(read), succeeds());
  read["version"] = 3;
  ASSERT_THAT(people.table.put(read), succeeds());
  ASSERT_THAT(ModelTransaction(*people.store).put(people.table, ada(0)).commit(), succeeds());
  ASSERT_TRUE(people.table.write_many({ada(0)}).value().complete());
  EXPECT_EQ(people.contracts.status("people")->findings.refused, 0U);

  // A copy of what is stored must be newer, whichever version it has.
  Item copy = people.store->get_item("people", {{"pk", "P"}, {"sk", 0}}).value().item.value();
  copy.set("name", "Countess");
  EXPECT_THAT(people.store->put_item("people", copy), fails_with(Code::kValidation));
  copy.set("version", 1);
  EXPECT_THAT(people.store->put_item("people", copy), succeeds());
  EXPECT_NE(stale.find("version"), nullptr);
}

TEST(ContractOfModels, without_a_time_of_creation_version_0_begins_an_item_anew) {
  const std::unique_ptr<Store> store = open_embedded({.durability = Durability::kMemory}).value();
  constexpr const char* kText = R"({"dms_version": "0.1", "models": [{"name": "N", "table": {"name": "notes"},
      "keys": {"partition": {"attribute": "pk", "type": "S"}}, "attributes": [{"attribute": "pk", "type": "S"},
      {"attribute": "text", "type": "S"}, {"attribute": "version", "type": "N", "roles": ["version"]}]}]})";
  ModelTable table = ModelTable::open(*store, parse_models(kText, "n.json")->models.front()).value();
  ASSERT_THAT(table.create_table(), succeeds());
  Contracts contracts(*store);
  ASSERT_THAT(contracts.bind({.table = "notes", .version = "v1", .definition = {.models = {{"n.json", kText}}}}),
              succeeds());
  ASSERT_THAT(table.put({{"pk", "a"}, {"text", "x"}, {"version", 4}}), succeeds());
  EXPECT_THAT(table.put({{"pk", "a"}, {"text", "y"}, {"version", 4}}), fails_with(Code::kValidation));
  EXPECT_THAT(table.put({{"pk", "a"}, {"text", "y"}}), succeeds());
  EXPECT_THAT(table.put({{"pk", "a"}, {"text", "z"}}), succeeds());
}

TEST(ContractOfModels, what_a_program_writes_past_its_model_is_refused) {
  People people;
  const auto refused = people.store->put_item("people", {{"pk", "P"}, {"sk", 0}, {"name", "Ada"}, {"phone", "+33"}});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused, fails_with(Code::kValidation));
  EXPECT_THAT(refused.error().message(),
              ::testing::HasSubstr("the item with pk \"P\", sk 0 breaks the contract v1 of table people, model Person: "
                                   "phone (encrypted): expected an encrypted envelope"));
}

TEST(ContractOfModels, a_vector_has_as_many_floats_as_its_model_says) {
  const std::unique_ptr<Store> store = open_embedded({.durability = Durability::kMemory}).value();
  constexpr const char* kText = R"({"dms_version": "0.1", "models": [{"name": "D", "table": {"name": "docs"},
      "keys": {"partition": {"attribute": "pk", "type": "S"}}, "attributes": [{"attribute": "pk", "type": "S"},
      {"attribute": "meaning", "type": "L", "format": "vector", "dimensions": 3}]}]})";
  ASSERT_THAT(store->create_table({.name = "docs", .partition_key = {"pk", KeyType::kString}}), succeeds());
  Contracts contracts(*store);
  ASSERT_THAT(contracts.bind({.table = "docs", .version = "v1", .definition = {.models = {{"d.json", kText}}}}),
              succeeds());
  const auto refusal = [&](const AttributeValue& meaning) {
    const auto put = store->put_item("docs", {{"pk", "a"}, {"meaning", meaning}});
    return put ? "" : put.error().message();
  };
  EXPECT_EQ(refusal(List{1, 2, 3}), "");
  const auto format = [](std::string_view found) {
    return ::testing::EndsWith("meaning (format): expected a vector of 3 32-bit floats, " + std::string(found));
  };
  EXPECT_THAT(refusal(List{1, 2}), format("found 2 elements"));
  EXPECT_THAT(refusal(List{1, 2, "x"}), format("found S at [2]"));
  EXPECT_THAT(refusal(List{1, Number::parse("-1e39").value(), 3}),
              format("found -1E+39 at [1], which is beyond a 32-bit float"));
  EXPECT_THAT(refusal("text"), ::testing::EndsWith("meaning (type): expected L, found S"));
  EXPECT_THAT(refusal(nullptr), ::testing::EndsWith("meaning (null): expected L, found NULL"));
}

}  // namespace
}  // namespace dolmen::contract
