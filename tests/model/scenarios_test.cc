#include <gtest/gtest.h>

#include "parcels.h"
#include "scenario/run.h"
#include "tests/support/lacking.h"

// Section 8.3: scenarios on a store in memory. Files for all implementations are in contract/.
namespace dolmen::scenario {
namespace {

Verdict run_here(const Scenario& scenario, Store& store, bool drop_existing = false) {
  OwnDriver driver;
  return run(scenario, {parcel_model()}, store, {.drop_existing = drop_existing, .driver = &driver});
}

Verdict run_steps(const std::string& steps, const std::string& table = "parcels_contract") {
  const std::string text = "name: \"own.test\"\ndms_version: \"0.1\"\nmodel: \"Parcel\"\ntable: { name: \"" + table +
                           "\" }\nsteps:\n" + steps;
  const ReadScenario read = read_scenario(text, "test.yml");
  EXPECT_TRUE(read.problems.empty()) << steps;
  const std::unique_ptr<Store> store = test_store();
  return run_here(read.scenario, *store);
}

std::string why(const std::string& steps) {
  const Verdict verdict = run_steps(steps);
  return verdict.passed() ? "passed" : verdict.why;
}

constexpr const char* kCreate = R"(  - { op: create, item: { pk: "P", sk: 1, status: "a", weight: 2.50 } }
)";

TEST(Scenario, section_8_3_the_second_writer_loses) {
  EXPECT_EQ(why(R"(
  - op: create
    item: { pk: "P", sk: 7, status: "packed" }
    expect: { ok: true }
  - op: update
    fields: ["status"]
    item: { pk: "P", sk: 7, status: "sent", version: 0 }
    expect: { ok: true }
  - op: update
    fields: ["status"]
    item: { pk: "P", sk: 7, status: "lost", version: 0 }
    expect: { error: "ErrConditionFailed" }
)"),
            "passed");
}

TEST(Scenario, section_8_3_variables_are_compared_later_and_time_passes_only_in_steps) {
  EXPECT_EQ(why(kCreate + std::string(R"(
  - { op: get, key: { pk: "P", sk: 1 }, save: { made: "created_at", seen: "updated_at" } }
  - { op: sleep, ms: 25 }
  - { op: update, fields: [], item: { pk: "P", sk: 1, version: 0 } }
  - op: get
    key: { pk: "P", sk: 1 }
    expect:
      item_field_equals_var: { created_at: "made" }
      item_field_not_equals_var: { updated_at: "seen" }
      item_contains: { version: 1, weight: 2.5 }
      item_has_fields: ["created_at"]
      item_missing_fields: ["note"]
      raw_attribute_types: { weight: "N", created_at: "S" }
)")),
            "passed");
}

TEST(Scenario, section_8_3_the_first_unmet_expectation_fails_it) {
  EXPECT_EQ(why(kCreate + std::string(R"(  - { op: get, key: { pk: "P", sk: 1 }, expect: { error: "ErrItemNotFound" } }
  - { op: get, key: { pk: "P", sk: 2 } }
)")),
            "step 2 (get): expected ErrItemNotFound, but it succeeded");
  EXPECT_EQ(why(R"(  - { op: get, key: { pk: "P", sk: 2 } }
)"),
            "step 1 (get): failed with ErrItemNotFound: no Parcel has that key");
  EXPECT_EQ(why(kCreate + std::string(R"(  - { op: get, key: { pk: "P", sk: 1 }, save: { kept: "note" } }
)")),
            "step 2 (get): the item has no note to save");
  EXPECT_EQ(why(kCreate + std::string(R"(  - op: get
    key: { pk: "P", sk: 1 }
    save: { kept: "status" }
    expect: { item_field_not_equals_var: { status: "kept" } }
)")),
            "step 2 (get): status is \"a\", and kept is \"a\"");
  EXPECT_EQ(
      why(kCreate + std::string(R"(  - { op: get, key: { pk: "P", sk: 1 }, expect: { item_contains: { weight: 2 } } }
)")),
      "step 2 (get): weight is 2.5, not 2");
}

TEST(Scenario, section_8_3_begins_with_an_empty_table_and_leaves_none) {
  const std::unique_ptr<Store> store = test_store();
  const ReadScenario read = read_scenario(
      R"({"name": "n", "dms_version": "0.1", "model": "Parcel", "table": {"name": "one_by_one"},
          "steps": [{"op": "create", "if_not_exists": true, "item": {"pk": "P", "sk": 1}}]})",
      "n.json");
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(run_here(read.scenario, *store).passed());
  EXPECT_TRUE(store->list_tables().value().names.empty());
  Scenario unknown = read.scenario;
  unknown.model = "Box";
  EXPECT_EQ(run_here(unknown, *store).why, "no file declares the model Box");
}

TEST(Scenario, leaves_a_table_alone_that_it_did_not_make_unless_told) {
  const std::unique_ptr<Store> store = test_store();
  const ReadScenario read = read_scenario(
      R"({"name": "n", "dms_version": "0.1", "model": "Parcel", "table": {"name": "precious"},
          "steps": [{"op": "create", "if_not_exists": true, "item": {"pk": "P", "sk": 1}}]})",
      "n.json");
  ASSERT_TRUE(read.problems.empty());
  ModelTable table = ModelTable::open(*store, parcel_model(), {.table = "precious"}).value();
  ASSERT_TRUE(table.create_table());
  ASSERT_TRUE(table.create({{"pk", "P"}, {"sk", 1}}));
  const Verdict refused = run_here(read.scenario, *store);
  EXPECT_FALSE(refused.passed());
  EXPECT_EQ(refused.why,
            "table precious exists and was not made by this run, so it was left alone; drop it, or allow that with "
            "--drop-tables");
  EXPECT_TRUE(table.get({{"pk", "P"}, {"sk", 1}}));
  EXPECT_TRUE(run_here(read.scenario, *store, true).passed());
  EXPECT_TRUE(store->list_tables().value().names.empty());
}

TEST(Scenario, leaves_no_table_behind_when_the_store_cannot_complete_it) {
  const std::unique_ptr<Store> whole = open("memory:").value();
  const std::unique_ptr<Store> lacking = WithoutTimeToLive::make(*whole);
  Model model = parcel_model();
  model.attributes.push_back({.name = "ends", .type = Type::kNumber, .roles = {{Role::kTtl}}});
  const ReadScenario read = read_scenario(
      R"({"name": "n", "dms_version": "0.1", "model": "Parcel", "table": {"name": "expiring"},
          "steps": [{"op": "create", "item": {"pk": "P", "sk": 1}}]})",
      "n.json");
  OwnDriver driver;
  const Verdict verdict = run(read.scenario, {model}, *lacking, {.driver = &driver});
  EXPECT_EQ(verdict.kind, Verdict::Kind::kFailed);
  EXPECT_EQ(verdict.why, "the endpoint does not support UpdateTimeToLive");
  EXPECT_TRUE(whole->list_tables().value().names.empty());
}

constexpr const char* kThree = R"(  - op: batch_write
    puts:
      - { pk: "P", sk: 1, status: "a", weight: 1 }
      - { pk: "P", sk: 2, status: "a", weight: 2 }
      - { pk: "P", sk: 3, status: "b" }
)";

TEST(Scenario, items_in_any_order_are_a_multiset) {
  const auto query = [](const std::string& items) {
    return kThree + std::string("  - { op: query, partition: \"P\", expect: { items_any_order: ") + items + " } }\n";
  };
  EXPECT_EQ(why(query(R"([{ status: "b" }, { status: "a", weight: 2 }, { status: "a" }])")), "passed");
  // The general one must not take the only item that the special one fits.
  EXPECT_EQ(why(query(R"([{ status: "a" }, { status: "a", weight: 1 }, { status: "b" }])")), "passed");
  // One item cannot stand for two.
  EXPECT_NE(why(query(R"([{ status: "b" }, { status: "b" }, { status: "a" }])")), "passed");
  EXPECT_NE(why(query(R"([{ weight: 1 }, { weight: 1 }, { status: "b" }])")), "passed");
}

TEST(Scenario, what_an_implementation_cannot_do_is_skipped) {
  const std::unique_ptr<Store> store = test_store();
  const ReadScenario read = read_scenario(
      R"({"name": "n", "dms_version": "0.2", "model": "Parcel", "requires_capabilities": ["crud", "time_travel"],
          "steps": [{"op": "get", "key": {"pk": "P", "sk": 1}}]})",
      "n.json");
  ASSERT_TRUE(read.problems.empty());
  const Verdict verdict = run_here(read.scenario, *store);
  EXPECT_EQ(verdict.kind, Verdict::Kind::kSkipped);
  EXPECT_EQ(verdict.why, "it requires time_travel");
  EXPECT_TRUE(store->list_tables().value().names.empty());
}

}  // namespace
}  // namespace dolmen::scenario
