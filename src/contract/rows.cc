#include "contract/rows.h"

#include "base/fail.h"
#include "service/internal_tables.h"
#include "service/wait.h"
#include "value/encoded_item.h"
#include "value/item_text.h"

namespace dolmen::contract {
namespace {

constexpr const char* kPartition = "pk";
constexpr const char* kSort = "sk";
constexpr const char* kActive = "active";

std::string published_partition(const std::string& table_id) { return "published/" + table_id; }

WriteRequest request_of(WriteKind kind, const Item& item) {
  return {.kind = kind, .table = std::string(kContractsTable), .item = encode_item(item)};
}

Result<ActiveRow> active_row(const Item& item) {
  const std::optional<Mode> mode = mode_of(text_of(item, "mode"));
  if (!mode) return fail(Code::kCorruption, "the contract of table {} has no mode", text_of(item, "table"));
  return ActiveRow{.table_id = text_of(item, kSort),
                   .table = text_of(item, "table"),
                   .version = text_of(item, "version"),
                   .mode = *mode};
}

}  // namespace

Result<std::optional<Item>> Rows::get(const std::string& partition, const std::string& sort) const {
  const GetItemRequest request{.table = std::string(kContractsTable),
                               .key = encode_item({{kPartition, partition}, {kSort, sort}}),
                               .consistent_read = true};
  const auto response = call<GetItem>(*service_, request);
  if (!response && response.error().code() != Code::kTableNotFound) return std::unexpected(response.error());
  if (!response || !response->item) return std::nullopt;
  DOLMEN_TRY(Item item, decode_item(response->item->bytes));
  return item;
}

Result<std::vector<Item>> Rows::partition(const std::string& name) const {
  std::vector<Item> items;
  ReadManyRequest request{
      .table = std::string(kContractsTable), .key_condition = Expression{"pk = :p"}, .consistent_read = true};
  request.placeholders.values = {{":p", name}};
  do {
    const auto page = call<Query>(*service_, request);
    if (!page && page.error().code() == Code::kTableNotFound) return items;
    if (!page) return std::unexpected(page.error());
    for (const EncodedItem& encoded : page->items) {
      DOLMEN_TRY(items.emplace_back(), decode_item(encoded.bytes));
    }
    request.start_key = page->last_key;
  } while (request.start_key);
  return items;
}

Result<void> Rows::write(const WriteRequest& request) const {
  for (bool retried = false;; retried = true) {
    const auto written =
        request.kind == WriteKind::kPut ? call<PutItem>(*service_, request) : call<DeleteItem>(*service_, request);
    if (written) return {};
    if (retried || written.error().code() != Code::kTableNotFound) return std::unexpected(written.error());
    TableDefinition definition{.name = std::string(kContractsTable),
                               .partition_key = {kPartition, KeyType::kString},
                               .sort_key = KeyAttribute{kSort, KeyType::kString}};
    const auto made = call<CreateTable>(*service_, std::move(definition));
    if (!made && made.error().code() != Code::kTableExists) return std::unexpected(made.error());
  }
}

Result<std::vector<ActiveRow>> Rows::active() const {
  DOLMEN_TRY(const std::vector<Item> items, partition(kActive));
  std::vector<ActiveRow> rows;
  for (const Item& item : items) {
    DOLMEN_TRY(rows.emplace_back(), active_row(item));
  }
  return rows;
}

Result<std::optional<ActiveRow>> Rows::active(const std::string& table_id) const {
  DOLMEN_TRY(const std::optional<Item> item, get(kActive, table_id));
  if (!item) return std::nullopt;
  DOLMEN_TRY(ActiveRow row, active_row(*item));
  return row;
}

WriteRequest Rows::put_of(const ActiveRow& row) {
  return request_of(WriteKind::kPut, {{kPartition, kActive},
                                      {kSort, row.table_id},
                                      {"table", row.table},
                                      {"version", row.version},
                                      {"mode", std::string(mode_name(row.mode))}});
}

WriteRequest Rows::removal_of(const std::string& table_id) {
  return request_of(WriteKind::kDelete, {{kPartition, kActive}, {kSort, table_id}});
}

Result<void> Rows::forget(const std::string& table_id) const {
  DOLMEN_TRY(const std::vector<std::string> published, versions(table_id));
  for (const std::string& version : published)
    DOLMEN_TRY_VOID(
        write(request_of(WriteKind::kDelete, {{kPartition, published_partition(table_id)}, {kSort, version}})));
  return write(removal_of(table_id));
}

Result<std::optional<std::string>> Rows::published(const std::string& table_id, const std::string& version) const {
  DOLMEN_TRY(const std::optional<Item> item, get(published_partition(table_id), version));
  if (!item) return std::nullopt;
  return text_of(*item, "text");
}

Result<std::vector<std::string>> Rows::versions(const std::string& table_id) const {
  DOLMEN_TRY(const std::vector<Item> items, partition(published_partition(table_id)));
  std::vector<std::string> versions;
  for (const Item& item : items) versions.push_back(text_of(item, kSort));
  return versions;
}

Result<void> Rows::publish(const std::string& table_id, const std::string& version, const std::string& text) const {
  WriteRequest request =
      request_of(WriteKind::kPut, {{kPartition, published_partition(table_id)}, {kSort, version}, {"text", text}});
  request.condition = Expression{"attribute_not_exists(pk)"};
  const Result<void> written = write(request);
  if (written || written.error().code() != Code::kConditionFailed) return written;
  DOLMEN_TRY(const std::optional<std::string> stored, published(table_id, version));
  if (stored == text) return {};
  return fail(
      Code::kSchemaImmutable,
      "the contract {} of the table has been published and cannot be changed; publish the change as a new version",
      version);
}

}  // namespace dolmen::contract
