#include "storage/fork.h"

#include <algorithm>
#include <functional>
#include <system_error>

#include "base/fail.h"
#include "storage/checkpoint.h"
#include "storage/directory.h"
#include "storage/manifest_seal.h"
#include "storage/other_files.h"

namespace dolmen::storage {
namespace {

bool is_inside(const std::filesystem::path& inner, const std::filesystem::path& outer) {
  std::error_code error;
  const std::filesystem::path from = std::filesystem::weakly_canonical(outer, error);
  const std::filesystem::path to = std::filesystem::weakly_canonical(inner, error);
  return std::ranges::mismatch(from, to).in1 == from.end();
}

/// Copies the database by `copy`, and then the rest: the log of the database names schemas, whose files are therefore
/// never older than it.
Result<void> fork_by(const std::filesystem::path& from, const std::filesystem::path& to, const FileWriter& files,
                     const std::function<Result<void>(const std::filesystem::path& database)>& copy) {
  if (is_inside(to, from))
    return fail(Code::kInvalidArgument, "the fork {} would be inside of the store {}", to.native(), from.native());
  DOLMEN_TRY_VOID(make_empty(to, files));
  Result<void> copied = copy(Directory::database_in(to));
  if (copied) copied = copy_other_files(from, to, Sharing::kLinksOfTables, files);
  if (copied) copied = Directory::mark(to, files, Directory::format_in(from));
  if (copied) return {};
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(to, ignored))
    std::filesystem::remove_all(entry.path(), ignored);
  return copied;
}

}  // namespace

Result<void> fork_database(rocksdb::DB& db, const std::filesystem::path& from, const std::filesystem::path& to,
                           const FileWriter& files) {
  return fork_by(from, to, files, [&](const std::filesystem::path& database) { return copy_database(db, database); });
}

Result<void> fork_directory(const std::filesystem::path& from, const std::filesystem::path& to,
                            const FileWriter& files) {
  DOLMEN_TRY(const Directory store, Directory::open_for_copy(from));
  DOLMEN_TRY_VOID(ManifestSeal(store.database(), from / "SEAL").check());
  return fork_by(from, to, files, [&](const std::filesystem::path& database) {
    return copy_files(store.database(), database, Sharing::kLinksOfTables, files);
  });
}

}  // namespace dolmen::storage
