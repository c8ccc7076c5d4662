#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string_view>

#include "dolmen/error.h"
#include "storage/keyspace.h"
#include "storage/rocks_forward.h"

namespace dolmen::storage {

class RowSeals;

/// Walks the keys of a range of one keyspace in either direction, as they were when Storage::iterate made it. For one
/// thread at a time. Must be destroyed before its store is closed.
///
///     for (iterator.seek_first(); iterator.valid(); iterator.next()) use(iterator.key(), iterator.value());
///     DOLMEN_TRY_VOID(iterator.status());
///
/// It is invalid at first, beyond either end of the range, and after a failed read; `status` reports the failure. A
/// value that cannot be decrypted (row_seals.h) is a failed read.
class Iterator {
 public:
  Iterator(Iterator&& other) noexcept;
  Iterator& operator=(Iterator&& other) noexcept;
  ~Iterator();

  void seek_first();
  void seek_last();
  /// Moves to the first key of the range that is not less than `key`.
  void seek(std::string_view key);
  /// Moves to the last key of the range that is not greater than `key`.
  void seek_for_prev(std::string_view key);

  // These need a valid iterator. The views are valid until it moves.
  void next();
  void prev();
  [[nodiscard]] std::string_view key() const;
  [[nodiscard]] std::string_view value() const;

  [[nodiscard]] bool valid() const;
  /// Fails with kCorruption or kIo when a key could not be read, with kAccessDenied when the key of an encrypted value
  /// is missing, and with kClosed on a closed store.
  [[nodiscard]] Result<void> status() const;

 private:
  friend class Storage;
  struct State;

  Iterator();  ///< For a closed store.
  explicit Iterator(std::unique_ptr<State> state);
  static Iterator make(rocksdb::DB& db, rocksdb::ColumnFamilyHandle* family, KeyRangeView range,
                       rocksdb::ReadOptions options, std::atomic<std::size_t>& reader_count);
  /// Encrypted values of the keyspace are given out as they were; `seals` must outlive the iterator.
  void open_with(const RowSeals* seals, Keyspace keyspace);

  std::unique_ptr<State> state_;
};

}  // namespace dolmen::storage
