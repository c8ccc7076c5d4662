#include "embedded/repair.h"

#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "base/fail.h"
#include "base/file_writer.h"
#include "embedded/check.h"
#include "embedded/table_key_file.h"
#include "engine/keyspaces.h"
#include "engine/salvage.h"
#include "storage/other_files.h"
#include "storage/salvage.h"
#include "storage/storage.h"

namespace dolmen {
namespace {

namespace fs = std::filesystem;

/// Removes what is only needed while a store is repaired.
class Scaffold {
 public:
  explicit Scaffold(fs::path path) : path_(std::move(path)) {}
  ~Scaffold() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Scaffold(const Scaffold&) = delete;
  Scaffold& operator=(const Scaffold&) = delete;

  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  const fs::path path_;
};

bool is_inside(const fs::path& inner, const fs::path& outer) {
  std::error_code ignored;
  const fs::path relative = fs::relative(fs::weakly_canonical(inner, ignored), fs::weakly_canonical(outer, ignored));
  return !relative.empty() && *relative.begin() != "..";
}

Result<void> check_empty(const fs::path& to) {
  std::error_code error;
  if (!fs::exists(to, error) || (fs::is_directory(to, error) && fs::is_empty(to, error))) return {};
  return fail(Code::kForeignDirectory, "cannot make a store in {}, which is not empty", to.native());
}

}  // namespace

Result<RepairReport> repair_directory(const std::string& from, const std::string& to,
                                      const StoreCheck::Progress& progress, const std::string& table_keys) {
  if (is_inside(to, from)) return fail(Code::kInvalidArgument, "{} is inside of the damaged store {}", to, from);
  DOLMEN_TRY_VOID(check_empty(to));
  const fs::path beside = fs::path(to).concat(".salvage");
  // First: the scaffold removes all that is there.
  DOLMEN_TRY_VOID(check_empty(beside));
  const Scaffold copy(beside);
  RepairReport report;
  {
    DOLMEN_TRY(storage::Salvaged left, storage::open_salvaged(from, copy.path(), engine::keyspaces::names()));
    report.losses = std::move(left.losses);
    DOLMEN_TRY_VOID(read_sealed_rows(*left.storage, table_keys));
    DOLMEN_TRY(const std::unique_ptr<storage::Storage> fresh,
               storage::Storage::open({.directory = to,
                                       .durability = Durability::kOs,
                                       .keyspaces = engine::keyspaces::names(),
                                       .seals = left.storage->seals()}));
    DOLMEN_TRY(engine::SalvageReport saved, engine::salvage(*left.storage, *fresh));
    report.tables = saved.tables;
    report.items = saved.items;
    report.stream_records = saved.stream_records;
    report.losses.insert(report.losses.end(), saved.losses.begin(), saved.losses.end());
    DOLMEN_TRY_VOID(fresh->close());
  }
  DOLMEN_TRY_VOID(storage::copy_other_files(from, to, storage::Sharing::kCopies, FileWriter()));
  DOLMEN_TRY(report.check, check_directory(to, progress, table_keys));
  return report;
}

}  // namespace dolmen
