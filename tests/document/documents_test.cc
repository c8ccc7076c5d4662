// Writing and reading documents. Tests named DocumentRule.A1_n hold for rule n of docs/documents.md.
#include <gmock/gmock.h>
#include <latch>
#include <thread>

#include "base/test_result.h"
#include "document/operations.h"
#include "dolmen/store.h"
#include "opened.h"
#include "service/internal_tables.h"

namespace dolmen {
namespace {

using test::kUsers1;
using test::kUsers2;
using test::user;
using test::UserDocuments;
using test::users_schema;
using test::violations_of;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(DocumentRule, A1_23_an_absent_optional_field_stays_absent) {
  UserDocuments documents;
  ASSERT_TRUE(documents->insert(kUsers1, R"({"_id":"u1","name":"Ada"})"));
  EXPECT_EQ(documents->get(kUsers1, "u1").value().text, R"({"_id":"u1","name":"Ada"})");
}

TEST(DocumentRule, A1_25_an_id_is_there_once_and_never_changes) {
  UserDocuments documents;
  ASSERT_TRUE(documents->insert(kUsers1, user("u1", "Ada", 36)));
  const auto again = documents->insert(kUsers1, user("u1", "Eve", 20));
  ASSERT_FALSE(again);
  EXPECT_THAT(again, fails_with(Code::kSchemaValidationFailed));
  EXPECT_THAT(violations_of(again.error()), ElementsAre("_id id_unique"));
  const auto renamed = documents->update(kUsers1, user("u2", "Ada", 36), {.id = "u1"});
  ASSERT_FALSE(renamed);
  EXPECT_THAT(violations_of(renamed.error()), ElementsAre("_id id_immutable"));
  EXPECT_EQ(documents->get(kUsers1, "u1").value().text, user("u1", "Ada", 36));
}

TEST(DocumentRule, A1_26_an_id_is_unique_across_the_versions_of_a_schema) {
  UserDocuments documents;
  documents->publish(users_schema("v2")).value();
  ASSERT_TRUE(documents->insert(kUsers1, user("u1", "Ada", 36)));
  const auto second = documents->insert(kUsers2, user("u1", "Ada", 36));
  ASSERT_FALSE(second);
  EXPECT_THAT(violations_of(second.error()), ElementsAre("_id id_unique"));
  EXPECT_THAT(second.error().message(), HasSubstr("users v1"));
  ASSERT_TRUE(documents->remove(kUsers1, "u1").value());
  EXPECT_TRUE(documents->insert(kUsers2, user("u1", "Ada", 36)));
}

TEST(DocumentRule, A1_27_after_a_delete_the_id_is_free) {
  UserDocuments documents;
  ASSERT_TRUE(documents->insert(kUsers1, user("u1", "Ada", 36)));
  EXPECT_TRUE(documents->remove(kUsers1, "u1").value());
  EXPECT_FALSE(documents->remove(kUsers1, "u1").value());
  EXPECT_TRUE(documents->insert(kUsers1, user("u1", "Eve", 20)));
}

TEST(DocumentRule, A1_29_checks_come_in_one_order) {
  UserDocuments documents;
  const std::string bad = "not JSON";
  EXPECT_THAT(documents->insert({"", ""}, bad), fails_with(Code::kSchemaRequired));
  EXPECT_THAT(documents->insert({"users", ""}, bad), fails_with(Code::kSchemaRequired));
  EXPECT_THAT(documents->insert({"", "v1"}, bad), fails_with(Code::kSchemaRequired));
  EXPECT_THAT(documents->insert({"orders", "v1"}, bad), fails_with(Code::kUnknownSchema));
  EXPECT_THAT(documents->insert({"users", "v7"}, bad), fails_with(Code::kUnknownSchemaVersion));
  EXPECT_THAT(documents->insert(kUsers1, bad), fails_with(Code::kSchemaValidationFailed));
}

TEST(DocumentRule, A1_30_every_operation_names_id_and_version) {
  UserDocuments documents;
  for (const SchemaRef& ref : {SchemaRef{"", "v1"}, SchemaRef{"users", ""}}) {
    EXPECT_THAT(documents->insert(ref, user("u1", "Ada", 1)), fails_with(Code::kSchemaRequired));
    EXPECT_THAT(documents->update(ref, user("u1", "Ada", 1)), fails_with(Code::kSchemaRequired));
    EXPECT_THAT(documents->remove(ref, "u1"), fails_with(Code::kSchemaRequired));
    EXPECT_THAT(documents->get(ref, "u1"), fails_with(Code::kSchemaRequired));
    EXPECT_THAT(documents->query(ref, {.filter = R"({"_id":"u1"})", .limit = 1}), fails_with(Code::kSchemaRequired));
    EXPECT_THAT(documents->create_index(ref, "age"), fails_with(Code::kSchemaRequired));
  }
}

TEST(DocumentRule, A1_31_reads_see_exactly_one_version) {
  UserDocuments documents;
  documents->publish(users_schema("v2")).value();
  ASSERT_TRUE(documents->insert(kUsers1, user("u1", "Ada", 36)));
  EXPECT_THAT(documents->get(kUsers2, "u1"), fails_with(Code::kDocumentNotFound));
  EXPECT_TRUE(documents->query(kUsers2, {.filter = R"({"_id":"u1"})", .limit = 1}).value().documents.empty());
  EXPECT_THAT(documents->get({"users", "*"}, "u1"), fails_with(Code::kUnknownSchemaVersion));
}

TEST(DocumentRule, A1_32_a_new_version_leaves_the_old_one_as_it_is) {
  UserDocuments documents;
  documents->create_index(kUsers1, "age").value();
  ASSERT_TRUE(documents->insert(kUsers1, user("u1", "Ada", 36)));
  documents->wait_for_indexes().value();
  const auto schema = documents->schema(kUsers1).value();
  documents->publish(users_schema("v2")).value();
  EXPECT_EQ(documents->get(kUsers1, "u1").value().text, user("u1", "Ada", 36));
  EXPECT_EQ(documents->schema(kUsers1).value().text, schema.text);
  EXPECT_EQ(documents->indexes(kUsers1).value().size(), 1U);
  EXPECT_TRUE(documents->indexes(kUsers2).value().empty());
}

TEST(DocumentRule, A1_33_an_update_does_not_reach_into_another_version) {
  UserDocuments documents;
  documents->publish(users_schema("v2")).value();
  ASSERT_TRUE(documents->insert(kUsers1, user("u1", "Ada", 36)));
  EXPECT_THAT(documents->update(kUsers2, user("u1", "Ada", 37)), fails_with(Code::kDocumentNotFound));
  EXPECT_FALSE(documents->remove(kUsers2, "u1").value());
  EXPECT_EQ(documents->get(kUsers1, "u1").value().text, user("u1", "Ada", 36));
}

TEST(DocumentRule, A1_39_every_schema_error_has_the_name_of_the_specification) {
  EXPECT_EQ(code_name(Code::kSchemaRequired), "SCHEMA_REQUIRED");
  EXPECT_EQ(code_name(Code::kUnknownSchema), "UNKNOWN_SCHEMA");
  EXPECT_EQ(code_name(Code::kUnknownSchemaVersion), "UNKNOWN_SCHEMA_VERSION");
  EXPECT_EQ(code_name(Code::kSchemaValidationFailed), "SCHEMA_VALIDATION_FAILED");
  EXPECT_EQ(code_name(Code::kSchemaImmutable), "SCHEMA_IMMUTABLE");
}

TEST(DocumentRule, A1_40_an_update_of_nothing_has_a_code_of_its_own) {
  UserDocuments documents;
  EXPECT_THAT(documents->update(kUsers1, user("u1", "Ada", 36)), fails_with(Code::kDocumentNotFound));
  EXPECT_THAT(documents->get(kUsers1, "u1"), fails_with(Code::kDocumentNotFound));
}

TEST(DocumentRule, A1_41_a_violation_aborts_and_what_is_readable_is_valid) {
  UserDocuments documents;
  ASSERT_TRUE(documents->insert(kUsers1, user("u1", "Ada", 36)));
  EXPECT_FALSE(documents->update(kUsers1, R"({"_id":"u1","name":null})"));
  EXPECT_FALSE(documents->insert(kUsers1, R"({"_id":"u2","name":7})"));
  EXPECT_EQ(documents->get(kUsers1, "u1").value().text, user("u1", "Ada", 36));
  EXPECT_THAT(documents->get(kUsers1, "u2"), fails_with(Code::kDocumentNotFound));
}

TEST(Documents, publish_again_and_names_that_differ_in_capitals_are_refused_in_a_table_too) {
  UserDocuments documents;
  EXPECT_THAT(documents->publish(users_schema()), fails_with(Code::kSchemaImmutable));
  for (const auto& [id, version] : {std::pair{"Users", "v1"}, {"users", "V1"}}) {
    const auto published = documents->publish(test::schema_text(id, version));
    ASSERT_FALSE(published) << id << " " << version;
    EXPECT_THAT(published, fails_with(Code::kSchemaInvalid));
  }
  EXPECT_EQ(documents->schemas().value().size(), 1U);
}

TEST(Documents, have_integers_as_versions_that_grow_in_a_table_too) {
  UserDocuments documents;
  const auto publish = [&](std::string_view version) {
    std::string text = users_schema("VERSION");
    return documents->publish(text.replace(text.find("\"VERSION\""), 9, version));
  };
  EXPECT_EQ(publish("2").value(), (SchemaRef{"users", "2"}));
  EXPECT_THAT(publish("1"), fails_with(Code::kSchemaInvalid));
  EXPECT_THAT(publish("2"), fails_with(Code::kSchemaImmutable));
  EXPECT_THAT(publish("\"2\""), fails_with(Code::kSchemaImmutable));
  EXPECT_TRUE(publish("\"1\"")) << "a tag has no order";
  EXPECT_TRUE(publish("\"tag\""));
  EXPECT_THAT(publish("0"), fails_with(Code::kSchemaInvalid)) << "tags do not hide the newest integer";
  EXPECT_TRUE(publish("10"));
  EXPECT_TRUE(documents->insert({"users", "10"}, user("u1", "Ada", 36)));
  EXPECT_TRUE(documents->move({"users", "10"}, "2", user("u1", "Ada", 36)));
}

TEST(Documents, are_in_a_table_that_no_user_of_the_store_can_reach) {
  const auto opened = open_embedded_store({.durability = Durability::kMemory}).value();
  Store& store = *opened;
  Documents documents = Documents::open(store).value();
  documents.publish(users_schema()).value();
  EXPECT_TRUE(store.list_tables().value().names.empty());
  const std::string table(kDocumentsTable);
  const Item key{{"pk", "doc/users/v1"}, {"sk", Bytes("u1")}};
  EXPECT_THAT(store.put_item(table, key), fails_with(Code::kValidation));
  EXPECT_THAT(store.get_item(table, key), fails_with(Code::kValidation));
  EXPECT_THAT(store.delete_item(table, key), fails_with(Code::kValidation));
  EXPECT_THAT(store.scan_page(table), fails_with(Code::kValidation));
  EXPECT_THAT(store.batch_write({BatchPut{table, key}}), fails_with(Code::kValidation));
  EXPECT_THAT(store.batch_get({{.table = table, .keys = {key}}}), fails_with(Code::kValidation));
  EXPECT_THAT(store.transact_write({PutAction{.table = table, .item = key}}), fails_with(Code::kValidation));
  EXPECT_THAT(store.describe_table(table), fails_with(Code::kValidation));
  EXPECT_THAT(store.delete_table(table), fails_with(Code::kValidation));
  EXPECT_THAT(store.create_table({.name = table, .partition_key = {"pk", KeyType::kString}}),
              fails_with(Code::kValidation));
}

TEST(Documents, are_listed_by_the_protocol_with_their_schemas) {
  UserDocuments documents;
  EXPECT_THAT(document::execute(*documents, "ListSchemas", "{}").value(),
              HasSubstr(R"({"schemas":[{"schema_id":"users","schema_version":"v1","sha256":")"));
}

TEST(Documents, of_many_threads_one_inserts_and_all_updates_happen) {
  UserDocuments documents;
  documents->create_index(kUsers1, "age").value();
  constexpr int kThreads = 4;
  std::atomic<int> inserted = 0;
  std::latch start(kThreads);
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t)
      threads.emplace_back([&, t] {
        start.arrive_and_wait();
        if (documents->insert(kUsers1, user("u1", "Ada", t))) ++inserted;
        for (int i = 0; i < 50; ++i) {
          const Result<std::string> updated = documents->update(kUsers1, user("u1", "Ada", 1000 * t + i));
          EXPECT_THAT(updated, succeeds());
        }
      });
  }
  EXPECT_EQ(inserted, 1);
  documents->wait_for_indexes().value();
  const auto all = documents->query(kUsers1, {.filter = R"({"age":{"$gte":0}})", .limit = 100}).value();
  EXPECT_EQ(all.documents.size(), 1U) << "no update has left an entry behind";
}

TEST(Documents, a_writer_of_a_busy_document_gets_its_turn_however_many_others_there_are) {
  UserDocuments documents;
  documents->insert(kUsers1, user("u1", "Ada", 0)).value();
  constexpr int kThreads = 32;
  std::latch start(kThreads);
  std::vector<std::jthread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      start.arrive_and_wait();
      for (int i = 0; i < 30; ++i) {
        const Result<std::string> updated = documents->update(kUsers1, user("u1", "Ada", 1000 * t + i));
        EXPECT_THAT(updated, succeeds());
      }
    });
}

}  // namespace
}  // namespace dolmen
