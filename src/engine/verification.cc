#include "engine/verification.h"

#include <fmt/format.h>
#include <utility>

#include "base/endian.h"
#include "base/fail.h"
#include "engine/engine.h"
#include "engine/expiry.h"
#include "engine/history.h"
#include "engine/keyspaces.h"
#include "engine/row_key.h"
#include "engine/stream_log.h"
#include "engine/table_record.h"
#include "engine/vector_entry.h"
#include "storage/counters.h"
#include "value/encoded_item.h"

namespace dolmen::engine {
namespace {

constexpr std::string_view kTables = "table/";
constexpr std::string_view kTablesEnd = "table0";
/// How many rows are read between two reports of progress.
constexpr std::uint64_t kRowsPerReport = 4096;

std::string key_text(std::string_view key) {
  std::string text;
  for (const char byte : key.substr(0, 64)) fmt::format_to(std::back_inserter(text), "{:02x}", byte & 0xff);
  return text;
}

std::string counter_key(TableId id) {
  std::string key;
  append_big_endian(key, id);
  return key;
}

std::string table_text(const Table& table) { return fmt::format("table \"{}\"", table.definition.name); }

template <class AnyIndex>
std::string index_text(const Table& table, const AnyIndex& index) {
  return fmt::format("{}, index \"{}\"", table_text(table), index.definition.name);
}

}  // namespace

Result<StoreCheckReport> Verification::run() {
  doing_ = "files";
  if (!progress_(doing_, rows_)) return fail(Code::kCanceled, "the check was ended");
  DOLMEN_TRY_VOID(note_damage(storage_.verify_files(report_.files), "files"));
  doing_ = "the catalogue";
  Result<std::vector<Table>> all = tables();
  if (!all) {
    DOLMEN_TRY_VOID(note_damage(std::unexpected(all.error()), "the catalogue"));
    return report_;
  }
  for (const Table& table : *all) {
    ++report_.tables;
    DOLMEN_TRY_VOID(note_damage(check_table(table), table_text(table)));
  }
  doing_ = "streams";
  DOLMEN_TRY_VOID(note_damage(check_streams(), "streams"));
  return report_;
}

Result<void> Verification::note_damage(Result<void> result, const std::string& what) {
  if (!result && storage::is_key_missing(result.error())) {
    report_.add_problem(fmt::format("{}: cannot be checked, because the key that encrypts it is missing", what));
    return {};
  }
  if (result || result.error().code() != Code::kCorruption) return result;
  report_.add_problem(fmt::format("{}: {}", what, result.error().message()));
  return {};
}

Result<void> Verification::tick() {
  if (++rows_ % kRowsPerReport == 0 && !progress_(doing_, rows_)) return fail(Code::kCanceled, "the check was ended");
  return {};
}

Result<std::vector<Table>> Verification::tables() {
  std::vector<Table> all;
  auto row = storage_.iterate(keyspaces::kCatalogue, {.lower = kTables, .upper = kTablesEnd}, &moment_);
  for (row.seek_first(); row.valid(); row.next()) {
    DOLMEN_TRY(Table table, decode_table(row.key(), row.value()));
    all.push_back(std::move(table));
  }
  DOLMEN_TRY_VOID(row.status());
  return all;
}

Result<void> Verification::check_table(const Table& table) {
  // What is being restored is not in use yet.
  if (table.restore) return {};
  doing_ = table_text(table);
  TableCheck check{.table = table};
  for (const Index& index : table.indexes)
    if (index.state == IndexState::kActive) check.indexes.push_back({.index = &index});
  for (const VectorIndex& index : table.vector_indexes)
    if (index.state == IndexState::kActive) check.vectors.push_back({.index = &index});
  DOLMEN_TRY_VOID(check_items(check));
  DOLMEN_TRY_VOID(check_counts(table.id, doing_, check.items));
  for (const IndexCheck& index : check.indexes)
    DOLMEN_TRY_VOID(note_damage(check_index_size(table, index), index_text(table, *index.index)));
  for (const VectorCheck& index : check.vectors)
    DOLMEN_TRY_VOID(note_damage(check_vector_size(table, index), index_text(table, *index.index)));
  if (table.definition.ttl && !table.expiry_building) {
    DOLMEN_TRY(const std::uint64_t expiring, count_rows(keyspaces::kExpiry, table.id));
    report_.expiry_rows += expiring;
    if (expiring != check.expiring)
      report_.add_problem(fmt::format("{}: {} items have a time to live, and {} rows say when they expire", doing_,
                                      check.expiring, expiring));
  }
  if (table.history) DOLMEN_TRY_VOID(note_damage(check_history(table), doing_ + ", history"));
  return {};
}

Result<void> Verification::check_items(TableCheck& check) {
  const std::string lower = first_key_of(check.table.id);
  const std::string upper = first_key_of(check.table.id + 1);
  auto row = storage_.iterate(keyspaces::kItems, {.lower = lower, .upper = upper}, &moment_);
  for (row.seek_first(); row.valid(); row.next()) {
    DOLMEN_TRY_VOID(tick());
    DOLMEN_TRY_VOID(note_damage(check_item(check, row.key(), row.value()), doing_));
  }
  return row.status();
}

Result<void> Verification::check_item(TableCheck& check, std::string_view key, std::string_view bytes) {
  ++report_.items;
  ++check.items.rows;
  check.items.bytes += item_size(bytes);
  if (Result<Item> item = decode_item(bytes); !item)
    return fail(Code::kCorruption, "the item of the row {} is damaged: {}", key_text(key), item.error().message());
  const Result<std::string> expected = row_key_of_item(check.table, bytes);
  if (!expected || *expected != key)
    return fail(Code::kCorruption, "the row {} holds an item with another key", key_text(key));
  for (IndexCheck& index : check.indexes) DOLMEN_TRY_VOID(check_in_index(check.table, index, key, bytes));
  for (VectorCheck& index : check.vectors) DOLMEN_TRY_VOID(check_in_vectors(check.table, index, key, bytes));
  return check_expiry_row(check, key, bytes);
}

Result<void> Verification::expect_row(storage::Keyspace keyspace, const std::string& key, std::string_view value,
                                      const std::string& what) {
  DOLMEN_TRY(const bool there, storage_.get(keyspace, key, value_, &moment_));
  if (!there) {
    report_.add_problem(fmt::format("{}: the row {} is missing", what, key_text(key)));
  } else if (value_ != value) {
    report_.add_problem(fmt::format("{}: the row {} differs from its item", what, key_text(key)));
  }
  return {};
}

Result<void> Verification::check_in_index(const Table& table, IndexCheck& check, std::string_view key,
                                          std::string_view item) {
  const Index& index = *check.index;
  const std::optional<std::string> row = row_key_in_index(index, item, key);
  if (!row) return {};
  const EncodedItem projected =
      index.projected.empty() ? EncodedItem{.bytes = std::string(item)} : select_attributes(item, index.projected);
  ++check.expected.rows;
  check.expected.bytes += item_size(projected.bytes);
  return expect_row(keyspaces::kItems, *row, projected.bytes, index_text(table, index));
}

Result<void> Verification::check_in_vectors(const Table& table, VectorCheck& check, std::string_view key,
                                            std::string_view item) {
  const VectorIndex& index = *check.index;
  const Result<std::optional<VectorEntry>> entry = derive_entry(index, item);
  // An item from before the index existed may be one that cannot be in it.
  if (!entry || !*entry) return {};
  ++check.expected.rows;
  check.expected.bytes += entry_size(index, **entry);
  check.expected.saved_bytes += bytes_saved(index, item);
  return expect_row(keyspaces::kItems, vector_row_key(index, key), encode_vector_row(**entry),
                    index_text(table, index));
}

Result<void> Verification::check_expiry_row(TableCheck& check, std::string_view key, std::string_view item) {
  const Table& table = check.table;
  if (!table.definition.ttl || table.expiry_building) return {};
  const std::optional<std::int64_t> time = expiry::time_of(item, *table.definition.ttl);
  if (!time) return {};
  ++check.expiring;
  return expect_row(keyspaces::kExpiry, expiry::row_of(table.id, *time, key), "", doing_ + ", time to live");
}

Result<std::uint64_t> Verification::count_rows(storage::Keyspace keyspace, TableId id) {
  const std::string lower = first_key_of(id);
  const std::string upper = first_key_of(id + 1);
  std::uint64_t found = 0;
  auto row = storage_.iterate(keyspace, {.lower = lower, .upper = upper}, &moment_);
  for (row.seek_first(); row.valid(); row.next()) {
    DOLMEN_TRY_VOID(tick());
    ++found;
  }
  DOLMEN_TRY_VOID(row.status());
  return found;
}

// Every row that must be there was looked for, so as many rows as that are exactly those.
Result<void> Verification::check_index_size(const Table& table, const IndexCheck& check) {
  const std::string what = index_text(table, *check.index);
  DOLMEN_TRY(const std::uint64_t found, count_rows(keyspaces::kItems, check.index->id));
  report_.index_rows += found;
  if (found != check.expected.rows)
    report_.add_problem(
        fmt::format("{}: it has {} rows, and {} items belong into it", what, found, check.expected.rows));
  return check_counts(check.index->id, what, check.expected);
}

Result<void> Verification::check_vector_size(const Table& table, const VectorCheck& check) {
  const std::string what = index_text(table, *check.index);
  DOLMEN_TRY(const std::uint64_t found, count_rows(keyspaces::kItems, check.index->id));
  report_.vectors += found;
  if (found != check.expected.rows)
    report_.add_problem(
        fmt::format("{}: it has {} vectors, and {} items belong into it", what, found, check.expected.rows));
  DOLMEN_TRY(const std::vector<std::int64_t> stored, counters(counter_key(check.index->id)));
  if (const std::int64_t saved = stored.size() > 2 ? stored[2] : 0; saved != check.expected.saved_bytes)
    report_.add_problem(
        fmt::format("{}: its vectors are said to save {} bytes, and save {}", what, saved, check.expected.saved_bytes));
  return check_counts(check.index->id, what, check.expected);
}

Result<std::vector<std::int64_t>> Verification::counters(std::string_view key) const {
  std::string bytes;
  DOLMEN_TRY(const bool there, storage_.get(keyspaces::kCounters, key, bytes, &moment_));
  if (!there) return std::vector<std::int64_t>();
  return storage::decode_counters(bytes);
}

Result<void> Verification::check_counts(TableId id, const std::string& what, const Expected& expected) {
  DOLMEN_TRY(const std::vector<std::int64_t> stored, counters(counter_key(id)));
  if (stored.size() < 2) {
    report_.add_problem(fmt::format("{}: it has no counts", what));
    return {};
  }
  if (stored[0] != static_cast<std::int64_t>(expected.rows) || stored[1] != static_cast<std::int64_t>(expected.bytes))
    report_.add_problem(fmt::format("{}: it is said to hold {} items of {} bytes, and holds {} of {}", what, stored[0],
                                    stored[1], expected.rows, expected.bytes));
  return {};
}

Result<void> Verification::check_history(const Table& table) {
  const std::string lower = first_key_of(table.history->id);
  const std::string upper = first_key_of(table.history->id + 1);
  auto row = storage_.iterate(keyspaces::kHistory, {.lower = lower, .upper = upper}, &moment_);
  for (row.seek_first(); row.valid(); row.next()) {
    DOLMEN_TRY_VOID(tick());
    ++report_.history_rows;
    DOLMEN_TRY(const history::RowView view, history::read_row(row.key(), row.value()));
    if (!view.old_item) continue;
    if (Result<Item> item = decode_item(*view.old_item); !item)
      return fail(Code::kCorruption, "the row {} is damaged: {}", key_text(row.key()), item.error().message());
  }
  return row.status();
}

Result<void> Verification::check_streams() {
  DOLMEN_TRY(const std::vector<streams::Stream> all, streams::list_at(storage_, moment_));
  for (const streams::Stream& stream : all) {
    for (std::uint8_t shard = 0; shard < stream.shards; ++shard) {
      const std::string what =
          fmt::format("stream of table \"{}\" from {}, shard {}", stream.table, stream.label, shard);
      DOLMEN_TRY_VOID(note_damage(check_shard(what, streams::shard_key(stream.id, shard)), what));
    }
  }
  return {};
}

// Old records are removed from the front, so the numbers of those that are left have no gap and end with the counter.
Result<void> Verification::check_shard(const std::string& what, std::string_view shard) {
  doing_ = what;
  DOLMEN_TRY(const std::vector<std::int64_t> stored, counters(shard));
  const std::uint64_t last = stored.empty() ? 0 : static_cast<std::uint64_t>(stored.front());
  std::string upper(shard);
  append_big_endian(upper, UINT64_MAX);
  auto row = storage_.iterate(keyspaces::kStreams, {.lower = shard, .upper = upper}, &moment_);
  std::uint64_t before = 0;
  for (row.seek_first(); row.valid(); row.next()) {
    DOLMEN_TRY_VOID(tick());
    ++report_.stream_records;
    if (row.key().size() != shard.size() + sizeof(std::uint64_t))
      return fail(Code::kCorruption, "the row {} is not a record", key_text(row.key()));
    const auto number = read_big_endian<std::uint64_t>(row.key().substr(shard.size()));
    if (before != 0 && number != before + 1)
      report_.add_problem(fmt::format("{}: the records {} to {} are missing", what, before + 1, number - 1));
    before = number;
    DOLMEN_TRY(const streams::RecordView record, streams::decode_record(row.value()));
    for (const auto& image : {record.key, record.old_image, record.new_image}) {
      if (!image) continue;
      if (Result<Item> item = decode_item(*image); !item)
        return fail(Code::kCorruption, "record {} is damaged: {}", number, item.error().message());
    }
  }
  DOLMEN_TRY_VOID(row.status());
  if (before != 0 && before != last)
    report_.add_problem(fmt::format("{}: its last record is {}, and {} were written", what, before, last));
  return {};
}

Result<StoreCheckReport> Engine::check_store(const StoreCheck::Progress& progress) {
  return Verification(*storage_, progress).run();
}

}  // namespace dolmen::engine
