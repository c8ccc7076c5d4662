#include "engine/backup_rows.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/arn.h"
#include "base/ascii.h"
#include "base/fail.h"
#include "engine/keyspaces.h"
#include "engine/record_reader.h"
#include "engine/table_record.h"
#include "value/encoded_item.h"

namespace dolmen::engine::backups {
namespace {

constexpr std::string_view kBackupPrefix = "backup/";
constexpr std::string_view kBackupPrefixEnd = "backup0";
constexpr std::string_view kRestorePrefix = "restore/";
constexpr std::string_view kRestorePrefixEnd = "restore0";

std::string backup_key(std::string_view id) { return std::string(kBackupPrefix).append(id); }
std::string restore_key(std::string_view uuid) { return std::string(kRestorePrefix).append(uuid); }

std::int64_t millis(TableTime time) { return time.time_since_epoch().count(); }

std::unexpected<Error> damaged_entry(std::string_view key) {
  return fail(Code::kCorruption, "the catalogue entry \"{}\" is damaged", key);
}

Result<Backup> decode_backup(std::string_view key, std::string_view bytes) {
  DOLMEN_TRY(const Item record, decode_item(bytes));
  bool ok = true;
  RecordReader reader(record, ok);
  Backup backup{.id = reader.text("id"),
                .name = reader.text("name"),
                .type = reader.named("type", backup_type_of),
                .created = TableTime(std::chrono::milliseconds(reader.integer("created_ms"))),
                .expires = reader.time("expires_ms"),
                .table = {},
                .extent = {.item_count = static_cast<std::uint64_t>(reader.integer("items")),
                           .size_bytes = static_cast<std::uint64_t>(reader.integer("bytes"))}};
  const Item table = reader.get<Item>("table");
  if (!ok) return damaged_entry(key);
  DOLMEN_TRY(backup.table, decode_table(key, encode_item(table).bytes));
  return backup;
}

Result<Restore> decode_restore(std::string_view key, std::string_view bytes) {
  DOLMEN_TRY(const Item record, decode_item(bytes));
  bool ok = true;
  RecordReader reader(record, ok);
  Restore restore{.target = reader.text("target"),
                  .target_uuid = std::string(key.substr(kRestorePrefix.size())),
                  .copy = reader.text("copy"),
                  .owns_copy = reader.get<bool>("owns_copy"),
                  .source_id = static_cast<TableId>(reader.integer("source_id")),
                  .history_id = static_cast<TableId>(reader.integer("history_id")),
                  .time = TableTime(std::chrono::milliseconds(reader.integer("time_ms"))),
                  .undoing = reader.get<bool>("undoing"),
                  .position = std::string(reader.get<Bytes>("position").view())};
  if (!ok) return damaged_entry(key);
  return restore;
}

}  // namespace

std::string make_id(TableTime now, std::uint32_t random) { return fmt::format("{:014}-{:08x}", millis(now), random); }

void put(storage::Batch& batch, const Backup& backup) {
  Item record{{"id", backup.id},
              {"name", backup.name},
              {"type", backup_type_name(backup.type)},
              {"created_ms", millis(backup.created)},
              {"items", static_cast<std::int64_t>(backup.extent.item_count)},
              {"bytes", static_cast<std::int64_t>(backup.extent.size_bytes)}};
  if (backup.expires) record.set("expires_ms", millis(*backup.expires));
  // The engine made these bytes just now.
  record.set("table", decode_item(encode_table(backup.table)).value());
  batch.put(keyspaces::kCatalogue, backup_key(backup.id), encode_item(record).bytes);
}

void remove(storage::Batch& batch, std::string_view id) { batch.remove(keyspaces::kCatalogue, backup_key(id)); }

Result<std::optional<Backup>> find(const storage::Storage& storage, std::string_view id) {
  const std::string key = backup_key(id);
  std::string bytes;
  DOLMEN_TRY(const bool exists, storage.get(keyspaces::kCatalogue, key, bytes));
  if (!exists) return std::nullopt;
  DOLMEN_TRY(Backup backup, decode_backup(key, bytes));
  return backup;
}

Result<std::vector<Backup>> list(const storage::Storage& storage, std::string_view after) {
  std::string lower = backup_key(after);
  if (!after.empty()) lower.push_back('\0');
  std::vector<Backup> found;
  auto rows = storage.iterate(keyspaces::kCatalogue, {.lower = lower, .upper = kBackupPrefixEnd});
  for (rows.seek_first(); rows.valid(); rows.next()) {
    DOLMEN_TRY(Backup backup, decode_backup(rows.key(), rows.value()));
    found.push_back(std::move(backup));
  }
  DOLMEN_TRY_VOID(rows.status());
  return found;
}

Result<BackupName> read_arn(std::string_view text, const ArnOwner& owner) {
  constexpr std::string_view kTable = "table/";
  constexpr std::string_view kBackup = "/backup/";
  const auto invalid = [] { return fail(Code::kValidation, "Invalid Backup ARN"); };
  const Arn arn = split_arn(text);
  if (!arn.is_whole() || !arn.resource().starts_with(kTable)) return invalid();
  const std::string_view below = arn.resource().substr(kTable.size());
  const std::size_t at = below.find(kBackup);
  if (at == std::string_view::npos || at == 0 || at + kBackup.size() == below.size()) return invalid();
  if (!arn.is_of_dynamodb(owner.region)) return fail(Code::kValidation, "Invalid Request: BackupArn is not valid");
  if (arn.account() != owner.account) return fail(Code::kAccessDenied, "Access is denied");
  return BackupName{.table = std::string(below.substr(0, at)), .id = std::string(below.substr(at + kBackup.size()))};
}

void put(storage::Batch& batch, const Restore& restore) {
  const Item record{{"target", restore.target},         {"copy", restore.copy},
                    {"owns_copy", restore.owns_copy},   {"source_id", restore.source_id},
                    {"history_id", restore.history_id}, {"time_ms", millis(restore.time)},
                    {"undoing", restore.undoing},       {"position", Bytes(restore.position)}};
  batch.put(keyspaces::kCatalogue, restore_key(restore.target_uuid), encode_item(record).bytes);
}

void forget(storage::Batch& batch, const Restore& restore) {
  batch.remove(keyspaces::kCatalogue, restore_key(restore.target_uuid));
}

Result<std::vector<Restore>> list_restores(const storage::Storage& storage) {
  std::vector<Restore> found;
  auto rows = storage.iterate(keyspaces::kCatalogue, {.lower = kRestorePrefix, .upper = kRestorePrefixEnd});
  for (rows.seek_first(); rows.valid(); rows.next()) {
    DOLMEN_TRY(Restore restore, decode_restore(rows.key(), rows.value()));
    found.push_back(std::move(restore));
  }
  DOLMEN_TRY_VOID(rows.status());
  return found;
}

}  // namespace dolmen::engine::backups
