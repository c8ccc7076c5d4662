// Documents at a real Dolmen server, from C++.
#include <atomic>
#include <fmt/format.h>
#include <future>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_result.h"
#include "dolmen/dolmen.h"
#include "server/server.h"

namespace dolmen {
namespace {

using testing::ElementsAre;

constexpr std::string_view kUsers = R"({"schema_id":"users","schema_version":"v1","fields":{
    "_id":{"type":"string","required":true},"age":{"type":"int","required":true}}})";
const SchemaRef kUsers1{"users", "v1"};

std::string user(int i) { return fmt::format(R"({{"_id":"u{}","age":{}}})", i, 20 + i); }

std::vector<std::string> texts_of(const DocumentPage& page) {
  std::vector<std::string> texts;
  for (const Document& document : page.documents) texts.push_back(document.text);
  return texts;
}

TEST(DocumentsAtAServer, are_the_ones_that_the_server_keeps) {
  const auto server = Server::start({.store = {.durability = Durability::kMemory}, .http = {.port = 0}}).value();
  const auto store = open(fmt::format("http://127.0.0.1:{}", server->port())).value();
  Documents documents = Documents::open(*store).value();
  EXPECT_EQ(documents.publish(kUsers).value(), kUsers1);
  EXPECT_THAT(documents.publish(kUsers), fails_with(Code::kSchemaImmutable));
  EXPECT_EQ(documents.schema(kUsers1).value().text, kUsers);
  EXPECT_EQ(documents.schemas().value().size(), 1U);
  documents.create_index(kUsers1, "age").value();
  EXPECT_THAT(documents.create_index(kUsers1, "age"), fails_with(Code::kIndexExists));
  for (int i = 0; i < 5; ++i) documents.insert(kUsers1, user(i)).value();
  const auto refused = documents.insert(kUsers1, R"({"_id":"u9","age":"20","nick":1})");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused, fails_with(Code::kSchemaValidationFailed));
  ASSERT_EQ(refused.error().details().size(), 2U);
  EXPECT_EQ(refused.error().details()[0], (ErrorDetail{"age", "type", "expected int, found string"}));
  EXPECT_EQ(documents.insert(kUsers1, "{").error().details().front().rule, "json");
  documents.wait_for_indexes().value();
  const DocumentQuery query{.filter = R"({"age":{"$gt":20}})", .sort = DocumentSort{"age", true}, .limit = 3};
  const DocumentPage page = documents.query(kUsers1, query).value();
  EXPECT_THAT(texts_of(page), ElementsAre(user(4), user(3), user(2)));
  DocumentQuery rest = query;
  rest.cursor = page.cursor;
  EXPECT_THAT(texts_of(documents.query(kUsers1, rest).value()), ElementsAre(user(1)));
  EXPECT_NE(documents.explain(kUsers1, query).value().find("index_range"), std::string::npos);
  documents.update(kUsers1, R"({"_id":"u0","age":1})").value();
  EXPECT_EQ(documents.get(kUsers1, "u0").value().text, R"({"_id":"u0","age":1})");
  EXPECT_TRUE(documents.remove(kUsers1, "u0").value());
  EXPECT_THAT(documents.get(kUsers1, "u0"), fails_with(Code::kDocumentNotFound));
  EXPECT_THAT(documents.query(kUsers1, {.filter = "{", .limit = 1}), fails_with(Code::kQueryInvalid));
  EXPECT_TRUE(store->list_tables().value().names.empty());
}

TEST(DocumentsAtAServer, have_revisions_and_move_from_one_version_to_another) {
  const auto server = Server::start({.store = {.durability = Durability::kMemory}, .http = {.port = 0}}).value();
  const auto store = open(fmt::format("http://127.0.0.1:{}", server->port())).value();
  Documents documents = Documents::open(*store).value();
  documents.publish(kUsers).value();
  std::string second(kUsers);
  documents.publish(second.replace(second.find("v1"), 2, "v2")).value();
  const SchemaRef users2{"users", "v2"};
  const std::string inserted = documents.insert(kUsers1, user(1)).value();
  EXPECT_EQ(documents.get(kUsers1, "u1").value().revision, inserted);
  const std::string updated = documents.update(kUsers1, user(1), {.id = "u1", .expected_revision = inserted}).value();
  EXPECT_THAT(documents.update(kUsers1, user(1), {.expected_revision = inserted}), fails_with(Code::kConditionFailed));
  EXPECT_THAT(documents.move(kUsers1, "v2", user(1), {.expected_revision = inserted}),
              fails_with(Code::kConditionFailed));
  const std::string moved = documents.move(kUsers1, "v2", user(1), {.expected_revision = updated}).value();
  EXPECT_THAT(documents.get(kUsers1, "u1"), fails_with(Code::kDocumentNotFound));
  EXPECT_THAT(documents.list(users2).value().documents, ElementsAre(Document{.text = user(1), .revision = moved}));
  EXPECT_THAT(documents.remove(users2, "u1", {.expected_revision = updated}), fails_with(Code::kConditionFailed));
  EXPECT_EQ(documents.remove(users2, "u1", {.expected_revision = moved}).value(), moved);
  EXPECT_EQ(documents.remove(users2, "u1").value(), std::nullopt);
}

/// Calls that fail, by what they do.
class Refusals {
 public:
  explicit Refusals(Documents& documents) : documents_(documents) {}

  template <class T>
  void add(const char* call, const Result<T>& result) {
    ASSERT_FALSE(result.has_value()) << call;
    all_.emplace_back(call, result.error());
  }

  void ask(const char* call, const SchemaRef& ref, DocumentQuery query) {
    if (query.limit == 0) query.limit = 1;
    add(call, documents_.query(ref, query));
  }

  [[nodiscard]] const std::vector<std::pair<std::string, Error>>& all() const { return all_; }

 private:
  Documents& documents_;
  std::vector<std::pair<std::string, Error>> all_;
};

const std::string kNotUtf8 = "{\"_id\":\"\xff\"}";

/// Everything else is wrong, too.
void refuse_schemas(Documents& documents, Refusals& refusals) {
  for (const SchemaRef& ref : {SchemaRef{"", ""}, SchemaRef{"users", ""}, SchemaRef{"", "v1"},
                               SchemaRef{"orders", "v1"}, SchemaRef{"users", "v9"}}) {
    refusals.add("insert", documents.insert(ref, "{"));
    refusals.add("insert what is not UTF-8", documents.insert(ref, kNotUtf8));
    refusals.add("validate", documents.validate(ref, "{"));
    refusals.add("update", documents.update(ref, "{"));
    refusals.add("move", documents.move(ref, "v9", kNotUtf8));
    refusals.add("remove", documents.remove(ref, "\xff"));
    refusals.add("get", documents.get(ref, "\xff"));
    refusals.add("list", documents.list(ref, {.limit = 0}));
    refusals.ask("query with a bad filter", ref, {.filter = "{"});
    refusals.ask("query with a filter that is not UTF-8", ref, {.filter = kNotUtf8});
    refusals.add("explain", documents.explain(ref, {.filter = "{", .limit = 1}));
    refusals.add("create_index", documents.create_index(ref, "nick"));
    refusals.add("drop_index", documents.drop_index(ref, "nick"));
    refusals.add("rebuild_index", documents.rebuild_index(ref, "nick"));
    refusals.add("indexes", documents.indexes(ref));
    refusals.add("schema", documents.schema(ref));
  }
  refusals.add("a schema whose id is not UTF-8", documents.schema({"\xff", "v1"}));
  refusals.add("publish again", documents.publish(kUsers));
  refusals.add("publish nothing", documents.publish("{}"));
}

void refuse_documents(Documents& documents, Refusals& refusals) {
  refusals.add("insert no JSON", documents.insert(kUsers1, "{"));
  refusals.add("insert what is not UTF-8", documents.insert(kUsers1, kNotUtf8));
  refusals.add("insert too much", documents.insert(kUsers1, std::string(5'000'000, ' ')));
  refusals.add("insert many mistakes", documents.insert(kUsers1, R"({"_id":"","age":"1","nick":null})"));
  refusals.add("insert again", documents.insert(kUsers1, user(1)));
  refusals.add("update nothing", documents.update(kUsers1, user(9)));
  refusals.add("update another", documents.update(kUsers1, user(1), {.id = "u2"}));
  refusals.add("update another that is not UTF-8", documents.update(kUsers1, user(1), {.id = "\xff"}));
  refusals.add("move to itself", documents.move(kUsers1, "v1", user(1)));
  refusals.add("move nowhere", documents.move(kUsers1, "", user(1)));
  refusals.add("move to no version", documents.move(kUsers1, "v9", user(1)));
  refusals.add("remove what is not there", documents.remove(kUsers1, "\xff", {.expected_revision = "x"}));
  refusals.add("get nothing", documents.get(kUsers1, "\xff"));
}

void refuse_questions(Documents& documents, Refusals& refusals) {
  refusals.ask("no JSON", kUsers1, {.filter = "{"});
  refusals.ask("no object", kUsers1, {.filter = "[1]"});
  refusals.ask("a string", kUsers1, {.filter = "\"age\""});
  refusals.ask("no condition", kUsers1, {.filter = "{}"});
  refusals.ask("no filter", kUsers1, {});
  refusals.ask("no field", kUsers1, {.filter = where("nick") == 1});
  refusals.ask("no index", kUsers1, {.filter = where("age") == 1});
  refusals.ask("another type", kUsers1, {.filter = where("_id") == 1});
  refusals.ask("no operator", kUsers1, {.filter = R"({"_id":{"$in":1}})"});
  refusals.ask("two bounds", kUsers1, {.filter = where("_id") > "a" && where("_id") >= "b"});
  refusals.ask("no sort", kUsers1, {.filter = where("_id") > "a", .sort = DocumentSort{"nick"}});
  refusals.ask("no cursor", kUsers1, {.filter = where("_id") > "a", .cursor = "x"});
  refusals.ask("too many", kUsers1, {.filter = where("_id") > "a", .limit = 1001});
  refusals.add("list none", documents.list(kUsers1, {.limit = 0}));
  refusals.add("list from nowhere", documents.list(kUsers1, {.cursor = "AAAA"}));
  refusals.add("index nothing", documents.create_index(kUsers1, "nick"));
  refusals.add("index _id", documents.create_index(kUsers1, "_id"));
  refusals.add("drop _id", documents.drop_index(kUsers1, "_id"));
  refusals.add("rebuild nothing", documents.rebuild_index(kUsers1, "age"));
}

std::vector<std::pair<std::string, Error>> refusals_of(Documents& documents) {
  Refusals refusals(documents);
  refuse_schemas(documents, refusals);
  refuse_documents(documents, refusals);
  refuse_questions(documents, refusals);
  return refusals.all();
}

TEST(DocumentsAtAServer, are_refused_as_embedded_ones_are_with_the_part_that_is_wrong) {
  const auto server = Server::start({.store = {.durability = Durability::kMemory}, .http = {.port = 0}}).value();
  const auto remote_store = open(fmt::format("http://127.0.0.1:{}", server->port())).value();
  const auto store = open("memory:").value();
  Documents remote = Documents::open(*remote_store).value();
  Documents embedded = Documents::open(*store).value();
  for (Documents* documents : {&remote, &embedded}) {
    documents->publish(kUsers).value();
    documents->insert(kUsers1, user(1)).value();
  }
  const auto expected = refusals_of(embedded);
  const auto found = refusals_of(remote);
  ASSERT_EQ(expected.size(), found.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto& [call, error] = expected[i];
    EXPECT_EQ(found[i].second.code(), error.code()) << call << ": " << found[i].second.message();
    // What is not UTF-8 cannot be sent, so its words may differ.
    const bool same_words = call.find("UTF-8") != std::string::npos || found[i].second.message() == error.message();
    EXPECT_TRUE(same_words) << call << ": " << found[i].second.message() << "\n" << error.message();
    EXPECT_EQ(found[i].second.details().size(), error.details().size()) << call;
  }
  const auto bad = remote.query(kUsers1, {.filter = "{", .limit = 1});
  EXPECT_THAT(bad.error().message(), testing::StartsWith("filter: it is not JSON"));
  ASSERT_EQ(bad.error().details().size(), 1U);
  EXPECT_EQ(bad.error().details().front().path, "filter");
}

TEST(DocumentsAtAServer, come_in_pages_of_bounded_size_and_have_indexes_that_change) {
  const auto server = Server::start({.store = {.durability = Durability::kMemory}, .http = {.port = 0}}).value();
  const auto store = open(fmt::format("http://127.0.0.1:{}", server->port())).value();
  Documents documents = Documents::open(*store).value();
  documents
      .publish(R"({"schema_id":"notes","schema_version":7,"fields":{"_id":{"type":"string","required":true},
                        "text":{"type":"string","required":true}}})")
      .value();
  const SchemaRef notes{"notes", "7"};
  for (int i = 0; i < 5; ++i)
    documents.insert(notes, fmt::format(R"({{"_id":"n{}","text":"{}"}})", i, std::string(380'000, 'x'))).value();
  const DocumentQuery all{.filter = where("_id") >= "n", .limit = 1000};
  const DocumentPage page = documents.query(notes, all).value();
  EXPECT_EQ(page.documents.size(), 2U);
  EXPECT_FALSE(page.cursor.empty());
  EXPECT_EQ(documents.list(notes).value().documents.size(), 2U);
  const auto refused = documents.create_index(notes, "text");
  EXPECT_THAT(refused, fails_with(Code::kSchemaValidationFailed));
  EXPECT_TRUE(documents.indexes(notes).value().empty());
  EXPECT_FALSE(documents.drop_index(notes, "text").value());
  for (int i = 0; i < 5; ++i) documents.update(notes, fmt::format(R"({{"_id":"n{}","text":"x"}})", i)).value();
  documents.create_index(notes, "text").value();
  documents.wait_for_indexes().value();
  documents.rebuild_index(notes, "text").value();
  documents.wait_for_indexes().value();
  EXPECT_EQ(documents.query(notes, {.filter = where("text") == "x", .limit = 10}).value().documents.size(), 5U);
  EXPECT_TRUE(documents.drop_index(notes, "text").value());
  documents.wait_for_indexes().value();
  EXPECT_TRUE(documents.indexes(notes).value().empty());
}

struct AgedUser {
  std::string id;
  std::int64_t age = 0;
};
DOLMEN_RECORD(AgedUser, (id, "_id"), age);

TEST(DocumentsAtAServer, are_structs_and_answer_on_the_executor) {
  const auto server = Server::start({.store = {.durability = Durability::kMemory}, .http = {.port = 0}}).value();
  std::atomic<int> executed = 0;
  const auto store = open_remote({.endpoint = fmt::format("http://127.0.0.1:{}", server->port()),
                                  .executor =
                                      [&](std::move_only_function<void()> task) {
                                        ++executed;
                                        task();
                                      }})
                         .value();
  Documents documents = Documents::open(*store).value();
  documents.publish(kUsers).value();
  auto users = TypedDocuments<AgedUser>::open(documents, kUsers1).value();
  const int before = executed;
  std::promise<Result<std::string>> inserted;
  users.async_insert({.id = "u1", .age = 36},
                     [&](Result<std::string> result) { inserted.set_value(std::move(result)); });
  const std::string revision = inserted.get_future().get().value();
  EXPECT_EQ(executed, before + 1);
  const Revised<AgedUser> read = users.get("u1").value();
  EXPECT_EQ(read.value.age, 36);
  EXPECT_EQ(read.revision, revision);
  EXPECT_TRUE(users.update(read));
  EXPECT_THAT(users.update(read), fails_with(Code::kConditionFailed));
}

}  // namespace
}  // namespace dolmen
