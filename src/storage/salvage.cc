#include "storage/salvage.h"

#include <fmt/core.h>
#include <rocksdb/db.h>
#include <system_error>
#include <utility>

#include "base/endian.h"
#include "base/fail.h"
#include "storage/checkpoint.h"
#include "storage/directory.h"
#include "storage/log_files.h"
#include "storage/log_tail.h"
#include "storage/quiet_log.h"
#include "storage/rocks_error.h"
#include "storage/rocks_options.h"

namespace dolmen::storage {
namespace {

namespace fs = std::filesystem;

/// Copies the files of a database; those that cannot be read are losses. Logs are cut where they are damaged.
Result<void> copy_readable(const fs::path& from, const fs::path& to, std::vector<std::string>& losses) {
  std::error_code error;
  fs::create_directories(to, error);
  if (error) return std::unexpected(file_error(error.value(), "make", to));
  DOLMEN_TRY(const std::vector<std::string> names, FileWriter::list(from));
  for (const std::string& name : names) {
    if (name == "LOCK" || name.starts_with("LOG") || !fs::is_regular_file(from / name, error)) continue;
    fs::copy_file(from / name, to / name, error);
    if (error == std::errc::no_space_on_device) return std::unexpected(file_error(error.value(), "copy to", to));
    if (error) losses.push_back(fmt::format("{} cannot be read: {}", name, error.message()));
    if (error || !log_number(name)) continue;
    DOLMEN_TRY(const LogExtent extent, measure_log_file(to / name));
    if (extent.torn_bytes == 0) continue;
    losses.push_back(
        fmt::format("{}: {} bytes after byte {} are not whole records", name, extent.torn_bytes, extent.whole_bytes));
  }
  return {};
}

/// Opens the copy once for writing, so that its logs become files, and closes it again.
rocksdb::Status settle(const std::string& path, rocksdb::Options rocks) {
  rocks.wal_recovery_mode = rocksdb::WALRecoveryMode::kSkipAnyCorruptedRecords;
  rocks.paranoid_checks = false;
  std::vector<std::string> names;
  rocksdb::Status status = rocksdb::DB::ListColumnFamilies(rocks, path, &names);
  if (!status.ok()) return status;
  std::vector<rocksdb::ColumnFamilyDescriptor> descriptors;
  for (const std::string& name : names) descriptors.emplace_back(name, rocks);
  std::vector<rocksdb::ColumnFamilyHandle*> families;
  rocksdb::DB* opened = nullptr;
  status = rocksdb::DB::Open(rocks, path, descriptors, &families, &opened);
  const std::unique_ptr<rocksdb::DB> db(opened);
  if (!status.ok()) return status;
  status = db->Flush(rocksdb::FlushOptions(), families);
  for (auto* family : families) db->DestroyColumnFamilyHandle(family);
  db->Close().PermitUncheckedError();
  return status;
}

/// Makes the list of files again from the files.
rocksdb::Status rebuild(const std::string& path, const rocksdb::Options& rocks,
                        const std::vector<std::string>& keyspaces) {
  std::vector<rocksdb::ColumnFamilyDescriptor> descriptors{{rocksdb::kDefaultColumnFamilyName, rocks}};
  for (const std::string& name : keyspaces) descriptors.emplace_back(name, rocks);
  return rocksdb::RepairDB(path, rocks, descriptors, rocks);
}

/// A damaged file may hide one that lists it, so a missing SEAL or LOGS of the copy says nothing.
Result<std::unique_ptr<Storage>> open_the_copy(const fs::path& copy, const std::vector<std::string>& keyspaces,
                                               std::vector<std::string>& losses) {
  const std::string path = Directory::database_in(copy);
  const Options options{.directory = copy, .durability = Durability::kOs, .keyspaces = keyspaces};
  rocksdb::Options rocks = rocks_options(options, rocksdb::Env::Default());
  rocks.info_log = std::make_shared<QuietLog>();
  rocks.create_missing_column_families = true;
  rocksdb::Status status = settle(path, rocks);
  if (!status.ok()) {
    losses.push_back(fmt::format("the list of files is damaged, and was made again: {}", status.ToString()));
    status = rebuild(path, rocks, keyspaces);
    if (status.ok()) status = settle(path, rocks);
  }
  if (!status.ok()) return std::unexpected(damage_error(status, path));
  return Storage::open_left(options);
}

__extension__ using Position = unsigned __int128;

/// The first bytes of a key as a number in the order of keys.
Position position_of(std::string_view key) {
  std::string start(key.substr(0, sizeof(Position)));
  start.resize(sizeof(Position));
  return Position{read_big_endian<std::uint64_t>(start)} << 64 |
         read_big_endian<std::uint64_t>(std::string_view(start).substr(8));
}

std::string key_at(Position position) {
  std::string key;
  append_big_endian(key, static_cast<std::uint64_t>(position >> 64));
  append_big_endian(key, static_cast<std::uint64_t>(position));
  return key;
}

/// Moves to a place after `from` at which something can be read again, as near as halving finds it; false when there is
/// none.
bool seek_after_damage(Iterator& row, std::string_view from) {
  Position low = position_of(from);
  Position high = ~Position{0};
  while (low + 1 < high) {
    const Position middle = low + (high - low) / 2;
    row.seek(key_at(middle));
    (row.status() ? high : low) = middle;
  }
  row.seek(key_at(high));
  return row.valid();
}

}  // namespace

Result<Salvaged> open_salvaged(const fs::path& damaged, const fs::path& copy,
                               const std::vector<std::string>& keyspaces) {
  DOLMEN_TRY(const Directory source, Directory::open_for_copy(damaged));
  DOLMEN_TRY_VOID(make_empty(copy, FileWriter()));
  Salvaged salvaged;
  DOLMEN_TRY_VOID(copy_readable(source.database(), Directory::database_in(copy), salvaged.losses));
  DOLMEN_TRY(salvaged.storage, open_the_copy(copy, keyspaces, salvaged.losses));
  return salvaged;
}

Result<void> visit_readable(const Storage& storage, Keyspace keyspace, KeyRangeView range,
                            const std::function<Result<void>(std::string_view key, std::string_view value)>& visit,
                            const std::function<void(const Error& cause)>& lost) {
  Iterator row = storage.iterate_stored(keyspace, range);
  std::string last(range.lower);
  row.seek_first();
  for (;;) {
    for (; row.valid(); row.next()) {
      last.assign(row.key());
      DOLMEN_TRY_VOID(visit(row.key(), row.value()));
    }
    const Result<void> ended = row.status();
    if (ended) return {};
    lost(ended.error());
    if (!seek_after_damage(row, last)) return {};
  }
}

}  // namespace dolmen::storage
