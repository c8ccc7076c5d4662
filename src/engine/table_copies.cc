#include "engine/table_copies.h"

#include <system_error>
#include <utility>

#include "base/fail.h"
#include "base/file_writer.h"
#include "engine/keyspaces.h"

namespace dolmen::engine {
namespace {

constexpr std::size_t kCopiedBytes = std::size_t{1} << 20;

Result<std::shared_ptr<const storage::Storage>> copied_to_memory(const storage::Storage& from,
                                                                 std::span<const storage::KeptRange> kept) {
  DOLMEN_TRY(std::unique_ptr<storage::Storage> copy,
             storage::Storage::open(
                 {.durability = Durability::kMemory, .keyspaces = keyspaces::names(), .seals = from.seals()}));
  const storage::Snapshot moment = from.snapshot();
  storage::Batch batch;
  for (const storage::KeptRange& range : kept) {
    auto rows = from.iterate_stored(range.keyspace, {.lower = range.lower, .upper = range.upper}, &moment);
    for (rows.seek_first(); rows.valid(); rows.next()) {
      batch.put(range.keyspace, rows.key(), rows.value());
      if (batch.byte_size() < kCopiedBytes) continue;
      DOLMEN_TRY_VOID(copy->commit(std::exchange(batch, {})));
    }
    DOLMEN_TRY_VOID(rows.status());
  }
  if (!batch.empty()) DOLMEN_TRY_VOID(copy->commit(std::move(batch)));
  return std::shared_ptr<const storage::Storage>(std::move(copy));
}

}  // namespace

TableCopies::TableCopies(storage::Storage& storage)
    : storage_(storage),
      folder_(storage.directory().empty() ? std::filesystem::path() : storage.directory() / "copies") {}

Result<void> TableCopies::make(const std::string& name, std::span<const storage::KeptRange> kept) {
  if (!in_memory()) return storage_.copy_ranges(folder_ / name, kept);
  DOLMEN_TRY(std::shared_ptr<const storage::Storage> copy, copied_to_memory(storage_, kept));
  const std::lock_guard lock(copies_mutex_);
  made_in_memory_.emplace(name, std::move(copy));
  return {};
}

Result<std::shared_ptr<const storage::Storage>> TableCopies::open(const std::string& name) {
  const std::lock_guard lock(copies_mutex_);
  if (in_memory()) {
    const auto made = made_in_memory_.find(name);
    if (made == made_in_memory_.end()) return fail(Code::kCorruption, "the copy {} is missing", name);
    return made->second;
  }
  std::shared_ptr<const storage::Storage>& opened = opened_[name];
  if (opened == nullptr) {
    DOLMEN_TRY(opened, storage::Storage::open_copy(folder_ / name, keyspaces::names(), storage_.seals()));
  }
  return opened;
}

void TableCopies::close(const std::string& name) {
  const std::lock_guard lock(copies_mutex_);
  opened_.erase(name);
}

void TableCopies::remove(const std::string& name) {
  close(name);
  std::error_code ignored;
  const std::lock_guard lock(copies_mutex_);
  made_in_memory_.erase(name);
  if (!in_memory()) std::filesystem::remove_all(folder_ / name, ignored);
}

void TableCopies::remove_all_except(const std::set<std::string>& names) {
  if (in_memory()) return;
  const Result<std::vector<std::string>> found = FileWriter::list(folder_);
  if (!found) return;
  for (const std::string& name : *found)
    if (!names.contains(name)) remove(name);
}

}  // namespace dolmen::engine
