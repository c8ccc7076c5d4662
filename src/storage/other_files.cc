#include "storage/other_files.h"

#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/fail.h"

namespace dolmen::storage {
namespace {

namespace fs = std::filesystem;

/// A lock, or what is not finished.
bool belongs_to_one_place(const fs::path& name) { return name == "LOCK" || name.extension() == ".tmp"; }

/// Not the database itself, nor its markers.
bool is_other(const fs::path& name) {
  for (const std::string_view own : {"rocksdb", "DOLMEN", "DOLMEN.new", "SEAL", "LOGS"})
    if (name == own) return false;
  return !belongs_to_one_place(name);
}

Result<void> take_file(const fs::path& from, const fs::path& to, Sharing sharing, const FileWriter& files) {
  std::error_code error;
  if (sharing == Sharing::kLinks || (sharing == Sharing::kLinksOfTables && from.extension() == ".sst")) {
    fs::create_hard_link(from, to, error);
    if (!error) return {};
  }
  fs::copy_file(from, to, error);
  if (error) return std::unexpected(file_error(error.value(), "copy", from));
  return files.sync(to);
}

}  // namespace

Result<void> copy_files(const fs::path& from, const fs::path& to, Sharing sharing, const FileWriter& files) {
  std::error_code error;
  std::vector<fs::path> folders;
  DOLMEN_TRY_VOID(files.make_folders(to));
  DOLMEN_TRY(const std::vector<std::string> names, FileWriter::list(from));
  for (const std::string& name : names) {
    const fs::path path = from / name;
    if (belongs_to_one_place(name)) continue;
    if (fs::is_directory(path, error)) {
      folders.emplace_back(name);
    } else if (fs::is_regular_file(path, error)) {
      const Result<void> copied = take_file(path, to / name, sharing, files);
      if (!copied && fs::exists(path, error)) return copied;
    }
  }
  for (const fs::path& name : folders) DOLMEN_TRY_VOID(copy_files(from / name, to / name, sharing, files));
  return files.sync_folder(to);
}

Result<void> copy_other_files(const fs::path& data, const fs::path& to, Sharing sharing, const FileWriter& files) {
  std::error_code error;
  DOLMEN_TRY_VOID(files.make_folders(to));
  DOLMEN_TRY(const std::vector<std::string> names, FileWriter::list(data));
  for (const std::string& name : names)
    if (is_other(name) && fs::is_regular_file(data / name, error))
      DOLMEN_TRY_VOID(take_file(data / name, to / name, sharing, files));
  for (const std::string& name : names)
    if (is_other(name) && fs::is_directory(data / name, error))
      DOLMEN_TRY_VOID(copy_files(data / name, to / name, sharing, files));
  return files.sync_folder(to);
}

}  // namespace dolmen::storage
