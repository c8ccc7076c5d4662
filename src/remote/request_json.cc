#include "remote/request_json.h"

#include "base/fail.h"
#include "protocol/object_writer.h"
#include "remote/expression_json.h"
#include "value/json.h"

namespace dolmen::remote {

void append_expression(ObjectWriter& object, std::string_view name, const std::optional<Expression>& expression) {
  if (expression) object.text(name, expression->text);
}

Result<void> append_placeholders(ObjectWriter& object, const expr::Placeholders& placeholders) {
  if (!placeholders.names.empty()) {
    ObjectWriter names(object.member("ExpressionAttributeNames"));
    for (const auto& [placeholder, name] : placeholders.names) names.text(placeholder, name);
    names.end();
  }
  if (placeholders.values.empty()) return {};
  return json::append_item(object.member("ExpressionAttributeValues"), encode_item(placeholders.values).bytes);
}

void append_return_capacity(ObjectWriter& object, ReturnCapacity wanted) {
  if (wanted == ReturnCapacity::kNone) return;
  object.text("ReturnConsumedCapacity", wanted == ReturnCapacity::kTotal ? "TOTAL" : "INDEXES");
}

namespace {

void append_string_member(ObjectWriter& object, std::string_view name, std::string_view value) {
  json::append_string(object.member(name), value);
}

void append_return_metrics(ObjectWriter& object, bool wanted) {
  if (wanted) append_string_member(object, "ReturnItemCollectionMetrics", "SIZE");
}

std::string_view return_values_name(ReturnValues values) {
  switch (values) {
    case ReturnValues::kNone: return "NONE";
    case ReturnValues::kAllOld: return "ALL_OLD";
    case ReturnValues::kUpdatedOld: return "UPDATED_OLD";
    case ReturnValues::kAllNew: return "ALL_NEW";
    case ReturnValues::kUpdatedNew: return "UPDATED_NEW";
  }
  return "NONE";
}

std::string_view select_name(Select select) {
  switch (select) {
    case Select::kAllAttributes: return "ALL_ATTRIBUTES";
    case Select::kAllProjected: return "ALL_PROJECTED_ATTRIBUTES";
    case Select::kSpecific: return "SPECIFIC_ATTRIBUTES";
    case Select::kCount: return "COUNT";
  }
  return "ALL_ATTRIBUTES";
}

/// What a write of one item and an action of a transaction have in common.
Result<void> append_write(ObjectWriter& object, const WriteRequest& request) {
  append_string_member(object, "TableName", request.table);
  DOLMEN_TRY_VOID(
      json::append_item(object.member(request.kind == WriteKind::kPut ? "Item" : "Key"), request.item.bytes));
  append_expression(object, "UpdateExpression", request.update);
  append_expression(object, "ConditionExpression", request.condition);
  DOLMEN_TRY_VOID(append_placeholders(object, request.placeholders));
  if (request.return_on_failure) append_string_member(object, "ReturnValuesOnConditionCheckFailure", "ALL_OLD");
  return {};
}

Result<void> append_get(ObjectWriter& object, const GetItemRequest& request) {
  append_string_member(object, "TableName", request.table);
  DOLMEN_TRY_VOID(json::append_item(object.member("Key"), request.key.bytes));
  append_expression(object, "ProjectionExpression", request.projection);
  return append_placeholders(object, request.placeholders);
}

std::string_view action_name(WriteKind kind) {
  switch (kind) {
    case WriteKind::kPut: return "Put";
    case WriteKind::kUpdate: return "Update";
    case WriteKind::kDelete: return "Delete";
    case WriteKind::kCheck: return "ConditionCheck";
  }
  return "";
}

Result<void> append_batch_write(std::string& out, const WriteRequest& write) {
  const bool put = write.kind == WriteKind::kPut;
  ObjectWriter action(out);
  ObjectWriter request(action.member(put ? "PutRequest" : "DeleteRequest"));
  DOLMEN_TRY_VOID(json::append_item(request.member(put ? "Item" : "Key"), write.item.bytes));
  request.end();
  action.end();
  return {};
}

std::string table_name_body(const std::string& table) {
  std::string body;
  ObjectWriter object(body);
  append_string_member(object, "TableName", table);
  object.end();
  return body;
}

}  // namespace

Result<std::string> request_body(const DescribeTableRequest& request) { return table_name_body(request.table); }

Result<std::string> request_body(const DeleteTableRequest& request) { return table_name_body(request.table); }

Result<std::string> request_body(const ListTablesRequest& request) {
  std::string body;
  ObjectWriter object(body);
  if (request.after) append_string_member(object, "ExclusiveStartTableName", *request.after);
  if (request.limit) object.member("Limit").append(std::to_string(*request.limit));
  object.end();
  return body;
}

Result<std::string> request_body(const WriteRequest& request) {
  std::string body;
  ObjectWriter object(body);
  DOLMEN_TRY_VOID(append_write(object, request));
  if (request.return_values != ReturnValues::kNone)
    append_string_member(object, "ReturnValues", return_values_name(request.return_values));
  append_return_capacity(object, request.return_capacity);
  append_return_metrics(object, request.return_collection_metrics);
  object.end();
  return body;
}

Result<std::string> request_body(const GetItemRequest& request) {
  std::string body;
  ObjectWriter object(body);
  DOLMEN_TRY_VOID(append_get(object, request));
  if (request.consistent_read) object.member("ConsistentRead").append("true");
  append_return_capacity(object, request.return_capacity);
  object.end();
  return body;
}

Result<std::string> request_body(const ReadManyRequest& request) {
  if (request.key_conditions)
    return fail(Code::kUnsupported,
                "a remote store accepts key conditions only as expressions, not in their legacy form");
  std::string body;
  ObjectWriter object(body);
  append_string_member(object, "TableName", request.table);
  if (request.index) append_string_member(object, "IndexName", *request.index);
  append_expression(object, "KeyConditionExpression", request.key_condition);
  append_expression(object, "FilterExpression", request.filter);
  append_expression(object, "ProjectionExpression", request.projection);
  DOLMEN_TRY_VOID(append_placeholders(object, request.placeholders));
  if (request.select) append_string_member(object, "Select", select_name(*request.select));
  if (request.limit) object.member("Limit").append(std::to_string(*request.limit));
  if (request.start_key)
    DOLMEN_TRY_VOID(json::append_item(object.member("ExclusiveStartKey"), request.start_key->bytes));
  if (request.segment) {
    object.member("Segment").append(std::to_string(request.segment->segment));
    object.member("TotalSegments").append(std::to_string(request.segment->total));
  }
  if (!request.forward) object.member("ScanIndexForward").append("false");
  if (request.consistent_read) object.member("ConsistentRead").append("true");
  append_return_capacity(object, request.return_capacity);
  object.end();
  return body;
}

Result<std::string> request_body(const BatchGetRequest& request) {
  std::string body;
  ObjectWriter object(body);
  ObjectWriter tables(object.member("RequestItems"));
  for (const BatchGetTable& table : request.tables) {
    ObjectWriter gets(tables.member(table.table));
    std::string& keys = gets.member("Keys");
    Result<void> written;
    append_array(keys, table.keys, [&](const EncodedItem& key) {
      if (written) written = json::append_item(keys, key.bytes);
    });
    DOLMEN_TRY_VOID(written);
    append_expression(gets, "ProjectionExpression", table.projection);
    DOLMEN_TRY_VOID(append_placeholders(gets, table.placeholders));
    if (table.consistent_read) gets.member("ConsistentRead").append("true");
    gets.end();
  }
  tables.end();
  append_return_capacity(object, request.return_capacity);
  object.end();
  return body;
}

Result<std::string> request_body(const BatchWriteRequest& request) {
  std::string body;
  ObjectWriter object(body);
  ObjectWriter tables(object.member("RequestItems"));
  for (std::size_t i = 0; i < request.writes.size();) {
    const std::string& table = request.writes[i].table;
    std::string& out = tables.member(table);
    out.push_back('[');
    for (const std::size_t first = i; i < request.writes.size() && request.writes[i].table == table; ++i) {
      if (i > first) out.push_back(',');
      DOLMEN_TRY_VOID(append_batch_write(out, request.writes[i]));
    }
    out.push_back(']');
  }
  tables.end();
  append_return_capacity(object, request.return_capacity);
  append_return_metrics(object, request.return_collection_metrics);
  object.end();
  return body;
}

Result<std::string> request_body(const TransactWriteRequest& request) {
  std::string body;
  ObjectWriter object(body);
  std::string& actions = object.member("TransactItems");
  Result<void> written;
  append_array(actions, request.writes, [&](const WriteRequest& write) {
    ObjectWriter item(actions);
    ObjectWriter action(item.member(action_name(write.kind)));
    if (written) written = append_write(action, write);
    action.end();
    item.end();
  });
  DOLMEN_TRY_VOID(written);
  if (request.client_token) append_string_member(object, "ClientRequestToken", *request.client_token);
  append_return_capacity(object, request.return_capacity);
  append_return_metrics(object, request.return_collection_metrics);
  object.end();
  return body;
}

Result<std::string> request_body(const TransactGetRequest& request) {
  std::string body;
  ObjectWriter object(body);
  std::string& gets = object.member("TransactItems");
  Result<void> written;
  append_array(gets, request.gets, [&](const GetItemRequest& get) {
    ObjectWriter item(gets);
    ObjectWriter action(item.member("Get"));
    if (written) written = append_get(action, get);
    action.end();
    item.end();
  });
  DOLMEN_TRY_VOID(written);
  append_return_capacity(object, request.return_capacity);
  object.end();
  return body;
}

}  // namespace dolmen::remote
