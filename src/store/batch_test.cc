#include "dolmen/batch.h"

#include <gtest/gtest.h>
#include <numeric>

#include "service/service.h"

namespace dolmen {
namespace {

/// Carries out only the first write of a batch, and none of every second one.
class SlowBatches final : public AlikeService<SlowBatches> {
 public:
  template <class Op>
  void perform(const typename Op::Request& request, Done<typename Op::Response> done) {
    if constexpr (std::same_as<Op, BatchWriteItem>) {
      BatchWriteResponse response;
      response.unprocessed.resize(request.writes.size());
      std::iota(response.unprocessed.begin(), response.unprocessed.end(), std::size_t{0});
      if (calls_++ % 2 == 0) response.unprocessed.erase(response.unprocessed.begin());
      done(std::move(response));
    } else {
      done(std::unexpected(Error(Code::kUnsupported, "")));
    }
  }

  std::unique_ptr<Service> cancelable(std::stop_token /*stop*/, detail::Companions& /*companions*/) override {
    return nullptr;
  }

 private:
  int calls_ = 0;
};

std::vector<BatchAction> puts(int count) {
  std::vector<BatchAction> actions;
  for (int i = 0; i < count; ++i) actions.emplace_back(BatchPut{.table = "t", .item = {{"id", i}}});
  return actions;
}

TEST(WriteAll, counts_only_attempts_without_progress) {
  std::vector<std::chrono::milliseconds> pauses;
  const BatchRetry retry{.attempts_max = 3,
                         .delay_first = std::chrono::milliseconds(8),
                         .sleep = [&](std::chrono::milliseconds time) { pauses.push_back(time); },
                         .random = [] { return ~std::uint64_t{0}; }};
  Store store(std::make_unique<SlowBatches>());
  const WriteAllResult result = write_all(store, puts(4), retry);
  EXPECT_TRUE(result.complete());
  EXPECT_EQ(result.done, 4);
  // Each step forward makes the next pause short again.
  for (std::size_t i = 0; i + 2 < pauses.size(); ++i) EXPECT_EQ(pauses[i], pauses[i + 2]) << i;
  ASSERT_GE(pauses.size(), 2);
  EXPECT_LT(pauses[0], pauses[1]);
}

TEST(WriteAll, gives_up_after_attempts_without_progress) {
  const BatchRetry retry{.attempts_max = 2, .sleep = [](std::chrono::milliseconds) {}};
  Store store(std::make_unique<SlowBatches>());
  const WriteAllResult result = write_all(store, puts(4), retry);
  EXPECT_EQ(result.done, 1);
  EXPECT_EQ(result.not_done.size(), 3);
}

}  // namespace
}  // namespace dolmen
