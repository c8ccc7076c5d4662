// Statements as JSON, in both directions.
#include "protocol/object_writer.h"
#include "remote/capacity_reader.h"
#include "remote/json_fields.h"
#include "remote/request_json.h"
#include "remote/response_reader.h"
#include "value/json.h"

namespace dolmen::remote {
namespace {

Result<void> append_statement(ObjectWriter& object, const StatementRequest& statement) {
  object.text("Statement", statement.text);
  if (!statement.parameters.empty()) {
    std::string& values = object.member("Parameters");
    Result<void> written;
    append_array(values, statement.parameters, [&](const AttributeValue& value) {
      std::string encoded;
      append_value(encoded, value);
      if (written) written = json::append_encoded_value(values, encoded);
    });
    DOLMEN_TRY_VOID(written);
  }
  if (statement.consistent_read) object.flag("ConsistentRead", true);
  if (statement.return_on_failure) object.text("ReturnValuesOnConditionCheckFailure", "ALL_OLD");
  return {};
}

void append_wanted_capacity(ObjectWriter& object, ReturnCapacity wanted) {
  if (wanted != ReturnCapacity::kNone)
    object.text("ReturnConsumedCapacity", wanted == ReturnCapacity::kTotal ? "TOTAL" : "INDEXES");
}

Result<void> append_statements(ObjectWriter& object, std::string_view name,
                               const std::vector<StatementRequest>& statements) {
  std::string& out = object.member(name);
  Result<void> written;
  append_array(out, statements, [&](const StatementRequest& statement) {
    ObjectWriter one(out);
    if (written) written = append_statement(one, statement);
    one.end();
  });
  return written;
}

Result<StatementFailure> read_failure(json::Element element) {
  DOLMEN_TRY(const Fields fields, Fields::of(element));
  StatementFailure failure;
  DOLMEN_TRY(const std::string_view code, fields.required<std::string_view>("Code"));
  DOLMEN_TRY(const std::optional<std::string_view> message, fields.optional<std::string_view>("Message"));
  failure.code = code;
  failure.message = message.value_or("");
  DOLMEN_TRY(failure.item, fields.item("Item"));
  return failure;
}

Result<StatementOutcome> read_outcome(json::Element element) {
  DOLMEN_TRY(const Fields fields, Fields::of(element));
  StatementOutcome outcome;
  DOLMEN_TRY(outcome.item, fields.item("Item"));
  DOLMEN_TRY(outcome.table, fields.optional<std::string_view>("TableName"));
  if (const auto error = fields.find("Error")) {
    DOLMEN_TRY(outcome.failure, read_failure(*error));
  }
  return outcome;
}

}  // namespace

Result<std::string> request_body(const ExecuteStatementRequest& request) {
  std::string body;
  ObjectWriter object(body);
  DOLMEN_TRY_VOID(append_statement(object, request.statement));
  if (request.limit) object.number("Limit", *request.limit);
  if (request.next_token) object.text("NextToken", *request.next_token);
  append_wanted_capacity(object, request.return_capacity);
  object.end();
  return body;
}

Result<std::string> request_body(const BatchExecuteRequest& request) {
  std::string body;
  ObjectWriter object(body);
  DOLMEN_TRY_VOID(append_statements(object, "Statements", request.statements));
  append_wanted_capacity(object, request.return_capacity);
  object.end();
  return body;
}

Result<std::string> request_body(const ExecuteTransactionRequest& request) {
  std::string body;
  ObjectWriter object(body);
  DOLMEN_TRY_VOID(append_statements(object, "TransactStatements", request.statements));
  if (request.client_token) object.text("ClientRequestToken", *request.client_token);
  append_wanted_capacity(object, request.return_capacity);
  object.end();
  return body;
}

Result<ExecuteStatementResponse> read_response(ExecuteStatement /*operation*/, std::string_view body,
                                               const ExecuteStatementRequest& /*asked*/) {
  Document document;
  DOLMEN_TRY(const Fields fields, document.parse(body));
  ExecuteStatementResponse response;
  DOLMEN_TRY(const std::optional<json::Array> items, fields.optional<json::Array>("Items"));
  if (items)
    for (const json::Element element : *items) {
      DOLMEN_TRY(EncodedItem item, Fields::read_item(element));
      response.items.push_back(std::move(item));
    }
  DOLMEN_TRY(response.next_token, fields.optional<std::string_view>("NextToken"));
  DOLMEN_TRY(response.capacity, read_capacity_member(fields));
  return response;
}

Result<BatchExecuteResponse> read_response(BatchExecuteStatement /*operation*/, std::string_view body,
                                           const BatchExecuteRequest& asked) {
  Document document;
  DOLMEN_TRY(const Fields fields, document.parse(body));
  BatchExecuteResponse response;
  DOLMEN_TRY(const json::Array outcomes, fields.required<json::Array>("Responses"));
  for (const json::Element element : outcomes) {
    DOLMEN_TRY(StatementOutcome outcome, read_outcome(element));
    response.outcomes.push_back(std::move(outcome));
  }
  if (response.outcomes.size() != asked.statements.size())
    return unexpected_response("Responses has another number of statements");
  DOLMEN_TRY(response.capacity, read_capacities(fields));
  return response;
}

Result<ExecuteTransactionResponse> read_response(ExecuteTransaction /*operation*/, std::string_view body,
                                                 const ExecuteTransactionRequest& /*asked*/) {
  Document document;
  DOLMEN_TRY(const Fields fields, document.parse(body));
  ExecuteTransactionResponse response;
  DOLMEN_TRY(const std::optional<json::Array> responses, fields.optional<json::Array>("Responses"));
  if (responses)
    for (const json::Element element : *responses) {
      DOLMEN_TRY(const Fields one, Fields::of(element));
      DOLMEN_TRY(std::optional<EncodedItem> item, one.item("Item"));
      response.items.push_back(std::move(item));
    }
  DOLMEN_TRY(response.capacity, read_capacities(fields));
  return response;
}

}  // namespace dolmen::remote
