#include "engine/history_trimming.h"

#include <string>

#include "engine/history.h"
#include "engine/keyspaces.h"
#include "engine/row_key.h"

namespace dolmen::engine::history {
namespace {

/// Smaller ranges are left to the ordinary rewriting of files.
constexpr std::uint64_t kGivenBackBytesMin = std::uint64_t{32} << 20;

Result<void> trim_one(storage::Storage& storage, const History& history, TableTime now, const std::stop_token& stop) {
  const std::string lower = first_key_of(history.id);
  const std::string upper = first_key_at(history.id, earliest(history, now));
  const storage::KeyRangeView old{.lower = lower, .upper = upper};
  {
    auto rows = storage.iterate_stored(keyspaces::kHistory, old);
    rows.seek_first();
    DOLMEN_TRY_VOID(rows.status());
    if (!rows.valid()) return {};
  }
  DOLMEN_TRY(const std::uint64_t bytes, storage.approximate_size(keyspaces::kHistory, old));
  storage::Batch batch;
  batch.remove_range(keyspaces::kHistory, old);
  DOLMEN_TRY_VOID(storage.commit(std::move(batch)));
  if (bytes < kGivenBackBytesMin) return {};
  DOLMEN_TRY_VOID(storage.reclaim(keyspaces::kHistory, old, stop));
  return {};
}

}  // namespace

Result<void> trim(storage::Storage& storage, const std::vector<std::shared_ptr<const Table>>& tables, TableTime now,
                  const std::stop_token& stop) {
  for (const std::shared_ptr<const Table>& table : tables) {
    if (stop.stop_requested()) return {};
    if (table->history) DOLMEN_TRY_VOID(trim_one(storage, *table->history, now, stop));
  }
  return {};
}

}  // namespace dolmen::engine::history
