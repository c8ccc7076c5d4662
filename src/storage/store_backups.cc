#include "storage/store_backups.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <rocksdb/db.h>
#include <rocksdb/utilities/backup_engine.h>
#include <system_error>
#include <utility>

#include "base/fail.h"
#include "storage/directory.h"
#include "storage/file_list.h"
#include "storage/other_files.h"
#include "storage/quiet_log.h"
#include "storage/rocks_error.h"

namespace dolmen::storage {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBackupsMarker = "DOLMEN-BACKUPS";
constexpr std::string_view kBackupsMarkerText = "dolmen backups, format 1\n";
constexpr std::string_view kDatabaseFolder = "rocksdb";
constexpr std::string_view kOtherFiles = "files";
constexpr std::string_view kLists = "lists";
constexpr std::string_view kSnapshotFolder = "backup.tmp";
constexpr std::size_t kBackupListBytesMax = std::size_t{64} << 20;

/// RocksDB's engine, with a log that lives as long as it needs it.
struct Engine {
  QuietLog log;
  std::unique_ptr<rocksdb::BackupEngine> backups;
};

Result<std::unique_ptr<Engine>> open_engine(const fs::path& folder) {
  auto engine = std::make_unique<Engine>();
  rocksdb::BackupEngineOptions options(folder / kDatabaseFolder);
  options.info_log = &engine->log;
  rocksdb::BackupEngine* opened = nullptr;
  const rocksdb::IOStatus status = rocksdb::BackupEngine::Open(options, rocksdb::Env::Default(), &opened);
  engine->backups.reset(opened);
  if (!status.ok()) return std::unexpected(error_from(status, fmt::format("open the backups in {}", folder.native())));
  return engine;
}

/// The families of the database are closed with it.
Result<std::unique_ptr<rocksdb::DB>> open_snapshot(const std::string& path) {
  rocksdb::Options options;
  options.info_log = std::make_shared<QuietLog>();
  options.disable_auto_compactions = true;
  std::vector<std::string> names;
  rocksdb::Status status = rocksdb::DB::ListColumnFamilies(options, path, &names);
  std::vector<rocksdb::ColumnFamilyDescriptor> descriptors;
  for (const std::string& name : names) descriptors.emplace_back(name, options);
  std::vector<rocksdb::ColumnFamilyHandle*> families;
  rocksdb::DB* db = nullptr;
  if (status.ok()) status = rocksdb::DB::Open(options, path, descriptors, &families, &db);
  if (!status.ok()) return std::unexpected(error_from(status, fmt::format("open the snapshot in {}", path)));
  for (rocksdb::ColumnFamilyHandle* family : families) db->DestroyColumnFamilyHandle(family);
  return std::unique_ptr<rocksdb::DB>(db);
}

/// RocksDB keeps a text with each backup: the format of the store, or nothing when it is that of a new one.
std::string text_of_format(int format) { return format == kDirectoryFormat ? "" : std::to_string(format); }

Result<int> format_of_backup(const rocksdb::BackupInfo& info) {
  const std::string_view text = info.app_metadata;
  if (text.empty()) return kDirectoryFormat;
  int format = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), format);
  if (error != std::errc{} || end != text.data() + text.size())
    return fail(Code::kCorruption, "the backup {} names a format that is not a number", info.backup_id);
  return format;
}

StoreBackup described(const rocksdb::BackupInfo& info) {
  return {.id = info.backup_id, .created_s = info.timestamp, .bytes = info.size, .files = info.number_files};
}

std::unexpected<Error> no_store_backup(std::uint32_t id, const fs::path& folder) {
  return fail(Code::kBackupNotFound, "{} has no backup {}", folder.native(), id);
}

Result<std::vector<ListedFile>> read_list(const fs::path& path) {
  DOLMEN_TRY(const std::string text, FileWriter::read(path, kBackupListBytesMax));
  const std::optional<std::vector<ListedFile>> listed = read_file_list(text);
  if (!listed) return fail(Code::kCorruption, "{} is damaged", path.filename().native());
  return *listed;
}

}  // namespace

Result<BackupFolder> BackupFolder::open(std::filesystem::path folder, FileWriter files) {
  std::error_code error;
  BackupFolder opened(std::move(folder), std::move(files));
  const fs::path& path = opened.folder_;
  if (!fs::exists(path, error) || (fs::is_directory(path, error) && fs::is_empty(path, error))) return opened;
  if (!fs::exists(path / kBackupsMarker, error))
    return fail(Code::kForeignDirectory, "{} is not a folder of backups: it has no {} file", path.native(),
                kBackupsMarker);
  DOLMEN_TRY(const std::string marker, FileWriter::read_start(path / kBackupsMarker, kBackupsMarkerText.size()));
  if (marker != kBackupsMarkerText)
    return fail(Code::kFormatVersion, "{} holds backups of another format", path.native());
  return opened;
}

std::filesystem::path BackupFolder::list_of(std::uint32_t id) const { return folder_ / kLists / std::to_string(id); }

Result<void> BackupFolder::mark() const {
  DOLMEN_TRY_VOID(files_.make_folders(folder_));
  DOLMEN_TRY_VOID(files_.replace(folder_ / kBackupsMarker, kBackupsMarkerText));
  return files_.make_folders(folder_, kLists);
}

Result<StoreBackup> BackupFolder::create(Storage& storage) const {
  if (storage.directory().empty()) return fail(Code::kUnsupported, "a store in memory cannot be backed up");
  DOLMEN_TRY_VOID(mark());
  // The backup is made of a snapshot that shares the files of the store, so that the store is not looked into.
  const fs::path snapshot = storage.directory() / kSnapshotFolder;
  std::error_code ignored;
  fs::remove_all(snapshot, ignored);
  DOLMEN_TRY_VOID(storage.checkpoint(snapshot));
  Result<StoreBackup> made = add(snapshot, storage.directory());
  fs::remove_all(snapshot, ignored);
  return made;
}

Result<StoreBackup> BackupFolder::add(const std::filesystem::path& snapshot,
                                      const std::filesystem::path& data_directory) const {
  DOLMEN_TRY(const std::unique_ptr<Engine> engine, open_engine(folder_));
  DOLMEN_TRY(const std::unique_ptr<rocksdb::DB> db, open_snapshot(Directory::database_in(snapshot)));
  rocksdb::BackupID id = 0;
  const std::string format = text_of_format(Directory::format_in(snapshot));
  const rocksdb::IOStatus status =
      engine->backups->CreateNewBackupWithMetadata(rocksdb::CreateBackupOptions(), db.get(), format, &id);
  if (!status.ok())
    return std::unexpected(error_from(status, fmt::format("back up the store to {}", folder_.native())));
  rocksdb::BackupInfo info;
  if (const rocksdb::Status found = engine->backups->GetBackupInfo(id, &info, true); !found.ok())
    return std::unexpected(error_from(found, "read the backup that was made"));
  // After the database: the schemas of everything that is in it are there.
  const fs::path others = folder_ / kOtherFiles / std::to_string(id);
  std::error_code ignored;
  fs::remove_all(others, ignored);
  DOLMEN_TRY_VOID(copy_other_files(data_directory, others, Sharing::kLinks, files_));
  std::vector<std::string> names{fmt::format("{}/meta/{}", kDatabaseFolder, id)};
  for (const rocksdb::BackupFileInfo& file : info.file_details)
    names.push_back((fs::path(kDatabaseFolder) / fs::path(file.relative_filename).relative_path()).generic_string());
  for (const auto& entry : fs::recursive_directory_iterator(others, ignored))
    if (entry.is_regular_file(ignored)) names.push_back(entry.path().lexically_relative(folder_).generic_string());
  std::ranges::sort(names);
  StoreBackup backup = described(info);
  DOLMEN_TRY(backup.new_bytes, write_list(id, names));
  backup.complete = true;
  return backup;
}

/// Returns the bytes of files that no earlier list has. Those that one has are not read again: they never change.
Result<std::uint64_t> BackupFolder::write_list(std::uint32_t id, const std::vector<std::string>& names) const {
  std::map<std::string, ListedFile> known;
  DOLMEN_TRY(const std::vector<std::string> lists, FileWriter::list(folder_ / kLists));
  for (const std::string& name : lists) {
    const Result<std::vector<ListedFile>> listed = read_list(folder_ / kLists / name);
    if (!listed) continue;
    for (const ListedFile& file : *listed)
      if (file.name.contains("/shared")) known.emplace(file.name, file);
  }
  std::uint64_t new_bytes = 0;
  std::vector<ListedFile> files;
  for (const std::string& name : names) {
    const auto found = known.find(name);
    if (found != known.end()) {
      files.push_back(found->second);
      continue;
    }
    std::optional<ListedFile> file = list_file(folder_, name);
    if (!file) return fail(Code::kIo, "cannot read {}", (folder_ / name).native());
    new_bytes += file->bytes;
    files.push_back(*std::move(file));
  }
  DOLMEN_TRY_VOID(files_.replace(list_of(id), file_list_text(files)));
  return new_bytes;
}

Result<std::vector<StoreBackup>> BackupFolder::list() const {
  std::error_code error;
  std::vector<StoreBackup> found;
  if (!fs::exists(folder_ / kBackupsMarker, error)) return found;
  DOLMEN_TRY(const std::unique_ptr<Engine> engine, open_engine(folder_));
  std::vector<rocksdb::BackupInfo> infos;
  engine->backups->GetBackupInfo(&infos);
  for (const rocksdb::BackupInfo& info : infos) {
    found.push_back(described(info));
    found.back().complete = fs::exists(list_of(info.backup_id), error);
  }
  // RocksDB does not show a backup of which a file is gone; its list does.
  DOLMEN_TRY(const std::vector<std::string> lists, FileWriter::list(folder_ / kLists));
  for (const std::string& name : lists) {
    std::uint32_t id = 0;
    for (const char c : name) id = id * 10 + static_cast<std::uint32_t>(c - '0');
    if (std::ranges::find(found, id, &StoreBackup::id) == found.end()) found.push_back({.id = id});
  }
  std::ranges::sort(found, {}, &StoreBackup::id);
  return found;
}

Result<std::uint32_t> BackupFolder::newest() const {
  DOLMEN_TRY(const std::vector<StoreBackup> all, list());
  std::error_code error;
  // Also one of which a file is gone: to verify or restore an older one instead would hide the loss.
  for (auto backup = all.rbegin(); backup != all.rend(); ++backup)
    if (fs::exists(list_of(backup->id), error)) return backup->id;
  return fail(Code::kBackupNotFound, "{} has no complete backup", folder_.native());
}

std::vector<std::string> BackupFolder::files_of(std::uint32_t id) const {
  std::vector<std::string> names;
  if (const Result<std::vector<ListedFile>> listed = read_list(list_of(id)))
    for (const ListedFile& file : *listed) names.push_back(file.name);
  return names;
}

bool BackupFolder::describes_backups(std::string_view name) {
  return name == kBackupsMarker || name.starts_with(std::string(kLists) + "/") || name.contains("/meta/");
}

void BackupFolder::sort_for_copying(std::vector<std::string>& names) {
  const auto rank = [](std::string_view name) {
    return name.starts_with(std::string(kLists) + "/") ? 2 : describes_backups(name) ? 1 : 0;
  };
  std::ranges::sort(names, [&](const std::string& one, const std::string& other) {
    return std::pair(rank(one), std::string_view(one)) < std::pair(rank(other), std::string_view(other));
  });
}

Result<std::vector<std::string>> BackupFolder::verify(std::uint32_t id) const {
  DOLMEN_TRY(const std::vector<StoreBackup> all, list());
  if (std::ranges::find(all, id, &StoreBackup::id) == all.end()) return no_store_backup(id, folder_);
  std::error_code error;
  const fs::path list = list_of(id);
  const std::string name = list.lexically_relative(folder_).generic_string();
  if (!fs::exists(list, error)) return std::vector{fmt::format("{} is missing: the backup is not complete", name)};
  const Result<std::vector<ListedFile>> listed = read_list(list);
  if (!listed) return std::vector{fmt::format("{} is damaged", name)};
  return damaged_files(folder_, *listed);
}

Result<void> BackupFolder::restore(std::uint32_t id, const std::filesystem::path& directory) const {
  DOLMEN_TRY(const std::vector<std::string> damaged, verify(id));
  if (!damaged.empty())
    return fail(Code::kCorruption, "the backup {} in {} cannot be restored: {}", id, folder_.native(),
                fmt::join(damaged, "; "));
  DOLMEN_TRY(const std::vector<std::string> there, FileWriter::list(directory));
  if (!there.empty())
    return fail(Code::kForeignDirectory, "{} is not empty; name a directory that is, or does not exist yet",
                directory.native());
  DOLMEN_TRY_VOID(files_.make_folders(directory));
  DOLMEN_TRY(const std::unique_ptr<Engine> engine, open_engine(folder_));
  rocksdb::BackupInfo info;
  if (const rocksdb::Status found = engine->backups->GetBackupInfo(id, &info); !found.ok())
    return std::unexpected(error_from(found, fmt::format("read the backup {}", id)));
  DOLMEN_TRY(const int format, format_of_backup(info));
  const std::string database = Directory::database_in(directory);
  const rocksdb::IOStatus status = engine->backups->RestoreDBFromBackup(id, database, database);
  if (!status.ok())
    return std::unexpected(error_from(status, fmt::format("restore the backup {} to {}", id, directory.native())));
  DOLMEN_TRY_VOID(copy_files(folder_ / kOtherFiles / std::to_string(id), directory, Sharing::kCopies, files_));
  // Last, so that an interrupted restore is not taken for a store.
  return Directory::mark(directory, files_, format);
}

Result<std::size_t> BackupFolder::prune(std::size_t keep) const {
  DOLMEN_TRY(const std::vector<StoreBackup> all, list());
  std::vector<std::uint32_t> gone;
  std::size_t kept = 0;
  for (auto backup = all.rbegin(); backup != all.rend(); ++backup) {
    if (backup->complete && kept < keep) {
      ++kept;
    } else {
      gone.push_back(backup->id);
    }
  }
  if (gone.empty()) return 0;
  DOLMEN_TRY(const std::unique_ptr<Engine> engine, open_engine(folder_));
  std::error_code ignored;
  for (const std::uint32_t id : gone) {
    DOLMEN_TRY_VOID(files_.remove(list_of(id)));
    const rocksdb::IOStatus status = engine->backups->DeleteBackup(id);
    if (!status.ok() && !status.IsNotFound())
      return std::unexpected(error_from(status, fmt::format("remove the backup {}", id)));
    fs::remove_all(folder_ / kOtherFiles / std::to_string(id), ignored);
  }
  engine->backups->GarbageCollect().PermitUncheckedError();
  return gone.size();
}

}  // namespace dolmen::storage
