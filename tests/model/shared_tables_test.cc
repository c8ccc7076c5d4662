// Several models on one table.
#include "dolmen/model/shared_tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_result.h"
#include "parcels.h"

namespace dolmen {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Model model_of(std::string name, std::vector<ModelIndex> indexes = {}, std::optional<std::string> ttl = std::nullopt) {
  Model model{.name = std::move(name),
              .table = "shared",
              .partition_key = {"pk", KeyType::kString},
              .sort_key = KeyAttribute{"sk", KeyType::kString},
              .attributes = {{.name = "pk", .type = Type::kString},
                             {.name = "sk", .type = Type::kString},
                             {.name = "a", .type = Type::kString},
                             {.name = "b", .type = Type::kString}},
              .indexes = std::move(indexes)};
  if (ttl) model.attributes.push_back({.name = *ttl, .type = Type::kNumber, .roles = {{Role::kTtl}}});
  return model;
}

ModelIndex index_on(std::string name, std::string attribute, std::vector<std::string> included = {}) {
  ModelIndex index{.name = std::move(name), .partition_key = {std::move(attribute), KeyType::kString}};
  if (!included.empty()) index.projection = ProjectionType::kInclude;
  index.included_attributes = std::move(included);
  return index;
}

TEST(SharedTables, have_the_indexes_and_the_time_to_live_of_all_models) {
  const TableDefinition table =
      shared_definition({model_of("A", {index_on("by-a", "a", {"x"})}),
                         model_of("B", {index_on("by-b", "b"), index_on("by-a", "a", {"y"})}, "ends")})
          .value();
  ASSERT_EQ(table.global_indexes.size(), 2U);
  EXPECT_EQ(table.global_indexes[0].name, "by-a");
  EXPECT_THAT(table.global_indexes[0].included_attributes, ElementsAre("x", "y"));
  EXPECT_EQ(table.global_indexes[1].name, "by-b");
  EXPECT_EQ(table.ttl, "ends");
}

TEST(SharedTables, models_that_disagree_are_told_so) {
  Model other = model_of("B");
  other.sort_key.reset();
  const auto message = [](const std::vector<Model>& models) { return shared_definition(models).error().message(); };
  EXPECT_EQ(
      message({model_of("A"), other}),
      "models A and B cannot share a table: the key of table shared is pk (S) and sk (S) for the first and pk (S) "
      "for the second");
  EXPECT_EQ(message({model_of("A", {index_on("i", "a")}), model_of("B"), model_of("C", {index_on("i", "b")})}),
            "models A and C cannot share a table: index i of table shared has different keys");
  EXPECT_EQ(message({model_of("A", {}, "t1"), model_of("B", {}, "t2")}),
            "models A and B cannot share a table: the time to live of table shared is t1 for the first and t2 for the "
            "second");
  Model number = model_of("B", {index_on("by-a-number", "a")});
  number.indexes[0].partition_key.type = KeyType::kNumber;
  EXPECT_EQ(message({model_of("A", {index_on("by-a", "a")}), number}),
            "the models of table shared use a as a key of type S and of type N");
}

TEST(SharedTables, each_model_finds_what_it_needs_whoever_made_the_table) {
  const std::unique_ptr<Store> store = test_store();
  const std::vector<Model> both{model_of("A", {index_on("by-a", "a")}), model_of("B", {index_on("by-b", "b")}, "ends")};
  ASSERT_THAT(ensure_tables(*store, both), succeeds());
  ASSERT_THAT(ensure_tables(*store, both), succeeds());
  EXPECT_EQ(described_definition(*store, "shared").value().ttl, "ends");
  for (const Model& model : both) {
    ModelTable table = ModelTable::open(*store, model).value();
    EXPECT_THAT(table.ensure_table(), succeeds());
    EXPECT_THAT(table.table_differences().value(), IsEmpty());
  }
  const auto lacking = ensure_tables(*store, {model_of("C", {index_on("by-c", "a")})});
  ASSERT_FALSE(lacking);
  EXPECT_THAT(lacking.error().message(), HasSubstr("the table shared exists, but global index by-c is missing"));
}

TEST(SharedTables, a_model_makes_the_table_that_it_is_opened_with) {
  const std::unique_ptr<Store> store = test_store();
  ModelTable table = ModelTable::open(*store, model_of("A"), {.table = "other"}).value();
  EXPECT_EQ(table.ensure_table().value().definition.name, "other");
  EXPECT_THAT(store->describe_table("shared"), fails_with(Code::kTableNotFound));
}

TEST(SharedTables, a_plan_adds_what_is_missing_and_nothing_else) {
  const std::unique_ptr<Store> store = test_store();
  ASSERT_THAT(ensure_tables(*store, {model_of("A", {index_on("by-a", "a")})}), succeeds());
  const std::vector<Model> wanted{model_of("B", {index_on("by-b", "b"), index_on("by-sk", "sk")}, "ends")};
  const TablePlan plan = plan_tables(*store, wanted).value();
  EXPECT_THAT(plan.impossible, IsEmpty());
  std::vector<std::string> texts;
  for (const TableChange& change : plan.changes) {
    texts.push_back(change.text);
    ASSERT_THAT(apply_change(*store, change), succeeds());
  }
  EXPECT_THAT(texts, ElementsAre("add global index by-b", "add global index by-sk", "set the time to live to ends"));
  EXPECT_THAT(plan_tables(*store, wanted).value().changes, IsEmpty());
  EXPECT_EQ(described_definition(*store, "shared").value().global_indexes.size(), 3U);
}

TEST(SharedTables, a_plan_says_what_cannot_be_changed) {
  const std::unique_ptr<Store> store = test_store();
  ASSERT_THAT(ensure_tables(*store, {model_of("A", {index_on("by-a", "a", {"x"})}, "t1")}), succeeds());
  Model local = model_of("B", {index_on("by-a", "a"), index_on("local", "pk")}, "t2");
  local.indexes[1].type = IndexType::kLocal;
  local.indexes[1].sort_key = KeyAttribute{"b", KeyType::kString};
  EXPECT_THAT(plan_tables(*store, {local}).value().impossible,
              ElementsAre("table shared: local index local is missing",
                          HasSubstr("table shared: index by-a projection: wanted ALL, is INCLUDE"),
                          HasSubstr("table shared: index by-a included attributes"),
                          "table shared: time to live: wanted t2, is t1"));
}

}  // namespace
}  // namespace dolmen
