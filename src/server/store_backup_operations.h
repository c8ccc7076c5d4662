#pragma once

#include <mutex>
#include <string>
#include <string_view>

#include "dolmen/error.h"
#include "dolmen/store.h"

namespace dolmen {

/// The operations of Dolmen's own on backups of the whole store, in the one place that the operator has named.
/// Thread-safe: one at a time.
class StoreBackupOperations {
 public:
  /// `place` is a folder or s3://BUCKET/PREFIX; empty when nobody may make backups. The store must outlive this object.
  StoreBackupOperations(Store& store, std::string place) : store_(store), place_(std::move(place)) {}

  /// True for CreateStoreBackup, ListStoreBackups and VerifyStoreBackup.
  [[nodiscard]] static bool is_operation(std::string_view operation);
  [[nodiscard]] static bool verifies(std::string_view operation);

  /// CreateStoreBackup: {} becomes {"Id": ..., "Files": ..., "Bytes": ..., "NewBytes": ...}.
  ///
  /// ListStoreBackups: {} becomes {"Backups": [{"Id": ..., "Created": ..., "Files": ..., "Bytes": ..., "Complete":
  /// ...}]}, from the oldest to the newest; Created is in seconds since 1970.
  ///
  /// VerifyStoreBackup: {"Id": "3"} becomes {"Id": ..., "Problems": [...]}, a line for each file that is damaged or
  /// missing. Only in a folder: files of a bucket would all have to be fetched.
  ///
  /// All fail with kUnsupported when there is no place for backups.
  Result<std::string> execute(std::string_view operation, std::string_view body);

 private:
  [[nodiscard]] Result<std::string> create() const;
  [[nodiscard]] Result<std::string> list() const;
  [[nodiscard]] Result<std::string> verify(std::string_view body) const;

  Store& store_;
  const std::string place_;
  std::mutex backup_mutex_;
};

}  // namespace dolmen
