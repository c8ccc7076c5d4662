#include "engine/extents.h"

#include <string>
#include <utility>

#include "base/endian.h"
#include "base/fail.h"
#include "engine/keyspaces.h"
#include "engine/row_key.h"
#include "storage/counters.h"
#include "value/encoded_item.h"

namespace dolmen::engine::extents {
namespace {

std::string key_of(TableId id) {
  std::string key;
  append_big_endian(key, id);
  return key;
}

/// Adds to the counters even when the change is zero, which creates the row.
void add(storage::Batch& batch, TableId id, Change change) {
  const std::int64_t amounts[] = {change.item_count, change.size_bytes};
  batch.add(keyspaces::kCounters, key_of(id), amounts);
}

/// Empty when there are none.
Result<std::vector<std::int64_t>> counters_of(const storage::Storage& storage, TableId id) {
  std::string bytes;
  DOLMEN_TRY(const bool exists, storage.get(keyspaces::kCounters, key_of(id), bytes));
  if (!exists) return std::vector<std::int64_t>();
  return storage::decode_counters(bytes);
}

Result<Change> counted(const storage::Storage& storage, TableId id) {
  const std::string lower = first_key_of(id);
  const std::string upper = first_key_of(id + 1);
  auto rows = storage.iterate(keyspaces::kItems, {.lower = lower, .upper = upper});
  Change found;
  for (rows.seek_first(); rows.valid(); rows.next()) {
    ++found.item_count;
    found.size_bytes += static_cast<std::int64_t>(item_size(rows.value()));
  }
  DOLMEN_TRY_VOID(rows.status());
  return found;
}

}  // namespace

Change change_of(std::optional<std::size_t> old_bytes, std::optional<std::size_t> new_bytes) {
  return {.item_count = (new_bytes ? 1 : 0) - (old_bytes ? 1 : 0),
          .size_bytes =
              static_cast<std::int64_t>(new_bytes.value_or(0)) - static_cast<std::int64_t>(old_bytes.value_or(0))};
}

void begin(storage::Batch& batch, TableId id) { add(batch, id, {}); }

void change(storage::Batch& batch, TableId id, Change change) {
  if (change.item_count != 0 || change.size_bytes != 0) add(batch, id, change);
}

void end(storage::Batch& batch, TableId id) { batch.remove_counters(keyspaces::kCounters, key_of(id)); }

void change_savings(storage::Batch& batch, TableId index, std::int64_t bytes) {
  const std::int64_t amounts[] = {0, 0, bytes};
  if (bytes != 0) batch.add(keyspaces::kCounters, key_of(index), amounts);
}

Result<std::int64_t> read_savings(const storage::Storage& storage, TableId index) {
  DOLMEN_TRY(const std::vector<std::int64_t> counters, counters_of(storage, index));
  return counters.size() > 2 ? counters[2] : 0;
}

Result<Extent> read(const storage::Storage& storage, TableId id) {
  DOLMEN_TRY(const std::vector<std::int64_t> counters, counters_of(storage, id));
  // A table that was deleted since it was looked up holds nothing.
  if (counters.empty()) return Extent{};
  if (counters.size() < 2 || counters[0] < 0 || counters[1] < 0)
    return fail(Code::kCorruption, "the counters of table {} are damaged", id);
  return Extent{.item_count = static_cast<std::uint64_t>(counters[0]),
                .size_bytes = static_cast<std::uint64_t>(counters[1])};
}

Result<void> count_uncounted(storage::Storage& storage, const Catalogue& catalogue) {
  const auto count = [&](TableId id) -> Result<void> {
    std::string bytes;
    DOLMEN_TRY(const bool exists, storage.get(keyspaces::kCounters, key_of(id), bytes));
    if (exists) return {};
    DOLMEN_TRY(const Change found, counted(storage, id));
    storage::Batch batch;
    add(batch, id, found);
    return storage.commit(std::move(batch));
  };
  for (const std::shared_ptr<const Table>& table : catalogue.all()) {
    DOLMEN_TRY_VOID(count(table->id));
    for (const Index& index : table->indexes)
      if (index.state != IndexState::kDeleting) DOLMEN_TRY_VOID(count(index.id));
  }
  return {};
}

}  // namespace dolmen::engine::extents
