#include "engine/client_tokens.h"

#include <gtest/gtest.h>

#include "base/test_result.h"
#include "engine/keyspaces.h"

namespace dolmen::engine {
namespace {

using Sizes = std::vector<std::uint64_t>;

constexpr Clock::TimePoint kStart{std::chrono::hours(1000)};
constexpr std::chrono::minutes kLifetime{10};
const Sizes kSizes{0, 127, 409600};

/// Tokens in memory.
class ClientTokens : public testing::Test {
 protected:
  [[nodiscard]] storage::Batch remembering(std::string_view token, std::string_view digest, Clock::TimePoint now) {
    storage::Batch batch;
    EXPECT_THAT(client_tokens::remember(*storage_, batch, token, {.digest = digest, .item_bytes = kSizes}, now),
                succeeds());
    return batch;
  }

  void commit(storage::Batch batch) { ASSERT_THAT(storage_->commit(std::move(batch)), succeeds()); }

  [[nodiscard]] Result<std::optional<Sizes>> look_up(std::string_view token, std::string_view digest,
                                                     Clock::TimePoint now) {
    return client_tokens::look_up(*storage_, token, digest, now);
  }

  [[nodiscard]] int row_count() {
    auto rows = storage_->iterate(keyspaces::kTokens, {});
    int count = 0;
    for (rows.seek_first(); rows.valid(); rows.next()) ++count;
    return count;
  }

  std::unique_ptr<storage::Storage> storage_ =
      storage::Storage::open({.durability = Durability::kMemory, .keyspaces = keyspaces::names()}).value();
};

TEST_F(ClientTokens, stand_for_one_request_for_ten_minutes) {
  EXPECT_EQ(look_up("token", "a", kStart), std::nullopt);
  commit(remembering("token", "a", kStart));
  EXPECT_EQ(look_up("token", "a", kStart), kSizes);
  EXPECT_THAT(look_up("token", "b", kStart), fails_with(Code::kIdempotencyMismatch));
  EXPECT_EQ(look_up("token", "a", kStart + kLifetime - std::chrono::seconds(1)), kSizes);
  EXPECT_EQ(look_up("token", "b", kStart + kLifetime), std::nullopt);
}

TEST_F(ClientTokens, are_told_apart_when_one_begins_like_another) {
  commit(remembering("token", "a", kStart));
  EXPECT_EQ(look_up("toke", "a", kStart), std::nullopt);
  EXPECT_EQ(look_up("token2", "a", kStart), std::nullopt);
}

TEST_F(ClientTokens, are_forgotten_once_they_have_had_their_time) {
  commit(remembering("one", "a", kStart));
  commit(remembering("two", "b", kStart));
  EXPECT_EQ(row_count(), 4);
  commit(remembering("three", "c", kStart + 2 * kLifetime));
  EXPECT_EQ(row_count(), 2);
  EXPECT_EQ(look_up("three", "c", kStart + 2 * kLifetime), kSizes);
}

TEST_F(ClientTokens, used_again_after_their_time_are_not_forgotten_by_a_transaction_under_way) {
  const Clock::TimePoint later = kStart + 2 * kLifetime;
  commit(remembering("again", "old", kStart));
  storage::Batch sweeping = remembering("other", "x", later);
  commit(remembering("again", "new", later));
  commit(std::move(sweeping));
  EXPECT_EQ(look_up("again", "new", later), kSizes);
}

TEST_F(ClientTokens, of_earlier_versions_have_no_sizes) {
  storage::Batch batch;
  ASSERT_THAT(client_tokens::remember(*storage_, batch, "token", {.digest = "a", .item_bytes = {}}, kStart),
              succeeds());
  commit(std::move(batch));
  EXPECT_EQ(look_up("token", "a", kStart), Sizes{});
}

}  // namespace
}  // namespace dolmen::engine
