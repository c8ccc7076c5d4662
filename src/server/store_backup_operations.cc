#include "server/store_backup_operations.h"

#include <charconv>
#include <filesystem>
#include <memory>
#include <vector>

#include "base/fail.h"
#include "buckets/folder_mirror.h"
#include "protocol/object_view.h"
#include "protocol/object_writer.h"
#include "service/store_backups.h"
#include "storage/store_backups.h"

namespace dolmen {
namespace {

constexpr std::string_view kCreateStoreBackup = "CreateStoreBackup";
constexpr std::string_view kListStoreBackups = "ListStoreBackups";
constexpr std::string_view kVerifyStoreBackup = "VerifyStoreBackup";

Result<std::uint32_t> backup_id_in(const ObjectView& request) {
  const std::string text = request.shown("Id");
  std::uint32_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error != std::errc{} || end != text.data() + text.size())
    return fail(Code::kQueryInvalid, "Id: \"{}\" is not the number of a backup", text);
  return id;
}

}  // namespace

bool StoreBackupOperations::is_operation(std::string_view operation) {
  return operation == kCreateStoreBackup || operation == kListStoreBackups || operation == kVerifyStoreBackup;
}

bool StoreBackupOperations::verifies(std::string_view operation) { return operation == kVerifyStoreBackup; }

Result<std::string> StoreBackupOperations::execute(std::string_view operation, std::string_view body) {
  if (place_.empty() || store_.companions().find<StoreBackups>() == nullptr)
    return fail(Code::kUnsupported, "this server makes no backups; start it with --backups DIR");
  const std::lock_guard lock(backup_mutex_);
  if (operation == kCreateStoreBackup) return create();
  if (operation == kVerifyStoreBackup) return verify(body);
  DOLMEN_TRY_VOID(ObjectView::request(body, {}));
  return list();
}

Result<std::string> StoreBackupOperations::create() const {
  std::unique_ptr<FolderMirror> mirror;
  if (is_bucket_url(place_)) {
    DOLMEN_TRY(mirror, FolderMirror::open(place_, storage::BackupFolder::describes_backups));
  }
  auto* const backups = store_.companions().find<StoreBackups>();
  DOLMEN_TRY(const StoreBackupMade made, backups->back_up(mirror ? mirror->folder().native() : place_));
  if (mirror) DOLMEN_TRY_VOID(mirror->put_new(storage::BackupFolder::sort_for_copying));
  return object_text([&](ObjectWriter& object) {
    object.number("Id", made.id)
        .number("Files", made.files)
        .number("Bytes", made.bytes)
        .number("NewBytes", made.new_bytes);
  });
}

Result<std::string> StoreBackupOperations::list() const {
  std::unique_ptr<FolderMirror> mirror;
  if (is_bucket_url(place_)) {
    DOLMEN_TRY(mirror, FolderMirror::open(place_, storage::BackupFolder::describes_backups));
  }
  DOLMEN_TRY(const auto folder, storage::BackupFolder::open(mirror ? mirror->folder() : std::filesystem::path(place_)));
  DOLMEN_TRY(const std::vector<storage::StoreBackup> all, folder.list());
  return object_text([&](ObjectWriter& object) {
    object.objects("Backups", all, [](ObjectWriter& one, const storage::StoreBackup& backup) {
      one.number("Id", backup.id)
          .number("Created", backup.created_s)
          .number("Files", backup.files)
          .number("Bytes", backup.bytes)
          .flag("Complete", backup.complete);
    });
  });
}

Result<std::string> StoreBackupOperations::verify(std::string_view body) const {
  DOLMEN_TRY(const ObjectView request, ObjectView::request(body, {"Id"}));
  DOLMEN_TRY(const std::uint32_t id, backup_id_in(request));
  if (is_bucket_url(place_))
    return fail(Code::kUnsupported, "backups in a bucket are verified by \"dolmen backup verify {}\"", place_);
  DOLMEN_TRY(const auto folder, storage::BackupFolder::open(place_));
  DOLMEN_TRY(const std::vector<std::string> problems, folder.verify(id));
  return object_text([&](ObjectWriter& object) { object.number("Id", id).texts("Problems", problems); });
}

}  // namespace dolmen
