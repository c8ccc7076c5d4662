// Indexes that are dropped, built again, or refused because they cannot be built.
#include <gmock/gmock.h>
#include <latch>
#include <thread>

#include "base/test_result.h"
#include "document/layout.h"
#include "document/ordered_value.h"
#include "document/rows.h"
#include "opened.h"

namespace dolmen {
namespace {

using document::RowRange;
using document::Rows;
using test::kUsers1;
using test::OnDisk;
using test::user;
using test::UserDocuments;
using test::users_schema;
using test::violations_of;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const DocumentQuery kOfAge{.filter = where("age") >= 0, .limit = 1000};

std::size_t entries_of(Store& store, const std::string& field) {
  return Rows(store)
      .range({.partition = document::entries_partition(kUsers1, field),
              .lower = std::string(document::kFirst),
              .upper = std::string(document::kLast),
              .limit = 1000})
      .value()
      .rows.size();
}

/// Puts an index into a state that a crash or another process has left it in.
void set_state(Store& store, const std::string& field, const char* state) {
  const Rows rows(store);
  const Item head = rows.get(document::head_row(kUsers1)).value().value_or(Item{{"revision", 0}});
  const std::int64_t revision = head.at("revision").get_if<Number>()->to_int64().value() + 1;
  rows.write({{.key = document::head_row(kUsers1), .attributes = {{"revision", revision}}},
              {.key = document::index_row(kUsers1, field),
               .attributes = {{"state", state}, {"reason", "it is too long"}, {"epoch", revision}, {"clears", true}}}},
             kUsers1)
      .value();
}

class ChangedIndexes : public testing::Test {
 protected:
  ChangedIndexes() {
    for (int i = 0; i < 200; ++i) documents_->insert(kUsers1, user("u" + std::to_string(1000 + i), "Ada", i)).value();
    documents_->create_index(kUsers1, "age").value();
    documents_->wait_for_indexes().value();
  }

  UserDocuments documents_;
};

TEST_F(ChangedIndexes, are_dropped_with_all_that_they_had_and_can_be_created_again) {
  EXPECT_EQ(entries_of(documents_.store(), "age"), 200U);
  EXPECT_TRUE(documents_->drop_index(kUsers1, "age").value());
  const auto refused = documents_->query(kUsers1, kOfAge);
  EXPECT_THAT(refused, fails_with(Code::kQueryInvalid));
  documents_->insert(kUsers1, user("new", "Eve", 7)).value();
  documents_->wait_for_indexes().value();
  EXPECT_THAT(documents_->indexes(kUsers1).value(), IsEmpty());
  EXPECT_EQ(entries_of(documents_.store(), "age"), 0U);
  EXPECT_FALSE(documents_->drop_index(kUsers1, "age").value()) << "there is none any more";
  documents_->create_index(kUsers1, "age").value();
  documents_->wait_for_indexes().value();
  EXPECT_EQ(documents_->query(kUsers1, kOfAge).value().documents.size(), 201U);
}

TEST_F(ChangedIndexes, are_built_again_from_the_documents) {
  // One entry is lost and one is left over.
  const Rows rows(documents_.store());
  const std::string partition = document::entries_partition(kUsers1, "age");
  const auto sort = [](const char* age, const char* id) {
    return document::entry_sort(document::ordered_value(FieldType::kInt, age), id);
  };
  rows.write({{.kind = document::RowChange::Kind::kDelete, .key = {partition, sort("5", "u1005")}},
              {.key = {partition, sort("7", "nobody")}, .attributes = {{"id", "nobody"}}}},
             kUsers1)
      .value();
  EXPECT_EQ(documents_->query(kUsers1, kOfAge).value().documents.size(), 199U);
  documents_->rebuild_index(kUsers1, "age").value();
  documents_->wait_for_indexes().value();
  EXPECT_EQ(documents_->query(kUsers1, kOfAge).value().documents.size(), 200U);
  EXPECT_EQ(entries_of(documents_.store(), "age"), 200U);
}

TEST_F(ChangedIndexes, that_have_failed_are_built_again_or_dropped) {
  set_state(documents_.store(), "age", "failed");
  EXPECT_EQ(documents_->indexes(kUsers1).value().at(0).state, IndexState::kFailed);
  const auto refused = documents_->query(kUsers1, kOfAge);
  EXPECT_THAT(refused, fails_with(Code::kQueryInvalid));
  EXPECT_THAT(refused.error().message(), HasSubstr("could not be built; rebuild it: it is too long"));
  const auto again = documents_->create_index(kUsers1, "age");
  EXPECT_THAT(again, fails_with(Code::kIndexExists));
  EXPECT_THAT(again.error().message(), HasSubstr("rebuild it, or drop it first"));
  documents_->rebuild_index(kUsers1, "age").value();
  documents_->wait_for_indexes().value();
  EXPECT_EQ(documents_->query(kUsers1, kOfAge).value().documents.size(), 200U);
  set_state(documents_.store(), "age", "failed");
  EXPECT_TRUE(documents_->drop_index(kUsers1, "age").value());
  documents_->wait_for_indexes().value();
  EXPECT_THAT(documents_->indexes(kUsers1).value(), IsEmpty());
}

TEST_F(ChangedIndexes, agree_with_documents_that_are_written_meanwhile) {
  constexpr int kThreads = 4;
  std::latch start(kThreads + 1);
  std::vector<std::jthread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      start.arrive_and_wait();
      for (int i = t; i < 200; i += kThreads) {
        const std::string id = "u" + std::to_string(1000 + i);
        if (i % 3 == 0)
          documents_->remove(kUsers1, id).value();
        else
          documents_->update(kUsers1, user(id, "Ada", i % 3 == 1 ? i : 1000 + i)).value();
      }
    });
  start.arrive_and_wait();
  for (int round = 0; round < 5; ++round) {
    if (round % 2 == 0) {
      documents_->rebuild_index(kUsers1, "age").value();
    } else {
      documents_->drop_index(kUsers1, "age").value();
      documents_->wait_for_indexes().value();
      documents_->create_index(kUsers1, "age").value();
    }
  }
  threads.clear();
  documents_->wait_for_indexes().value();
  EXPECT_EQ(documents_->query(kUsers1, kOfAge).value().documents.size(), 133U);
  EXPECT_EQ(entries_of(documents_.store(), "age"), 133U);
}

TEST_F(ChangedIndexes, are_refused_where_there_is_nothing_to_change) {
  EXPECT_THAT(documents_->rebuild_index(kUsers1, "name"), fails_with(Code::kQueryInvalid));
  EXPECT_THAT(documents_->rebuild_index(kUsers1, "nick"), fails_with(Code::kQueryInvalid));
  EXPECT_THAT(documents_->drop_index(kUsers1, "nick"), fails_with(Code::kQueryInvalid));
  EXPECT_THAT(documents_->drop_index(kUsers1, "_id"), fails_with(Code::kQueryInvalid));
  EXPECT_THAT(documents_->drop_index({"users", "v9"}, "age"), fails_with(Code::kUnknownSchemaVersion));
  EXPECT_FALSE(documents_->drop_index(kUsers1, "name").value());
}

TEST_F(ChangedIndexes, that_cannot_be_built_are_refused_at_once_and_leave_nothing) {
  documents_->insert(kUsers1, user("long", std::string(511, 'x'), 1)).value();
  const auto created = documents_->create_index(kUsers1, "name");
  ASSERT_FALSE(created);
  EXPECT_THAT(created, fails_with(Code::kSchemaValidationFailed));
  EXPECT_THAT(violations_of(created.error()), ElementsAre("name indexed_size"));
  EXPECT_THAT(created.error().message(), HasSubstr("because of the document \"long\""));
  EXPECT_THAT(documents_->indexes(kUsers1).value(),
              ElementsAre(DocumentIndex{.field = "age", .state = IndexState::kReady}));
  EXPECT_EQ(entries_of(documents_.store(), "name"), 0U);
  EXPECT_TRUE(documents_->insert(kUsers1, user("long2", std::string(600, 'x'), 1))) << "there is no index to obey";
  ASSERT_TRUE(documents_->remove(kUsers1, "long"));
  ASSERT_TRUE(documents_->remove(kUsers1, "long2"));
  EXPECT_TRUE(documents_->create_index(kUsers1, "name"));
}

TEST_F(OnDisk, an_interrupted_drop_or_rebuild_of_an_index_is_finished_by_the_next_start) {
  open().publish(users_schema()).value();
  for (int i = 0; i < 5; ++i) documents_->insert(kUsers1, user("u" + std::to_string(i), "Ada", i)).value();
  for (const char* field : {"age", "name"}) documents_->create_index(kUsers1, field).value();
  documents_->wait_for_indexes().value();
  // As an earlier version of this program has declared it.
  const Rows rows(*store_);
  const document::RowKey score = document::index_row(kUsers1, "score");
  ASSERT_TRUE(rows.write({{.key = score, .attributes = {{"state", "building"}, {"reason", ""}}}}, kUsers1));
  set_state(*store_, "age", "dropping");
  set_state(*store_, "name", "building");
  open();
  EXPECT_THAT(documents_->indexes(kUsers1).value(),
              ElementsAre(DocumentIndex{.field = "name", .state = IndexState::kReady},
                          DocumentIndex{.field = "score", .state = IndexState::kReady}));
  EXPECT_EQ(entries_of(*store_, "age"), 0U);
  EXPECT_EQ(entries_of(*store_, "name"), 5U);
}

TEST(PagesOfDocuments, have_a_bounded_number_of_bytes) {
  UserDocuments documents;
  documents->create_index(kUsers1, "age").value();
  documents->wait_for_indexes().value();
  constexpr std::size_t kMiB = 1024UL * 1024;
  for (int i = 0; i < 12; ++i)
    documents->insert(kUsers1, user("u" + std::to_string(100 + i), std::string(300'000, 'x'), i)).value();
  std::vector<std::string> ids;
  ListDocumentsOptions options;
  do {
    const DocumentPage page = documents->list(kUsers1, options).value();
    std::size_t bytes = 0;
    for (const Document& document : page.documents) {
      bytes += document.text.size();
      ids.push_back(document.text.substr(8, 4));
    }
    EXPECT_LE(bytes, kMiB);
    EXPECT_EQ(page.documents.size(), 3U);
    options.cursor = page.cursor;
  } while (!options.cursor.empty());
  EXPECT_EQ(ids.size(), 12U);
  DocumentQuery query{.filter = where("age") >= 0, .sort = DocumentSort{"age", true}, .limit = 1000};
  std::size_t found = 0;
  do {
    const DocumentPage page = documents->query(kUsers1, query).value();
    EXPECT_LE(page.documents.size(), 3U);
    for (const Document& document : page.documents) EXPECT_EQ(document.text.substr(8, 4), ids.at(ids.size() - ++found));
    query.cursor = page.cursor;
  } while (!query.cursor.empty());
  EXPECT_EQ(found, 12U);
  EXPECT_THAT(documents->list(kUsers1, {.limit = 0}), fails_with(Code::kQueryInvalid));
  EXPECT_THAT(documents->list(kUsers1, {.limit = 1001}), fails_with(Code::kQueryInvalid));
  EXPECT_THAT(documents->list(kUsers1, {.cursor = query.cursor + "AAAA"}), fails_with(Code::kQueryInvalid));
}

TEST(BuiltFilters, say_what_their_json_says) {
  EXPECT_EQ(DocumentFilter(where("age") >= 18 && where("name") == "A\"d" && where("age") < 65).json(),
            R"({"age":{"$gte":18,"$lt":65},"name":{"$eq":"A\"d"}})");
  EXPECT_EQ(DocumentFilter(where("score") > 30.0 && where("score") <= 1e300).json(),
            R"({"score":{"$gt":30.0,"$lte":1e+300}})");
  EXPECT_EQ(DocumentFilter(where("active") == true).json(), R"({"active":{"$eq":true}})");
  EXPECT_EQ(DocumentFilter(where("age") == std::uint32_t{7}).json(), R"({"age":{"$eq":7}})");
  EXPECT_EQ(DocumentFilter(where("score") == 0.1).json(), R"({"score":{"$eq":0.1}})");
}

TEST(BuiltFilters, find_documents_and_are_refused_as_text_is) {
  UserDocuments documents;
  for (const char* field : {"age", "score", "home.city"}) documents->create_index(kUsers1, field).value();
  documents->wait_for_indexes().value();
  documents->insert(kUsers1, R"({"_id":"a","name":"n","age":3,"score":2.0,"home":{"city":"Brest"}})").value();
  const auto count = [&](DocumentFilter filter) {
    return documents->query(kUsers1, {.filter = std::move(filter), .limit = 10}).value().documents.size();
  };
  EXPECT_EQ(count(where("age") > 2 && where("age") < 4 && where("home.city") == std::string("Brest")), 1U);
  EXPECT_EQ(count(where("score") == 2.0), 1U);
  EXPECT_EQ(count(where("_id") > "a"), 0U);
  const auto refused = documents->query(kUsers1, {.filter = where("score") == 2, .limit = 1});
  EXPECT_THAT(refused, fails_with(Code::kQueryInvalid));
  EXPECT_THAT(refused.error().details(),
              ElementsAre(ErrorDetail{"filter.score", "query", "expected float, found int"}));
}

}  // namespace
}  // namespace dolmen
