#include <algorithm>
#include <numeric>

#include "base/fail.h"
#include "service/internal_tables.h"
#include "service/request_rules.h"
#include "store/placeholders.h"
#include "store/translate.h"
#include "value/item_rules.h"

namespace dolmen::translate {
namespace {

Result<EncodedItem> encode(const Item& item) {
  DOLMEN_TRY_VOID(check_item_rules(item));
  return encode_item(item);
}

/// Takes the placeholders that the writer has collected.
template <class Request>
Result<Request> finished(PlaceholderWriter& writer, Request request) {
  DOLMEN_TRY(request.placeholders, writer.finish());
  DOLMEN_TRY_VOID(check_placeholders(request.placeholders));
  return request;
}

Result<WriteRequest> write(WriteKind kind, const std::string& table, const Item& item, const Update* update,
                           const PutOptions& options) {
  DOLMEN_TRY_VOID(check_for_users(table));
  if (kind != WriteKind::kUpdate && options.return_values != ReturnValues::kNone &&
      options.return_values != ReturnValues::kAllOld)
    return fail(Code::kValidation, "ReturnValues can only be ALL_OLD or NONE");
  WriteRequest request{.kind = kind,
                       .table = table,
                       .return_values = options.return_values,
                       .return_on_failure = options.return_item_on_failure,
                       .return_capacity = options.return_capacity,
                       .return_collection_metrics = options.return_collection_size};
  DOLMEN_TRY(request.item, encode(item));
  PlaceholderWriter writer;
  if (update != nullptr) request.update = writer.write(*update);
  request.condition = writer.write(options.condition);
  return finished(writer, std::move(request));
}

/// The smaller of two limits, where 0 means no limit.
std::optional<std::uint32_t> smaller_limit(std::uint32_t a, std::uint32_t b) {
  if (a == 0 && b == 0) return std::nullopt;
  return std::min(a == 0 ? b : a, b == 0 ? a : b);
}

/// What Query and Scan have in common.
template <class Options>
Result<ReadManyRequest> read_many(const std::string& table, const Options& options, PlaceholderWriter& writer) {
  DOLMEN_TRY_VOID(check_for_users(table));
  ReadManyRequest request{.table = table,
                          .filter = writer.write(options.filter),
                          .projection = writer.write(options.projection),
                          .limit = smaller_limit(options.limit, options.page_size),
                          .consistent_read = options.consistent_read,
                          .return_capacity = options.return_capacity};
  if (!options.index.empty()) request.index = options.index;
  if (options.start_after) {
    DOLMEN_TRY(request.start_key, encode(*options.start_after));
  }
  return request;
}

Result<WriteRequest> action_of(const PutAction& action) {
  return put(action.table, action.item,
             {.condition = action.condition, .return_item_on_failure = action.return_item_on_failure});
}

Result<WriteRequest> action_of(const UpdateAction& action) { return update(action, {}); }

Result<WriteRequest> action_of(const DeleteAction& action) {
  return remove(action.table, action.key,
                {.condition = action.condition, .return_item_on_failure = action.return_item_on_failure});
}

Result<WriteRequest> action_of(const CheckAction& action) {
  return write(WriteKind::kCheck, action.table, action.key, nullptr,
               {.condition = action.condition, .return_item_on_failure = action.return_item_on_failure});
}

const std::string& table_of(const BatchAction& action) {
  return std::visit([](const auto& one) -> const std::string& { return one.table; }, action);
}

}  // namespace

Result<WriteRequest> put(const std::string& table, const Item& item, const PutOptions& options) {
  return write(WriteKind::kPut, table, item, nullptr, options);
}

Result<WriteRequest> update(const UpdateAction& action, const UpdateOptions& options) {
  UpdateOptions all = options;
  all.condition = action.condition && options.condition;
  all.return_item_on_failure = action.return_item_on_failure || options.return_item_on_failure;
  return write(WriteKind::kUpdate, action.table, action.key, &action.update, all);
}

Result<WriteRequest> remove(const std::string& table, const Item& key, const DeleteOptions& options) {
  return write(WriteKind::kDelete, table, key, nullptr, options);
}

Result<GetItemRequest> get(const std::string& table, const Item& key, const GetOptions& options) {
  DOLMEN_TRY_VOID(check_for_users(table));
  GetItemRequest request{
      .table = table, .consistent_read = options.consistent_read, .return_capacity = options.return_capacity};
  DOLMEN_TRY(request.key, encode(key));
  if (options.projection.empty()) return request;
  PlaceholderWriter writer;
  request.projection = writer.write(options.projection);
  return finished(writer, std::move(request));
}

Result<ReadManyRequest> query(const std::string& table, const QueryOptions& options) {
  if (options.key.empty())
    return fail(Code::kValidation,
                "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.");
  PlaceholderWriter writer;
  DOLMEN_TRY(ReadManyRequest request, read_many(table, options, writer));
  request.key_condition = writer.write(options.key);
  request.forward = !options.descending;
  return finished(writer, std::move(request));
}

Result<ReadManyRequest> scan(const std::string& table, const ScanOptions& options) {
  PlaceholderWriter writer;
  DOLMEN_TRY(ReadManyRequest request, read_many(table, options, writer));
  if (options.segment) DOLMEN_TRY_VOID(check_segment(*options.segment));
  request.segment = options.segment;
  return finished(writer, std::move(request));
}

Result<BatchGetRequest> batch_get(const std::vector<KeysOfTable>& keys, const BatchGetOptions& options) {
  BatchGetRequest request{.return_capacity = options.return_capacity};
  for (const KeysOfTable& of_table : keys) {
    DOLMEN_TRY_VOID(check_for_users(of_table.table));
    if (std::ranges::find(request.tables, of_table.table, &BatchGetTable::table) != request.tables.end())
      return fail(Code::kInvalidArgument, "the table {} is named twice; put its keys into one entry", of_table.table);
    BatchGetTable table{.table = of_table.table, .consistent_read = of_table.consistent_read};
    for (const Item& key : of_table.keys) {
      DOLMEN_TRY(EncodedItem encoded, encode(key));
      table.keys.push_back(std::move(encoded));
    }
    PlaceholderWriter writer;
    table.projection = writer.write(of_table.projection);
    DOLMEN_TRY(BatchGetTable complete, finished(writer, std::move(table)));
    request.tables.push_back(std::move(complete));
  }
  DOLMEN_TRY_VOID(check_batch(request));
  return request;
}

Result<BatchWritePlan> batch_write(const std::vector<BatchAction>& actions, const BatchWriteOptions& options) {
  BatchWritePlan plan{.request = {.return_capacity = options.return_capacity,
                                  .return_collection_metrics = options.return_collection_size},
                      .order = std::vector<std::size_t>(actions.size())};
  std::iota(plan.order.begin(), plan.order.end(), std::size_t{0});
  std::ranges::stable_sort(plan.order, {}, [&](std::size_t i) { return table_of(actions[i]); });
  for (const std::size_t position : plan.order) {
    DOLMEN_TRY_VOID(check_for_users(table_of(actions[position])));
    const auto* put_one = std::get_if<BatchPut>(&actions[position]);
    const Item& item = put_one != nullptr ? put_one->item : std::get<BatchDelete>(actions[position]).key;
    DOLMEN_TRY(EncodedItem encoded, encode(item));
    plan.request.writes.push_back({.kind = put_one != nullptr ? WriteKind::kPut : WriteKind::kDelete,
                                   .table = table_of(actions[position]),
                                   .item = std::move(encoded),
                                   .return_capacity = options.return_capacity,
                                   .return_collection_metrics = options.return_collection_size});
  }
  DOLMEN_TRY_VOID(check_batch(plan.request));
  return plan;
}

Result<TransactWriteRequest> transact_write(const std::vector<TransactAction>& actions,
                                            const TransactWriteOptions& options) {
  TransactWriteRequest request{.return_capacity = options.return_capacity,
                               .return_collection_metrics = options.return_collection_size};
  if (!options.client_token.empty()) request.client_token = options.client_token;
  for (const TransactAction& action : actions) {
    DOLMEN_TRY(WriteRequest one, std::visit([](const auto& typed) { return action_of(typed); }, action));
    one.return_capacity = options.return_capacity;
    one.return_collection_metrics = options.return_collection_size;
    request.writes.push_back(std::move(one));
  }
  DOLMEN_TRY_VOID(check_transaction(request));
  return request;
}

Result<TransactGetRequest> transact_get(const std::vector<TransactGet>& gets, const TransactGetOptions& options) {
  TransactGetRequest request{.return_capacity = options.return_capacity};
  for (const TransactGet& one : gets) {
    DOLMEN_TRY(GetItemRequest item,
               get(one.table, one.key, {.projection = one.projection, .return_capacity = options.return_capacity}));
    request.gets.push_back(std::move(item));
  }
  DOLMEN_TRY_VOID(check_transaction(request));
  return request;
}

}  // namespace dolmen::translate
