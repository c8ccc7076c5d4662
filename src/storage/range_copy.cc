#include "storage/range_copy.h"

#include <fmt/core.h>
#include <memory>
#include <rocksdb/convenience.h>
#include <rocksdb/db.h>
#include <system_error>
#include <utility>
#include <vector>

#include "storage/checkpoint.h"
#include "storage/directory.h"
#include "storage/file_list.h"
#include "storage/quiet_log.h"
#include "storage/rocks_error.h"

namespace dolmen::storage {
namespace {

/// A copy, opened to be made smaller.
class Pruning {
 public:
  explicit Pruning(std::string path) : path_(std::move(path)) {
    options_.info_log = std::make_shared<QuietLog>();
    // Nothing is rewritten: the files stay those that the store has.
    options_.disable_auto_compactions = true;
    options_.max_open_files = kOpenFiles;
  }
  ~Pruning() {
    if (!db_) return;
    for (auto* family : families_) db_->DestroyColumnFamilyHandle(family);
    db_->Close().PermitUncheckedError();
  }
  Pruning(const Pruning&) = delete;
  Pruning& operator=(const Pruning&) = delete;

  rocksdb::Status run(std::span<const NamedRange> kept) {
    rocksdb::Status status = open();
    for (std::size_t i = 0; status.ok() && i < families_.size(); ++i) status = prune(families_[i], kept);
    return status;
  }

 private:
  static constexpr int kOpenFiles = 64;

  rocksdb::Status open() {
    std::vector<std::string> names;
    rocksdb::Status status = rocksdb::DB::ListColumnFamilies(options_, path_, &names);
    if (!status.ok()) return status;
    std::vector<rocksdb::ColumnFamilyDescriptor> descriptors;
    for (const std::string& name : names) descriptors.emplace_back(name, options_);
    rocksdb::DB* db = nullptr;
    status = rocksdb::DB::Open(options_, path_, descriptors, &families_, &db);
    db_.reset(db);
    return status;
  }

  rocksdb::Status prune(rocksdb::ColumnFamilyHandle* family, std::span<const NamedRange> kept) {
    std::string lower;
    for (const NamedRange& range : kept) {
      if (range.keyspace != family->GetName()) continue;
      if (!range.lower.empty()) {
        const rocksdb::Status status = drop_files(family, lower, range.lower);
        if (!status.ok()) return status;
      }
      if (range.upper.empty()) return rocksdb::Status::OK();
      lower = range.upper;
    }
    return drop_files(family, lower, "");
  }

  /// The files between two bounds; without an upper one, all from the lower one on.
  rocksdb::Status drop_files(rocksdb::ColumnFamilyHandle* family, const std::string& lower, const std::string& upper) {
    if (!upper.empty() && lower >= upper) return rocksdb::Status::OK();
    const rocksdb::Slice first(lower);
    const rocksdb::Slice last(upper);
    const rocksdb::RangePtr range(&first, upper.empty() ? nullptr : &last);
    return rocksdb::DeleteFilesInRanges(db_.get(), family, &range, 1, /*include_end=*/false);
  }

  const std::string path_;
  rocksdb::Options options_;
  std::unique_ptr<rocksdb::DB> db_;
  std::vector<rocksdb::ColumnFamilyHandle*> families_;
};

Result<void> prune_copy(const std::filesystem::path& directory, std::span<const NamedRange> kept) {
  const rocksdb::Status status = Pruning(Directory::database_in(directory)).run(kept);
  if (!status.ok())
    return std::unexpected(error_from(status, fmt::format("make the copy in {} smaller", directory.native())));
  return {};
}

}  // namespace

Result<void> make_range_copy(rocksdb::DB& db, const std::filesystem::path& directory, std::span<const NamedRange> kept,
                             const FileWriter& files) {
  DOLMEN_TRY_VOID(make_checkpoint(db, directory, files));
  Result<void> made = prune_copy(directory, kept);
  if (made) made = write_file_list(directory, files);
  std::error_code ignored;
  if (!made) std::filesystem::remove_all(directory, ignored);
  return made;
}

}  // namespace dolmen::storage
