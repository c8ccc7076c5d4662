#include <atomic>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <type_traits>

#include "base/fail.h"
#include "base/test_result.h"
#include "document/limits.h"
#include "dolmen/documents.h"
#include "opened.h"

namespace dolmen {
namespace {

using test::kUsers1;
using test::user;
using testing::ElementsAre;
using testing::HasSubstr;

/// Passes everything on to another store, and fails in writing index entries as often as it is told to.
class UnsteadyService final : public AlikeService<UnsteadyService> {
 public:
  explicit UnsteadyService(Service& below) : below_(below) {}

  void fail_entries(int times, Code code) {
    code_ = code;
    failures_ = times;
  }

  template <class Op>
  void perform(typename Op::Request request, Done<typename Op::Response> done) {
    if constexpr (std::is_same_v<Op, TransactWriteItems>) {
      // Whoever builds an index looks at a document first; a declaration and the end of a build only put.
      const bool builds = request.writes.front().kind == WriteKind::kCheck;
      if (builds && failures_ > 0) {
        --failures_;
        return done(fail(code_, "it is not to be"));
      }
    }
    below_.start(Op{}, std::move(request), std::move(done));
  }

  std::unique_ptr<Service> cancelable(std::stop_token stop, detail::Companions& companions) override {
    return below_.cancelable(std::move(stop), companions);
  }

 private:
  Service& below_;
  std::atomic<int> failures_ = 0;
  std::atomic<Code> code_ = Code::kIo;
};

class DocumentIndexes : public testing::Test {
 protected:
  DocumentIndexes() {
    documents_.publish(test::users_schema()).value();
    for (int i = 0; i < 3; ++i) documents_.insert(kUsers1, user("u" + std::to_string(i), "Ada", i)).value();
  }

  [[nodiscard]] DocumentIndex index(const std::string& field) const {
    const std::vector<DocumentIndex> all = documents_.indexes(kUsers1).value();
    for (const DocumentIndex& index : all)
      if (index.field == field) return index;
    return {};
  }

  std::unique_ptr<Store> below_ = open_embedded_store({.durability = Durability::kMemory}).value();
  std::unique_ptr<UnsteadyService> unsteady_ = std::make_unique<UnsteadyService>(below_->service());
  UnsteadyService* service_ = unsteady_.get();
  Store store_{std::move(unsteady_), below_->companions()};
  std::vector<std::chrono::milliseconds> pauses_;  ///< Written by the thread that builds, read when it has finished.
  Documents documents_ =
      Documents::open(store_, {.sleep = [this](std::chrono::milliseconds time) { pauses_.push_back(time); }}).value();
};

TEST_F(DocumentIndexes, are_built_through_failures_that_pass) {
  using namespace std::chrono_literals;
  service_->fail_entries(4, Code::kThrottled);
  documents_.create_index(kUsers1, "age").value();
  EXPECT_THAT(documents_.wait_for_indexes(), succeeds());
  EXPECT_EQ(index("age").state, IndexState::kReady);
  EXPECT_THAT(pauses_, ElementsAre(100ms, 200ms, 400ms, 800ms));
  EXPECT_EQ(documents_.query(kUsers1, {.filter = R"({"age":{"$gte":1}})", .limit = 10}).value().documents.size(), 2U);
}

TEST_F(DocumentIndexes, that_cannot_be_built_for_now_say_so_and_are_built_when_they_are_declared_again) {
  service_->fail_entries(limits::kBuildAttempts, Code::kUnavailable);
  documents_.create_index(kUsers1, "age").value();
  const Result<void> waited = documents_.wait_for_indexes();
  ASSERT_FALSE(waited);
  EXPECT_THAT(waited, fails_with(Code::kUnavailable));
  EXPECT_THAT(waited.error().message(), HasSubstr("users v1 age: it is not to be"));
  EXPECT_EQ(pauses_.size(), static_cast<std::size_t>(limits::kBuildAttempts - 1));
  EXPECT_EQ(pauses_.back(), limits::kBuildDelayMax);
  EXPECT_EQ(index("age").state, IndexState::kBuilding);
  EXPECT_EQ(index("age").reason, "it is not to be");

  documents_.create_index(kUsers1, "age").value();
  EXPECT_THAT(documents_.wait_for_indexes(), succeeds());
  EXPECT_EQ(index("age"), (DocumentIndex{.field = "age", .state = IndexState::kReady}));
  EXPECT_THAT(documents_.create_index(kUsers1, "age"), fails_with(Code::kIndexExists));
}

TEST_F(DocumentIndexes, do_not_hide_each_others_failures) {
  service_->fail_entries(1, Code::kClosed);
  documents_.create_index(kUsers1, "age").value();
  EXPECT_FALSE(documents_.wait_for_indexes());
  service_->fail_entries(1, Code::kCanceled);
  documents_.create_index(kUsers1, "name").value();
  EXPECT_FALSE(documents_.wait_for_indexes());
  documents_.create_index(kUsers1, "score").value();
  const Result<void> waited = documents_.wait_for_indexes();
  ASSERT_FALSE(waited);
  EXPECT_THAT(waited, fails_with(Code::kClosed));
  EXPECT_THAT(waited.error().details(), ElementsAre(ErrorDetail{"users v1 age", "Closed", "it is not to be"},
                                                    ErrorDetail{"users v1 name", "Canceled", "it is not to be"}));
  EXPECT_TRUE(pauses_.empty());
  EXPECT_EQ(index("score").state, IndexState::kReady);
}

}  // namespace
}  // namespace dolmen
