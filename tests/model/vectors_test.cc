// Vectors in models: what may be written, what is found, and the tables that models ask for.
#include <future>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_result.h"
#include "dolmen/model.h"
#include "dolmen/open.h"
#include "tests/models/doc.h"

namespace dolmen {
namespace {

using acme::search::Doc;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Floats = std::vector<float>;

Model doc_model() { return acme::search::models::doc(); }

LogicalItem doc(const std::string& id, const LogicalValue& meaning) {
  return {{"id", id}, {"tenant", "t1"}, {"year", 2026}, {"meaning", meaning}};
}

struct Docs {
  std::unique_ptr<Store> store = open("memory:").value();
  ModelTable items = ModelTable::open(*store, doc_model()).value();
  Table<Doc> table = Table<Doc>::open(*store, doc_model()).value();

  Docs() { items.create_table().value(); }
};

std::vector<std::string> ids_of(const std::vector<Nearest<Doc>>& found) {
  std::vector<std::string> ids;
  for (const auto& [record, score] : found) ids.push_back(record.id);
  return ids;
}

TEST(ModelVectors, the_generated_model_is_that_of_the_file) {
  EXPECT_EQ(load_models("tests/models/doc.yml").value().models, std::vector{doc_model()});
  EXPECT_EQ(parse_models(canonical_json(dms_document(load_models("tests/models/doc.yml").value())).value(), "doc.json"),
            load_models("tests/models/doc.yml"));
}

TEST(ModelVectors, models_ask_for_vector_indexes_in_their_tables) {
  const TableDefinition table = table_definition(doc_model());
  ASSERT_EQ(table.vector_indexes.size(), 2U);
  EXPECT_EQ(table.vector_indexes[0],
            (VectorIndexDefinition{.name = "by_meaning",
                                   .attribute = "meaning",
                                   .dimensions = 3,
                                   .distance = VectorDistance::kCosine,
                                   .search = {{"tenant", KeyType::kString, SearchRole::kHash},
                                              {"year", KeyType::kNumber, SearchRole::kInlineFilter}}}));
  EXPECT_EQ(table.vector_indexes[1], (VectorIndexDefinition{.name = "by-picture",
                                                            .attribute = "picture",
                                                            .dimensions = 2,
                                                            .distance = VectorDistance::kEuclidean,
                                                            .projection = ProjectionType::kInclude,
                                                            .included_attributes = {"title"}}));
  Docs docs;
  EXPECT_EQ(docs.store->describe_table("docs").value().definition.vector_indexes, table.vector_indexes);
  EXPECT_THAT(docs.items.table_differences().value(), IsEmpty());
}

TEST(ModelVectors, finds_the_nearest_records_and_how_near_they_are) {
  Docs docs;
  ASSERT_THAT(docs.table.put({.id = "a", .tenant = "t1", .year = 2025, .meaning = {1, 0, 0}}), succeeds());
  ASSERT_THAT(docs.table.put({.id = "b", .tenant = "t1", .year = 2026, .title = "two", .meaning = {0.6F, 0.8F, 0}}),
              succeeds());
  ASSERT_THAT(docs.table.put({.id = "c", .tenant = "t2", .year = 2026, .meaning = {1, 0, 0}}), succeeds());
  ASSERT_THAT(docs.table.put({.id = "d", .meaning = {1, 0, 0}, .picture = std::array{3.0F, 4.0F}}), succeeds());
  const Floats vector{1, 0, 0};
  const auto found = docs.table.nearest("by_meaning", vector, {.where = field(&Doc::tenant) == "t1"}).value();
  EXPECT_THAT(ids_of(found), ElementsAre("a", "b"));
  EXPECT_EQ(found[1].record, (Doc{.id = "b", .tenant = "t1", .year = 2026, .title = "two", .meaning = {0.6F, 0.8F, 0}}))
      << "the whole record, with its vector";
  EXPECT_FLOAT_EQ(static_cast<float>(found[1].score), 0.4F);
  EXPECT_THAT(
      ids_of(
          docs.table.nearest("by_meaning", vector, {.where = field(&Doc::tenant) == "t1" && field(&Doc::year) == 2026})
              .value()),
      ElementsAre("b"));
  EXPECT_THAT(ids_of(docs.table.nearest("by_meaning", vector, {.top_k = 1, .where = field("tenant") == "t1"}).value()),
              ElementsAre("a"));

  // An index that carries less gives a part of each record.
  const auto pictures = docs.table.nearest("by-picture", Floats{0, 0}).value();
  ASSERT_EQ(pictures.size(), 1U);
  EXPECT_EQ(pictures[0].score, 5);
  EXPECT_EQ(pictures[0].record.picture, (std::array{3.0F, 4.0F}));
  EXPECT_EQ(pictures[0].record.meaning, (std::array<float, 3>{}));
}

TEST(ModelVectors, finds_items_without_structs) {
  Docs docs;
  ASSERT_THAT(docs.items.create(doc("a", LogicalValue::List{1, 0, 0})), succeeds());
  ASSERT_THAT(docs.items.create(doc("b", LogicalValue::List{0, LogicalNumber{"0.5"}, 0})), succeeds());
  const auto found =
      docs.items.nearest("by_meaning", Floats{0, 1, 0}, {.where = field("tenant") == "t1", .fields = {"id"}}).value();
  EXPECT_THAT(found, ElementsAre(ModelHit{{{"id", "b"}}, 0}, ModelHit{{{"id", "a"}}, 1}));
  const auto whole = docs.items.nearest("by_meaning", Floats{0, 1, 0}, {.top_k = 1, .where = field("tenant") == "t1"});
  EXPECT_EQ(whole.value()[0].item.at("meaning"), (LogicalValue::List{0, LogicalNumber{"0.5"}, 0}));
}

TEST(ModelVectors, searches_answer_without_waiting_as_well) {
  Docs docs;
  ASSERT_THAT(docs.items.create(doc("a", LogicalValue::List{1, 0, 0})), succeeds());
  const ModelSearchOptions options{.where = field("tenant") == "t1"};
  std::promise<Result<std::vector<ModelHit>>> items;
  docs.items.async_nearest("by_meaning", Floats{1, 0, 0}, options,
                           [&](auto found) { items.set_value(std::move(found)); });
  EXPECT_EQ(items.get_future().get().value().size(), 1U);
  std::promise<Result<std::vector<Nearest<Doc>>>> records;
  docs.table.async_nearest("by_meaning", Floats{1, 0, 0}, options,
                           [&](auto found) { records.set_value(std::move(found)); });
  EXPECT_THAT(ids_of(records.get_future().get().value()), ElementsAre("a"));
  std::promise<Result<std::vector<ModelHit>>> unknown;
  docs.items.async_nearest("none", Floats{1, 0, 0}, {}, [&](auto found) { unknown.set_value(std::move(found)); });
  EXPECT_THAT(unknown.get_future().get(), fails_with(Code::kInvalidOperator));
}

TEST(ModelVectors, searches_that_make_no_sense_are_refused) {
  Docs docs;
  EXPECT_EQ(docs.items.nearest("by_sense", Floats{1, 0, 0}).error().message(),
            "model \"Doc\" has no vector index \"by_sense\"");
  EXPECT_THAT(docs.items.nearest("by_meaning", Floats{1, 0, 0}), fails_with(Code::kValidation)) << "without a tenant";
  EXPECT_THAT(docs.items.nearest("by_meaning", Floats{1, 0}, {.where = field("tenant") == "t1"}),
              fails_with(Code::kValidation));
  EXPECT_THAT(docs.items.nearest("by_meaning", Floats{1, 0, 0}, {.where = field("nobody") == "t1"}),
              fails_with(Code::kInvalidOperator));
  EXPECT_THAT(docs.items.nearest("by_meaning", Floats{1, 0, 0}, {.top_k = 101, .where = field("tenant") == "t1"}),
              fails_with(Code::kValidation));
}

TEST(ModelVectors, other_values_are_refused_before_they_are_sent) {
  Docs docs;
  const auto message = [&](const LogicalValue& meaning) {
    const Result<void> created = docs.items.create(doc("x", meaning));
    return created ? "" : created.error().message();
  };
  const std::string begin = "attribute \"meaning\" is a vector of 3 32-bit floats: ";
  EXPECT_EQ(message(LogicalValue::List{1, 2}), begin + "found 2 elements");
  EXPECT_EQ(message(LogicalValue::List{}), begin + "found 0 elements");
  EXPECT_EQ(message(LogicalValue::List{1, "2", 3}), begin + "found S at [1]");
  EXPECT_EQ(message(LogicalValue::List{1, 2, LogicalNumber{"4e38"}}),
            begin + "found 4E+38 at [2], which is beyond a 32-bit float");
  EXPECT_THAT(message("text"), HasSubstr("is of type L and cannot hold a string"));
  EXPECT_THAT(message(nullptr), HasSubstr("required attribute \"meaning\""));
  LogicalItem with_null = doc("x", LogicalValue::List{1, 2, 3});
  with_null["picture"] = nullptr;
  EXPECT_THAT(docs.items.create(with_null), fails_with(Code::kInvalidModel)) << "NULL is no vector";
  EXPECT_THAT(docs.items.create(doc("x", LogicalValue::List{1, 2, LogicalNumber{"3.4028235e38"}})), succeeds());
}

TEST(ModelVectors, change_as_a_whole) {
  Docs docs;
  ASSERT_THAT(docs.items.create(doc("a", LogicalValue::List{1, 0, 0})), succeeds());
  const LogicalItem key{{"id", "a"}};
  const auto fails = [&](const FieldUpdate& update) { return docs.items.change(key, update); };
  EXPECT_THAT(fails(FieldUpdate{}.set("meaning[0]", 5)), fails_with(Code::kInvalidOperator));
  EXPECT_THAT(fails(FieldUpdate{}.append("meaning", LogicalValue::List{1})), fails_with(Code::kInvalidOperator));
  EXPECT_THAT(fails(FieldUpdate{}.set("meaning", LogicalValue::List{1})), fails_with(Code::kInvalidModel));
  ASSERT_THAT(docs.items.change(key, FieldUpdate{}.set("meaning", LogicalValue::List{0, 0, 1}),
                                {.condition = field("meaning").contains(1)}),
              succeeds());
  Doc record = docs.table.get({"a"}).value();
  EXPECT_EQ(record.meaning, (std::array{0.0F, 0.0F, 1.0F}));
  record.meaning = {0, 2, 0};
  ASSERT_THAT(docs.table.update(record, {&Doc::meaning}), succeeds());
  EXPECT_THAT(
      docs.table.nearest("by_meaning", Floats{0, 1, 0}, {.where = field("tenant") == "t1"}).value().at(0).record,
      record);
}

// ---- Tables that models share ----

Model with_index(std::string name, const ModelVectorIndex& index) {
  Model model = doc_model();
  model.name = std::move(name);
  model.vector_indexes = {index};
  return model;
}

TEST(SharedVectorIndexes, carry_what_any_model_wants_and_agree_in_everything_else) {
  const ModelVectorIndex small{.name = "by_meaning",
                               .attribute = "meaning",
                               .search = {{"tenant", KeyType::kString, SearchRole::kHash}},
                               .projection = ProjectionType::kInclude,
                               .included_attributes = {"title"}};
  ModelVectorIndex other = small;
  other.included_attributes = {"version"};
  const auto table = shared_definition({with_index("A", small), with_index("B", other)}).value();
  ASSERT_EQ(table.vector_indexes.size(), 1U);
  EXPECT_THAT(table.vector_indexes[0].included_attributes, ElementsAre("title", "version"));
  other.distance = VectorDistance::kDotProduct;
  EXPECT_EQ(shared_definition({with_index("A", small), with_index("B", other)}).error().message(),
            "models A and B cannot share a table: index by_meaning of table docs has other vectors, another distance, "
            "or other attributes to search by");
  Model global = doc_model();
  global.name = "G";
  global.vector_indexes.clear();
  global.indexes = {{.name = "by_meaning", .partition_key = {"tenant", KeyType::kString}}};
  EXPECT_THAT(shared_definition({with_index("A", small), global}).error().message(),
              HasSubstr("index by_meaning of table docs has different keys"));
  EXPECT_THAT(shared_definition({global, with_index("A", small)}), fails_with(Code::kInvalidModel));
}

TEST(SharedVectorIndexes, are_added_by_a_plan_and_missed_where_they_are_not_there) {
  const std::unique_ptr<Store> store = open("memory:").value();
  Model bare = doc_model();
  bare.vector_indexes.clear();
  ASSERT_THAT(ensure_tables(*store, {bare}), succeeds());
  ASSERT_THAT(ModelTable::open(*store, bare).value().create(doc("a", LogicalValue::List{1, 0, 0})), succeeds());
  EXPECT_THAT(ensure_tables(*store, {doc_model()}).error().message(),
              HasSubstr("the table docs exists, but vector index by_meaning is missing; vector index by-picture is "
                        "missing"));
  const TablePlan plan = plan_tables(*store, {doc_model()}).value();
  std::vector<std::string> texts;
  for (const TableChange& change : plan.changes) {
    texts.push_back(change.text);
    ASSERT_THAT(apply_change(*store, change, {.interval = std::chrono::milliseconds(5)}), succeeds());
  }
  EXPECT_THAT(texts, ElementsAre("add vector index by_meaning", "add vector index by-picture"));
  EXPECT_THAT(plan_tables(*store, {doc_model()}).value().changes, IsEmpty());
  const ModelTable docs = ModelTable::open(*store, doc_model()).value();
  EXPECT_EQ(docs.nearest("by_meaning", Floats{1, 0, 0}, {.where = field("tenant") == "t1"}).value().size(), 1U)
      << "items from before are in the index";
  EXPECT_THAT(ensure_tables(*store, {bare}), succeeds()) << "what a table has more is not missed";

  Model changed = doc_model();
  changed.attributes[4].dimensions = 4;
  changed.vector_indexes[0].distance = VectorDistance::kEuclidean;
  changed.vector_indexes[0].search.pop_back();
  EXPECT_THAT(plan_tables(*store, {changed}).value().impossible,
              ElementsAre("table docs: vector index by_meaning dimensions: wanted 4, is 3",
                          "table docs: vector index by_meaning distance: wanted EUCLIDEAN, is COSINE",
                          "table docs: vector index by_meaning searches by: wanted tenant (S, HASH), is tenant (S, "
                          "HASH), year (N, INLINE_FILTER)"));
}

}  // namespace
}  // namespace dolmen
