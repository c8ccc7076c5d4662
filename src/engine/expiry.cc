#include "engine/expiry.h"

#include <algorithm>
#include <cmath>

#include "base/endian.h"
#include "engine/keyspaces.h"
#include "engine/row_key.h"

namespace dolmen::engine::expiry {
namespace {

constexpr std::size_t kTimeAt = sizeof(TableId);
constexpr std::size_t kItemAt = kTimeAt + sizeof(std::uint64_t);
/// Later times never come, and would not fit.
constexpr double kSecondsMax = 1e13;
constexpr double kMillisecondsPerSecond = 1e3;

std::optional<std::int64_t> time_in(const Table& table, const EncodedItem* item) {
  return item == nullptr ? std::nullopt : time_of(item->bytes, *table.definition.ttl);
}

void put_row(storage::Batch& batch, const Table& table, std::int64_t time, std::string_view row_key) {
  // Lowered before the row is there: whoever raises the mark waits until all writes have ended.
  std::atomic<std::int64_t>& earliest = table.expiry_mark->earliest;
  std::int64_t mark = earliest.load();
  while (time < mark && !earliest.compare_exchange_weak(mark, time)) {}
  batch.put(keyspaces::kExpiry, row_of(table.id, time, row_key), "");
}

}  // namespace

std::optional<std::int64_t> time_of(std::string_view item, std::string_view attribute) {
  const std::optional<std::string_view> value = find_attribute(item, attribute);
  if (!value) return std::nullopt;
  EncodedReader reader(*value);
  if (reader.take_tag() != ValueTag::kNumber) return std::nullopt;
  const double seconds = reader.take_number().to_double();
  if (!reader.ok() || !(seconds > 0) || seconds > kSecondsMax) return std::nullopt;
  return static_cast<std::int64_t>(std::floor(seconds * kMillisecondsPerSecond));
}

Due due_at(TableTime now) {
  const TableTime oldest = std::chrono::time_point_cast<std::chrono::milliseconds>(now - kOldest);
  // Rows are not of times before 1970.
  return {.begin = std::max<std::int64_t>(oldest.time_since_epoch().count(), 0), .end = now.time_since_epoch().count()};
}

std::string first_row_of(TableId table, std::int64_t time) {
  std::string row;
  append_big_endian(row, table);
  append_big_endian(row, static_cast<std::uint64_t>(time));
  return row;
}

std::string row_of(TableId table, std::int64_t time, std::string_view item_row_key) {
  return first_row_of(table, time).append(item_row_key.substr(sizeof(TableId)));
}

Row read_row(std::string_view row) {
  return {.time = static_cast<std::int64_t>(read_big_endian<std::uint64_t>(row.substr(kTimeAt))),
          .item_row_key = std::string(row.substr(0, kTimeAt)).append(row.substr(kItemAt))};
}

void stage(storage::Batch& batch, const Table& table, std::string_view row_key, const EncodedItem* old_item,
           const EncodedItem* new_item) {
  if (!table.definition.ttl) return;
  const std::optional<std::int64_t> before = time_in(table, old_item);
  const std::optional<std::int64_t> after = time_in(table, new_item);
  if (before == after) return;
  if (before) batch.remove(keyspaces::kExpiry, row_of(table.id, *before, row_key));
  if (after) put_row(batch, table, *after, row_key);
}

void stage_row(storage::Batch& batch, const Table& table, std::string_view row_key, const EncodedItem& item) {
  if (const std::optional<std::int64_t> time = time_in(table, &item)) put_row(batch, table, *time, row_key);
}

void end(storage::Batch& batch, TableId table) {
  batch.remove_range(keyspaces::kExpiry, {.lower = first_key_of(table), .upper = first_key_of(table + 1)});
}

}  // namespace dolmen::engine::expiry
