// Transactions: all of their actions or none, at one point in time.
#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "base/endian.h"
#include "base/fail.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/varint.h"
#include "engine/capacity.h"
#include "engine/client_tokens.h"
#include "engine/consumed.h"
#include "engine/engine.h"
#include "engine/here_or_elsewhere.h"
#include "engine/item_write.h"
#include "engine/keyspaces.h"
#include "engine/read_many.h"
#include "engine/row_key.h"
#include "service/expressions.h"
#include "service/failures.h"

namespace dolmen::engine {
namespace {

/// How much the conditions of a transaction may cost in all, in the units of expr::holds: about half a second.
constexpr std::uint64_t kTransactionWorkMax = 10'000'000;

using Outcome = WritePipeline::Outcome<TransactWriteResponse>;

/// Which errors of an action cancel the transaction, instead of being errors of the request.
CancellationReason reason_of(const Error& error) {
  CancellationReason reason{.message = error.message()};
  if (error.code() == Code::kConditionFailed) {
    reason.code = "ConditionalCheckFailed";
    if (const auto* failure = error.payload<ConditionFailure>()) reason.item = failure->item;
  } else {
    reason.code = "ValidationError";
  }
  return reason;
}

std::unexpected<Error> canceled(std::vector<CancellationReason> reasons) {
  return std::unexpected(canceled_error(std::move(reasons)));
}

bool is_refusal(const Error& error) {
  return error.code() == Code::kConditionFailed || error.code() == Code::kValidation;
}

void append_text(std::string& out, std::string_view text) {
  append_varint(out, text.size());
  out.append(text);
}

/// Equal for requests with equal content, independent of the order of their JSON members.
std::string digest_of(const std::vector<WriteRequest>& writes) {
  std::string all;
  for (const WriteRequest& write : writes) {
    all.push_back(static_cast<char>(write.kind));
    append_text(all, write.table);
    append_text(all, write.item.bytes);
    append_text(all, write.update ? write.update->text : "");
    append_text(all, write.condition ? write.condition->text : "");
    for (const auto& [name, attribute] : write.placeholders.names) {
      append_text(all, name);
      append_text(all, attribute);
    }
    append_text(all, encode_item(write.placeholders.values).bytes);
  }
  std::string digest;
  append_big_endian(digest, hash64(all));
  append_big_endian(digest, hash64(all + "again"));
  return digest;
}

/// In a transaction the units of the table are doubled, those of its indexes are not.
ConsumedCapacity doubled(ConsumedCapacity capacity) {
  capacity.total += capacity.of_table;
  capacity.of_table *= 2;
  capacity.write = capacity.total;
  return capacity;
}

/// The keys of the actions must differ. The first wrong key is the reason of a cancellation; DynamoDB looks for no
/// other.
Result<void> attach_all(std::vector<ItemWrite>& writes) {
  std::vector<CancellationReason> reasons(writes.size());
  bool refused = false;
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < writes.size(); ++i) {
    Result<void> attached = writes[i].attach(writes[i].shared_table());
    if (!attached && attached.error().reason() == Reason::kEmptyKeyValue) return attached;
    if (!attached) {
      if (!refused) reasons[i] = reason_of(attached.error());
      refused = true;
    } else if (!seen.insert(writes[i].row_key()).second) {
      return fail(Code::kValidation, "Transaction request cannot include multiple operations on one item");
    }
  }
  if (refused) return canceled(std::move(reasons));
  return {};
}

}  // namespace

void Engine::start(TransactWriteItems /*operation*/, TransactWriteRequest request, Done<TransactWriteResponse> done) {
  std::string digest = std::move(request.digest);
  if (request.client_token && digest.empty()) digest = digest_of(request.writes);
  const auto prepare = [&]() -> Result<std::vector<ItemWrite>> {
    DOLMEN_TRY(std::vector<ItemWrite> writes, prepare_writes(std::move(request.writes)));
    DOLMEN_TRY_VOID(attach_all(writes));
    return writes;
  };
  Result<std::vector<ItemWrite>> writes = prepare();
  if (!writes) return done(std::unexpected(std::move(writes).error()));
  if (Result<void> entered = enter_transaction(*writes, request.client_token, done); !entered)
    return done(std::unexpected(std::move(entered).error()));
  std::vector<LockRequest> locks = locks_of(*writes);
  if (request.client_token) locks.push_back(pipeline_.locks().client_token(*request.client_token));
  const WritePipeline::Place place{.elsewhere = request.elsewhere, .takes_long = take_long(*writes)};
  auto work = [this, writes = std::move(*writes), token = std::move(request.client_token), digest,
               note = std::move(request.log_note),
               metrics = request.return_collection_metrics](storage::Batch& batch) mutable -> Result<Outcome> {
    if (token) {
      DOLMEN_TRY(const auto seen, client_tokens::look_up(*storage_, *token, digest, token_clock_->now()));
      if (seen) return Outcome{repeated(writes, *seen)};
    }
    std::vector<std::uint64_t> item_bytes;
    DOLMEN_TRY(TransactWriteResponse response, decide_all(writes, batch, metrics, item_bytes));
    if (!note.empty() && !batch.empty()) batch.log_data(note);
    if (token) {
      DOLMEN_TRY_VOID(client_tokens::remember(*storage_, batch, *token, {.digest = digest, .item_bytes = item_bytes},
                                              token_clock_->now()));
      token_clock_->save(batch);
    }
    return Outcome{std::move(response)};
  };
  pipeline_.run<TransactWriteResponse>(locks, std::move(work), std::move(done), place);
}

Result<TransactWriteResponse> Engine::decide_all(std::span<ItemWrite> writes, storage::Batch& batch, bool metrics,
                                                 std::vector<std::uint64_t>& item_bytes) {
  TransactWriteResponse response;
  std::vector<CancellationReason> reasons(writes.size());
  bool refused = false;
  batch.reserve(staged_bytes(writes));
  // One moment for all of them, so that a point in time has either all of them or none.
  const TableTime moment = now();
  std::uint64_t work = 0;
  for (std::size_t i = 0; i < writes.size(); ++i) {
    const auto decide = [&]() -> Result<ItemWrite::Decision> {
      DOLMEN_TRY_VOID(settle(writes[i]));
      return writes[i].decide(*storage_, work);
    };
    if (work > kTransactionWorkMax)
      return fail(Code::kValidation,
                  "The conditions of the transaction search through too much data; the limit was "
                  "reached before TransactItems[{}]",
                  i);
    Result<ItemWrite::Decision> decision = decide();
    if (!decision) {
      if (!is_refusal(decision.error())) return std::unexpected(std::move(decision).error());
      reasons[i] = reason_of(decision.error());
      refused = true;
      continue;
    }
    DOLMEN_TRY_VOID(writes[i].stage(*decision, *storage_, batch, moment));
    item_bytes.push_back(std::max(decision->old_bytes, decision->item_bytes));
    if (decision->response.capacity) add_capacity(response.capacity, doubled(std::move(*decision->response.capacity)));
    if (metrics && decision->response.collection_metrics)
      response.collection_metrics.emplace_back(writes[i].request().table,
                                               std::move(*decision->response.collection_metrics));
  }
  if (refused) return canceled(std::move(reasons));
  return response;
}

TransactWriteResponse Engine::repeated(std::span<const ItemWrite> writes, std::span<const std::uint64_t> item_bytes) {
  TransactWriteResponse response;
  for (std::size_t i = 0; i < writes.size(); ++i) {
    const WriteRequest& request = writes[i].request();
    if (request.return_capacity == ReturnCapacity::kNone) continue;
    // A store of an earlier version has remembered no sizes.
    const double units = capacity::read_units(i < item_bytes.size() ? item_bytes[i] : 0, true);
    ConsumedCapacity consumed = doubled({.table = request.table, .total = units, .of_table = units});
    consumed.read = std::exchange(consumed.write, std::nullopt);
    add_capacity(response.capacity, std::move(consumed));
  }
  return response;
}

void Engine::start(TransactGetItems /*operation*/, TransactGetRequest request, Done<TransactGetResponse> done) {
  if (request.trace) request.trace->begin(TransactGetItems::kInfo.name);
  const auto read = [this](const TransactGetRequest& gets) { return read_together(gets); };
  if (request.gets.size() <= kItemsAtOnceMax)
    return read_here_or_elsewhere<TransactGetResponse>(*storage_, std::move(request), std::move(done), read);
  read_many_items<TransactGetResponse>(*storage_, std::move(request), std::move(done), read,
                                       [this](const TransactGetRequest& gets) { return row_keys_of(gets); });
}

std::vector<std::string> Engine::row_keys_of(const TransactGetRequest& request) const {
  std::vector<std::string> rows;
  for (const GetItemRequest& get : request.gets) {
    const auto table = table_for_items(get.table);
    if (!table) continue;
    if (Result<std::string> row = row_key_of_key(**table, get.key.bytes)) rows.push_back(*std::move(row));
  }
  return rows;
}

Result<TransactGetResponse> Engine::read_together(const TransactGetRequest& request) const {
  // Mistakes in expressions come before tables that are missing.
  for (const GetItemRequest& get : request.gets) {
    if (!get.projection) continue;
    ExpressionReader reader(get.placeholders);
    DOLMEN_TRY_VOID(reader.projection(*get.projection));
    DOLMEN_TRY_VOID(reader.finish());
  }
  DOLMEN_TRY_VOID(check_read_conflicts(request));
  const storage::Snapshot snapshot = storage_->snapshot();
  TransactGetResponse response;
  std::vector<CancellationReason> reasons(request.gets.size());
  bool refused = false;
  std::size_t bytes = 0;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < request.gets.size(); ++i) {
    const GetItemRequest& get = request.gets[i];
    DOLMEN_TRY(const std::shared_ptr<const Table> table, table_for_items(get.table));
    Result<std::string> key = row_key_of_key(*table, get.key.bytes);
    if (!key) {
      if (key.error().reason() == Reason::kEmptyKeyValue) return std::unexpected(std::move(key).error());
      if (!refused) reasons[i] = reason_of(key.error());
      refused = true;
      continue;
    }
    if (!seen.insert(*std::move(key)).second)
      return fail(Code::kValidation, "Transaction request cannot include multiple operations on one item");
    DOLMEN_TRY(GetItemResponse got, read_item(get, {.snapshot = &snapshot, .trace = request.trace.get(), .cost = 2}));
    if (got.capacity) {
      ConsumedCapacity capacity = doubled(std::move(*got.capacity));
      capacity.read = std::exchange(capacity.write, std::nullopt);
      add_capacity(response.capacity, std::move(capacity));
    }
    // Unlike GetItem, an item of which the projection finds nothing is left out.
    if (got.item && attribute_count(got.item->bytes) == 0) got.item.reset();
    if (got.item) bytes += item_size(got.item->bytes);
    response.items.push_back(std::move(got.item));
  }
  if (refused) return canceled(std::move(reasons));
  if (bytes > limits::kTransactionBytes)
    return fail(Code::kValidation, "The items that TransactItems asks for exceed the maximum of {} bytes",
                limits::kTransactionBytes);
  return response;
}

}  // namespace dolmen::engine
