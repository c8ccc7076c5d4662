#include "storage/row_seals.h"

#include <algorithm>
#include <mutex>

#include "base/endian.h"
#include "base/fail.h"

namespace dolmen::storage {
namespace {

constexpr std::size_t kHeaderBytes = RowSeals::kMark.size() + sizeof(RowSeals::KeyNumber);

/// What a sealed value is bound to.
std::string context_of(Keyspace keyspace, std::string_view key) {
  std::string context(1, static_cast<char>(keyspace.index));
  return context.append(key);
}

RowSeals::KeyNumber key_number_of(std::string_view sealed) {
  return read_big_endian<RowSeals::KeyNumber>(sealed.substr(RowSeals::kMark.size()));
}

std::unexpected<Error> missing_key() {
  return fail(Code::kAccessDenied, "the row is encrypted, and the key that its data key is wrapped by is not there");
}

}  // namespace

bool is_key_missing(const Error& error) { return error.code() == Code::kAccessDenied; }

void RowSeals::set_key(KeyNumber number, std::shared_ptr<const RowCipher> cipher) {
  const std::unique_lock lock(rules_mutex_);
  keys_.insert_or_assign(number, DataKey{.cipher = std::move(cipher)});
  look_for_lacks();
}

void RowSeals::look_for_lacks() {
  if (!lacks_keys()) return;
  lacks_keys_.store(std::ranges::any_of(rows_, [this](const auto& row) { return !keys_.contains(row.second); }),
                    std::memory_order_relaxed);
}

bool RowSeals::can_write(Keyspace keyspace, std::string_view key) const {
  const std::shared_lock lock(rules_mutex_);
  const KeyNumber* const wanted = key_of_row(keyspace, key);
  return wanted == nullptr || keys_.contains(*wanted);
}

void RowSeals::withhold_key(KeyNumber number) {
  const std::unique_lock lock(rules_mutex_);
  if (const auto found = keys_.find(number); found != keys_.end()) found->second.withheld = true;
}

bool RowSeals::has_key(KeyNumber number) const {
  const std::shared_lock lock(rules_mutex_);
  const auto found = keys_.find(number);
  return found != keys_.end() && !found->second.withheld;
}

void RowSeals::watch(Keyspace keyspace) {
  watched_.fetch_or(std::uint64_t{1} << keyspace.index, std::memory_order_relaxed);
}

void RowSeals::seal_rows(Keyspace keyspace, RowId id, KeyNumber key) {
  watch(keyspace);
  const std::unique_lock lock(rules_mutex_);
  rows_.insert_or_assign({keyspace.index, id}, key);
  if (!keys_.contains(key)) lacks_keys_.store(true, std::memory_order_relaxed);
}

void RowSeals::leave_rows(Keyspace keyspace, RowId id) {
  if (!is_watched(keyspace)) return;
  const std::unique_lock lock(rules_mutex_);
  rows_.erase({keyspace.index, id});
  look_for_lacks();
}

const RowSeals::KeyNumber* RowSeals::key_of_row(Keyspace keyspace, std::string_view key) const {
  if (key.size() < sizeof(RowId)) return nullptr;
  const auto found = rows_.find({keyspace.index, read_big_endian<RowId>(key)});
  return found == rows_.end() ? nullptr : &found->second;
}

Result<void> RowSeals::open(Keyspace keyspace, std::string_view key, std::string_view value, std::string& plain) const {
  if (value.size() < kOverheadBytes) return fail(Code::kCorruption, "a sealed row is not whole");
  std::shared_ptr<const RowCipher> cipher;
  {
    const std::shared_lock lock(rules_mutex_);
    const auto found = keys_.find(key_number_of(value));
    if (found == keys_.end() || found->second.withheld) return missing_key();
    cipher = found->second.cipher;
  }
  if (!cipher->open(context_of(keyspace, key), value.substr(kHeaderBytes), plain))
    return fail(Code::kCorruption, "a sealed row was changed, or belongs to another key");
  return {};
}

Result<bool> RowSeals::seal(Keyspace keyspace, std::string_view key, std::string_view value,
                            std::string& sealed) const {
  if (!is_watched(keyspace) || value.starts_with(kMark)) return false;
  std::shared_ptr<const RowCipher> cipher;
  KeyNumber number = 0;
  {
    const std::shared_lock lock(rules_mutex_);
    const KeyNumber* const wanted = key_of_row(keyspace, key);
    if (wanted == nullptr) return false;
    const auto found = keys_.find(*wanted);
    if (found == keys_.end()) return missing_key();
    number = *wanted;
    cipher = found->second.cipher;
  }
  sealed.assign(kMark);
  append_big_endian(sealed, number);
  cipher->seal(context_of(keyspace, key), value, sealed);
  return true;
}

bool RowSeals::is_current(Keyspace keyspace, std::string_view key, std::string_view value) const {
  if (!is_watched(keyspace)) return true;
  const std::shared_lock lock(rules_mutex_);
  const KeyNumber* const wanted = key_of_row(keyspace, key);
  if (wanted == nullptr) return !value.starts_with(kMark);
  return value.starts_with(kMark) && value.size() >= kOverheadBytes && key_number_of(value) == *wanted;
}

}  // namespace dolmen::storage
