#include "engine/catalogue.h"

#include <mutex>
#include <utility>

#include "base/endian.h"
#include "base/fail.h"
#include "engine/extents.h"
#include "engine/keyspaces.h"
#include "engine/row_key.h"
#include "service/internal_tables.h"
#include "value/encoded_item.h"

namespace dolmen::engine {
namespace {

// Rows of the catalogue: "next_table_id" holds a big-endian id; "table/<name>" holds a table as an encoded item.
constexpr std::string_view kNextIdKey = "next_table_id";
constexpr std::string_view kTablePrefix = "table/";
constexpr std::string_view kTablePrefixEnd = "table0";

std::string table_key(std::string_view name) { return std::string(kTablePrefix).append(name); }

Item record_of(const IndexDefinition& index);

Item record_of(const KeyAttribute& attribute) {
  return {{"name", attribute.name}, {"type", key_type_name(attribute.type)}};
}

Item record_of(const std::string& name) { return {{"name", name}}; }

template <class Element>
List list_of(const std::vector<Element>& elements) {
  List list;
  for (const Element& element : elements) list.emplace_back(record_of(element));
  return list;
}

Item record_of(const IndexDefinition& index) {
  return {{"name", index.name},
          {"partition_keys", list_of(index.partition_keys)},
          {"sort_keys", list_of(index.sort_keys)},
          {"projection", static_cast<int>(index.projection)},
          {"included_attributes", list_of(index.included_attributes)},
          {"read_units", index.throughput.read_units},
          {"write_units", index.throughput.write_units}};
}

Item record_of(const Table& table) {
  const TableDefinition& definition = table.definition;
  Item record{
      {"id", table.id},
      {"first_index_id", table.indexes.empty() ? 0 : table.indexes.front().id},
      {"uuid", table.uuid},
      {"created_ms", table.created.time_since_epoch().count()},
      {"name", definition.name},
      {"partition_key", record_of(definition.partition_key)},
      {"local_indexes", list_of(definition.local_indexes)},
      {"global_indexes", list_of(definition.global_indexes)},
      {"provisioned", definition.billing_mode == BillingMode::kProvisioned},
      {"read_units", definition.throughput.read_units},
      {"write_units", definition.throughput.write_units},
      {"deletion_protection", definition.deletion_protection},
  };
  if (definition.sort_key) record.set("sort_key", record_of(*definition.sort_key));
  return record;
}

/// Reads the attributes of a record. A missing or mistyped attribute makes the record bad; the caller checks at the
/// end.
class RecordReader {
 public:
  RecordReader(const Item& record, bool& ok) : record_(record), ok_(ok) {}

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

  Throughput throughput() { return {integer("read_units"), integer("write_units")}; }

  KeyAttribute key_attribute() {
    const auto type = get<std::string>("type");
    return {get<std::string>("name"), type == "N"   ? KeyType::kNumber
                                      : type == "B" ? KeyType::kBinary
                                                    : KeyType::kString};
  }

  IndexDefinition index() {
    return {.name = get<std::string>("name"),
            .partition_keys = list<KeyAttribute>("partition_keys", &RecordReader::key_attribute),
            .sort_keys = list<KeyAttribute>("sort_keys", &RecordReader::key_attribute),
            .projection = static_cast<ProjectionType>(integer("projection")),
            .included_attributes = list<std::string>("included_attributes", &RecordReader::name),
            .throughput = throughput()};
  }

  std::string name() { return get<std::string>("name"); }

  template <class T>
  T inner(std::string_view name, T (RecordReader::*read)()) {
    const Item record = get<Item>(name);
    RecordReader reader(record, ok_);
    return (reader.*read)();
  }

  template <class T>
  std::vector<T> list(std::string_view name, T (RecordReader::*read)()) {
    std::vector<T> elements;
    for (const AttributeValue& element : get<List>(name)) {
      const Item* record = element.get_if<Item>();
      if (record == nullptr) ok_ = false;
      if (record == nullptr) continue;
      RecordReader reader(*record, ok_);
      elements.push_back((reader.*read)());
    }
    return elements;
  }

 private:
  const Item& record_;
  bool& ok_;
};

Result<Table> table_of(std::string_view key, std::string_view value) {
  DOLMEN_TRY(const Item record, decode_item(value));
  bool ok = true;
  RecordReader reader(record, ok);
  TableDefinition definition{
      .name = reader.name(),
      .partition_key = reader.inner<KeyAttribute>("partition_key", &RecordReader::key_attribute),
      .local_indexes = reader.list<IndexDefinition>("local_indexes", &RecordReader::index),
      .global_indexes = reader.list<IndexDefinition>("global_indexes", &RecordReader::index),
      .billing_mode = reader.get<bool>("provisioned") ? BillingMode::kProvisioned : BillingMode::kPayPerRequest,
      .throughput = reader.throughput(),
      .deletion_protection = reader.get<bool>("deletion_protection")};
  if (record.contains("sort_key"))
    definition.sort_key = reader.inner<KeyAttribute>("sort_key", &RecordReader::key_attribute);
  Table table = make_table(std::move(definition), static_cast<TableId>(reader.integer("first_index_id")));
  table.id = static_cast<TableId>(reader.integer("id"));
  table.uuid = reader.get<std::string>("uuid");
  table.created = TableDescription::TimePoint(std::chrono::milliseconds(reader.integer("created_ms")));
  if (!ok) return fail(Code::kCorruption, "the catalogue entry \"{}\" is damaged", key);
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

std::shared_ptr<const Table> Catalogue::prepare_create(storage::Batch& batch, NewTable fresh) {
  Table table = make_table(std::move(fresh.definition), next_id_ + 1);
  table.id = next_id_;
  table.uuid = std::move(fresh.uuid);
  table.created = fresh.created;
  next_id_ += 1 + static_cast<TableId>(table.indexes.size());
  std::string next_id;
  append_big_endian(next_id, next_id_);
  batch.put(keyspaces::kCatalogue, kNextIdKey, next_id);
  batch.put(keyspaces::kCatalogue, table_key(table.definition.name), encode_item(record_of(table)).bytes);
  extents::begin(batch, table.id);
  for (const Index& index : table.indexes) extents::begin(batch, index.id);
  return std::make_shared<const Table>(std::move(table));
}

void Catalogue::prepare_delete(storage::Batch& batch, const Table& table) {
  batch.remove(keyspaces::kCatalogue, table_key(table.definition.name));
  const auto remove_rows = [&](TableId id) {
    batch.remove_range(keyspaces::kItems, {.lower = first_key_of(id), .upper = first_key_of(id + 1)});
    extents::end(batch, id);
  };
  remove_rows(table.id);
  for (const Index& index : table.indexes) remove_rows(index.id);
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

}  // namespace dolmen::engine
