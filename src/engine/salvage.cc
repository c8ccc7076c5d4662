#include "engine/salvage.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "base/endian.h"
#include "base/fail.h"
#include "engine/data_keys.h"
#include "engine/expiry.h"
#include "engine/extents.h"
#include "engine/index_rows.h"
#include "engine/keyspaces.h"
#include "engine/row_key.h"
#include "engine/table_record.h"
#include "engine/vector_rows.h"
#include "storage/counters.h"
#include "storage/salvage.h"
#include "value/encoded_item.h"

namespace dolmen::engine {
namespace {

/// A commit is written when it has reached this size.
constexpr std::size_t kBatchBytes = std::size_t{1} << 20;
constexpr std::string_view kTablesStart = "table/";
constexpr std::string_view kNextId = "next_table_id";

class Salvage {
 public:
  Salvage(const storage::Storage& damaged, storage::Storage& fresh) : damaged_(damaged), fresh_(fresh) {}

  Result<SalvageReport> run() {
    DOLMEN_TRY_VOID(take_catalogue());
    DOLMEN_TRY_VOID(check_keys());
    for (const Table& table : tables_) DOLMEN_TRY_VOID(take_items(table));
    DOLMEN_TRY_VOID(take_rows(keyspaces::kTokens, "client tokens"));
    DOLMEN_TRY_VOID(take_rows(keyspaces::kHistory, "histories"));
    DOLMEN_TRY_VOID(take_streams());
    DOLMEN_TRY_VOID(commit());
    return std::move(report_);
  }

 private:
  using Visit = std::function<Result<void>(std::string_view key, std::string_view value)>;

  Result<void> visit(storage::Keyspace keyspace, storage::KeyRangeView range, const std::string& what,
                     const Visit& visit) {
    return storage::visit_readable(damaged_, keyspace, range, visit, [&](const Error& cause) {
      report_.losses.push_back(fmt::format("{}: some rows cannot be read: {}", what, cause.message()));
    });
  }

  Result<void> commit() { return fresh_.commit(std::exchange(batch_, storage::Batch())); }
  Result<void> commit_when_large() { return batch_.byte_size() < kBatchBytes ? Result<void>() : commit(); }

  /// Positions of builds and notes of removed rows are not taken: what they are about is made anew.
  Result<void> take_catalogue() {
    TableId next = 1;
    DOLMEN_TRY_VOID(visit(keyspaces::kCatalogue, {}, "the catalogue",
                          [&](std::string_view key, std::string_view value) -> Result<void> {
                            if (key.starts_with("build/") || key.starts_with("reclaim/")) return {};
                            if (key.starts_with(kTablesStart)) return take_table(key, value);
                            if (key == kNextId) {
                              if (value.size() == sizeof(TableId)) next = read_big_endian<TableId>(value);
                              return {};
                            }
                            batch_.put(keyspaces::kCatalogue, key, value);
                            return {};
                          }));
    for (const Table& table : tables_) {
      next = std::max({next, table.id + 1, table.stream_id + 1});
      for (const Index& index : table.indexes) next = std::max(next, index.id + 1);
      for (const VectorIndex& index : table.vector_indexes) next = std::max(next, index.id + 1);
    }
    std::string encoded;
    append_big_endian(encoded, next);
    batch_.put(keyspaces::kCatalogue, kNextId, encoded);
    return commit();
  }

  Result<void> take_table(std::string_view key, std::string_view value) {
    Result<Table> table = decode_table(key, value);
    if (!table) {
      report_.losses.push_back(fmt::format("{}: {}", key, table.error().message()));
      return {};
    }
    ++report_.tables;
    // Every row of an index is written with its item, so that nothing is left to build.
    const auto settle = [](auto& indexes) {
      std::erase_if(indexes, [](const auto& index) { return index.state == IndexState::kDeleting; });
      for (auto& index : indexes) index.state = IndexState::kActive;
    };
    settle(table->indexes);
    settle(table->vector_indexes);
    table->expiry_building = false;
    copy_index_definitions(*table);
    batch_.put(keyspaces::kCatalogue, key, encode_table(*table));
    extents::begin(batch_, table->id);
    for (const Index& index : table->indexes) extents::begin(batch_, index.id);
    for (const VectorIndex& index : table->vector_indexes) extents::begin(batch_, index.id);
    tables_.push_back(*std::move(table));
    return {};
  }

  Result<void> check_keys() {
    for (const Table& table : tables_) {
      if (!table.seal) continue;
      if (!damaged_.seals()->has_key(table.seal->key))
        return fail(Code::kAccessDenied,
                    "table \"{}\" is encrypted, and its key is missing: set DOLMEN_TABLE_KEYS to "
                    "the file that has it",
                    table.definition.name);
      apply_seal(*fresh_.seals(), table);
      DOLMEN_TRY_VOID(fresh_.mark_sealed());
    }
    return {};
  }

  /// A value as it was before it was encrypted; nothing when that cannot be undone.
  [[nodiscard]] std::optional<std::string> opened(std::string_view key, std::string_view value) const {
    if (!damaged_.seals()->is_sealed(keyspaces::kItems, value)) return std::string(value);
    std::string plain;
    if (!damaged_.seals()->open(keyspaces::kItems, key, value, plain)) return std::nullopt;
    return plain;
  }

  Result<void> take_items(const Table& table) {
    const std::string lower = first_key_of(table.id);
    const std::string upper = first_key_of(table.id + 1);
    const std::string what = fmt::format("table \"{}\"", table.definition.name);
    DOLMEN_TRY_VOID(visit(keyspaces::kItems, {.lower = lower, .upper = upper}, what,
                          [&](std::string_view key, std::string_view value) -> Result<void> {
                            std::optional<std::string> item = opened(key, value);
                            const bool whole = item && decode_item(*item);
                            if (!whole || row_key_of_item(table, *item) != key) {
                              report_.losses.push_back(fmt::format("{}: a row does not hold an item of its key", what));
                              return {};
                            }
                            return take_item(table, key, {.bytes = *std::move(item)});
                          }));
    return commit();
  }

  Result<void> take_item(const Table& table, std::string_view key, const EncodedItem& item) {
    ++report_.items;
    batch_.put(keyspaces::kItems, key, item.bytes);
    extents::change(batch_, table.id, extents::change_of(std::nullopt, item_size(item.bytes)));
    DOLMEN_TRY_VOID(stage_in_indexes(table, key, nullptr, &item, fresh_, batch_));
    DOLMEN_TRY_VOID(stage_in_vector_indexes(table, key, nullptr, &item, fresh_, batch_));
    expiry::stage(batch_, table, key, nullptr, &item);
    return commit_when_large();
  }

  Result<void> take_rows(storage::Keyspace keyspace, const std::string& what) {
    return visit(keyspace, {}, what, [&](std::string_view key, std::string_view value) -> Result<void> {
      batch_.put(keyspace, key, value);
      return commit_when_large();
    });
  }

  /// Records are taken with their numbers; the counter of a shard is at least the last of them.
  Result<void> take_streams() {
    std::map<std::string, std::int64_t, std::less<>> last;
    DOLMEN_TRY_VOID(visit(keyspaces::kCounters, {}, "the numbers of streams",
                          [&](std::string_view key, std::string_view value) -> Result<void> {
                            if (key.size() == sizeof(TableId)) return {};  // The counts of a table, made anew.
                            if (const auto stored = storage::decode_counters(value); stored && !stored->empty())
                              last[std::string(key)] = stored->front();
                            return {};
                          }));
    std::string shard;
    std::uint64_t before = 0;
    DOLMEN_TRY_VOID(
        visit(keyspaces::kStreams, {}, "streams", [&](std::string_view key, std::string_view value) -> Result<void> {
          if (key.size() < sizeof(std::uint64_t)) return {};
          const std::string_view head = key.substr(0, key.size() - sizeof(std::uint64_t));
          const auto number = read_big_endian<std::uint64_t>(key.substr(head.size()));
          if (head != shard) {
            shard.assign(head);
          } else if (number != before + 1) {
            report_.losses.push_back(fmt::format("streams: {} records of a shard are lost", number - before - 1));
          }
          before = number;
          ++report_.stream_records;
          std::int64_t& counter = last[shard];
          counter = std::max(counter, static_cast<std::int64_t>(number));
          batch_.put(keyspaces::kStreams, key, value);
          return commit_when_large();
        }));
    DOLMEN_TRY_VOID(commit());
    for (const auto& [key, number] : last) batch_.add(keyspaces::kCounters, key, std::vector<std::int64_t>{number});
    return commit();
  }

  const storage::Storage& damaged_;
  storage::Storage& fresh_;
  storage::Batch batch_;
  std::vector<Table> tables_;
  SalvageReport report_;
};

}  // namespace

Result<SalvageReport> salvage(const storage::Storage& damaged, storage::Storage& fresh) {
  return Salvage(damaged, fresh).run();
}

}  // namespace dolmen::engine
