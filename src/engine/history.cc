#include "engine/history.h"

#include <algorithm>
#include <chrono>

#include "base/endian.h"
#include "base/fail.h"
#include "base/varint.h"
#include "engine/keyspaces.h"
#include "engine/reclaiming.h"
#include "engine/row_key.h"

namespace dolmen::engine::history {
namespace {

constexpr unsigned kCounterBits = 16;
constexpr char kNoItem = 0;
constexpr char kItem = 1;

std::uint64_t first_moment_at(TableTime time) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(time.time_since_epoch().count(), 0)) << kCounterBits;
}

std::string key_of(TableId history, std::uint64_t moment) {
  std::string key;
  append_big_endian(key, history);
  append_big_endian(key, moment);
  return key;
}

std::uint64_t next_moment(HistoryClock& clock, TableTime now) {
  const std::uint64_t wanted = first_moment_at(now);
  std::uint64_t last = clock.last.load(std::memory_order_relaxed);
  std::uint64_t next = 0;
  do {
    next = std::max(last + 1, wanted);
  } while (!clock.last.compare_exchange_weak(last, next, std::memory_order_relaxed));
  return next;
}

}  // namespace

void stage(storage::Batch& batch, const Table& table, const Change& change) {
  if (!table.history) return;
  const EncodedItem* const before = change.old_item;
  const EncodedItem* const after = change.new_item;
  if (before == nullptr && after == nullptr) return;
  if (before != nullptr && after != nullptr && *before == *after) return;
  const std::string_view row_key = change.row_key.substr(sizeof(TableId));
  std::string value;
  constexpr std::size_t kLengthBytesMax = 10;
  value.reserve(row_key.size() + kLengthBytesMax + 1 + (before == nullptr ? 0 : before->bytes.size()));
  append_varint(value, row_key.size());
  value.append(row_key);
  value.push_back(before == nullptr ? kNoItem : kItem);
  if (before != nullptr) value.append(before->bytes);
  batch.put(keyspaces::kHistory, key_of(table.history->id, next_moment(*table.history_clock, change.now)), value);
}

Result<void> resume(const storage::Storage& storage, const Table& table) {
  if (!table.history) return {};
  const std::string lower = first_key_of(table.history->id);
  const std::string upper = first_key_of(table.history->id + 1);
  auto rows = storage.iterate_stored(keyspaces::kHistory, {.lower = lower, .upper = upper});
  rows.seek_last();
  DOLMEN_TRY_VOID(rows.status());
  std::uint64_t last = first_moment_at(table.history->since);
  if (rows.valid() && rows.key().size() == sizeof(TableId) + sizeof(std::uint64_t))
    last = std::max(last, read_big_endian<std::uint64_t>(rows.key().substr(sizeof(TableId))));
  table.history_clock->last = last;
  return {};
}

std::string first_key_at(TableId history, TableTime time) { return key_of(history, first_moment_at(time)); }

Result<RowView> read_row(std::string_view key, std::string_view value) {
  const auto damaged = [] { return fail(Code::kCorruption, "a row of a table's history is damaged"); };
  DOLMEN_TRY(const TableTime time, time_of(key));
  const std::optional<std::uint64_t> length = take_varint(value);
  if (!length || *length >= value.size()) return damaged();
  RowView row{.time = time, .row_key = value.substr(0, *length)};
  const char kind = value[*length];
  value.remove_prefix(*length + 1);
  if (kind != kItem && (kind != kNoItem || !value.empty())) return damaged();
  if (kind == kItem) row.old_item = value;
  return row;
}

Result<TableTime> time_of(std::string_view key) {
  if (key.size() != sizeof(TableId) + sizeof(std::uint64_t))
    return fail(Code::kCorruption, "a row of a table's history is damaged");
  const std::uint64_t moment = read_big_endian<std::uint64_t>(key.substr(sizeof(TableId)));
  return TableTime(std::chrono::milliseconds(moment >> kCounterBits));
}

TableTime earliest(const History& history, TableTime now) {
  return std::max(history.since, now - std::chrono::days(history.days));
}

void begin(Table& table, TableId id, int days, TableTime now) {
  table.history = History{.id = id, .since = now, .days = days};
  table.history_clock = std::make_shared<HistoryClock>();
  table.history_clock->last = first_moment_at(now);
}

void end(storage::Batch& batch, Table& table) {
  reclaiming::remove_rows(batch, {keyspaces::kHistory, table.history->id});
  table.history.reset();
}

}  // namespace dolmen::engine::history
