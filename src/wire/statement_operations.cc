// ExecuteStatement, BatchExecuteStatement, ExecuteTransaction.
#include "value/json_reader.h"
#include "wire/demand.h"
#include "wire/operation.h"
#include "wire/response_json.h"

namespace dolmen::wire {
namespace {

Result<std::vector<AttributeValue>> read_values(const Parameters& statement) {
  std::vector<AttributeValue> values;
  const auto list = statement.find("Parameters");
  if (!list) return values;
  for (const json::Element element : json::array_of(*list)) {
    std::string encoded;
    DOLMEN_TRY_VOID(json::append_value(encoded, element));
    DOLMEN_TRY(AttributeValue value, decode_value(encoded));
    values.push_back(std::move(value));
  }
  return values;
}

/// Whether the caller may carry out the statement.
Result<void> check_statement_access(const std::string& statement, const Backend& backend) {
  if (backend.caller == nullptr) return {};
  const std::optional<access::Demand> demand = demand_of_statement(statement);
  if (!demand) return {};
  return check_demand(*demand, backend);
}

/// What is wrong with its parameters, or with its access, becomes part of the statement, because a batch carries out
/// the others.
StatementRequest read_statement(const Parameters& given, const Backend& backend, const Layer& layer) {
  StatementRequest statement{.text = given.required_string("Statement"),
                             .consistent_read = given.boolean("ConsistentRead", false),
                             .return_on_failure = given.string("ReturnValuesOnConditionCheckFailure") == "ALL_OLD"};
  if (Result<void> allowed = check_statement_access(statement.text, backend); !allowed) {
    statement.mistake = std::move(allowed).error();
    return statement;
  }
  Result<std::vector<AttributeValue>> values = read_values(given);
  if (values) {
    statement.parameters = *std::move(values);
  } else {
    statement.mistake = worded(std::move(values).error(), layer, Found::kInRequest);
  }
  return statement;
}

std::vector<StatementRequest> read_statements(const Parameters& parameters, std::string_view name,
                                              const Backend& backend) {
  std::vector<StatementRequest> statements;
  for (const json::Element element : json::array_of(*parameters.find(name)))
    statements.push_back(read_statement(Parameters(element), backend, parameters.layer()));
  return statements;
}

Result<void> execute_statement(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  ExecuteStatementRequest request{.statement = read_statement(parameters, backend, parameters.layer()),
                                  .next_token = parameters.string("NextToken"),
                                  .return_capacity = read_return_capacity(parameters),
                                  .trace = backend.trace,
                                  .elsewhere = backend.elsewhere};
  if (request.statement.mistake) return std::unexpected(*request.statement.mistake);
  if (const auto limit = parameters.integer("Limit")) request.limit = static_cast<std::uint32_t>(*limit);
  const auto encode = [wanted =
                           request.return_capacity](const ExecuteStatementResponse& response) -> Result<std::string> {
    std::string body;
    body.reserve(json_size_estimate(response.items));
    ObjectWriter object(body);
    DOLMEN_TRY_VOID(append_items_member(object, "Items", response.items));
    if (response.next_token) object.text("NextToken", *response.next_token);
    append_capacity_member(object, response.capacity, wanted);
    object.end();
    return body;
  };
  backend.service.start(ExecuteStatement{}, std::move(request),
                        encoded<ExecuteStatementResponse>(encode, std::move(done), backend.trace));
  return {};
}

Result<void> append_outcome(std::string& out, const StatementOutcome& outcome) {
  ObjectWriter object(out);
  if (outcome.failure) {
    ObjectWriter error(object.member("Error"));
    error.text("Code", outcome.failure->code).text("Message", outcome.failure->message);
    DOLMEN_TRY_VOID(append_item_member(error, "Item", outcome.failure->item));
    error.end();
  }
  if (outcome.table) object.text("TableName", *outcome.table);
  DOLMEN_TRY_VOID(append_item_member(object, "Item", outcome.item));
  object.end();
  return {};
}

/// Without a single success, or without the wish, there is no such member.
void append_capacities_if_any(ObjectWriter& object, const std::vector<ConsumedCapacity>& capacity,
                              ReturnCapacity wanted) {
  if (!capacity.empty()) append_capacities_member(object, capacity, wanted);
}

Result<void> batch_execute_statement(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  BatchExecuteRequest request{.statements = read_statements(parameters, "Statements", backend),
                              .return_capacity = read_return_capacity(parameters),
                              .trace = backend.trace,
                              .elsewhere = backend.elsewhere};
  const auto encode = [wanted = request.return_capacity](const BatchExecuteResponse& response) -> Result<std::string> {
    std::string body;
    ObjectWriter object(body);
    std::string& responses = object.member("Responses");
    Result<void> written;
    append_array(responses, response.outcomes, [&](const StatementOutcome& outcome) {
      if (written) written = append_outcome(responses, outcome);
    });
    DOLMEN_TRY_VOID(written);
    append_capacities_if_any(object, response.capacity, wanted);
    object.end();
    return body;
  };
  backend.service.start(BatchExecuteStatement{}, std::move(request),
                        encoded<BatchExecuteResponse>(encode, std::move(done), backend.trace));
  return {};
}

Result<void> execute_transaction(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  ExecuteTransactionRequest request{.statements = read_statements(parameters, "TransactStatements", backend),
                                    .client_token = parameters.string("ClientRequestToken"),
                                    .return_capacity = read_return_capacity(parameters),
                                    .trace = backend.trace,
                                    .elsewhere = backend.elsewhere};
  for (const StatementRequest& statement : request.statements)
    if (statement.mistake) return std::unexpected(*statement.mistake);
  const auto encode = [wanted =
                           request.return_capacity](const ExecuteTransactionResponse& response) -> Result<std::string> {
    std::string body;
    ObjectWriter object(body);
    std::string& responses = object.member("Responses");
    Result<void> written;
    append_array(responses, response.items, [&](const std::optional<EncodedItem>& item) {
      ObjectWriter one(responses);
      if (written) written = append_item_member(one, "Item", item);
      one.end();
    });
    DOLMEN_TRY_VOID(written);
    append_capacities_if_any(object, response.capacity, wanted);
    object.end();
    return body;
  };
  backend.service.start(ExecuteTransaction{}, std::move(request),
                        encoded<ExecuteTransactionResponse>(encode, std::move(done), backend.trace));
  return {};
}

}  // namespace

std::span<const WireOperation> statement_operations() {
  static const WireOperation kAll[] = {
      {ExecuteStatement::kInfo, execute_statement},
      {BatchExecuteStatement::kInfo, batch_execute_statement},
      {ExecuteTransaction::kInfo, execute_transaction},
  };
  return kAll;
}

}  // namespace dolmen::wire
