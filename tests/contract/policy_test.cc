// Write policies of DMS 0.2 at a table that is bound to its models, whoever writes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_result.h"
#include "contract/contracts.h"
#include "dolmen/embedded.h"
#include "dolmen/model/model_table.h"
#include "dolmen/store.h"

namespace dolmen::contract {
namespace {

using testing::HasSubstr;

constexpr const char* kReleases = R"(dms_version: "0.2"
models:
  - name: "Actual"
    table: { name: "releases" }
    keys: { partition: { attribute: "pk", type: "S" }, sort: { attribute: "sk", type: "S" } }
    write_policy: { protected_attributes: ["pin"] }
    attributes:
      - { attribute: "pk", type: "S", required: true }
      - { attribute: "sk", type: "S", required: true }
      - { attribute: "pin", type: "S" }
      - { attribute: "status", type: "S" }
  - name: "Event"
    table: { name: "releases" }
    keys: { partition: { attribute: "pk", type: "S" }, sort: { attribute: "sk", type: "S" } }
    write_policy: { mode: "write_once" }
    attributes:
      - { attribute: "pk", type: "S", required: true }
      - { attribute: "sk", type: "S", required: true }
      - { attribute: "text", type: "S" }
)";

struct Releases {
  std::unique_ptr<Store> store = open_embedded({.durability = Durability::kMemory}).value();
  Contracts contracts{*store};

  Releases() {
    store
        ->create_table({.name = "releases",
                        .partition_key = {"pk", KeyType::kString},
                        .sort_key = KeyAttribute{"sk", KeyType::kString}})
        .value();
    bind(Mode::kEnforce);
  }

  void bind(Mode mode) {
    Definition definition{.models = {{"releases.yml", kReleases}}, .schemas = {}, .discriminator = {}, .kinds = {}};
    definition.kinds.emplace_back().model = "Actual";
    definition.kinds.back().sort_prefix = "ACTUAL";
    definition.kinds.emplace_back().model = "Event";
    definition.kinds.back().sort_prefix = "EVENT#";
    contracts.bind({.table = "releases", .version = "v1", .mode = mode, .definition = definition}).value();
  }

  Item stored(const char* sort) {
    return store->get_item("releases", {{"pk", "R"}, {"sk", sort}}).value().item.value_or(Item());
  }
};

TEST(WritePolicyAtTheGate, items_that_are_written_once_are_neither_changed_nor_deleted) {
  Releases releases;
  Store& store = *releases.store;
  const Item key{{"pk", "R"}, {"sk", "EVENT#1"}};
  const Item event{{"pk", "R"}, {"sk", "EVENT#1"}, {"text", "a"}};
  ASSERT_THAT(store.put_item("releases", event), succeeds());
  // A client that repeats itself changes nothing.
  EXPECT_THAT(store.put_item("releases", event), succeeds());
  const auto changed = store.put_item("releases", {{"pk", "R"}, {"sk", "EVENT#1"}, {"text", "b"}});
  EXPECT_THAT(changed, fails_with(Code::kValidation));
  EXPECT_THAT(changed.error().message(),
              HasSubstr("model Event: pk (write_policy): expected an item that is not there"));
  EXPECT_THAT(store.update_item("releases", key, Update{}.set(attr("text"), "b")), fails_with(Code::kValidation));
  EXPECT_THAT(store.delete_item("releases", key), fails_with(Code::kValidation));
  EXPECT_THAT(store.transact_write({DeleteAction{.table = "releases", .key = key}}),
              fails_with(Code::kTransactionCanceled));
  EXPECT_THAT(store.batch_write({BatchDelete{"releases", key}}), fails_with(Code::kValidation));
  EXPECT_EQ(releases.stored("EVENT#1"), event);
  EXPECT_THAT(store.delete_item("releases", {{"pk", "R"}, {"sk", "EVENT#2"}}), succeeds());
}

TEST(WritePolicyAtTheGate, protected_attributes_keep_their_values) {
  Releases releases;
  Store& store = *releases.store;
  const Item key{{"pk", "R"}, {"sk", "ACTUAL"}};
  ASSERT_THAT(store.put_item("releases", {{"pk", "R"}, {"sk", "ACTUAL"}, {"pin", "1"}}), succeeds());
  const auto changed = store.update_item("releases", key, Update{}.set(attr("pin"), "2"));
  EXPECT_THAT(changed, fails_with(Code::kValidation));
  EXPECT_THAT(changed.error().message(),
              HasSubstr("pin (write_policy): expected \"1\", which is stored and protected, found \"2\""));
  EXPECT_THAT(store.put_item("releases", key), fails_with(Code::kValidation));
  EXPECT_THAT(store.update_item("releases", key, Update{}.remove(attr("pin"))), fails_with(Code::kValidation));
  EXPECT_THAT(store.update_item("releases", key, Update{}.set(attr("status"), "on")), succeeds());
  EXPECT_EQ(releases.stored("ACTUAL").at("pin"), AttributeValue("1"));
  EXPECT_EQ(releases.contracts.status("releases")->findings.refused, 3U);
  EXPECT_THAT(store.delete_item("releases", key), succeeds());
}

TEST(WritePolicyAtTheGate, lets_a_removal_pass_that_only_warns) {
  Releases releases;
  const Item key{{"pk", "R"}, {"sk", "EVENT#1"}};
  releases.store->put_item("releases", key).value();
  releases.bind(Mode::kWarn);
  EXPECT_THAT(releases.store->delete_item("releases", key), succeeds());
  EXPECT_EQ(releases.contracts.status("releases")->findings.warned, 1U);
}

}  // namespace
}  // namespace dolmen::contract
