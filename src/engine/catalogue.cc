#include "engine/catalogue.h"

#include <mutex>
#include <utility>

#include "base/endian.h"
#include "base/fail.h"
#include "engine/data_keys.h"
#include "engine/extents.h"
#include "engine/item_walk.h"
#include "engine/keyspaces.h"
#include "engine/kinesis_forwarder.h"
#include "engine/reclaiming.h"
#include "engine/stream_log.h"
#include "engine/table_record.h"
#include "service/internal_tables.h"

namespace dolmen::engine {
namespace {

// Rows of the catalogue: "next_table_id" holds a big-endian id; "table/<name>" holds a table as an encoded item.
constexpr std::string_view kNextIdKey = "next_table_id";
constexpr std::string_view kTablePrefix = "table/";
constexpr std::string_view kTablePrefixEnd = "table0";

std::string table_key(std::string_view name) { return std::string(kTablePrefix).append(name); }

}  // namespace

Result<std::unique_ptr<Catalogue>> Catalogue::load(storage::Storage& storage) {
  auto catalogue = std::make_unique<Catalogue>();
  catalogue->seals_ = storage.seals();
  std::string next_id;
  DOLMEN_TRY(const bool has_next_id, storage.get(keyspaces::kCatalogue, kNextIdKey, next_id));
  if (has_next_id) {
    if (next_id.size() != sizeof(TableId)) return fail(Code::kCorruption, "the catalogue's table counter is damaged");
    catalogue->next_id_ = read_big_endian<TableId>(next_id);
  }
  auto rows = storage.iterate(keyspaces::kCatalogue, {.lower = kTablePrefix, .upper = kTablePrefixEnd});
  for (rows.seek_first(); rows.valid(); rows.next()) {
    DOLMEN_TRY(Table table, decode_table(rows.key(), rows.value()));
    catalogue->show(std::make_shared<const Table>(std::move(table)));
  }
  DOLMEN_TRY_VOID(rows.status());
  return catalogue;
}

Result<std::optional<Table>> Catalogue::stored(const storage::Storage& storage, std::string_view name) {
  const std::string key = table_key(name);
  std::string bytes;
  DOLMEN_TRY(const bool exists, storage.get(keyspaces::kCatalogue, key, bytes));
  if (!exists) return std::nullopt;
  DOLMEN_TRY(Table table, decode_table(key, bytes));
  return table;
}

std::shared_ptr<const Table> Catalogue::find(std::string_view name) const {
  const std::shared_lock lock(tables_mutex_);
  const auto found = tables_.find(name);
  return found == tables_.end() ? nullptr : found->second;
}

std::vector<std::shared_ptr<const Table>> Catalogue::all() const {
  std::vector<std::shared_ptr<const Table>> tables;
  const std::shared_lock lock(tables_mutex_);
  for (const auto& [name, table] : tables_) tables.push_back(table);
  return tables;
}

std::size_t Catalogue::size() const {
  const std::shared_lock lock(tables_mutex_);
  return tables_.size() - (tables_.contains(kDocumentsTable) ? 1 : 0) - (tables_.contains(kContractsTable) ? 1 : 0);
}

TableNamePage Catalogue::page(const std::optional<std::string>& after, std::size_t limit) const {
  TableNamePage page;
  const std::shared_lock lock(tables_mutex_);
  auto at = after ? tables_.upper_bound(*after) : tables_.begin();
  const auto skip_internal = [&] {
    while (at != tables_.end() && is_internal_table(at->first)) ++at;
  };
  for (skip_internal(); at != tables_.end() && page.names.size() < limit; skip_internal())
    page.names.push_back((at++)->first);
  if (at != tables_.end()) page.last_name = page.names.back();
  return page;
}

Result<std::shared_ptr<const Table>> Catalogue::prepare_create(const storage::Storage& storage, storage::Batch& batch,
                                                               NewTable fresh) {
  Table table = make_table(std::move(fresh.definition), next_id_ + 1);
  table.id = next_id_;
  table.uuid = std::move(fresh.uuid);
  table.created = fresh.created;
  table.restore = std::move(fresh.restore);
  table.seal = fresh.seal;
  set_first_warm(table);
  if (table.definition.resource_policy) {
    table.policies[""] = {.text = std::make_shared<const std::string>(*table.definition.resource_policy),
                          .revision = fresh.created.time_since_epoch().count()};
    table.definition.resource_policy.reset();
  }
  if (table.definition.billing_mode == BillingMode::kPayPerRequest) table.pay_per_request_since = fresh.created;
  take_ids(batch, 1 + table.indexes.size() + table.vector_indexes.size());
  if (table.definition.stream)
    DOLMEN_TRY_VOID(streams::begin(storage, batch, table, take_ids(batch, 1), fresh.created));
  prepare_change(batch, table);
  extents::begin(batch, table.id);
  for (const Index& index : table.indexes) extents::begin(batch, index.id);
  for (const VectorIndex& index : table.vector_indexes) extents::begin(batch, index.id);
  return std::shared_ptr<const Table>(std::make_shared<const Table>(std::move(table)));
}

TableId Catalogue::take_ids(storage::Batch& batch, std::size_t count) {
  const TableId first = next_id_;
  next_id_ += static_cast<TableId>(count);
  std::string next_id;
  append_big_endian(next_id, next_id_);
  batch.put(keyspaces::kCatalogue, kNextIdKey, next_id);
  return first;
}

void Catalogue::prepare_change(storage::Batch& batch, const Table& table) {
  batch.put(keyspaces::kCatalogue, table_key(table.definition.name), encode_table(table));
}

Result<void> Catalogue::prepare_delete(const storage::Storage& storage, storage::Batch& batch, const Table& table,
                                       TableTime now) {
  if (table.definition.stream) DOLMEN_TRY_VOID(streams::end(storage, batch, table, now));
  batch.remove(keyspaces::kCatalogue, table_key(table.definition.name));
  ItemWalk::forget_all(batch, table);
  const auto remove_rows = [&](TableId id) {
    reclaiming::remove_rows(batch, {keyspaces::kItems, id});
    extents::end(batch, id);
  };
  remove_rows(table.id);
  for (const Index& index : table.indexes) remove_rows(index.id);
  for (const VectorIndex& index : table.vector_indexes) remove_rows(index.id);
  if (table.definition.ttl) reclaiming::remove_rows(batch, {keyspaces::kExpiry, table.id});
  if (table.history) reclaiming::remove_rows(batch, {keyspaces::kHistory, table.history->id});
  for (const KinesisTarget& target : table.kinesis) forget_kinesis_records(batch, target);
  return {};
}

bool Catalogue::lacks_key(const Table& table) const { return table.seal && !seals_->has_key(table.seal->key); }

void Catalogue::show(std::shared_ptr<const Table> table) {
  if (seals_ != nullptr) apply_seal(*seals_, *table);
  const std::unique_lock lock(tables_mutex_);
  const std::string& name = table->definition.name;
  tables_.insert_or_assign(name, std::move(table));
}

void Catalogue::hide(std::string_view name) {
  const std::unique_lock lock(tables_mutex_);
  const auto found = tables_.find(name);
  if (found != tables_.end()) tables_.erase(found);
}

}  // namespace dolmen::engine
