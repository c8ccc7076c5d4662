#include "engine/expirer.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "engine/item_write.h"
#include "engine/keyspaces.h"
#include "service/wait.h"

namespace dolmen::engine {
namespace {

/// A mark is raised when it is further back than this, or when so many items were removed.
constexpr std::int64_t kMarkBehindMs = 60'000;
constexpr std::size_t kRemovedBeforeMark = 4096;

/// The rows of a table that are due, from `place` on if that is not empty.
storage::Iterator due_rows(const storage::Storage& storage, const Table& table, expiry::Due due,
                           const std::string& place = {}) {
  const std::int64_t begin = std::max(due.begin, table.expiry_mark->earliest.load());
  const std::string upper = expiry::first_row_of(table.id, due.end);
  const std::string lower = std::max(expiry::first_row_of(table.id, begin), place);
  storage::Iterator rows = storage.iterate(keyspaces::kExpiry, {.lower = std::min(lower, upper), .upper = upper});
  rows.seek_first();
  return rows;
}

}  // namespace

struct Expirer::Page {
  std::string table;
  std::string table_uuid;
  std::vector<expiry::Row> rows;
  /// The key of the last of them.
  std::string last;
};

Result<BackgroundTask::Next> Expirer::step(const std::stop_token& stop) {
  behind_ = false;
  const TableTime now = std::chrono::time_point_cast<std::chrono::milliseconds>(parts_.clock.now());
  const std::vector<std::shared_ptr<const Table>> tables = this->tables();
  // Tables that were deleted in a run have no place any more.
  if (places_.size() > tables.size()) places_.clear();
  std::size_t left = kPageItems;
  std::optional<Error> failure;
  bool all = true;
  for (const std::shared_ptr<const Table>& table : tables) {
    if (stop.stop_requested() || left == 0) break;
    last_table_ = table->definition.name;
    const Result<Removed> removed = remove_page(*table, now, left);
    // What is wrong with one table does not keep the items of others.
    if (!removed) failure = removed.error();
    all &= removed && removed->all;
    left -= removed ? removed->items : 0;
  }
  if (failure) return std::unexpected(*std::move(failure));
  behind_ = !all || left == 0;
  if (tables.empty()) return std::nullopt;
  return behind_ ? kRest : kInterval;
}

std::vector<std::shared_ptr<const Table>> Expirer::tables() const {
  std::vector<std::shared_ptr<const Table>> found = parts_.catalogue.all();
  std::erase_if(found, [&](const auto& table) { return !table->definition.ttl || parts_.catalogue.lacks_key(*table); });
  const auto next =
      std::ranges::find_if(found, [&](const auto& table) { return table->definition.name > last_table_; });
  std::ranges::rotate(found, next);
  return found;
}

Result<Expirer::Removed> Expirer::remove_page(const Table& table, TableTime now, std::size_t items_max) {
  const expiry::Due due = expiry::due_at(now);
  DOLMEN_TRY(const Page page, next_page(table, due, items_max));
  if (page.rows.empty()) {
    // The run is over, but rows may have been added before its last place.
    if (places_.erase(table.uuid) > 0) return Removed{.all = false};
    const std::int64_t behind = due.end - table.expiry_mark->earliest.load();
    if (behind > kMarkBehindMs || removed_ >= kRemovedBeforeMark) DOLMEN_TRY_VOID(raise_mark(table, now));
    return Removed{};
  }
  std::vector<LockRequest> locks{parts_.pipeline.locks().table(page.table, LockMode::kShared)};
  for (const expiry::Row& row : page.rows) locks.push_back(parts_.pipeline.locks().item(row.item_row_key));
  // The page outlives the work, because this thread waits for it.
  auto work = [&](storage::Batch& batch) -> Result<WritePipeline::Outcome<std::size_t>> {
    DOLMEN_TRY(const std::size_t removed, remove_locked(page, now, batch));
    return WritePipeline::Outcome<std::size_t>{removed};
  };
  DOLMEN_TRY(const std::size_t removed, wait_for<std::size_t>([&](Done<std::size_t> done) {
               parts_.pipeline.run<std::size_t>(locks, std::move(work), std::move(done));
             }));
  removed_ += removed;
  removed_items_.add(removed);
  if (removed == page.rows.size()) places_[table.uuid] = page.last;
  // The page after the last one finds that nothing is left.
  return Removed{.items = removed, .all = false};
}

Result<Expirer::Page> Expirer::next_page(const Table& table, expiry::Due due, std::size_t items_max) const {
  Page page{.table = table.definition.name, .table_uuid = table.uuid};
  const auto place = places_.find(table.uuid);
  auto rows = due_rows(parts_.storage, table, due, place == places_.end() ? "" : place->second);
  for (; rows.valid() && page.rows.size() < items_max; rows.next()) {
    page.last = rows.key();
    page.rows.push_back(expiry::read_row(page.last));
  }
  DOLMEN_TRY_VOID(rows.status());
  return page;
}

/// Returns how many rows of the page are removed. Those of a table that has changed need not be.
Result<std::size_t> Expirer::remove_locked(const Page& page, TableTime now, storage::Batch& batch) const {
  const std::shared_ptr<const Table> table = parts_.catalogue.find(page.table);
  if (table == nullptr || table->uuid != page.table_uuid || !table->definition.ttl) return page.rows.size();
  std::size_t removed = 0;
  for (const expiry::Row& row : page.rows) {
    if (batch.byte_size() >= kPageBytes) break;
    const ItemWrite write = ItemWrite::expire(table, row.item_row_key, now);
    DOLMEN_TRY(const ItemWrite::Decision decision, write.decide(parts_.storage));
    DOLMEN_TRY_VOID(write.stage(decision, parts_.storage, batch, now));
    const std::optional<std::int64_t> time =
        decision.old ? expiry::time_of(decision.old->bytes, *table->definition.ttl) : std::nullopt;
    // The item was removed or moved since the row was read; with it, its row was.
    if (time != row.time) batch.remove(keyspaces::kExpiry, expiry::row_of(table->id, row.time, row.item_row_key));
    ++removed;
  }
  return removed;
}

Result<void> Expirer::raise_mark(const Table& table, TableTime now) {
  const LockRequest lock = parts_.pipeline.locks().table(table.definition.name, LockMode::kExclusive);
  auto work = [&](storage::Batch& /*batch*/) -> Result<WritePipeline::Outcome<std::monostate>> {
    const expiry::Due due = expiry::due_at(now);
    const auto rows = due_rows(parts_.storage, table, due);
    DOLMEN_TRY_VOID(rows.status());
    if (!rows.valid()) table.expiry_mark->earliest = due.end;
    return WritePipeline::Outcome<std::monostate>{};
  };
  DOLMEN_TRY_VOID(wait_for<std::monostate>([&](Done<std::monostate> done) {
    parts_.pipeline.run<std::monostate>({&lock, 1}, std::move(work), std::move(done));
  }));
  removed_ = 0;
  return {};
}

}  // namespace dolmen::engine
