#include "engine/catalogue.h"

#include <mutex>
#include <utility>

#include "base/endian.h"
#include "base/fail.h"
#include "engine/keyspaces.h"
#include "value/encoded_item.h"

namespace dolmen {
namespace {

// Rows of the catalogue: "next_table_id" holds a big-endian id; "table/<name>" holds a table as an encoded item.
constexpr std::string_view kNextIdKey = "next_table_id";
constexpr std::string_view kTablePrefix = "table/";
constexpr std::string_view kTablePrefixEnd = "table0";

std::string table_key(std::string_view name) { return std::string(kTablePrefix).append(name); }

Item key_attribute_record(const KeyAttribute& attribute) {
  return {{"name", attribute.name}, {"type", key_type_name(attribute.type)}};
}

Item record_of(const Table& table) {
  const TableDefinition& definition = table.definition;
  Item record{
      {"id", table.id},
      {"uuid", table.uuid},
      {"created_ms", table.created.time_since_epoch().count()},
      {"name", definition.name},
      {"partition_key", key_attribute_record(definition.partition_key)},
      {"provisioned", definition.billing_mode == BillingMode::kProvisioned},
      {"read_units", definition.throughput.read_units},
      {"write_units", definition.throughput.write_units},
      {"deletion_protection", definition.deletion_protection},
  };
  if (definition.sort_key) record.set("sort_key", key_attribute_record(*definition.sort_key));
  return record;
}

/// Reads the attributes of a record. A missing or mistyped one makes the record bad, which is asked once at the end.
class RecordReader {
 public:
  explicit RecordReader(const Item& record) : record_(record) {}

  [[nodiscard]] bool ok() const { return ok_; }

  template <class T>
  T get(std::string_view name) {
    const AttributeValue* value = record_.find(name);
    const T* typed = value == nullptr ? nullptr : value->get_if<T>();
    if (typed == nullptr) ok_ = false;
    return typed == nullptr ? T{} : *typed;
  }

  std::int64_t integer(std::string_view name) {
    const std::optional<std::int64_t> value = get<Number>(name).to_int64();
    if (!value) ok_ = false;
    return value.value_or(0);
  }

  KeyAttribute key_attribute(std::string_view name) {
    const Item inner = get<Item>(name);
    RecordReader reader(inner);
    KeyAttribute attribute{.name = reader.get<std::string>("name")};
    const auto type = reader.get<std::string>("type");
    if (type == "N") attribute.type = KeyType::kNumber;
    if (type == "B") attribute.type = KeyType::kBinary;
    ok_ = ok_ && reader.ok_;
    return attribute;
  }

 private:
  const Item& record_;
  bool ok_ = true;
};

Result<Table> table_of(std::string_view key, std::string_view value) {
  DOLMEN_TRY(const Item record, decode_item(value));
  RecordReader reader(record);
  Table table{
      .id = static_cast<TableId>(reader.integer("id")),
      .uuid = reader.get<std::string>("uuid"),
      .created = TableDescription::TimePoint(std::chrono::milliseconds(reader.integer("created_ms"))),
      .definition = {.name = reader.get<std::string>("name"),
                     .partition_key = reader.key_attribute("partition_key"),
                     .billing_mode =
                         reader.get<bool>("provisioned") ? BillingMode::kProvisioned : BillingMode::kPayPerRequest,
                     .throughput = {reader.integer("read_units"), reader.integer("write_units")},
                     .deletion_protection = reader.get<bool>("deletion_protection")},
  };
  if (record.contains("sort_key")) table.definition.sort_key = reader.key_attribute("sort_key");
  if (!reader.ok()) return fail(Code::kCorruption, "the catalogue entry \"{}\" is damaged", key);
  return table;
}

}  // namespace

Result<std::unique_ptr<Catalogue>> Catalogue::load(storage::Storage& storage) {
  auto catalogue = std::make_unique<Catalogue>();
  std::string next_id;
  DOLMEN_TRY(const bool has_next_id, storage.get(keyspaces::kCatalogue, kNextIdKey, next_id));
  if (has_next_id) {
    if (next_id.size() != sizeof(TableId)) return fail(Code::kCorruption, "the catalogue's table counter is damaged");
    catalogue->next_id_ = read_big_endian<TableId>(next_id);
  }
  auto rows = storage.iterate(keyspaces::kCatalogue, {.lower = kTablePrefix, .upper = kTablePrefixEnd});
  for (rows.seek_first(); rows.valid(); rows.next()) {
    DOLMEN_TRY(Table table, table_of(rows.key(), rows.value()));
    catalogue->show(std::make_shared<const Table>(std::move(table)));
  }
  DOLMEN_TRY_VOID(rows.status());
  return catalogue;
}

std::shared_ptr<const Table> Catalogue::find(std::string_view name) const {
  const std::shared_lock lock(tables_mutex_);
  const auto found = tables_.find(name);
  return found == tables_.end() ? nullptr : found->second;
}

std::size_t Catalogue::size() const {
  const std::shared_lock lock(tables_mutex_);
  return tables_.size();
}

TableNamePage Catalogue::page(const std::optional<std::string>& after, std::size_t limit) const {
  TableNamePage page;
  const std::shared_lock lock(tables_mutex_);
  auto at = after ? tables_.upper_bound(*after) : tables_.begin();
  for (; at != tables_.end() && page.names.size() < limit; ++at) page.names.push_back(at->first);
  if (at != tables_.end()) page.last_name = page.names.back();
  return page;
}

std::shared_ptr<const Table> Catalogue::prepare_create(storage::Batch& batch, Table table) {
  table.id = next_id_++;
  std::string next_id;
  append_big_endian(next_id, next_id_);
  batch.put(keyspaces::kCatalogue, kNextIdKey, next_id);
  batch.put(keyspaces::kCatalogue, table_key(table.definition.name), encode_item(record_of(table)).bytes);
  return std::make_shared<const Table>(std::move(table));
}

void Catalogue::prepare_delete(storage::Batch& batch, const Table& table) {
  batch.remove(keyspaces::kCatalogue, table_key(table.definition.name));
  batch.remove_range(keyspaces::kItems, {.lower = first_key_of(table.id), .upper = first_key_of(table.id + 1)});
}

void Catalogue::show(std::shared_ptr<const Table> table) {
  const std::unique_lock lock(tables_mutex_);
  const std::string& name = table->definition.name;
  tables_.insert_or_assign(name, std::move(table));
}

void Catalogue::hide(std::string_view name) {
  const std::unique_lock lock(tables_mutex_);
  const auto found = tables_.find(name);
  if (found != tables_.end()) tables_.erase(found);
}

}  // namespace dolmen
