#include "access/access_keys.h"

#include <algorithm>
#include <fmt/format.h>

#include "access/access_file.h"
#include "base/fail.h"

namespace dolmen::access {

HmacKey KnownKey::signing_key(const SignatureScope& scope, std::string_view scope_text) const {
  const std::lock_guard lock(scopes_mutex_);
  const auto found = std::ranges::find(scopes_, scope_text, &std::pair<std::string, HmacKey>::first);
  if (found != scopes_.end()) return found->second;
  if (scopes_.size() == kScopesMax) scopes_.erase(scopes_.begin());
  return scopes_.emplace_back(scope_text, HmacKey(dolmen::signing_key(key_.secret, scope))).second;
}

Digest KnownKey::sign(const SignatureScope& scope, std::string_view scope_text, std::string_view text) const {
  return signing_key(scope, scope_text).sign(text);
}

Result<std::unique_ptr<AccessKeys>> AccessKeys::open(std::filesystem::path file, Log log) {
  std::unique_ptr<AccessKeys> keys(new AccessKeys(std::move(file), std::move(log)));
  keys->state_ = FileState::of(keys->file_);
  DOLMEN_TRY_VOID(keys->read());
  keys->looked_ = Clock::now();
  return keys;
}

std::shared_ptr<const KnownKey> AccessKeys::find(std::string_view id, Clock::time_point now) {
  auto looked = looked_.load();
  // One of the threads looks; the others need not wait for it.
  if (now - looked >= kLookEvery && looked_.compare_exchange_strong(looked, now)) refresh();
  const std::shared_ptr<const Keys> keys = keys_.load();
  const auto found = keys->find(id);
  return found == keys->end() ? nullptr : found->second;
}

void AccessKeys::refresh() {
  const std::lock_guard lock(reading_mutex_);
  const FileState now = FileState::of(file_);
  if (now == state_) return;
  state_ = now;
  const Result<void> done = read();
  if (log_)
    log_(done ? fmt::format("read {} again: {} access keys", file_.string(), keys_.load()->size())
              : fmt::format("the access keys stay as they were: {}", done.error().message()));
}

Result<void> AccessKeys::read() {
  DOLMEN_TRY(std::vector<AccessKey> keys, read_access_file(file_));
  auto known = std::make_shared<Keys>();
  for (AccessKey& key : keys) {
    std::string id = key.id;
    known->emplace(std::move(id), std::make_shared<const KnownKey>(std::move(key)));
  }
  keys_ = std::move(known);
  return {};
}

}  // namespace dolmen::access
