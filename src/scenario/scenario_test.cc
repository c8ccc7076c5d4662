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
  - { op: update, fields: [], item: {}, expect: { item_contains: {}, item_has_fields: [], item_missing_fields: [] } }
  - { op: delete, key: {}, expect: { raw_attribute_types: {}, item_field_equals_var: {}, item_field_not_equals_var: {} } }
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
  EXPECT_EQ(problems(with("\"0.1\"", "\"0.2\"")), "1:1: dms_version must be \"0.1\"\n");
  EXPECT_EQ(problems(with("name: \"own.one\"\n", "")), "1:1: name is missing; add it\n");
  EXPECT_EQ(problems(with("{ name: \"parcels_contract\" }", "parcels")),
            "4:8: table must be a map, not a string\n1:1: table must be a map with a name\n");
  EXPECT_EQ(problems(with("op: create", "op: creates")), "6:5: the op is not known\n");
  EXPECT_NE(problems(with("item:", "items:")).find("7:5: \"items\" is not allowed here; use item"), std::string::npos);
  EXPECT_NE(problems(with("ok:", "okay:")).find("\"okay\" is not allowed here"), std::string::npos);
  EXPECT_NE(problems("- a\n").find("a scenario must be a map"), std::string::npos);
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
