#include "engine/client_tokens.h"

#include <chrono>

#include "base/endian.h"
#include "base/fail.h"
#include "base/hash.h"
#include "engine/keyspaces.h"

namespace dolmen::client_tokens {
namespace {

constexpr std::chrono::minutes kLifetime{10};
/// How many outlived tokens go with each new one; more than one, so that they cannot pile up.
constexpr int kForgottenAtOnce = 8;

// Two rows for each token: "t<token>" holds its end and its request's digest, "e<end><token>" finds it by its end.

std::uint64_t seconds(Clock::TimePoint time) {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count());
}

std::string token_key(std::string_view token) { return std::string("t").append(token); }

std::string end_key(std::uint64_t end, std::string_view token) {
  std::string key = "e";
  append_big_endian(key, end);
  return key.append(token);
}

}  // namespace

LockRequest lock(std::string_view token) { return {.hash = hash64(token_key(token))}; }

Result<Seen> look_up(const storage::Storage& storage, std::string_view token, std::string_view digest,
                     Clock::TimePoint now) {
  std::string row;
  DOLMEN_TRY(const bool exists, storage.get(keyspaces::kTokens, token_key(token), row));
  if (!exists || row.size() < sizeof(std::uint64_t) || read_big_endian<std::uint64_t>(row) <= seconds(now))
    return Seen::kNever;
  if (std::string_view(row).substr(sizeof(std::uint64_t)) == digest) return Seen::kSameRequest;
  return fail(Code::kIdempotencyMismatch,
              "The request uses the same client token as a previous, but non-identical request.");
}

Result<void> remember(const storage::Storage& storage, storage::Batch& batch, std::string_view token,
                      std::string_view digest, Clock::TimePoint now) {
  std::string upper = end_key(seconds(now), "");
  auto outlived = storage.iterate(keyspaces::kTokens, {.lower = "e", .upper = upper});
  outlived.seek_first();
  for (int i = 0; i < kForgottenAtOnce && outlived.valid(); ++i, outlived.next()) {
    batch.remove(keyspaces::kTokens, token_key(outlived.key().substr(1 + sizeof(std::uint64_t))));
    batch.remove(keyspaces::kTokens, outlived.key());
  }
  DOLMEN_TRY_VOID(outlived.status());
  const std::uint64_t end = seconds(now + kLifetime);
  std::string row;
  append_big_endian(row, end);
  row.append(digest);
  batch.put(keyspaces::kTokens, token_key(token), row);
  batch.put(keyspaces::kTokens, end_key(end, token), "");
  return {};
}

}  // namespace dolmen::client_tokens
