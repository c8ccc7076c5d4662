#include "engine/item_walk.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "engine/keyspaces.h"
#include "engine/row_key.h"
#include "service/wait.h"

namespace dolmen::engine {
namespace {

/// A clock that jumps must not stop a walk for long.
constexpr std::chrono::milliseconds kRestMax{100};

std::string walks_prefix(std::string_view table_uuid) { return std::string("build/").append(table_uuid).append("/"); }

std::string position_key(std::string_view table_uuid, std::string_view name) {
  return walks_prefix(table_uuid).append(name);
}

}  // namespace

struct ItemWalk::Page {
  /// Where the walk stood when the keys were read; empty before the first page.
  std::string position;
  std::vector<std::string> row_keys;
};

Result<ItemWalk::Progress> ItemWalk::visit_page(const Job& job) {
  const Clock::TimePoint begun = parts_.clock.now();
  const std::shared_ptr<const Table> table = parts_.catalogue.find(job.table);
  if (table == nullptr || table->uuid != job.table_uuid) return Progress{.state = State::kUnwanted};
  DOLMEN_TRY(const Page page, next_page(*table, job.name, page_items_));
  std::vector<LockRequest> locks{parts_.pipeline.locks().table(job.table, LockMode::kShared)};
  for (const std::string& key : page.row_keys) locks.push_back(parts_.pipeline.locks().item(key));
  // The page and the job outlive the work, because this thread waits for it.
  auto work = [&](storage::Batch& batch) -> Result<WritePipeline::Outcome<State>> {
    DOLMEN_TRY(const State state, visit_locked(job, page, batch));
    return WritePipeline::Outcome<State>{state};
  };
  DOLMEN_TRY(const State state, wait_for<State>([&](Done<State> done) {
               parts_.pipeline.run<State>(locks, std::move(work), std::move(done));
             }));
  return Progress{.state = state, .rest = adapt(begun)};
}

Result<bool> ItemWalk::is_at_end(const Table& table, std::string_view name) const {
  DOLMEN_TRY(const Page page, next_page(table, name, 1));
  return page.row_keys.empty();
}

Result<ItemWalk::Page> ItemWalk::next_page(const Table& table, std::string_view name, std::size_t items_max) const {
  Page page;
  DOLMEN_TRY(const bool begun,
             parts_.storage.get(keyspaces::kCatalogue, position_key(table.uuid, name), page.position));
  if (!begun) page.position.clear();
  // No key is between a key and the same key with a zero byte.
  const std::string lower = begun ? page.position + '\0' : first_key_of(table.id);
  const std::string upper = first_key_of(table.id + 1);
  auto rows = parts_.storage.iterate(keyspaces::kItems, {.lower = lower, .upper = upper});
  std::size_t bytes = 0;
  for (rows.seek_first(); rows.valid() && page.row_keys.size() < items_max && bytes < kPageBytesMax; rows.next()) {
    page.row_keys.emplace_back(rows.key());
    bytes += rows.key().size() + rows.value().size();
  }
  DOLMEN_TRY_VOID(rows.status());
  return page;
}

Result<ItemWalk::State> ItemWalk::visit_locked(const Job& job, const Page& page, storage::Batch& batch) const {
  const std::shared_ptr<const Table> table = parts_.catalogue.find(job.table);
  if (table == nullptr || table->uuid != job.table_uuid || !job.wanted(*table)) return State::kUnwanted;
  const std::string position_row = position_key(table->uuid, job.name);
  std::string position;
  DOLMEN_TRY(const bool begun, parts_.storage.get(keyspaces::kCatalogue, position_row, position));
  // The walk began anew since the keys of the page were read.
  if ((begun ? position : std::string()) != page.position) return State::kGoesOn;
  if (page.row_keys.empty()) return State::kFinished;
  EncodedItem item;
  for (const std::string& key : page.row_keys) {
    DOLMEN_TRY(const bool exists, parts_.storage.get(keyspaces::kItems, key, item.bytes));
    if (exists) DOLMEN_TRY_VOID(job.visit(*table, key, item, batch));
  }
  batch.put(keyspaces::kCatalogue, position_row, page.row_keys.back());
  return State::kGoesOn;
}

std::chrono::milliseconds ItemWalk::adapt(Clock::TimePoint begun) {
  const std::uint64_t writes = parts_.pipeline.started();
  const bool alone = writes == std::exchange(writes_seen_, writes) + 1;
  page_items_ = alone ? std::min(2 * page_items_, kPageItemsMax) : kPageItemsMin;
  if (alone) return std::chrono::milliseconds(0);
  const auto worked = std::chrono::ceil<std::chrono::milliseconds>(parts_.clock.now() - begun);
  return std::clamp(worked, std::chrono::milliseconds(1), kRestMax);
}

Result<bool> ItemWalk::has_begun(const storage::Storage& storage, const Table& table, std::string_view name) {
  std::string position;
  return storage.get(keyspaces::kCatalogue, position_key(table.uuid, name), position);
}

void ItemWalk::forget(storage::Batch& batch, const Table& table, std::string_view name) {
  batch.remove(keyspaces::kCatalogue, position_key(table.uuid, name));
}

void ItemWalk::forget_all(storage::Batch& batch, const Table& table) {
  const std::string lower = walks_prefix(table.uuid);
  std::string upper = lower;
  ++upper.back();
  batch.remove_range(keyspaces::kCatalogue, {.lower = lower, .upper = upper});
}

}  // namespace dolmen::engine
