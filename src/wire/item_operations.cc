// PutItem, GetItem, UpdateItem, DeleteItem.
#include "base/fail.h"
#include "value/item_rules.h"
#include "value/json_reader.h"
#include "wire/expression_parameters.h"
#include "wire/legacy_attributes.h"
#include "wire/legacy_conditions.h"
#include "wire/operation.h"
#include "wire/response_json.h"

namespace dolmen::wire {
namespace {

ReturnValues return_values_of(std::string_view name) {
  if (name == "ALL_OLD") return ReturnValues::kAllOld;
  if (name == "UPDATED_OLD") return ReturnValues::kUpdatedOld;
  if (name == "ALL_NEW") return ReturnValues::kAllNew;
  if (name == "UPDATED_NEW") return ReturnValues::kUpdatedNew;
  return ReturnValues::kNone;
}

/// ReturnValues of the operations that have no new item to return.
Result<ReturnValues> read_return_old(const Parameters& parameters) {
  const std::string wanted = parameters.string("ReturnValues").value_or("NONE");
  if (wanted != "NONE" && wanted != "ALL_OLD")
    return fail(Code::kValidation, "ReturnValues can only be ALL_OLD or NONE");
  return return_values_of(wanted);
}

/// The legacy forms of the update and of the condition. Either may be given alone, but neither together with
/// expressions.
Result<void> read_legacy(const Parameters& parameters, WriteRequest& request) {
  if (request.kind == WriteKind::kUpdate) {
    DOLMEN_TRY(request.update, read_attribute_updates(parameters, request.placeholders));
  }
  // An item that is too large is reported before mistakes in Expected, but after mistakes in expressions.
  if (request.kind == WriteKind::kPut && parameters.has("Expected"))
    DOLMEN_TRY_VOID(check_item_size(item_bytes_of(request)));
  DOLMEN_TRY(request.condition, read_expected(parameters, request.placeholders));
  return {};
}

/// What the three operations that write have in common.
Result<WriteRequest> read_write(const Parameters& parameters, WriteKind kind, const ExpressionForms& forms) {
  WriteRequest request{.kind = kind,
                       .return_on_failure = parameters.string("ReturnValuesOnConditionCheckFailure") == "ALL_OLD",
                       .return_capacity = read_return_capacity(parameters),
                       .return_collection_metrics = read_return_metrics(parameters),
                       .limit_statement = parameters.layer().limits_statements};
  DOLMEN_TRY_VOID(check_forms(parameters, forms));
  DOLMEN_TRY_VOID(read_written_item(parameters, request));
  if (kind == WriteKind::kUpdate) {
    request.return_values = return_values_of(parameters.string("ReturnValues").value_or("NONE"));
  } else {
    DOLMEN_TRY(request.return_values, read_return_old(parameters));
  }
  DOLMEN_TRY_VOID(read_legacy(parameters, request));
  if (request.update || request.condition) return request;
  DOLMEN_TRY(request.placeholders, read_placeholders(parameters, parameters.layer()));
  if (kind == WriteKind::kUpdate) request.update = read_expression(parameters, "UpdateExpression");
  request.condition = read_expression(parameters, "ConditionExpression");
  return request;
}

template <class Op>
Result<void> start_write(WriteRequest request, const Parameters& parameters, const Backend& backend,
                         Done<std::string>& done) {
  request.elsewhere = backend.elsewhere;
  DOLMEN_TRY(request.table, read_table_name(parameters, backend));
  const auto encode = [table = parameters.required_string("TableName"),
                       wanted = request.return_capacity](WriteResponse& response) -> Result<std::string> {
    std::string body;
    ObjectWriter object(body);
    DOLMEN_TRY_VOID(append_item_member(object, "Attributes", response.attributes));
    if (response.capacity) response.capacity->table = table;
    append_capacity_member(object, response.capacity, wanted);
    if (response.collection_metrics)
      DOLMEN_TRY_VOID(append_collection_metrics(object.member("ItemCollectionMetrics"), *response.collection_metrics));
    object.end();
    return body;
  };
  backend.service.start(Op{}, std::move(request), encoded<WriteResponse>(encode, std::move(done)));
  return {};
}

Result<void> put_item(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  DOLMEN_TRY(WriteRequest request,
             read_write(parameters, WriteKind::kPut, {{"ConditionExpression"}, {"Expected", "ConditionalOperator"}}));
  return start_write<PutItem>(std::move(request), parameters, backend, done);
}

Result<void> delete_item(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  DOLMEN_TRY(WriteRequest request, read_write(parameters, WriteKind::kDelete,
                                              {{"ConditionExpression"}, {"Expected", "ConditionalOperator"}}));
  return start_write<DeleteItem>(std::move(request), parameters, backend, done);
}

Result<void> update_item(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  DOLMEN_TRY(WriteRequest request, read_write(parameters, WriteKind::kUpdate,
                                              {{"UpdateExpression", "ConditionExpression"},
                                               {"AttributeUpdates", "Expected", "ConditionalOperator"}}));
  return start_write<UpdateItem>(std::move(request), parameters, backend, done);
}

Result<void> get_item(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  GetItemRequest request{.consistent_read = parameters.boolean("ConsistentRead", false),
                         .return_capacity = read_return_capacity(parameters)};
  DOLMEN_TRY_VOID(check_forms(parameters, {{"ProjectionExpression"}, {"AttributesToGet"}}));
  DOLMEN_TRY(request.key, read_item(parameters, "Key"));
  DOLMEN_TRY(request.projection, read_projection(parameters, request.placeholders));
  DOLMEN_TRY(request.table, read_table_name(parameters, backend));
  const auto encode = [table = parameters.required_string("TableName"),
                       wanted = request.return_capacity](GetItemResponse& response) -> Result<std::string> {
    std::string body;
    if (response.item) body.reserve(response.item->bytes.size() * 3 / 2 + 64);
    ObjectWriter object(body);
    DOLMEN_TRY_VOID(append_item_member(object, "Item", response.item));
    if (response.capacity) response.capacity->table = table;
    append_capacity_member(object, response.capacity, wanted);
    object.end();
    return body;
  };
  request.trace = backend.trace;
  request.elsewhere = backend.elsewhere;
  backend.service.start(GetItem{}, std::move(request),
                        encoded<GetItemResponse>(encode, std::move(done), backend.trace));
  return {};
}

}  // namespace

std::span<const WireOperation> item_operations() {
  static const WireOperation kAll[] = {
      {PutItem::kInfo, put_item},
      {GetItem::kInfo, get_item},
      {UpdateItem::kInfo, update_item},
      {DeleteItem::kInfo, delete_item},
  };
  return kAll;
}

}  // namespace dolmen::wire
