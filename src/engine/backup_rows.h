#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/backup.h"
#include "dolmen/error.h"
#include "engine/resource_arn.h"
#include "engine/table.h"
#include "storage/storage.h"

/// Backups, and restores that go on, as the catalogue has them:
///
///     kCatalogue   "backup/" id                    a backup; its copy has its id as name (table_copies.h)
///     kCatalogue   "restore/" uuid of the table    a table that is being restored
namespace dolmen::engine::backups {

/// How many backups a store can have.
inline constexpr std::size_t kBackupsMax = 10'000;
/// How many tables can be restored at a time, as on AWS.
inline constexpr std::size_t kRestoresMax = 50;

struct Backup {
  /// 14 digits of its time in milliseconds, a dash and 8 hexadecimal digits.
  std::string id;
  std::string name;
  BackupType type = BackupType::kUser;
  TableTime created;
  std::optional<TableTime> expires = std::nullopt;
  /// As it was.
  Table table;
  Extent extent;
};

std::string make_id(TableTime now, std::uint32_t random);

void put(storage::Batch& batch, const Backup& backup);
void remove(storage::Batch& batch, std::string_view id);
Result<std::optional<Backup>> find(const storage::Storage& storage, std::string_view id);
/// In the order in which they were made, after the one with the given id.
Result<std::vector<Backup>> list(const storage::Storage& storage, std::string_view after = {});

/// The table and the id that the ARN of a backup names.
struct BackupName {
  std::string table;
  std::string id;
};
/// Fails with kValidation or kAccessDenied. The region does not matter.
Result<BackupName> read_arn(std::string_view arn, const ArnOwner& owner);

/// A restore that goes on.
struct Restore {
  std::string target;
  std::string target_uuid;
  /// The name of the copy from which it reads.
  std::string copy;
  /// The copy was made for this restore, and goes with it.
  bool owns_copy = false;
  TableId source_id = 0;
  /// Zero when nothing is to be undone.
  TableId history_id = 0;
  TableTime time = {};
  /// All items are there; later changes are being undone.
  bool undoing = false;
  /// The last key of the copy that was read; empty at the beginning.
  std::string position = {};
};

void put(storage::Batch& batch, const Restore& restore);
void forget(storage::Batch& batch, const Restore& restore);
Result<std::vector<Restore>> list_restores(const storage::Storage& storage);

}  // namespace dolmen::engine::backups
