#include "engine/seal_walk.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "engine/keyspaces.h"
#include "engine/row_key.h"
#include "engine/stream_log.h"

namespace dolmen::engine {
namespace {

/// How many rows a page looks at, and how many bytes it writes again: few enough that other commits hardly wait.
constexpr std::size_t kSealPageRows = 512;
constexpr std::size_t kSealPageBytes = std::size_t{128} << 10;
/// Leaves the disk to others between pages.
constexpr std::chrono::milliseconds kSealRest{1};

std::string seal_position_key(const Table& table) { return std::string("build/").append(table.uuid).append("/seal"); }

}  // namespace

void SealWalk::forget(storage::Batch& batch, const Table& table) {
  batch.remove(keyspaces::kCatalogue, seal_position_key(table));
}

std::shared_ptr<const Table> SealWalk::next_table() const {
  for (const std::shared_ptr<const Table>& table : parts_.catalogue.all())
    if (is_wanted(*table) && !parts_.catalogue.lacks_key(*table)) return table;
  return nullptr;
}

Result<std::vector<SealedRows>> SealWalk::rows_of(const Table& table) const {
  std::vector<SealedRows> rows = sealed_rows(table);
  DOLMEN_TRY(const std::vector<streams::Stream> streams,
             streams::list(parts_.storage, table.definition.name, std::nullopt, std::numeric_limits<int>::max()));
  for (const streams::Stream& stream : streams) {
    if (stream.table_uuid != table.uuid || stream.id == table.stream_id) continue;
    rows.push_back({keyspaces::kStreams, stream.id});
    // Nothing is written to it any more but what this walk writes again.
    if (table.seal->state == SealState::kSealing) {
      parts_.storage.seals()->seal_rows(keyspaces::kStreams, stream.id, table.seal->key);
    } else {
      parts_.storage.seals()->leave_rows(keyspaces::kStreams, stream.id);
    }
  }
  std::ranges::sort(rows, {}, [](const SealedRows& one) { return std::pair(one.keyspace.index, one.id); });
  return rows;
}

Result<bool> SealWalk::visit_page(const Table& table, const std::vector<SealedRows>& all) const {
  std::string position;
  DOLMEN_TRY(const bool begun, parts_.storage.get(keyspaces::kCatalogue, seal_position_key(table), position));
  storage::Batch batch;
  std::size_t seen = 0;
  std::size_t bytes = 0;
  std::string last;
  for (const SealedRows& rows : all) {
    std::string lower = first_key_of(rows.id);
    const std::string upper = first_key_of(rows.id + 1);
    if (begun) {
      const auto keyspace = static_cast<std::uint8_t>(position.front());
      if (rows.keyspace.index < keyspace) continue;
      // No key is between a key and the same key with a zero byte.
      if (rows.keyspace.index == keyspace) lower = std::max(lower, position.substr(1) + '\0');
      if (lower >= upper) continue;
    }
    auto row = parts_.storage.iterate_stored(rows.keyspace, {.lower = lower, .upper = upper});
    for (row.seek_first(); row.valid() && seen < kSealPageRows && bytes < kSealPageBytes; row.next(), ++seen) {
      last.assign(1, static_cast<char>(rows.keyspace.index)).append(row.key());
      if (parts_.storage.seals()->is_current(rows.keyspace, row.key(), row.value())) continue;
      batch.rewrite(rows.keyspace, row.key());
      bytes += row.value().size();
    }
    DOLMEN_TRY_VOID(row.status());
    if (row.valid()) break;
  }
  if (last.empty()) return false;
  batch.put(keyspaces::kCatalogue, seal_position_key(table), last);
  DOLMEN_TRY_VOID(parts_.storage.commit(std::move(batch)));
  return true;
}

Result<BackgroundTask::Next> SealWalk::step(const std::stop_token& stop) {
  const std::shared_ptr<const Table> table = next_table();
  if (table == nullptr) return std::nullopt;
  DOLMEN_TRY(const std::vector<SealedRows> rows, rows_of(*table));
  DOLMEN_TRY(const bool more, visit_page(*table, rows));
  if (more) return kSealRest;
  if (table->seal->state == SealState::kSealing)
    for (const SealedRows& one : rows) {
      const std::string lower = first_key_of(one.id);
      const std::string upper = first_key_of(one.id + 1);
      DOLMEN_TRY(const bool complete,
                 parts_.storage.rewrite_files(one.keyspace, {.lower = lower, .upper = upper}, stop));
      if (!complete) return std::nullopt;
    }
  DOLMEN_TRY_VOID(parts_.finish(*table));
  return std::chrono::milliseconds(0);
}

}  // namespace dolmen::engine
