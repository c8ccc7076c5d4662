#include "engine/restorer.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <utility>
#include <variant>

#include "base/endian.h"
#include "engine/history.h"
#include "engine/item_write.h"
#include "engine/keyspaces.h"
#include "engine/row_key.h"
#include "service/wait.h"

namespace dolmen::engine {
namespace {

/// Others write: a restore rests as long as it works, but not for long.
constexpr std::chrono::milliseconds kRestorerRestMax{100};

std::string row_key_in(const Table& target, std::string_view without_id) {
  std::string key;
  append_big_endian(key, target.id);
  return key.append(without_id);
}

}  // namespace

Result<BackgroundTask::Next> Restorer::step() {
  DOLMEN_TRY(const std::vector<backups::Restore> restores, backups::list_restores(parts_.storage));
  if (restores.empty()) return std::nullopt;
  const auto next =
      std::ranges::find_if(restores, [&](const backups::Restore& restore) { return restore.target_uuid > last_turn_; });
  const backups::Restore& turn = next == restores.end() ? restores.front() : *next;
  last_turn_ = turn.target_uuid;
  const std::shared_ptr<const Table> target = parts_.catalogue.find(turn.target);
  if (target == nullptr || target->uuid != turn.target_uuid || !target->restore) {
    DOLMEN_TRY_VOID(parts_.abandon(turn));
    return std::chrono::milliseconds(0);
  }
  return fill_page(turn, *target);
}

Result<BackgroundTask::Next> Restorer::fill_page(backups::Restore restore, const Table& target) {
  const Clock::TimePoint begun = parts_.clock.now();
  const Result<std::shared_ptr<const storage::Storage>> copy = parts_.copies.open(restore.copy);
  if (!copy && copy.error().code() == Code::kCorruption) {
    DOLMEN_TRY_VOID(give_up(restore, copy.error()));
    return std::chrono::milliseconds(0);
  }
  if (!copy) return std::unexpected(copy.error());
  DOLMEN_TRY(const Page page,
             restore.undoing ? next_changes(restore, target, **copy) : next_items(restore, target, **copy));
  if (page.position.empty() && (restore.undoing || restore.history_id == 0)) {
    DOLMEN_TRY_VOID(parts_.finish(restore));
    return std::chrono::milliseconds(0);
  }
  restore.undoing |= page.position.empty();
  restore.position = page.position;
  DOLMEN_TRY_VOID(write(restore, page));
  const std::uint64_t writes = parts_.pipeline.started();
  const bool alone = writes == std::exchange(writes_seen_, writes) + 1;
  if (alone) return std::chrono::milliseconds(0);
  const auto worked = std::chrono::ceil<std::chrono::milliseconds>(parts_.clock.now() - begun);
  return std::clamp(worked, std::chrono::milliseconds(0), kRestorerRestMax);
}

Result<Restorer::Page> Restorer::next_items(const backups::Restore& restore, const Table& target,
                                            const storage::Storage& copy) {
  Page page;
  const std::string lower = restore.position.empty() ? first_key_of(restore.source_id) : restore.position + '\0';
  const std::string upper = first_key_of(restore.source_id + 1);
  auto rows = copy.iterate(keyspaces::kItems, {.lower = lower, .upper = upper});
  std::size_t bytes = 0;
  for (rows.seek_first(); rows.valid() && page.items.size() < kPageRows && bytes < kPageBytes; rows.next()) {
    page.position = rows.key();
    bytes += rows.key().size() + rows.value().size();
    page.items.emplace(row_key_in(target, rows.key().substr(sizeof(TableId))), EncodedItem{std::string(rows.value())});
  }
  DOLMEN_TRY_VOID(rows.status());
  return page;
}

Result<Restorer::Page> Restorer::next_changes(const backups::Restore& restore, const Table& target,
                                              const storage::Storage& copy) {
  Page page;
  const std::string lower = history::first_key_at(restore.history_id, restore.time + std::chrono::milliseconds(1));
  const std::string upper = restore.position.empty() ? first_key_of(restore.history_id + 1) : restore.position;
  if (lower >= upper) return page;
  auto rows = copy.iterate(keyspaces::kHistory, {.lower = lower, .upper = upper});
  std::size_t bytes = 0;
  std::size_t count = 0;
  for (rows.seek_last(); rows.valid() && count < kPageRows && bytes < kPageBytes; rows.prev(), ++count) {
    DOLMEN_TRY(const history::RowView row, history::read_row(rows.key(), rows.value()));
    page.position = rows.key();
    bytes += rows.value().size();
    // An older change of the same item comes later, and is the one that counts.
    page.items[row_key_in(target, row.row_key)] =
        row.old_item ? std::optional(EncodedItem{std::string(*row.old_item)}) : std::nullopt;
  }
  DOLMEN_TRY_VOID(rows.status());
  return page;
}

Result<void> Restorer::write(const backups::Restore& restore, const Page& page) {
  const LockRequest lock = parts_.pipeline.locks().table(restore.target, LockMode::kExclusive);
  const TableTime now = std::chrono::time_point_cast<std::chrono::milliseconds>(parts_.clock.now());
  // Page and restore outlive the work, because this thread waits for it.
  auto work = [&](storage::Batch& batch) -> Result<WritePipeline::Outcome<std::monostate>> {
    const std::shared_ptr<const Table> table = parts_.catalogue.find(restore.target);
    if (table == nullptr || table->uuid != restore.target_uuid) return WritePipeline::Outcome<std::monostate>{};
    for (const auto& [row_key, item] : page.items) {
      const ItemWrite one = ItemWrite::restore(table, row_key, item);
      DOLMEN_TRY(const ItemWrite::Decision decision, one.decide(parts_.storage));
      DOLMEN_TRY_VOID(one.stage(decision, parts_.storage, batch, now));
    }
    backups::put(batch, restore);
    return WritePipeline::Outcome<std::monostate>{};
  };
  DOLMEN_TRY_VOID(wait_for<std::monostate>([&](Done<std::monostate> done) {
    parts_.pipeline.run<std::monostate>({&lock, 1}, std::move(work), std::move(done));
  }));
  return {};
}

Result<void> Restorer::give_up(const backups::Restore& restore, const Error& reason) {
  DOLMEN_TRY_VOID(parts_.abandon(restore));
  if (parts_.log)
    parts_.log(fmt::format("table {} cannot be restored and is removed: {}", restore.target, reason.message()));
  return {};
}

}  // namespace dolmen::engine
