// Documents as structs, and documents without waiting.
#include "dolmen/typed_documents.h"

#include <future>
#include <gmock/gmock.h>

#include "base/test_result.h"
#include "dolmen/coroutine.h"
#include "opened.h"

namespace typed_documents_test {

struct Home {
  std::string city;
};
DOLMEN_RECORD(Home, city);

struct User {
  std::string id;
  std::string name;
  std::optional<std::int64_t> age;
  std::optional<double> score;
  std::optional<Home> home;
};
DOLMEN_RECORD(User, (id, "_id"), name, age, score, home);

struct Wrong {
  std::string id;
  std::string name;
  std::set<std::string> age;
  std::string nick;
};
DOLMEN_RECORD(Wrong, (id, "_id"), name, age, nick);

}  // namespace typed_documents_test

namespace dolmen {
namespace {

using test::kUsers1;
using test::kUsers2;
using test::UserDocuments;
using test::users_schema;
using test::violations_of;
using testing::ElementsAre;
using typed_documents_test::User;
using typed_documents_test::Wrong;

User ada(double score = 30) { return {.id = "u1", .name = "Ada", .age = 36, .score = score, .home = {{"Brest"}}}; }

class TypedUsers : public testing::Test {
 protected:
  TypedUsers() {
    documents_->create_index(kUsers1, "age").value();
    documents_->wait_for_indexes().value();
  }

  UserDocuments documents_;
  TypedDocuments<User> users_ = TypedDocuments<User>::open(*documents_, kUsers1).value();
};

TEST_F(TypedUsers, are_written_as_their_schema_declares_and_read_back) {
  const std::string revision = users_.insert(ada()).value();
  EXPECT_EQ(documents_->get(kUsers1, "u1").value().text,
            R"({"_id":"u1","age":36,"home":{"city":"Brest"},"name":"Ada","score":30.0})")
      << "a float is written as one";
  const Revised<User> read = users_.get("u1").value();
  EXPECT_EQ(read.revision, revision);
  EXPECT_EQ(read.value.age, 36);
  EXPECT_EQ(read.value.score, 30.0);
  EXPECT_EQ(read.value.home->city, "Brest");
  users_.insert({.id = "u2", .name = "Eve"}).value();
  EXPECT_EQ(documents_->get(kUsers1, "u2").value().text, R"({"_id":"u2","name":"Eve"})") << "absent stays absent";
  EXPECT_EQ(users_.get("u2").value().value.age, std::nullopt);
  EXPECT_EQ(users_.list().value().documents.size(), 2U);
  const auto page = users_.query({.filter = where("age") > 30, .limit = 10}).value();
  ASSERT_EQ(page.documents.size(), 1U);
  EXPECT_EQ(page.documents[0].value.name, "Ada");
  EXPECT_EQ(users_.remove("u1", {.expected_revision = revision}).value(), revision);
  EXPECT_THAT(users_.get("u1"), fails_with(Code::kDocumentNotFound));
}

TEST_F(TypedUsers, that_were_read_are_updated_only_if_nobody_was_faster) {
  users_.insert(ada()).value();
  Revised<User> mine = users_.get("u1").value();
  Revised<User> yours = users_.get("u1").value();
  mine.value.age = 37;
  EXPECT_TRUE(users_.update(mine));
  yours.value.age = 38;
  EXPECT_THAT(users_.update(yours), fails_with(Code::kConditionFailed));
  EXPECT_EQ(users_.get("u1").value().value.age, 37);
}

TEST_F(TypedUsers, move_from_another_version) {
  users_.insert(ada()).value();
  documents_->publish(users_schema("v2")).value();
  auto second = TypedDocuments<User>::open(*documents_, kUsers2).value();
  EXPECT_TRUE(second.move_from("v1", ada(2.5)));
  EXPECT_EQ(second.get("u1").value().value.score, 2.5);
  EXPECT_THAT(users_.get("u1"), fails_with(Code::kDocumentNotFound));
}

TEST_F(TypedUsers, that_do_not_fit_are_refused) {
  auto wrong = TypedDocuments<Wrong>::open(*documents_, kUsers1).value();
  const auto refused = wrong.insert({.id = "u1", .name = "Ada", .age = {"x"}, .nick = "a"});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused, fails_with(Code::kSchemaValidationFailed));
  EXPECT_THAT(violations_of(refused.error()), ElementsAre("age type", "nick undeclared"));
  users_.insert(ada()).value();
  EXPECT_THAT(wrong.get("u1"), fails_with(Code::kValidation));
  EXPECT_THAT(TypedDocuments<User>::open(*documents_, {"users", "v9"}), fails_with(Code::kUnknownSchemaVersion));
}

/// The outcome of a call that does not wait.
template <class T, class Start>
Result<T> outcome(Start start) {
  std::promise<Result<T>> promise;
  start(Callback<T>([&](Result<T> result) { promise.set_value(std::move(result)); }));
  return promise.get_future().get();
}

TEST_F(TypedUsers, are_written_and_read_without_waiting) {
  const std::string revision =
      outcome<std::string>([&](auto done) { users_.async_insert(ada(), std::move(done)); }).value();
  EXPECT_EQ(outcome<Revised<User>>([&](auto done) { users_.async_get("u1", std::move(done)); }).value().revision,
            revision);
  EXPECT_THAT(outcome<std::string>(
                  [&](auto done) { users_.async_update(ada(), {.expected_revision = "other"}, std::move(done)); }),
              fails_with(Code::kConditionFailed));
  EXPECT_EQ(
      outcome<RevisedPage<User>>([&](auto done) { users_.async_list({}, std::move(done)); }).value().documents.size(),
      1U);
  EXPECT_EQ(outcome<RevisedPage<User>>(
                [&](auto done) { users_.async_query({.filter = where("age") == 36, .limit = 1}, std::move(done)); })
                .value()
                .documents.size(),
            1U);
  EXPECT_EQ(
      outcome<std::optional<std::string>>([&](auto done) { users_.async_remove("u1", {}, std::move(done)); }).value(),
      revision);
}

Task<Result<Document>> replaced(Documents& documents, std::string name) {
  const Result<Document> stored = co_await awaitable<Document>(
      [&](Callback<Document> done) { documents.async_get(kUsers1, "u1", std::move(done)); });
  if (!stored) co_return std::unexpected(stored.error());
  const Result<std::string> updated = co_await awaitable<std::string>([&](Callback<std::string> done) {
    documents.async_update(kUsers1, test::user("u1", name, 1), {.expected_revision = stored->revision},
                           std::move(done));
  });
  if (!updated) co_return std::unexpected(updated.error());
  co_return documents.get(kUsers1, "u1");
}

TEST(AsyncDocuments, can_be_awaited) {
  UserDocuments documents;
  documents->insert(kUsers1, test::user("u1", "Ada", 1)).value();
  EXPECT_EQ(sync_wait(replaced(*documents, "Eve")).value().text, test::user("u1", "Eve", 1));
}

TEST(AsyncDocuments, do_all_that_the_others_do) {
  UserDocuments documents;
  documents->publish(users_schema("v2")).value();
  Documents& docs = *documents;
  const std::string text = test::user("u1", "Ada", 1);
  EXPECT_THAT(outcome<void>([&](auto done) { docs.async_validate(kUsers1, text, std::move(done)); }), succeeds());
  EXPECT_TRUE(outcome<std::string>([&](auto done) { docs.async_insert(kUsers1, text, std::move(done)); }));
  EXPECT_TRUE(outcome<std::string>([&](auto done) { docs.async_move(kUsers1, "v2", text, {}, std::move(done)); }));
  EXPECT_EQ(
      outcome<DocumentPage>([&](auto done) { docs.async_list(kUsers2, {}, std::move(done)); }).value().documents.size(),
      1U);
  EXPECT_EQ(outcome<DocumentPage>([&](auto done) {
              docs.async_query(kUsers2, {.filter = where("_id") == "u1", .limit = 1}, std::move(done));
            })
                .value()
                .documents.size(),
            1U);
  EXPECT_TRUE(outcome<std::optional<std::string>>([&](auto done) {
                docs.async_remove(kUsers2, "u1", {}, std::move(done));
              }).value());
  EXPECT_THAT(outcome<Document>([&](auto done) { docs.async_get(kUsers2, "u1", std::move(done)); }),
              fails_with(Code::kDocumentNotFound));
}

TEST(AsyncDocuments, are_all_answered_before_the_documents_are_gone) {
  std::atomic<int> answered = 0;
  constexpr int kWrites = 200;
  {
    UserDocuments documents;
    for (int i = 0; i < kWrites; ++i)
      documents->async_insert(kUsers1, test::user(std::to_string(i), "Ada", i),
                              [&](const Result<std::string>& inserted) {
                                EXPECT_THAT(inserted, succeeds());
                                ++answered;
                              });
  }
  EXPECT_EQ(answered, kWrites);
}

}  // namespace
}  // namespace dolmen
