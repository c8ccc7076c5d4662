// Reads and writes of single items, and batches of them.
#include <algorithm>
#include <set>

#include "base/fail.h"
#include "base/limits.h"
#include "engine/capacity.h"
#include "engine/conflicts.h"
#include "engine/consumed.h"
#include "engine/engine.h"
#include "engine/here_or_elsewhere.h"
#include "engine/item_write.h"
#include "engine/key_counts.h"
#include "engine/keyspaces.h"
#include "engine/meeting.h"
#include "engine/moment.h"
#include "engine/read_many.h"
#include "engine/row_key.h"
#include "engine/traced.h"
#include "expr/path_rules.h"
#include "expr/projection.h"
#include "service/expressions.h"
#include "service/failures.h"
#include "value/attribute_selection.h"

namespace dolmen::engine {
namespace {

/// Begins to explain a read that is to be explained.
ReadTrace* traced(const std::shared_ptr<ReadTrace>& trace, const OperationInfo& operation) {
  if (trace) trace->begin(operation.name);
  return trace.get();
}

std::unexpected<Error> table_not_found() { return fail(Code::kTableNotFound, "Requested resource not found"); }

}  // namespace

Result<std::shared_ptr<const Table>> Engine::table_for_items(const std::string& name) const {
  std::shared_ptr<const Table> table = catalogue_->find(name);
  if (table == nullptr || table->restore) return table_not_found();
  if (catalogue_->lacks_key(*table)) return missing_key();
  return table;
}

Result<void> Engine::settle(ItemWrite& write) const {
  std::shared_ptr<const Table> now = catalogue_->find(write.table().definition.name);
  if (now == write.shared_table()) return {};
  if (now == nullptr || now->uuid != write.table().uuid) return table_not_found();
  return write.attach(std::move(now));
}

std::vector<LockRequest> Engine::locks_of(std::span<const ItemWrite> writes) const {
  std::vector<LockRequest> locks;
  locks.reserve(2 * writes.size());
  for (const ItemWrite& write : writes) {
    locks.push_back(pipeline_.locks().table(write.table().definition.name, LockMode::kShared));
    // Checks of an item do not wait for each other.
    const bool looks = write.request().kind == WriteKind::kCheck;
    locks.push_back(pipeline_.locks().item(write.row_key(), looks ? LockMode::kShared : LockMode::kExclusive));
  }
  return locks;
}

void Engine::start(PutItem /*operation*/, WriteRequest request, Done<WriteResponse> done) {
  write(std::move(request), std::move(done));
}

void Engine::start(UpdateItem /*operation*/, WriteRequest request, Done<WriteResponse> done) {
  write(std::move(request), std::move(done));
}

void Engine::start(DeleteItem /*operation*/, WriteRequest request, Done<WriteResponse> done) {
  write(std::move(request), std::move(done));
}

Result<ItemWrite> Engine::prepare_write(WriteRequest request) const {
  const std::string table_name = request.table;
  DOLMEN_TRY(ItemWrite write, ItemWrite::prepare(std::move(request)));
  DOLMEN_TRY(std::shared_ptr<const Table> table, table_for_items(table_name));
  DOLMEN_TRY_VOID(write.attach(std::move(table)));
  return write;
}

void Engine::write(WriteRequest request, Done<WriteResponse> done) {
  Result<ItemWrite> write = prepare_write(std::move(request));
  if (!write) return done(std::unexpected(std::move(write).error()));
  run_write(std::move(*write), std::move(done));
}

void Engine::run_write(ItemWrite write, Done<WriteResponse> done) {
  if (conflicts_) {
    auto ticket = conflicts_->enter(keys_of({&write, 1}), Conflicts::Kind::kWrite);
    if (!ticket) return done(fail(Code::kTransactionConflict, "{}", kConflictMessage));
    done = until_answered(std::move(*ticket), std::move(done));
  }
  const std::vector<LockRequest> locks = locks_of({&write, 1});
  const WritePipeline::Place place{.elsewhere = write.request().elsewhere, .takes_long = take_long({&write, 1})};
  auto work =
      [this, write = std::move(write)](storage::Batch& batch) mutable -> Result<WritePipeline::Outcome<WriteResponse>> {
    DOLMEN_TRY_VOID(settle(write));
    DOLMEN_TRY(ItemWrite::Decision decision, write.decide(*storage_));
    DOLMEN_TRY_VOID(write.stage(decision, *storage_, batch, now()));
    return WritePipeline::Outcome<WriteResponse>{std::move(decision.response)};
  };
  pipeline_.run<WriteResponse>(locks, std::move(work), std::move(done), place);
}

Result<GetItemResponse> Engine::read_item(const GetItemRequest& request, const ItemReading& reading,
                                          std::size_t* whole_bytes) const {
  ReadTrace* const trace = reading.trace;
  if (trace != nullptr) trace->enter(ReadTrace::Phase::kPrepare);
  std::optional<std::vector<expr::Path>> projection;
  if (request.projection) {
    ExpressionReader reader(request.placeholders);
    DOLMEN_TRY(projection, reader.projection(*request.projection));
    DOLMEN_TRY_VOID(reader.finish());
  }
  DOLMEN_TRY(const std::shared_ptr<const Table> table, table_for_items(request.table));
  DOLMEN_TRY(const std::string key, row_key_of_key(*table, request.key.bytes));
  std::vector<const expr::Path*> paths;
  if (projection) {
    for (const expr::Path& path : *projection) paths.push_back(&path);
    DOLMEN_TRY_VOID(check_key_paths(*table, paths));
  }
  EncodedItem item;
  if (trace != nullptr) trace->enter(ReadTrace::Phase::kRead);
  DOLMEN_TRY(const bool exists, storage_->get(keyspaces::kItems, key, item.bytes, reading.snapshot));
  // After the read, which may be refused and done again elsewhere.
  if (table->counts != nullptr) table->counts->count(request.key.bytes);
  const auto units = [&] { return capacity::read_units(exists ? item_size(item.bytes) : 0, request.consistent_read); };
  if (trace != nullptr) {
    ReadTrace::Part& part = trace->part(request.table);
    if (exists) trace_row(part, table->keys, item.bytes, item_size(item.bytes));
    if (exists) part.returned(item_size(item.bytes));
    part.add_capacity(units() * reading.cost);
    trace->enter(ReadTrace::Phase::kProject);
  }
  GetItemResponse response;
  if (request.return_capacity != ReturnCapacity::kNone) {
    const double consumed = units();
    response.capacity = ConsumedCapacity{.table = request.table, .total = consumed, .of_table = consumed};
  }
  if (!exists) return response;
  if (whole_bytes != nullptr) *whole_bytes = item_size(item.bytes);
  if (projection) {
    DOLMEN_TRY(const Item tree, decode_attributes(item.bytes, expr::attributes_of(paths)));
    item = encode_item(expr::project(tree, *projection));
  }
  response.item = std::move(item);
  return response;
}

void Engine::start(GetItem /*operation*/, GetItemRequest request, Done<GetItemResponse> done) {
  traced(request.trace, GetItem::kInfo);
  read_here_or_elsewhere<GetItemResponse>(
      *storage_, std::move(request), std::move(done),
      [this](const GetItemRequest& get) { return read_item(get, {.trace = get.trace.get()}); });
}

void Engine::start(Query /*operation*/, ReadManyRequest request, Done<ReadManyResponse> done) {
  traced(request.trace, Query::kInfo);
  read_many(std::move(request), {*catalogue_, *storage_}, std::move(done));
}

void Engine::start(Scan /*operation*/, ReadManyRequest request, Done<ReadManyResponse> done) {
  traced(request.trace, Scan::kInfo);
  read_many(std::move(request), {*catalogue_, *storage_}, std::move(done));
}

/// Everything is checked before anything is read: keys for duplicates, then the tables, then keys by their schemas.
Result<void> Engine::check_batch(const BatchGetRequest& request) const {
  for (const BatchGetTable& part : request.tables) {
    std::set<std::string_view> seen;
    for (const EncodedItem& key : part.keys)
      if (!seen.insert(key.bytes).second)
        return fail(Code::kValidation, "Provided list of item keys contains duplicates");
  }
  std::vector<std::shared_ptr<const Table>> tables;
  for (const BatchGetTable& part : request.tables) {
    DOLMEN_TRY(tables.emplace_back(), table_for_items(part.table));
  }
  for (std::size_t i = 0; i < tables.size(); ++i)
    for (const EncodedItem& key : request.tables[i].keys) DOLMEN_TRY_VOID(row_key_of_key(*tables[i], key.bytes));
  return {};
}

Result<BatchGetResponse> Engine::read_batch(const BatchGetRequest& request) const {
  BatchGetResponse response;
  std::size_t bytes = 0;
  bool full = false;
  DOLMEN_TRY_VOID(check_batch(request));
  for (const BatchGetTable& part : request.tables) {
    auto& items = response.items.emplace_back();
    auto& unprocessed = response.unprocessed.emplace_back();
    for (std::size_t i = 0; i < part.keys.size(); ++i) {
      if (full) {
        unprocessed.push_back(i);
        continue;
      }
      std::size_t item_bytes = 0;
      DOLMEN_TRY(GetItemResponse got, read_item({.table = part.table,
                                                 .key = part.keys[i],
                                                 .projection = part.projection,
                                                 .placeholders = part.placeholders,
                                                 .consistent_read = part.consistent_read,
                                                 .return_capacity = request.return_capacity},
                                                {.trace = request.trace.get()}, &item_bytes));
      bytes += item_bytes;
      if (bytes > limits::kBatchGetBytes) {
        full = true;
        unprocessed.push_back(i);
        continue;
      }
      if (got.capacity) add_capacity(response.capacity, *got.capacity);
      if (got.item) items.push_back(std::move(*got.item));
    }
  }
  return response;
}

void Engine::start(BatchGetItem /*operation*/, BatchGetRequest request, Done<BatchGetResponse> done) {
  traced(request.trace, BatchGetItem::kInfo);
  std::size_t items = 0;
  for (const BatchGetTable& part : request.tables) items += part.keys.size();
  const auto read = [this](const BatchGetRequest& gets) { return read_batch(gets); };
  if (items <= kItemsAtOnceMax)
    return read_here_or_elsewhere<BatchGetResponse>(*storage_, std::move(request), std::move(done), read);
  read_many_items<BatchGetResponse>(*storage_, std::move(request), std::move(done), read,
                                    [this](const BatchGetRequest& gets) { return row_keys_of(gets); });
}

std::vector<std::string> Engine::row_keys_of(const BatchGetRequest& request) const {
  std::vector<std::string> rows;
  for (const BatchGetTable& part : request.tables) {
    const auto table = table_for_items(part.table);
    if (!table) continue;
    for (const EncodedItem& key : part.keys)
      if (Result<std::string> row = row_key_of_key(**table, key.bytes)) rows.push_back(*std::move(row));
  }
  return rows;
}

Result<std::vector<ItemWrite>> Engine::prepare_writes(std::vector<WriteRequest> requests) const {
  std::vector<std::string> tables;
  std::vector<ItemWrite> writes;
  tables.reserve(requests.size());
  writes.reserve(requests.size());
  for (WriteRequest& request : requests) {
    tables.push_back(request.table);
    DOLMEN_TRY(ItemWrite write, ItemWrite::prepare(std::move(request)));
    writes.push_back(std::move(write));
  }
  for (std::size_t i = 0; i < writes.size(); ++i) {
    DOLMEN_TRY(std::shared_ptr<const Table> table, table_for_items(tables[i]));
    writes[i].set_table(std::move(table));
  }
  return writes;
}

void Engine::start(BatchWriteItem /*operation*/, BatchWriteRequest request, Done<BatchWriteResponse> done) {
  const auto prepare = [&]() -> Result<std::vector<ItemWrite>> {
    DOLMEN_TRY(std::vector<ItemWrite> writes, prepare_writes(std::move(request.writes)));
    Result<void> attached;
    std::vector<std::string_view> keys;
    keys.reserve(writes.size());
    for (auto write = writes.begin(); write != writes.end() && attached; ++write) {
      attached = write->attach_in_batch();
      if (attached) keys.push_back(write->row_key());
    }
    // Those of the writes before one that cannot be attached come before it.
    std::ranges::sort(keys);
    if (std::ranges::adjacent_find(keys) != keys.end())
      return fail(Code::kValidation, "Provided list of item keys contains duplicates");
    if (!attached) return std::unexpected(std::move(attached).error());
    return writes;
  };
  Result<std::vector<ItemWrite>> writes = prepare();
  if (!writes) return done(std::unexpected(std::move(writes).error()));
  std::vector<std::size_t> left_out = enter_batch(*writes, done);
  const std::vector<LockRequest> locks = locks_of(*writes);
  auto work = [this, writes = std::move(*writes), metrics = request.return_collection_metrics,
               left_out = std::move(left_out)](
                  storage::Batch& batch) mutable -> Result<WritePipeline::Outcome<BatchWriteResponse>> {
    BatchWriteResponse response{.unprocessed = left_out};
    batch.reserve(staged_bytes(writes));
    for (ItemWrite& write : writes) {
      DOLMEN_TRY_VOID(settle(write));
      DOLMEN_TRY(ItemWrite::Decision decision, write.decide(*storage_));
      DOLMEN_TRY_VOID(write.stage(decision, *storage_, batch, now()));
      if (decision.response.capacity) add_capacity(response.capacity, *decision.response.capacity);
      if (metrics && decision.response.collection_metrics)
        response.collection_metrics.emplace_back(write.request().table,
                                                 std::move(*decision.response.collection_metrics));
    }
    return WritePipeline::Outcome<BatchWriteResponse>{std::move(response)};
  };
  pipeline_.run<BatchWriteResponse>(locks, std::move(work), std::move(done), {.elsewhere = request.elsewhere});
}

}  // namespace dolmen::engine
