#include "storage/checkpoint.h"

#include <fmt/core.h>
#include <memory>
#include <rocksdb/db.h>
#include <rocksdb/utilities/checkpoint.h>
#include <system_error>

#include "base/fail.h"
#include "storage/directory.h"
#include "storage/rocks_error.h"

namespace dolmen::storage {

Result<void> copy_database(rocksdb::DB& db, const std::filesystem::path& path) {
  rocksdb::Checkpoint* made = nullptr;
  rocksdb::Status status = rocksdb::Checkpoint::Create(&db, &made);
  const std::unique_ptr<rocksdb::Checkpoint> checkpoint(made);
  if (status.ok()) status = checkpoint->CreateCheckpoint(path);
  if (!status.ok()) return std::unexpected(error_from(status, fmt::format("copy the store to {}", path.native())));
  return {};
}

Result<void> make_empty(const std::filesystem::path& directory, const FileWriter& files) {
  DOLMEN_TRY_VOID(files.make_folders(directory));
  std::error_code error;
  if (std::filesystem::is_empty(directory, error)) return {};
  if (error) return std::unexpected(file_error(error.value(), "use", directory));
  return fail(Code::kForeignDirectory, "cannot copy the store to {}, which is not empty", directory.native());
}

Result<void> make_checkpoint(rocksdb::DB& db, const std::filesystem::path& directory, const FileWriter& files) {
  DOLMEN_TRY_VOID(make_empty(directory, files));
  std::error_code error;
  const std::filesystem::path database = Directory::database_in(directory);
  Result<void> copied = copy_database(db, database);
  if (copied)
    copied = Directory::mark(directory, files, Directory::format_in(std::filesystem::path(db.GetName()).parent_path()));
  if (!copied) std::filesystem::remove_all(database, error);
  return copied;
}

}  // namespace dolmen::storage
