#include "engine/client_tokens.h"

#include <gtest/gtest.h>

#include "base/test_result.h"
#include "engine/keyspaces.h"

namespace dolmen::engine {
namespace {

using client_tokens::Seen;

constexpr Clock::TimePoint kStart{std::chrono::hours(1000)};
constexpr std::chrono::minutes kLifetime{10};

/// Tokens in memory.
class ClientTokens : public testing::Test {
 protected:
  [[nodiscard]] storage::Batch remembering(std::string_view token, std::string_view digest, Clock::TimePoint now) {
    storage::Batch batch;
    EXPECT_THAT(client_tokens::remember(*storage_, batch, token, digest, now), succeeds());
    return batch;
  }

  void commit(storage::Batch batch) { ASSERT_THAT(storage_->commit(std::move(batch)), succeeds()); }

  [[nodiscard]] Result<Seen> look_up(std::string_view token, std::string_view digest, Clock::TimePoint now) {
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
  EXPECT_EQ(look_up("token", "a", kStart), Seen::kNever);
  commit(remembering("token", "a", kStart));
  EXPECT_EQ(look_up("token", "a", kStart), Seen::kSameRequest);
  EXPECT_THAT(look_up("token", "b", kStart), fails_with(Code::kIdempotencyMismatch));
  EXPECT_EQ(look_up("token", "a", kStart + kLifetime - std::chrono::seconds(1)), Seen::kSameRequest);
  EXPECT_EQ(look_up("token", "b", kStart + kLifetime), Seen::kNever);
}

TEST_F(ClientTokens, are_told_apart_when_one_begins_like_another) {
  commit(remembering("token", "a", kStart));
  EXPECT_EQ(look_up("toke", "a", kStart), Seen::kNever);
  EXPECT_EQ(look_up("token2", "a", kStart), Seen::kNever);
}

TEST_F(ClientTokens, are_forgotten_once_they_have_had_their_time) {
  commit(remembering("one", "a", kStart));
  commit(remembering("two", "b", kStart));
  EXPECT_EQ(row_count(), 4);
  commit(remembering("three", "c", kStart + 2 * kLifetime));
  EXPECT_EQ(row_count(), 2);
  EXPECT_EQ(look_up("three", "c", kStart + 2 * kLifetime), Seen::kSameRequest);
}

TEST_F(ClientTokens, used_again_after_their_time_are_not_forgotten_by_a_transaction_under_way) {
  const Clock::TimePoint later = kStart + 2 * kLifetime;
  commit(remembering("again", "old", kStart));
  storage::Batch sweeping = remembering("other", "x", later);
  commit(remembering("again", "new", later));
  commit(std::move(sweeping));
  EXPECT_EQ(look_up("again", "new", later), Seen::kSameRequest);
}

}  // namespace
}  // namespace dolmen::engine
