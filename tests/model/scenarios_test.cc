#include <gtest/gtest.h>

#include "parcels.h"
#include "scenario/run.h"

// Section 8.3: scenarios on a store in memory. Files for all implementations are in contract/.
namespace dolmen::scenario {
namespace {

Verdict run_steps(const std::string& steps, const std::string& table = "parcels_contract") {
  const std::string text = "name: \"own.test\"\ndms_version: \"0.1\"\nmodel: \"Parcel\"\ntable: { name: \"" + table +
                           "\" }\nsteps:\n" + steps;
  const ReadScenario read = read_scenario(text, "test.yml");
  EXPECT_TRUE(read.problems.empty()) << steps;
  const std::unique_ptr<Store> store = open("memory:").value();
  return run(read.scenario, {parcel_model()}, *store);
}

std::string why(const std::string& steps) {
  const Verdict verdict = run_steps(steps);
  return verdict.passed ? "passed" : verdict.why;
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
  const std::unique_ptr<Store> store = open("memory:").value();
  const ReadScenario read = read_scenario(
      R"({"name": "n", "dms_version": "0.1", "model": "Parcel", "table": {"name": "one_by_one"},
          "steps": [{"op": "create", "if_not_exists": true, "item": {"pk": "P", "sk": 1}}]})",
      "n.json");
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(run(read.scenario, {parcel_model()}, *store).passed);
  EXPECT_TRUE(store->list_tables().value().names.empty());
  Scenario unknown = read.scenario;
  unknown.model = "Box";
  EXPECT_EQ(run(unknown, {parcel_model()}, *store).why, "no file declares the model Box");
}

}  // namespace
}  // namespace dolmen::scenario
