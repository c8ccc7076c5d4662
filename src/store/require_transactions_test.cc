#include "store/require_transactions.h"

#include <gtest/gtest.h>

#include "base/test_result.h"
#include "service/service.h"

namespace dolmen {
namespace {

/// Fails every operation in the same way.
class FailingService final : public AlikeService<FailingService> {
 public:
  explicit FailingService(Code code) : code_(code) {}

  template <class Op>
  void perform(typename Op::Request /*request*/, Done<typename Op::Response> done) {
    done(std::unexpected(Error(code_, "no")));
  }

  std::unique_ptr<Service> cancelable(std::stop_token /*stop*/, detail::Companions& /*companions*/) override {
    return nullptr;
  }

 private:
  Code code_;
};

Result<void> required_of(Code code) {
  Store store(std::make_unique<FailingService>(code));
  return require_transactions(
      store, {.table = "t", .key = {{"id", 1}}, .condition = Condition("attribute_not_exists(id)")}, "do it");
}

TEST(RequireTransactions, says_what_they_are_for_when_the_store_does_not_have_them) {
  for (const Code code : {Code::kUnknownOperation, Code::kUnsupported}) {
    const Result<void> required = required_of(code);
    ASSERT_THAT(required, fails_with(Code::kUnsupported));
    EXPECT_EQ(required.error().message(),
              "this store has no transactions (TransactWriteItems), which are needed to do it");
  }
}

TEST(RequireTransactions, passes_other_failures_on) {
  EXPECT_THAT(required_of(Code::kThrottled), fails_with(Code::kThrottled));
}

}  // namespace
}  // namespace dolmen
