#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <utility>

#include "dolmen/error.h"
#include "storage/keyspace.h"
#include "storage/row_cipher.h"

namespace dolmen::storage {

/// Which rows of a store are sealed, and the keys that seal them: the one place where values are encrypted on their way
/// to the log, and decrypted on their way to whoever reads them. Keys of rows stay as they are.
///
/// Rows whose keys begin with the same four bytes, an id, belong together. A sealed value is
///
///     FF FF FF FF | 01 | number of the data key (4 bytes) | nonce (24) | encrypted value | tag (16)
///
/// and is bound to its keyspace and to the key of its row. No plain value of such rows begins with four bytes FF, so
/// sealed and plain values may stand beside each other. Any thread may call any function. A store without sealed rows
/// pays one branch for each value.
class RowSeals {
 public:
  using KeyNumber = std::uint32_t;
  using RowId = std::uint32_t;

  /// What every sealed value begins with.
  static constexpr std::string_view kMark{"\xFF\xFF\xFF\xFF\x01", 5};
  static constexpr std::size_t kOverheadBytes = kMark.size() + sizeof(KeyNumber) + RowCipher::kOverheadBytes;

  /// Makes a data key known.
  void set_key(KeyNumber number, std::shared_ptr<const RowCipher> cipher);
  /// Refuses to open values with a data key from now on. What was about to be written is still sealed with it.
  void withhold_key(KeyNumber number);
  /// Whether a data key is known and not withheld.
  [[nodiscard]] bool has_key(KeyNumber number) const;

  /// Values in this keyspace are opened from now on. Without it they are given out as they are stored.
  void watch(Keyspace keyspace);
  [[nodiscard]] bool is_watched(Keyspace keyspace) const noexcept {
    return ((watched_.load(std::memory_order_relaxed) >> keyspace.index) & 1U) != 0;
  }

  /// Values of these rows are sealed from now on, also while the data key is unknown: then they cannot be written.
  void seal_rows(Keyspace keyspace, RowId id, KeyNumber key);
  /// They are not sealed from now on. Values that are stay sealed until they are written again.
  void leave_rows(Keyspace keyspace, RowId id);

  /// Whether a value that was read must be opened.
  [[nodiscard]] bool is_sealed(Keyspace keyspace, std::string_view value) const noexcept {
    return is_watched(keyspace) && value.starts_with(kMark);
  }

  /// Opens a sealed value into `plain`. Fails with kAccessDenied without its data key (is_key_missing), and with
  /// kCorruption when it was not sealed for this row, or was changed.
  Result<void> open(Keyspace keyspace, std::string_view key, std::string_view value, std::string& plain) const;

  /// Sets `sealed` to the sealed form of `value` and returns true; false when values of this row are stored as they
  /// are, or `value` is sealed already. Fails with kAccessDenied while the data key of the row is unknown.
  Result<bool> seal(Keyspace keyspace, std::string_view key, std::string_view value, std::string& sealed) const;

  /// Whether there are rows that must be sealed by a data key that is unknown. Then whoever writes asks `can_write`.
  [[nodiscard]] bool lacks_keys() const noexcept { return lacks_keys_.load(std::memory_order_relaxed); }
  [[nodiscard]] bool can_write(Keyspace keyspace, std::string_view key) const;

  /// Whether a stored value has the form in which it would be written now.
  [[nodiscard]] bool is_current(Keyspace keyspace, std::string_view key, std::string_view value) const;

 private:
  /// The data key of a row; nothing when it is not sealed.
  [[nodiscard]] const KeyNumber* key_of_row(Keyspace keyspace, std::string_view key) const;

  /// Needs the lock.
  void look_for_lacks();

  std::atomic<std::uint64_t> watched_ = 0;  ///< A bit for each keyspace.
  std::atomic<bool> lacks_keys_ = false;    ///< Written under the lock only.
  mutable std::shared_mutex rules_mutex_;   ///< Guards all below.
  std::map<std::pair<std::uint8_t, RowId>, KeyNumber> rows_;
  struct DataKey {
    std::shared_ptr<const RowCipher> cipher;
    bool withheld = false;
  };
  std::map<KeyNumber, DataKey> keys_;
};

/// Whether a row could not be read or written because the key that seals it is not there.
bool is_key_missing(const Error& error);

}  // namespace dolmen::storage
