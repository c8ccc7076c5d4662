#include "scenario/scenario.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "scenario/fields.h"

namespace dolmen::scenario {
namespace {

constexpr const char* kGood = R"(name: "own.one"
dms_version: "0.1"
model: "Parcel"
table: { name: "parcels_contract" }
steps:
  - op: create
    item: { pk: "P", sk: "S", weight: 2.50 }
    expect: { ok: true }
)";

std::string with(std::string_view from, std::string_view to) {
  std::string text = kGood;
  text.replace(text.find(from), from.size(), to);
  return text;
}

std::string problems(const std::string& text, std::string_view file_name = "one.yml") {
  std::string out;
  for (const config::Problem& problem : read_scenario(text, file_name).problems)
    out += fmt::format("{}:{}: {}\n", problem.position.line, problem.position.column, problem.message);
  return out;
}

TEST(ScenarioFile, section_8_3_says_what_is_done_and_what_must_come_of_it) {
  const ReadScenario read = read_scenario(kGood, "one.yml");
  ASSERT_TRUE(read.problems.empty());
  EXPECT_EQ(read.scenario.name, "own.one");
  EXPECT_EQ(read.scenario.model, "Parcel");
  EXPECT_EQ(read.scenario.table, "parcels_contract");
  EXPECT_EQ(
      read.scenario.steps,
      (std::vector<LogicalItem>{{{"op", "create"},
                                 {"item", LogicalItem{{"pk", "P"}, {"sk", "S"}, {"weight", LogicalNumber{"2.50"}}}},
                                 {"expect", LogicalItem{{"ok", true}}}}}));
}

TEST(ScenarioFile, section_8_3_knows_every_operation_and_expectation) {
  EXPECT_EQ(problems(R"(name: "own.all"
dms_version: "0.1"
model: "Parcel"
table: { name: "t" }
steps:
  - { op: create, item: {}, if_not_exists: true, expect: { ok: true } }
  - { op: get, key: {}, save: { kept: "pk" }, expect: { error: "ErrItemNotFound" } }
  - op: update
    fields: []
    item: {}
    expect: { item_contains: { a: 1 }, item_has_fields: ["a"], item_missing_fields: ["b"] }
  - op: delete
    key: {}
    expect: { raw_attribute_types: { a: "N" }, item_field_equals_var: { a: "v" }, item_field_not_equals_var: { a: "w" } }
  - { op: sleep, ms: 1 }
)"),
            "");
}

TEST(ScenarioFile, can_be_json) {
  EXPECT_EQ(problems(R"({"name": "j", "dms_version": "0.1", "model": "M", "table": {"name": "t"},
                         "steps": [{"op": "sleep", "ms": 1}]})",
                     "one.json"),
            "");
}

TEST(ScenarioFile, says_where_it_is_wrong) {
  EXPECT_EQ(problems(with("\"0.1\"", "\"0.2\"")), "");
  EXPECT_EQ(problems(with("\"0.1\"", "\"0.3\"")), "1:1: dms_version must be \"0.1\" or \"0.2\"\n");
  EXPECT_EQ(problems(with("name: \"own.one\"\n", "")), "1:1: name is missing; add it\n");
  EXPECT_EQ(problems(with("{ name: \"parcels_contract\" }", "parcels")), "4:8: table must be a map, not a string\n");
  EXPECT_NE(problems(with("op: create", "op: creates")).find("6:5: the op is not known; use batch_get"),
            std::string::npos);
  EXPECT_NE(problems(with("item:", "items:")).find("7:5: \"items\" is not allowed here; use item"), std::string::npos);
  EXPECT_NE(problems(with("ok:", "okay:")).find("\"okay\" is not allowed here"), std::string::npos);
  EXPECT_NE(problems("- a\n").find("a scenario must be a map"), std::string::npos);
}

/// What is wrong with a scenario of this one step, without its place.
std::string problem_of(const std::string& step) {
  std::string out;
  for (const config::Problem& problem :
       read_scenario("{ name: n, dms_version: \"0.2\", model: M, steps: [" + step + "] }", "one.yml").problems)
    out += problem.path + ": " + problem.message.substr(0, problem.message.find("; use")) + "\n";
  return out;
}

TEST(ScenarioFile, refuses_every_name_that_no_step_reads) {
  const std::pair<const char*, const char*> cases[] = {
      {"{ op: get, key: {}, consistent: true }", "steps[0].consistent: \"consistent\" is not allowed here\n"},
      {"{ op: query, partition: 1, filter: [{ field: a, op: '=', valeu: 1 }] }",
       "steps[0].filter[0].valeu: \"valeu\" is not allowed here\n"},
      {"{ op: query, partition: 1, filter: [{ or: [{ field: a, op: EXISTS }], field: b }] }",
       "steps[0].filter[0].field: \"field\" is not allowed here\n"},
      {"{ op: query, partition: 1, filter: [{ not: [{ feild: a }] }] }",
       "steps[0].filter[0].not[0].feild: \"feild\" is not allowed here\n"},
      {"{ op: query, partition: 1, filter: [{ field: a, op: IN, value: 1, values: [2] }] }",
       "steps[0].filter[0]: a comparison has a value or values; remove one of them\n"},
      {"{ op: change, key: {}, set_element: { field: a, index: 0, value: 1, at: 2 } }",
       "steps[0].set_element.at: \"at\" is not allowed here\n"},
      {"{ op: change, key: {}, remove_element: { field: a, index: 0, value: 1 } }",
       "steps[0].remove_element.value: \"value\" is not allowed here\n"},
      {"{ op: transaction, actions: [{ op: create, item: {}, save: { a: b } }] }",
       "steps[0].actions[0].save: \"save\" is not allowed here\n"},
      {"{ op: transaction, actions: [{ op: get, key: {} }] }",
       "steps[0].actions[0]: an action must be one of change, check, create, delete, set, update\n"},
      {"{ op: scan, segments: 2, limit: 5 }",
       "steps[0].limit: a scan of all segments reads to the end; remove limit or segments\n"},
      {"{ op: create, item: {}, expect: { count: 0 } }", "steps[0].expect.count: \"count\" is not allowed here\n"},
      {"{ op: get, key: {}, expect: { failed_action: 0 } }",
       "steps[0].expect.failed_action: \"failed_action\" is not allowed here\n"},
      {"{ op: query, partition: 1, expect: { item_contains: { a: 1 } } }",
       "steps[0].expect.item_contains: \"item_contains\" is not allowed here\n"},
      {"{ op: get, key: {}, expect: { item_contains: {} } }",
       "steps[0].expect.item_contains: item_contains is empty and expects nothing; remove it\n"},
      {"{ op: get, key: {}, expect: { ok: true, error: ErrItemNotFound } }",
       "steps[0].expect.ok: ok and error cannot both hold; remove one\n"},
      {"{ op: query, query: { partition: { attribute: a, operator: '=', value: 1, values: [1] } } }",
       "steps[0].query.partition: a comparison has a value or values; remove one of them\n"},
      {"{ op: query, query: { partition: { attribute: a, operator: '=', value: 1 }, order: ASC } }",
       "steps[0].query.order: \"order\" is not allowed here\n"},
      {"{ op: query, query: { partition: { attribute: a, operator: '=', value: 1 } }, limit: 1 }",
       "steps[0].limit: \"limit\" is not allowed here\n"},
      {"{ op: count, count: { query: {}, scan: {} } }", "steps[0].count: count has either a query or a scan\n"},
      {"{ op: transact_write, transact_write: { actions: [{ kind: put, item: {}, set: {} }] } }",
       "steps[0].transact_write.actions[0].set: \"set\" is not allowed here\n"},
      {"{ op: transact_get, transact_get: { items: [{ key: {}, keys: {} }] } }",
       "steps[0].transact_get.items[0].keys: \"keys\" is not allowed here\n"},
      {"{ op: transition_append_event, actual: { model: M, key: {}, set: {}, version: 1 }, event: { item: {} } }",
       "steps[0].actual.version: \"version\" is not allowed here\n"},
  };
  for (const auto& [step, problem] : cases) EXPECT_EQ(problem_of(step), problem) << step;
  const std::string steps = ", steps: [{ op: sleep, ms: 1 }] }";
  const auto whole = [&](const std::string& text) {
    return problems("{ name: n, dms_version: \"0.2\", model: M" + text + steps);
  };
  EXPECT_NE(whole(", table: { name: t, mode: x }").find("\"mode\" is not allowed here"), std::string::npos);
  EXPECT_NE(whole(", encryption: { provider: kms, seed: s }").find("must be \"deterministic\""), std::string::npos);
  EXPECT_NE(whole(", read_steps: [{ op: sleep, ms: 1 }]").find("read_steps need a seed_runtime"), std::string::npos);
}

const Model kModel{.name = "M",
                   .table = "t",
                   .partition_key = {"pk", KeyType::kBinary},
                   .attributes = {{.name = "pk", .type = Type::kBinary},
                                  {.name = "set", .type = Type::kBinarySet},
                                  {.name = "text", .type = Type::kString}}};

TEST(ScenarioValues, are_bytes_where_the_model_has_bytes) {
  EXPECT_EQ(value_for(kModel, "pk", "AAE="), LogicalValue(Bytes(std::string("\0\1", 2))));
  EXPECT_EQ(value_for(kModel, "pk", "not base64"), LogicalValue(Bytes("not base64")));
  EXPECT_EQ(value_for(kModel, "set", LogicalValue::List{"AAE="}),
            LogicalValue(LogicalValue::List{Bytes(std::string("\0\1", 2))}));
  EXPECT_EQ(value_for(kModel, "text", "AAE="), LogicalValue("AAE="));
}

TEST(ScenarioValues, have_their_types) {
  const LogicalItem step{{"text", "a"}, {"number", 5}, {"flag", true}, {"half", LogicalNumber{"0.5"}}};
  EXPECT_EQ(text_of(step, "text").value(), "a");
  EXPECT_EQ(integer_of(step, "number").value(), 5);
  EXPECT_EQ(optional_integer_of(step, "none").value(), std::nullopt);
  EXPECT_TRUE(flag_of(step, "flag").value());
  EXPECT_FALSE(flag_of(step, "none").value());
  for (const auto& error : {text_of(step, "number").error(), integer_of(step, "half").error(),
                            flag_of(step, "text").error(), map_of(step, "text").error(), list_of(step, "text").error()})
    EXPECT_EQ(error.code(), Code::kInvalidArgument);
}

TEST(ScenarioConditions, are_lists_in_which_groups_may_stand) {
  const LogicalItem step{
      {"condition",
       LogicalValue::List{LogicalItem{{"field", "text"}, {"op", "="}, {"value", "a"}},
                          LogicalItem{{"or", LogicalValue::List{LogicalItem{{"field", "text"}, {"op", "EXISTS"}},
                                                                LogicalItem{{"field", "text"},
                                                                            {"op", "IN"},
                                                                            {"values", LogicalValue::List{"b"}}}}}}}}};
  const FieldCondition condition = condition_of(step, "condition", kModel).value();
  EXPECT_EQ(compile_condition(kModel, condition).value(),
            attr("text") == "a" && (attr("text").exists() || attr("text").in({"b"})));
  EXPECT_EQ(condition_of({{"condition", LogicalValue::List{LogicalItem{{"field", "text"}, {"op", "LIKE"}}}}},
                         "condition", kModel)
                .error()
                .code(),
            Code::kInvalidOperator);
}

}  // namespace
}  // namespace dolmen::scenario
