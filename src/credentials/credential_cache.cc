#include "credentials/credential_cache.h"

#include <utility>

namespace dolmen {
namespace {

/// So long before they expire, new credentials are fetched while the old ones are still used.
constexpr std::chrono::minutes kRenewBefore{5};
/// So long before they expire, the old credentials are no longer used.
constexpr std::chrono::seconds kUsableUntil{30};
/// The time between two renewals, when the first failed or returned credentials that expire as soon.
constexpr std::chrono::seconds kBetweenRenewals{30};

}  // namespace

CredentialCache::CredentialCache(Fetch fetch, Now now) : fetch_(std::move(fetch)), now_(std::move(now)) {}

CredentialCache::~CredentialCache() {
  worker_.request_stop();
  if (worker_.joinable()) worker_.join();
  for (Done<AwsCredentials>& done : waiting_)
    done(std::unexpected(Error(Code::kClosed, "the store was closed before credentials were found")));
}

std::optional<AwsCredentials> CredentialCache::current() {
  const std::lock_guard lock(state_mutex_);
  return usable();
}

void CredentialCache::get(Done<AwsCredentials> done) {
  std::optional<AwsCredentials> found;
  {
    const std::lock_guard lock(state_mutex_);
    found = usable();
    if (!found) {
      waiting_.push_back(std::move(done));
      want_new();
    }
  }
  if (found) done(std::move(*found));
}

std::optional<AwsCredentials> CredentialCache::usable() {
  if (!current_ || !current_->expires) return current_;
  const auto now = now_();
  const auto left = *current_->expires - now;
  if (left <= kUsableUntil) return std::nullopt;
  if (left <= kRenewBefore && now >= next_renewal_) want_new();
  return current_;
}

void CredentialCache::want_new() {
  wanted_ = true;
  if (!worker_.joinable()) worker_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
  woken_.notify_one();
}

void CredentialCache::forget(const AwsCredentials& refused) {
  const std::lock_guard lock(state_mutex_);
  if (current_ == refused) current_.reset();
}

void CredentialCache::run(const std::stop_token& stop) {
  while (true) {
    {
      std::unique_lock lock(state_mutex_);
      if (!woken_.wait(lock, stop, [&] { return wanted_; })) return;
    }
    fetch_and_answer(stop);
  }
}

void CredentialCache::fetch_and_answer(const std::stop_token& stop) {
  Result<AwsCredentials> fetched = fetch_(stop);
  std::vector<Done<AwsCredentials>> waiting;
  {
    const std::lock_guard lock(state_mutex_);
    wanted_ = false;
    next_renewal_ = now_() + kBetweenRenewals;
    // A failed renewal leaves the old credentials, which may be usable for some more minutes.
    if (fetched) current_ = *fetched;
    waiting.swap(waiting_);
  }
  for (Done<AwsCredentials>& done : waiting) done(fetched);
}

}  // namespace dolmen
