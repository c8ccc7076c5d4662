#include "document/rows.h"

#include <algorithm>
#include <chrono>

#include "base/fail.h"
#include "base/limits.h"
#include "base/random.h"
#include "base/sleep.h"
#include "schema/log_note.h"
#include "service/failures.h"
#include "service/internal_tables.h"
#include "service/wait.h"
#include "service/write_gate.h"
#include "store/require_transactions.h"
#include "value/encoded_item.h"

namespace dolmen::document {
namespace {

constexpr const char* kPartition = "pk";
constexpr const char* kSort = "sk";
constexpr const char* kTableElsewhere = "dolmen.documents";

Bytes bytes_of(const std::string& text) { return Bytes(text); }

Item key_item(const RowKey& key) { return {{kPartition, key.partition}, {kSort, bytes_of(key.sort)}}; }

TableDefinition definition(const std::string& name) {
  return {
      .name = name, .partition_key = {kPartition, KeyType::kString}, .sort_key = KeyAttribute{kSort, KeyType::kBinary}};
}

Result<TableDescription> describe(Service& service, const std::string& name) {
  return call<DescribeTable>(service, {.table = name});
}

Result<Row> row_of(const EncodedItem& encoded) {
  DOLMEN_TRY(Item item, decode_item(encoded.bytes));
  const Bytes* sort = item.contains(kSort) ? item.at(kSort).get_if<Bytes>() : nullptr;
  if (sort == nullptr) return fail(Code::kCorruption, "a row of documents has no key");
  return Row{.sort = std::string(sort->view()), .attributes = std::move(item)};
}

WriteRequest request_of(const std::string& table, const RowChange& change) {
  WriteRequest request{.kind = change.kind == RowChange::Kind::kPut      ? WriteKind::kPut
                               : change.kind == RowChange::Kind::kDelete ? WriteKind::kDelete
                                                                         : WriteKind::kCheck,
                       .table = table};
  Item item = change.attributes;
  item.set(kPartition, change.key.partition);
  item.set(kSort, bytes_of(change.key.sort));
  request.item = encode_item(item);
  if (!change.condition.empty()) request.condition = Expression{change.condition};
  request.placeholders.values = change.values;
  return request;
}

bool is_conflict(const CancellationReason& reason) {
  return reason.code != "None" && reason.code != "ConditionalCheckFailed" && reason.code != "ValidationError";
}

}  // namespace

Rows::Rows(Store& store, const DocumentOptions& options)
    : service_(&store.service()),
      embedded_(store.companions().find<WriteGates>() != nullptr),
      table_(embedded_ ? std::string(kDocumentsTable) : kTableElsewhere),
      sleep_(or_real_sleep(options.sleep)),
      random_(or_system_random(options.random)) {}

Result<void> Rows::check_transactions(Store& store) const {
  if (embedded_) return {};
  const CheckAction nothing{.table = table_,
                            .key = key_item({.partition = "nothing", .sort = "nothing"}),
                            .condition = attr(kPartition).not_exists()};
  Result<void> asked = require_transactions(store, nothing, "keep documents, their ids and their indexes together");
  // The table may not be there yet, and whoever only reads may not be allowed to write.
  if (!asked && asked.error().code() != Code::kUnsupported) return {};
  return asked;
}

Result<void> Rows::wait_until_active() const {
  constexpr int kAttempts = 300;
  for (int i = 0; i < kAttempts; ++i) {
    DOLMEN_TRY(const TableDescription table, describe(*service_, table_));
    if (table.status == TableStatus::kActive) return {};
    sleep_(std::chrono::milliseconds(200));
  }
  return fail(Code::kTimeout, "the table {} did not become active in time", table_);
}

Result<void> Rows::make_table() const {
  const Result<TableDescription> made = call<CreateTable>(*service_, definition(table_));
  if (!made && made.error().code() != Code::kTableExists) return std::unexpected(made.error());
  return wait_until_active();
}

Result<std::optional<Item>> Rows::get(const RowKey& key) const {
  const GetItemRequest request{.table = table_, .key = encode_item(key_item(key)), .consistent_read = true};
  const auto response = call<GetItem>(*service_, request);
  if (!response && response.error().code() != Code::kTableNotFound) return std::unexpected(response.error());
  if (!response || !response->item) return std::nullopt;
  DOLMEN_TRY(Item item, decode_item(response->item->bytes));
  return item;
}

Result<std::vector<std::optional<Item>>> Rows::get_many(const std::vector<RowKey>& keys) const {
  std::vector<std::optional<Item>> found(keys.size());
  std::vector<std::size_t> wanted;
  for (std::size_t i = 0; i < keys.size(); ++i) wanted.push_back(i);
  while (!wanted.empty()) {
    const std::size_t count = std::min(wanted.size(), limits::kBatchGetKeys);
    BatchGetTable part{.table = table_, .consistent_read = true};
    for (std::size_t i = 0; i < count; ++i) part.keys.push_back(encode_item(key_item(keys[wanted[i]])));
    const BatchGetRequest request{.tables = {std::move(part)}};
    const auto response = call<BatchGetItem>(*service_, request);
    if (!response && response.error().code() == Code::kTableNotFound) return found;
    if (!response) return std::unexpected(response.error());
    for (const EncodedItem& encoded : response->items.front()) {
      DOLMEN_TRY(Row row, row_of(encoded));
      const std::string& partition = row.attributes.at(kPartition).string();
      for (std::size_t i = 0; i < count; ++i)
        if (keys[wanted[i]].sort == row.sort && keys[wanted[i]].partition == partition)
          found[wanted[i]] = row.attributes;
    }
    std::vector<std::size_t> rest;
    for (const std::size_t position : response->unprocessed.front()) rest.push_back(wanted[position]);
    rest.insert(rest.end(), wanted.begin() + static_cast<std::ptrdiff_t>(count), wanted.end());
    wanted = std::move(rest);
  }
  return found;
}

Result<RowPage> Rows::range(const RowRange& range) const {
  RowPage page;
  if (range.lower > range.upper) return page;
  ReadManyRequest request{.table = table_,
                          .key_condition = Expression{"pk = :p AND sk BETWEEN :a AND :b"},
                          .limit = range.limit,
                          .forward = !range.descending,
                          .consistent_read = true};
  request.placeholders.values = {{":p", range.partition}, {":a", bytes_of(range.lower)}, {":b", bytes_of(range.upper)}};
  if (range.after) request.start_key = encode_item(key_item({.partition = range.partition, .sort = *range.after}));
  const auto response = call<Query>(*service_, request);
  if (!response && response.error().code() == Code::kTableNotFound) return page;
  if (!response) return std::unexpected(response.error());
  for (const EncodedItem& encoded : response->items) {
    DOLMEN_TRY(Row row, row_of(encoded));
    page.rows.push_back(std::move(row));
  }
  page.more = response->last_key.has_value();
  return page;
}

Result<std::vector<std::size_t>> Rows::write(const std::vector<RowChange>& changes,
                                             const std::vector<SchemaRef>& refs) const {
  Patience patience = this->patience();
  for (bool first = true;; first = false) {
    TransactWriteRequest request;
    for (const RowChange& change : changes) request.writes.push_back(request_of(table_, change));
    if (embedded_) {
      request.log_note = schema::log_note(refs);
    } else {
      FunctionRandom random(random_);
      request.client_token = random_uuid(random);
    }
    const Result<TransactWriteResponse> done = call<TransactWriteItems>(*service_, std::move(request));
    if (done) return std::vector<std::size_t>{};
    if (done.error().code() == Code::kTableNotFound && first) {
      DOLMEN_TRY_VOID(make_table());
      continue;
    }
    const auto* cancellation = done.error().payload<Cancellation>();
    if (done.error().code() != Code::kTransactionCanceled || cancellation == nullptr)
      return std::unexpected(done.error());
    std::vector<std::size_t> failed;
    bool conflict = false;
    for (std::size_t i = 0; i < cancellation->reasons.size(); ++i) {
      if (cancellation->reasons[i].code == "ConditionalCheckFailed") failed.push_back(i);
      conflict = conflict || is_conflict(cancellation->reasons[i]);
    }
    if (!failed.empty()) return failed;
    if (!conflict || !patience.pause()) return std::unexpected(done.error());
  }
}

}  // namespace dolmen::document
