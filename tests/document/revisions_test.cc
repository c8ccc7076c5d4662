// Revisions of documents, writes that expect one, and moves from one version of a schema to another.
#include <atomic>
#include <gmock/gmock.h>
#include <latch>
#include <set>
#include <thread>
#include <type_traits>

#include "base/test_result.h"
#include "dolmen/documents.h"
#include "opened.h"
#include "schema/log_note.h"
#include "service/failures.h"
#include "storage/storage.h"

namespace dolmen {
namespace {

using test::kUsers1;
using test::kUsers2;
using test::OnDisk;
using test::user;
using test::UserDocuments;
using test::users_schema;
using test::violations_of;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Revisions, are_in_every_answer_and_change_with_every_write) {
  UserDocuments documents;
  std::set<std::string> seen;
  const std::string inserted = documents->insert(kUsers1, user("u1", "Ada", 36)).value();
  seen.insert(inserted);
  EXPECT_EQ(documents->get(kUsers1, "u1").value(), (Document{.text = user("u1", "Ada", 36), .revision = inserted}));
  EXPECT_EQ(documents->get(kUsers1, "u1").value().revision, inserted) << "reading changes nothing";
  const std::string updated = documents->update(kUsers1, user("u1", "Ada", 36)).value();
  seen.insert(updated);
  const DocumentPage page = documents->query(kUsers1, {.filter = R"({"_id":"u1"})", .limit = 1}).value();
  EXPECT_EQ(page.documents.at(0).revision, updated);
  EXPECT_EQ(documents->list(kUsers1).value().documents.at(0).revision, updated);
  EXPECT_EQ(documents->remove(kUsers1, "u1").value(), updated);
  EXPECT_EQ(documents->remove(kUsers1, "u1").value(), std::nullopt);
  seen.insert(documents->insert(kUsers1, user("u1", "Ada", 36)).value());
  EXPECT_EQ(seen.size(), 3U) << "also after a delete and an insert of the same document";
}

TEST(Revisions, that_are_expected_let_one_of_two_writers_win) {
  UserDocuments documents;
  const std::string seen = documents->insert(kUsers1, user("u1", "Ada", 36)).value();
  const std::string first = documents->update(kUsers1, user("u1", "Ada", 37), {.expected_revision = seen}).value();
  const auto second = documents->update(kUsers1, user("u1", "Ada", 38), {.expected_revision = seen});
  ASSERT_FALSE(second);
  EXPECT_THAT(second, fails_with(Code::kConditionFailed));
  EXPECT_THAT(second.error().message(), HasSubstr(first));
  EXPECT_THAT(documents->remove(kUsers1, "u1", {.expected_revision = seen}), fails_with(Code::kConditionFailed));
  EXPECT_EQ(documents->get(kUsers1, "u1").value(), (Document{.text = user("u1", "Ada", 37), .revision = first}));
  EXPECT_EQ(documents->remove(kUsers1, "u1", {.expected_revision = first}).value(), first);
  EXPECT_THAT(documents->remove(kUsers1, "u1", {.expected_revision = first}), fails_with(Code::kConditionFailed));
  EXPECT_THAT(documents->update(kUsers1, user("u1", "Ada", 1), {.expected_revision = first}),
              fails_with(Code::kDocumentNotFound));
}

TEST(Revisions, let_many_threads_count_without_losing_one) {
  UserDocuments documents;
  documents->insert(kUsers1, user("u1", "Ada", 0)).value();
  constexpr int kThreads = 8;
  constexpr int kCounts = 20;
  {
    std::latch start(kThreads);
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t)
      threads.emplace_back([&] {
        start.arrive_and_wait();
        for (int counted = 0; counted < kCounts;) {
          const Document stored = documents->get(kUsers1, "u1").value();
          const int age = std::stoi(stored.text.substr(stored.text.rfind(':') + 1));
          if (documents->update(kUsers1, user("u1", "Ada", age + 1), {.expected_revision = stored.revision})) ++counted;
        }
      });
  }
  EXPECT_EQ(documents->get(kUsers1, "u1").value().text, user("u1", "Ada", kThreads * kCounts));
}

class Moves : public testing::Test {
 protected:
  Moves() {
    documents_->publish(users_schema("v2")).value();
    for (const SchemaRef& ref : {kUsers1, kUsers2}) documents_->create_index(ref, "age").value();
    documents_->wait_for_indexes().value();
  }

  std::vector<std::string> by_age(const SchemaRef& ref) {
    std::vector<std::string> texts;
    const DocumentPage page = documents_->query(ref, {.filter = R"({"age":{"$gte":0}})", .limit = 10}).value();
    for (const Document& document : page.documents) texts.push_back(document.text);
    return texts;
  }

  UserDocuments documents_;
};

TEST_F(Moves, take_a_document_with_its_index_entries_to_another_version) {
  const std::string inserted = documents_->insert(kUsers1, user("u1", "Ada", 36)).value();
  const std::string moved =
      documents_->move(kUsers1, "v2", user("u1", "Ada Lovelace", 36), {.id = "u1", .expected_revision = inserted})
          .value();
  EXPECT_NE(moved, inserted);
  EXPECT_THAT(documents_->get(kUsers1, "u1"), fails_with(Code::kDocumentNotFound));
  EXPECT_EQ(documents_->get(kUsers2, "u1").value(),
            (Document{.text = user("u1", "Ada Lovelace", 36), .revision = moved}));
  EXPECT_THAT(by_age(kUsers1), IsEmpty());
  EXPECT_THAT(by_age(kUsers2), ElementsAre(user("u1", "Ada Lovelace", 36)));
  const auto taken = documents_->insert(kUsers1, user("u1", "Eve", 1));
  ASSERT_FALSE(taken) << "the _id is unique across the versions";
  EXPECT_THAT(taken.error().message(), HasSubstr("users v2"));
  EXPECT_TRUE(documents_->move(kUsers2, "v1", user("u1", "Ada", 36))) << "and back";
  EXPECT_TRUE(documents_->remove(kUsers1, "u1").value());
  EXPECT_TRUE(documents_->insert(kUsers2, user("u1", "Eve", 1))) << "nothing is left of it";
}

TEST_F(Moves, that_are_refused_change_nothing) {
  const std::string inserted = documents_->insert(kUsers1, user("u1", "Ada", 36)).value();
  EXPECT_THAT(documents_->move(kUsers1, "v2", R"({"_id":"u1","name":7})"), fails_with(Code::kSchemaValidationFailed));
  const auto renamed = documents_->move(kUsers1, "v2", user("u2", "Ada", 36), {.id = "u1"});
  ASSERT_FALSE(renamed);
  EXPECT_THAT(violations_of(renamed.error()), ElementsAre("_id id_immutable"));
  EXPECT_THAT(documents_->move(kUsers1, "v2", user("u2", "Ada", 36)), fails_with(Code::kDocumentNotFound));
  EXPECT_THAT(documents_->move(kUsers1, "v2", user("u1", "Ada", 36), {.expected_revision = "0123456789abcdef"}),
              fails_with(Code::kConditionFailed));
  EXPECT_THAT(documents_->move(kUsers2, "v1", user("u1", "Ada", 36)), fails_with(Code::kDocumentNotFound));
  EXPECT_THAT(documents_->move(kUsers1, "v1", user("u1", "Ada", 36)), fails_with(Code::kQueryInvalid));
  EXPECT_THAT(documents_->move(kUsers1, "v9", user("u1", "Ada", 36)), fails_with(Code::kUnknownSchemaVersion));
  EXPECT_THAT(documents_->move(kUsers1, "", user("u1", "Ada", 36)), fails_with(Code::kSchemaRequired));
  EXPECT_THAT(documents_->move({"orders", "v1"}, "v2", "not JSON"), fails_with(Code::kUnknownSchema));
  EXPECT_EQ(documents_->get(kUsers1, "u1").value(), (Document{.text = user("u1", "Ada", 36), .revision = inserted}));
  EXPECT_THAT(by_age(kUsers1), ElementsAre(user("u1", "Ada", 36)));
  EXPECT_THAT(by_age(kUsers2), IsEmpty());
}

TEST_F(Moves, back_and_forth_in_many_threads_leave_a_document_in_exactly_one_version) {
  documents_->insert(kUsers1, user("u1", "Ada", 36)).value();
  constexpr int kThreads = 4;
  {
    std::latch start(kThreads);
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t)
      threads.emplace_back([&, t] {
        start.arrive_and_wait();
        for (int i = 0; i < 50; ++i) {
          const SchemaRef& from = (t + i) % 2 == 0 ? kUsers1 : kUsers2;
          const auto moved = documents_->move(from, from.version == "v1" ? "v2" : "v1", user("u1", "Ada", i));
          EXPECT_TRUE(moved || moved.error().code() == Code::kDocumentNotFound);
        }
      });
  }
  EXPECT_NE(documents_->get(kUsers1, "u1").has_value(), documents_->get(kUsers2, "u1").has_value());
  EXPECT_EQ(by_age(kUsers1).size() + by_age(kUsers2).size(), 1U);
}

/// Lets writes of documents fail as they do when another process has changed the document in between.
class OvertakingService final : public AlikeService<OvertakingService> {
 public:
  explicit OvertakingService(Service& below) : below_(below) {}

  void overtake(int times, std::string reason) {
    times_ = times;
    reason_ = std::move(reason);
  }

  template <class Op>
  void perform(typename Op::Request request, Done<typename Op::Response> done) {
    if constexpr (std::is_same_v<Op, TransactWriteItems>) {
      if (times_ > 0) {
        --times_;
        auto cancellation = std::make_shared<Cancellation>();
        cancellation->reasons.resize(request.writes.size(), {.code = "None"});
        cancellation->reasons[1].code = reason_;
        return done(std::unexpected(Error(Code::kTransactionCanceled, "overtaken", std::move(cancellation))));
      }
    }
    below_.start(Op{}, std::move(request), std::move(done));
  }

  std::unique_ptr<Service> cancelable(std::stop_token stop, detail::Companions& companions) override {
    return below_.cancelable(std::move(stop), companions);
  }

 private:
  Service& below_;
  std::atomic<int> times_ = 0;
  std::string reason_;
};

class HotDocuments : public testing::TestWithParam<const char*> {
 protected:
  HotDocuments() {
    documents_.publish(users_schema()).value();
    documents_.insert(kUsers1, user("u1", "Ada", 1)).value();
  }

  std::unique_ptr<Store> below_ = open_embedded_store({.durability = Durability::kMemory}).value();
  std::unique_ptr<OvertakingService> overtaking_ = std::make_unique<OvertakingService>(below_->service());
  OvertakingService* service_ = overtaking_.get();
  Store store_{std::move(overtaking_), below_->companions()};
  std::chrono::milliseconds waited_{0};
  Documents documents_ =
      Documents::open(store_, {.sleep = [this](std::chrono::milliseconds time) { waited_ += time; }}).value();
};

TEST_P(HotDocuments, are_written_however_often_others_are_faster) {
  service_->overtake(400, GetParam());
  EXPECT_THAT(documents_.update(kUsers1, user("u1", "Ada", 2)), succeeds());
  EXPECT_GT(waited_.count(), 0) << "it waits, so that others can finish";
  service_->overtake(400, GetParam());
  EXPECT_THAT(documents_.remove(kUsers1, "u1"), succeeds());
}

TEST_P(HotDocuments, are_given_up_after_two_minutes) {
  service_->overtake(1'000'000, GetParam());
  EXPECT_FALSE(documents_.update(kUsers1, user("u1", "Ada", 2)));
  EXPECT_LE(waited_, std::chrono::minutes(2));
  service_->overtake(0, GetParam());
  EXPECT_EQ(documents_.get(kUsers1, "u1").value().text, user("u1", "Ada", 1));
}

INSTANTIATE_TEST_SUITE_P(Reasons, HotDocuments, testing::Values("ConditionalCheckFailed", "TransactionConflict"));

TEST_F(OnDisk, a_move_is_one_record_of_the_log_that_names_both_versions) {
  Documents& documents = open();
  documents.publish(users_schema()).value();
  documents.publish(users_schema("v2")).value();
  documents.insert(kUsers1, user("u1", "Ada", 36)).value();
  documents.move(kUsers1, "v2", user("u1", "Ada", 36)).value();
  const std::filesystem::path crashed = folder_ / "crashed";
  copy_to(crashed);
  close();
  std::vector<std::vector<SchemaRef>> notes;
  storage::Options options{.directory = crashed, .keyspaces = {"catalogue", "items", "tokens"}};
  options.inspect_log = [&](std::string_view bytes) -> Result<void> {
    notes.push_back(schema::read_log_note(bytes).value());
    return {};
  };
  ASSERT_TRUE(storage::Storage::open(options));
  EXPECT_THAT(notes.back(), ElementsAre(kUsers1, kUsers2));
}

}  // namespace
}  // namespace dolmen
