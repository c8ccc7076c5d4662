// Documents at a real Dolmen server, from C++.
#include <fmt/format.h>
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
  EXPECT_THAT(page.documents, ElementsAre(user(4), user(3), user(2)));
  DocumentQuery rest = query;
  rest.cursor = page.cursor;
  EXPECT_THAT(documents.query(kUsers1, rest).value().documents, ElementsAre(user(1)));
  EXPECT_NE(documents.explain(kUsers1, query).value().find("index_range"), std::string::npos);
  documents.update(kUsers1, R"({"_id":"u0","age":1})").value();
  EXPECT_EQ(documents.get(kUsers1, "u0").value(), R"({"_id":"u0","age":1})");
  EXPECT_TRUE(documents.remove(kUsers1, "u0").value());
  EXPECT_THAT(documents.get(kUsers1, "u0"), fails_with(Code::kDocumentNotFound));
  EXPECT_THAT(documents.query(kUsers1, {.filter = "{", .limit = 1}), fails_with(Code::kQueryInvalid));
  EXPECT_TRUE(store->list_tables().value().names.empty());
}

}  // namespace
}  // namespace dolmen
