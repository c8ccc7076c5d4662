// Indexes and queries. Tests named IndexRule.A1_n hold for rule n of docs/documents.md.
#include <gmock/gmock.h>

#include "base/test_result.h"
#include "document/layout.h"
#include "document/ordered_value.h"
#include "document/rows.h"
#include "opened.h"

namespace dolmen {
namespace {

using test::kUsers1;
using test::kUsers2;
using test::user;
using test::UserDocuments;
using test::users_schema;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// The ids of all pages.
std::vector<std::string> ids(Documents& documents, const SchemaRef& ref, DocumentQuery query) {
  std::vector<std::string> found;
  do {
    const DocumentPage page = documents.query(ref, query).value();
    for (const Document& document : page.documents)
      found.push_back(document.text.substr(8, document.text.find('"', 8) - 8));
    query.cursor = page.cursor;
  } while (!query.cursor.empty());
  return found;
}

std::string refusal(Documents& documents, const DocumentQuery& query) {
  const auto page = documents.query(kUsers1, query);
  if (page) return "accepted";
  EXPECT_THAT(page, fails_with(Code::kQueryInvalid));
  return page.error().message();
}

class Queries : public testing::Test {
 protected:
  Queries() {
    for (const char* field : {"age", "name", "score", "active", "home.city"})
      documents_->create_index(kUsers1, field).value();
    documents_->wait_for_indexes().value();
  }

  void add(const std::string& id, const std::string& rest) {
    ASSERT_TRUE(documents_->insert(kUsers1, R"({"_id":")" + id + R"(",)" + rest + "}")) << rest;
  }

  UserDocuments documents_;
};

TEST_F(Queries, find_by_equality_and_range_in_the_order_of_the_index_and_then_of_the_id) {
  add("d", R"("name":"x","age":-5)");
  add("c", R"("name":"x","age":30)");
  add("a", R"("name":"y","age":30)");
  add("b", R"("name":"z","age":40)");
  add("e", R"("name":"z")");
  EXPECT_THAT(ids(*documents_, kUsers1, {.filter = R"({"age":30})", .limit = 10}), ElementsAre("a", "c"));
  EXPECT_THAT(ids(*documents_, kUsers1, {.filter = R"({"age":{"$eq":40}})", .limit = 10}), ElementsAre("b"));
  EXPECT_THAT(ids(*documents_, kUsers1, {.filter = R"({"age":{"$gte":-5,"$lt":40}})", .limit = 10}),
              ElementsAre("d", "a", "c"));
  EXPECT_THAT(ids(*documents_, kUsers1, {.filter = R"({"age":{"$gt":-5,"$lte":40}})", .limit = 10}),
              ElementsAre("a", "c", "b"));
  EXPECT_THAT(ids(*documents_, kUsers1, {.filter = R"({"age":30,"name":"x"})", .limit = 10}), ElementsAre("c"));
  EXPECT_THAT(ids(*documents_, kUsers1,
                  {.filter = R"({"name":{"$gte":"x"}})", .sort = DocumentSort{"name", true}, .limit = 10}),
              ElementsAre("e", "b", "a", "d", "c"));
  EXPECT_THAT(ids(*documents_, kUsers1, {.filter = R"({"age":30})", .sort = DocumentSort{"name"}, .limit = 10}),
              ElementsAre("c", "a"));
  EXPECT_THAT(ids(*documents_, kUsers1, {.filter = R"({"_id":{"$gt":"b","$lt":"e"}})", .limit = 10}),
              ElementsAre("c", "d"));
  EXPECT_THAT(ids(*documents_, kUsers1, {.filter = R"({"_id":"e"})", .limit = 1}), ElementsAre("e"));
  EXPECT_THAT(ids(*documents_, kUsers1, {.filter = R"({"age":{"$gt":5,"$lt":4}})", .limit = 10}), IsEmpty());
}

TEST_F(Queries, order_floats_bools_and_nested_fields) {
  add("a", R"("name":"n","score":-0.0,"active":true,"home":{"city":"Brest"})");
  add("b", R"("name":"n","score":-2.5,"active":false,"home":{"city":"Bre"})");
  add("c", R"("name":"n","score":1e300,"active":true)");
  add("d", R"("name":"n","score":0.0)");
  EXPECT_THAT(ids(*documents_, kUsers1, {.filter = R"({"score":{"$gte":-1e9}})", .limit = 10}),
              ElementsAre("b", "a", "d", "c"));
  EXPECT_THAT(ids(*documents_, kUsers1, {.filter = R"({"score":0.0})", .limit = 10}), ElementsAre("a", "d"));
  EXPECT_THAT(ids(*documents_, kUsers1, {.filter = R"({"active":true})", .limit = 10}), ElementsAre("a", "c"));
  EXPECT_THAT(ids(*documents_, kUsers1, {.filter = R"({"home.city":{"$gt":"Bre"}})", .limit = 10}), ElementsAre("a"));
}

TEST_F(Queries, go_on_with_a_cursor_and_refuse_that_of_another_query) {
  for (int i = 0; i < 25; ++i) add("u" + std::to_string(100 + i), R"("name":"n","age":)" + std::to_string(i % 3));
  DocumentQuery query{.filter = R"({"age":{"$gte":0}})", .limit = 4};
  std::vector<std::string> by_pages = ids(*documents_, kUsers1, query);
  query.limit = 100;
  EXPECT_EQ(by_pages, ids(*documents_, kUsers1, query));
  EXPECT_EQ(by_pages.size(), 25U);
  query = {.filter = R"({"age":1})", .limit = 2};
  const std::string cursor = documents_->query(kUsers1, query).value().cursor;
  EXPECT_THAT(refusal(*documents_, {.filter = R"({"age":2})", .limit = 2, .cursor = cursor}),
              HasSubstr("another query"));
  EXPECT_THAT(refusal(*documents_, {.filter = R"({"age":1})", .limit = 2, .cursor = "AAAA"}),
              HasSubstr("is not one that a query has returned"));
}

TEST_F(Queries, that_guess_or_have_no_bounds_are_refused) {
  EXPECT_THAT(refusal(*documents_, {.filter = R"({"age":30})"}), HasSubstr("a number from 1 to 1000 is needed"));
  EXPECT_THAT(refusal(*documents_, {.filter = R"({"age":30})", .limit = 1001}),
              HasSubstr("a number from 1 to 1000 is needed"));
  EXPECT_THAT(refusal(*documents_, {.filter = "{}", .limit = 1}), HasSubstr("filter: it is empty"));
  EXPECT_THAT(refusal(*documents_, {.filter = R"({"age":"30"})", .limit = 1}), HasSubstr("expected int, found string"));
  EXPECT_THAT(refusal(*documents_, {.filter = R"({"age":30.0})", .limit = 1}), HasSubstr("expected int, found float"));
  EXPECT_THAT(refusal(*documents_, {.filter = R"({"score":30})", .limit = 1}), HasSubstr("expected float, found int"));
  EXPECT_THAT(refusal(*documents_, {.filter = R"({"age":null})", .limit = 1}), HasSubstr("found null"));
  EXPECT_THAT(refusal(*documents_, {.filter = R"({"age":[1,2]})", .limit = 1}), HasSubstr("found array"));
  EXPECT_THAT(refusal(*documents_, {.filter = R"({"age":{"$in":[1]}})", .limit = 1}), HasSubstr("is not an operator"));
  EXPECT_THAT(refusal(*documents_, {.filter = R"({"age":{"$eq":1,"$gt":0}})", .limit = 1}), HasSubstr("either"));
  EXPECT_THAT(refusal(*documents_, {.filter = R"({"active":{"$gt":false}})", .limit = 1}), HasSubstr("equality"));
  EXPECT_THAT(refusal(*documents_, {.filter = R"({"nick":1})", .limit = 1}), HasSubstr("no scalar field nick"));
  EXPECT_THAT(refusal(*documents_, {.filter = R"({"home":{}})", .limit = 1}), HasSubstr("no scalar field home"));
  EXPECT_THAT(refusal(*documents_, {.filter = R"({"name":"x"})", .sort = DocumentSort{"age"}, .limit = 1}),
              HasSubstr("age is optional"));
  EXPECT_THAT(refusal(*documents_, {.filter = R"({"name":"x"})", .sort = DocumentSort{"nick"}, .limit = 1}),
              HasSubstr("to sort by"));
}

TEST_F(Queries, are_explained_the_same_every_time_and_so_are_refusals) {
  const DocumentQuery query{.filter = R"({"name":"x","age":{"$gt":1},"active":true})", .limit = 5};
  const std::string expected =
      R"({"index":"active","scan":"index_equality","predicates":["active = true","age > 1","name = \"x\""],"sort":[],)"
      R"("limit":5,"bounded":true,"examined_max":2000})";
  for (int i = 0; i < 3; ++i) EXPECT_EQ(documents_->explain(kUsers1, query).value(), expected);
  EXPECT_THAT(documents_->explain(kUsers1, {.filter = R"({"_id":"x","age":1})", .limit = 5}).value(),
              HasSubstr(R"("index":"_id","scan":"id_lookup")"));
  EXPECT_THAT(documents_->explain(kUsers1, {.filter = R"({"age":{"$gt":1},"name":{"$gt":"a"}})", .limit = 5}).value(),
              HasSubstr(R"("index":"age","scan":"index_range")"));
  EXPECT_THAT(
      documents_->explain(kUsers1, {.filter = R"({"age":1})", .sort = DocumentSort{"name"}, .limit = 5}).value(),
      HasSubstr(R"("index":"name","scan":"index_order")"));
  EXPECT_THAT(documents_->explain(kUsers1, {.filter = "{}", .limit = 5}).value(),
              HasSubstr(R"({"rejected":{"code":"QUERY_INVALID")"));
}

TEST_F(Queries, look_at_a_bounded_number_of_documents_in_one_call) {
  for (int i = 0; i < 2300; ++i)
    add(std::to_string(10'000 + i), R"("name":"n","age":1,"active":)" + std::string(i == 2299 ? "true" : "false"));
  const DocumentQuery query{.filter = R"({"age":1,"name":"n","_id":{"$gte":"1"},"active":true})", .limit = 1};
  EXPECT_THAT(ids(*documents_, kUsers1, query), ElementsAre("12299"));
  const DocumentQuery by_age{.filter = R"({"age":1,"score":{"$lt":0.0}})", .limit = 1};
  const DocumentPage first = documents_->query(kUsers1, by_age).value();
  EXPECT_TRUE(first.documents.empty());
  EXPECT_FALSE(first.cursor.empty()) << "not the end, only the bound of one call";
  EXPECT_THAT(ids(*documents_, kUsers1, by_age), IsEmpty());
}

TEST(IndexRule, A1_36_documents_of_other_versions_do_not_take_places_in_a_query) {
  UserDocuments documents;
  documents->publish(users_schema("v2")).value();
  for (const SchemaRef& ref : {kUsers1, kUsers2}) documents->create_index(ref, "age").value();
  documents->wait_for_indexes().value();
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(documents->insert(kUsers2, user("a" + std::to_string(i), "Eve", 1)));
  ASSERT_TRUE(documents->insert(kUsers1, user("z", "Ada", 1)));
  EXPECT_THAT(ids(*documents, kUsers1, {.filter = R"({"age":1})", .limit = 1}), ElementsAre("z"));
  EXPECT_THAT(ids(*documents, kUsers1, {.filter = R"({"_id":{"$gte":"a"}})", .limit = 1}), ElementsAre("z"));
}

TEST(IndexRule, A1_37_building_an_index_checks_what_is_stored) {
  UserDocuments documents;
  ASSERT_TRUE(documents->insert(kUsers1, user("a", "Ada", 1)));
  const document::Rows rows(documents.store());
  ASSERT_TRUE(rows.write(
      {{.key = document::document_row(kUsers1, "b"), .attributes = {{"body", R"({"_id":"b","name":7})"}, {"mark", 1}}}},
      kUsers1));
  EXPECT_THAT(documents->get(kUsers1, "b"), fails_with(Code::kCorruption));
  const auto created = documents->create_index(kUsers1, "age");
  EXPECT_THAT(created, fails_with(Code::kCorruption));
  EXPECT_THAT(created.error().message(), HasSubstr("name: expected string, found int"));
  EXPECT_THAT(documents->indexes(kUsers1).value(), IsEmpty());
}

TEST(IndexRule, A1_38_an_index_is_declared_once_on_a_scalar_field) {
  UserDocuments documents;
  EXPECT_TRUE(documents->create_index(kUsers1, "age"));
  EXPECT_THAT(documents->create_index(kUsers1, "age"), fails_with(Code::kIndexExists));
  EXPECT_THAT(documents->create_index(kUsers1, "_id"), fails_with(Code::kIndexExists));
  EXPECT_THAT(documents->create_index(kUsers1, "home"), fails_with(Code::kQueryInvalid));
  EXPECT_THAT(documents->create_index(kUsers1, "nick"), fails_with(Code::kQueryInvalid));
  EXPECT_THAT(documents->create_index({"users", "v9"}, "age"), fails_with(Code::kUnknownSchemaVersion));
}

TEST(IndexRule, A1_38_an_index_that_comes_later_has_what_was_there_before) {
  UserDocuments documents;
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(documents->insert(kUsers1, user(std::to_string(1000 + i), "n", i % 2)));
  documents->create_index(kUsers1, "age").value();
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(documents->remove(kUsers1, std::to_string(1000 + i)).value());
  for (int i = 100; i < 150; ++i) ASSERT_TRUE(documents->update(kUsers1, user(std::to_string(1000 + i), "n", 5)));
  documents->wait_for_indexes().value();
  EXPECT_EQ(ids(*documents, kUsers1, {.filter = R"({"age":1})", .limit = 1000}).size(), 25U);
  EXPECT_EQ(ids(*documents, kUsers1, {.filter = R"({"age":5})", .limit = 1000}).size(), 50U);
  EXPECT_EQ(ids(*documents, kUsers1, {.filter = R"({"age":{"$gte":-9}})", .limit = 7}).size(), 100U);
}

TEST(Indexes, take_a_document_whose_value_stays_the_same_in_an_update_while_they_are_built) {
  UserDocuments documents;
  ASSERT_TRUE(documents->insert(kUsers1, user("a", "Ada", 1)));
  // Declared, and not built: what a builder finds that has read the document before the update and writes after it.
  const document::Rows rows(documents.store());
  ASSERT_TRUE(
      rows.write({{.key = document::head_row(kUsers1), .attributes = {{"revision", 1}}},
                  {.key = document::index_row(kUsers1, "age"), .attributes = {{"state", "building"}, {"reason", ""}}}},
                 kUsers1));
  ASSERT_TRUE(documents->update(kUsers1, user("a", "Eve", 1)));
  const std::string entry = document::entry_sort(document::ordered_value(FieldType::kInt, "1"), "a");
  EXPECT_TRUE(rows.get({.partition = document::entries_partition(kUsers1, "age"), .sort = entry}).value().has_value());
}

TEST(Indexes, refuse_values_that_are_too_long) {
  UserDocuments documents;
  documents->create_index(kUsers1, "name").value();
  documents->wait_for_indexes().value();
  EXPECT_TRUE(documents->insert(kUsers1, user("a", std::string(510, 'x'), 1)));
  const auto refused = documents->insert(kUsers1, user("b", std::string(511, 'x'), 1));
  ASSERT_FALSE(refused);
  EXPECT_THAT(test::violations_of(refused.error()), ElementsAre("name indexed_size"));
  EXPECT_TRUE(documents->validate(kUsers1, user("b", std::string(510, 'x'), 1)));
  const auto invalid = documents->validate(kUsers1, user("b", std::string(511, 'x'), 1));
  ASSERT_FALSE(invalid);
  EXPECT_EQ(invalid.error(), refused.error());
}

TEST(OrderedValues, sort_as_the_values_do) {
  const auto sorted = [](FieldType type, const std::vector<std::string>& values) {
    for (std::size_t i = 1; i < values.size(); ++i)
      EXPECT_LT(document::ordered_value(type, values[i - 1]), document::ordered_value(type, values[i])) << values[i];
  };
  sorted(FieldType::kInt, {"-9223372036854775808", "-1", "0", "1", "255", "256", "9223372036854775807"});
  sorted(FieldType::kFloat, {"-1e308", "-1.5", "-1e-300", "0.0", "1e-300", "1.5", "1e308"});
  sorted(FieldType::kString,
         {R"("")", R"("\u0000")", R"("\u0001")", R"("a")", R"("a\u0000")", R"("aa")", R"("b")", R"("é")"});
  sorted(FieldType::kBool, {"false", "true"});
  EXPECT_EQ(document::ordered_value(FieldType::kFloat, "-0.0"), document::ordered_value(FieldType::kFloat, "0.0"));
}

}  // namespace
}  // namespace dolmen
