#include "engine/client_tokens.h"

#include <chrono>

#include "base/endian.h"
#include "base/fail.h"
#include "base/varint.h"
#include "engine/keyspaces.h"

namespace dolmen::engine::client_tokens {
namespace {

constexpr std::chrono::minutes kLifetime{10};
/// How many expired tokens are removed with each new one; more than one, so that they cannot accumulate.
constexpr int kForgottenAtOnce = 8;

// Two rows for each use of a token: "t<token><end>" holds its request's digest and the sizes of the items, each as a
// varint; "e<end><token>" finds it by its end.
// The end is part of both keys, so that removing an expired use without the token's lock cannot affect a newer one.

std::uint64_t seconds(Clock::TimePoint time) {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count());
}

std::string use_key(std::string_view token, std::uint64_t end) {
  std::string key = "t";
  append_varint(key, token.size());
  key.append(token);
  append_big_endian(key, end);
  return key;
}

std::string end_key(std::uint64_t end, std::string_view token) {
  std::string key = "e";
  append_big_endian(key, end);
  return key.append(token);
}

}  // namespace

Result<std::optional<std::vector<std::uint64_t>>> look_up(const storage::Storage& storage, std::string_view token,
                                                          std::string_view digest, Clock::TimePoint now) {
  const std::string lower = use_key(token, seconds(now) + 1);
  const std::string upper = use_key(token, UINT64_MAX);
  auto uses = storage.iterate(keyspaces::kTokens, {.lower = lower, .upper = upper});
  uses.seek_first();
  DOLMEN_TRY_VOID(uses.status());
  if (!uses.valid()) return std::nullopt;
  std::string_view value = uses.value();
  if (!value.starts_with(digest))
    return fail(Code::kIdempotencyMismatch,
                "The request uses the same client token as a previous, but non-identical request.");
  value.remove_prefix(digest.size());
  std::vector<std::uint64_t> item_bytes;
  while (!value.empty()) {
    const std::optional<std::uint64_t> bytes = take_varint(value);
    if (!bytes) return fail(Code::kCorruption, "the row of a client token is damaged");
    item_bytes.push_back(*bytes);
  }
  return item_bytes;
}

Result<void> remember(const storage::Storage& storage, storage::Batch& batch, std::string_view token, const Use& use,
                      Clock::TimePoint now) {
  const std::string upper = end_key(seconds(now), "");
  auto outlived = storage.iterate(keyspaces::kTokens, {.lower = "e", .upper = upper});
  outlived.seek_first();
  for (int i = 0; i < kForgottenAtOnce && outlived.valid(); ++i, outlived.next()) {
    const auto end = read_big_endian<std::uint64_t>(outlived.key().substr(1));
    batch.remove(keyspaces::kTokens, use_key(outlived.key().substr(1 + sizeof(end)), end));
    batch.remove(keyspaces::kTokens, outlived.key());
  }
  DOLMEN_TRY_VOID(outlived.status());
  const std::uint64_t end = seconds(now + kLifetime);
  std::string value(use.digest);
  for (const std::uint64_t bytes : use.item_bytes) append_varint(value, bytes);
  batch.put(keyspaces::kTokens, use_key(token, end), value);
  batch.put(keyspaces::kTokens, end_key(end, token), "");
  return {};
}

}  // namespace dolmen::engine::client_tokens
