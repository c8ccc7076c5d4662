#include "dolmen/model/key_cache.h"

#include <list>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/clock.h"
#include "base/fail.h"

namespace dolmen {
namespace {

/// Begins with the lengths of its parts, so that no two purposes, with whatever follows, have the same text.
std::string purpose_text(const KeyPurpose& purpose) {
  return fmt::format("{}:{}:{}{}", purpose.model.size(), purpose.attribute.size(), purpose.model, purpose.attribute);
}

SecretKey copy_of(const SecretKey& key) { return SecretKey(key.bytes()); }

/// The most recently used entries. Needs the lock of its owner.
template <class Value>
class RecentlyUsed {
 public:
  explicit RecentlyUsed(std::size_t most) : most_(most) {}

  Value* find(const std::string& name) {
    const auto found = places_.find(name);
    if (found == places_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, found->second);
    return &found->second->second;
  }

  void put(const std::string& name, Value value) {
    erase(name);
    entries_.emplace_front(name, std::move(value));
    places_[name] = entries_.begin();
    if (entries_.size() > most_) erase(std::string(entries_.back().first));
  }

  void erase(const std::string& name) {
    const auto found = places_.find(name);
    if (found == places_.end()) return;
    entries_.erase(found->second);
    places_.erase(found);
  }

 private:
  using Entries = std::list<std::pair<std::string, Value>>;

  const std::size_t most_;
  Entries entries_;
  std::unordered_map<std::string, typename Entries::iterator> places_;
};

class CachedKeys final : public KeyProvider {
 public:
  CachedKeys(std::unique_ptr<KeyProvider> keys, KeyCacheOptions options)
      : keys_(std::move(keys)),
        options_(std::move(options)),
        encrypting_(options_.keys_max),
        decrypting_(options_.keys_max) {}

  Result<DataKey> generate(const KeyPurpose& purpose) override {
    const std::string name = purpose_text(purpose);
    if (std::optional<DataKey> kept = kept_to_encrypt(name)) return std::move(*kept);
    // Asked without the lock: while a key service thinks, other attributes go on.
    DOLMEN_TRY(DataKey fresh, keys_->generate(purpose));
    const TimePoint now = options_.now();
    const std::lock_guard lock(keys_mutex_);
    decrypting_.put(name + std::string(fresh.encrypted.view()), {.key = copy_of(fresh.key), .fetched = now});
    if (options_.uses_max > 1)
      encrypting_.put(name, {.key = {.key = copy_of(fresh.key), .encrypted = fresh.encrypted},
                             .fetched = now,
                             .uses_left = options_.uses_max - 1});
    return fresh;
  }

  Result<SecretKey> decrypt(const Bytes& encrypted, const KeyPurpose& purpose) override {
    const std::string name = purpose_text(purpose) + std::string(encrypted.view());
    {
      const std::lock_guard lock(keys_mutex_);
      Decrypting* kept = decrypting_.find(name);
      if (kept != nullptr && is_young(kept->fetched)) return copy_of(kept->key);
      if (kept != nullptr) decrypting_.erase(name);
    }
    DOLMEN_TRY(SecretKey key, keys_->decrypt(encrypted, purpose));
    const TimePoint now = options_.now();
    const std::lock_guard lock(keys_mutex_);
    decrypting_.put(name, {.key = copy_of(key), .fetched = now});
    return key;
  }

  Result<Nonce> nonce(const KeyPurpose& purpose) override { return keys_->nonce(purpose); }
  [[nodiscard]] bool is_current(const Bytes& encrypted) const override { return keys_->is_current(encrypted); }

 private:
  struct Encrypting {
    DataKey key;
    TimePoint fetched;
    std::uint32_t uses_left;
  };
  struct Decrypting {
    SecretKey key;
    TimePoint fetched;
  };

  /// A clock that was set back makes keys old, not young for ever.
  [[nodiscard]] bool is_young(TimePoint fetched) const {
    const auto age = options_.now() - fetched;
    return age >= std::chrono::nanoseconds(0) && age < options_.age_max;
  }

  std::optional<DataKey> kept_to_encrypt(const std::string& name) {
    const std::lock_guard lock(keys_mutex_);
    Encrypting* kept = encrypting_.find(name);
    if (kept == nullptr) return std::nullopt;
    if (!is_young(kept->fetched)) {
      encrypting_.erase(name);
      return std::nullopt;
    }
    DataKey key{.key = copy_of(kept->key.key), .encrypted = kept->key.encrypted};
    if (--kept->uses_left == 0) encrypting_.erase(name);
    return key;
  }

  const std::unique_ptr<KeyProvider> keys_;
  const KeyCacheOptions options_;
  std::mutex keys_mutex_;  ///< Guards both kinds of keys.
  RecentlyUsed<Encrypting> encrypting_;
  RecentlyUsed<Decrypting> decrypting_;
};

}  // namespace

Result<std::unique_ptr<KeyProvider>> cached_keys(std::unique_ptr<KeyProvider> keys, KeyCacheOptions options) {
  if (options.uses_max == 0 || options.uses_max > kKeyUsesMax)
    return fail(Code::kInvalidArgument, "uses_max is {}; a data key can be used for 1 to {} values", options.uses_max,
                kKeyUsesMax);
  if (options.keys_max == 0) return fail(Code::kInvalidArgument, "keys_max is 0; a cache keeps at least one key");
  if (options.age_max.count() <= 0)
    return fail(Code::kInvalidArgument, "age_max is {} ms; it must be longer than 0", options.age_max.count());
  options.now = or_system_clock(std::move(options.now));
  return std::make_unique<CachedKeys>(std::move(keys), std::move(options));
}

}  // namespace dolmen
