// TransactWriteItems and TransactGetItems.
#include <map>

#include "base/fail.h"
#include "service/expressions.h"
#include "service/request_rules.h"
#include "value/item_rules.h"
#include "wire/expression_parameters.h"
#include "wire/operation.h"
#include "wire/response_json.h"

namespace dolmen::wire {
namespace {

struct ActionForm {
  std::string_view name;
  WriteKind kind;
};

constexpr ActionForm kActions[] = {{"ConditionCheck", WriteKind::kCheck},
                                   {"Put", WriteKind::kPut},
                                   {"Delete", WriteKind::kDelete},
                                   {"Update", WriteKind::kUpdate}};

std::unexpected<Error> not_one_action() {
  return fail(Code::kValidation, "TransactItems can only contain one of Check, Put, Update or Delete");
}

/// Finds the only action of an element.
Result<std::pair<const ActionForm*, Parameters>> action_of(const Parameters& element) {
  std::optional<std::pair<const ActionForm*, Parameters>> found;
  for (const ActionForm& form : kActions) {
    const std::optional<Parameters> action = element.structure(form.name);
    if (!action) continue;
    if (found) return not_one_action();
    found.emplace(&form, *action);
  }
  if (!found) return not_one_action();
  return *found;
}

/// Reads the expressions before the item or key, so that a failure leaves those that were read.
Result<void> read_action(const Parameters& element, const Backend& backend, const Layer& layer, WriteRequest& request) {
  DOLMEN_TRY(const auto found, action_of(element));
  const auto& [form, action] = found;
  request.kind = form->kind;
  request.limit_statement = layer.limits_statements;
  request.return_on_failure = action.string("ReturnValuesOnConditionCheckFailure") == "ALL_OLD";
  DOLMEN_TRY(request.table, table_name_of(action.required_string("TableName"), backend.account));
  DOLMEN_TRY(request.placeholders, read_placeholders(action, layer));
  if (form->kind == WriteKind::kUpdate) request.update = read_expression(action, "UpdateExpression");
  request.condition = read_expression(action, "ConditionExpression");
  // Unlike in other operations, placeholders without an expression are allowed.
  if (!request.update && !request.condition) request.placeholders = {};
  DOLMEN_TRY_VOID(read_written_item(action, request));
  return {};
}

Result<void> check_expressions(const WriteRequest& request, ExpressionReader& reader) {
  if (request.update) DOLMEN_TRY_VOID(reader.update(*request.update));
  if (request.condition) DOLMEN_TRY_VOID(reader.condition(*request.condition));
  return {};
}

/// All that is wrong with an action without its table. The service finds the same, but only once it has all actions.
Result<void> check_action(const WriteRequest& request) {
  ExpressionReader reader(request.placeholders);
  DOLMEN_TRY_VOID(check_expressions(request, reader));
  if (request.update || request.condition) DOLMEN_TRY_VOID(reader.finish());
  if (request.kind == WriteKind::kPut) DOLMEN_TRY_VOID(check_item_size(item_bytes_of(request)));
  return {};
}

/// DynamoDB checks the actions one by one. An action that cannot be read is reported only when nothing is wrong with
/// what comes before it: the actions that were read, and its own expressions.
Result<std::vector<WriteRequest>> read_actions(json::Array elements, const Backend& backend, const Layer& layer) {
  std::vector<WriteRequest> actions;
  for (const json::Element element : elements) {
    WriteRequest action;
    if (Result<void> read = read_action(Parameters(element), backend, layer, action); !read) {
      for (const WriteRequest& earlier : actions) DOLMEN_TRY_VOID(check_action(earlier));
      ExpressionReader reader(action.placeholders);
      DOLMEN_TRY_VOID(check_expressions(action, reader));
      return std::unexpected(std::move(read).error());
    }
    actions.push_back(std::move(action));
  }
  return actions;
}

Result<void> transact_write_items(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  TransactWriteRequest request{.client_token = parameters.string("ClientRequestToken"),
                               .return_capacity = read_return_capacity(parameters),
                               .return_collection_metrics = read_return_metrics(parameters),
                               .elsewhere = backend.elsewhere};
  DOLMEN_TRY(request.writes,
             read_actions(json::array_of(*parameters.find("TransactItems")), backend, parameters.layer()));
  for (WriteRequest& write : request.writes) {
    write.return_capacity = request.return_capacity;
    write.return_collection_metrics = request.return_collection_metrics;
  }
  DOLMEN_TRY_VOID(check_transaction_size(request.writes));
  const auto encode = [wanted = request.return_capacity](TransactWriteResponse& response) -> Result<std::string> {
    std::string body;
    ObjectWriter object(body);
    append_capacities_member(object, response.capacity, wanted);
    if (!response.collection_metrics.empty()) {
      std::map<std::string, std::vector<ItemCollectionMetrics>> by_table;
      for (auto& [table, metrics] : response.collection_metrics) by_table[table].push_back(std::move(metrics));
      ObjectWriter tables(object.member("ItemCollectionMetrics"));
      Result<void> written;
      for (const auto& [table, list] : by_table) {
        std::string& out = tables.member(table);
        append_array(out, list, [&](const ItemCollectionMetrics& metrics) {
          if (written) written = append_collection_metrics(out, metrics);
        });
      }
      DOLMEN_TRY_VOID(written);
      tables.end();
    }
    object.end();
    return body;
  };
  backend.service.start(TransactWriteItems{}, std::move(request),
                        encoded<TransactWriteResponse>(encode, std::move(done)));
  return {};
}

/// Reads the projection before the key, so that a failure leaves it.
Result<void> read_get(const Parameters& get, const Backend& backend, GetItemRequest& request) {
  DOLMEN_TRY_VOID(check_forms(get, {{"ProjectionExpression"}, {}}));
  DOLMEN_TRY(request.table, table_name_of(get.required_string("TableName"), backend.account));
  DOLMEN_TRY(request.placeholders, read_name_placeholders(get));
  request.projection = read_expression(get, "ProjectionExpression");
  DOLMEN_TRY(request.key, read_item(get, "Key"));
  return {};
}

/// The gets are checked one by one, as the actions of a transaction that writes.
Result<std::vector<GetItemRequest>> read_gets(json::Array elements, const Backend& backend) {
  std::vector<GetItemRequest> gets;
  for (const json::Element element : elements) {
    GetItemRequest& get = gets.emplace_back(GetItemRequest{.consistent_read = true});
    Result<void> read = read_get(*Parameters(element).structure("Get"), backend, get);
    if (read) continue;
    for (const GetItemRequest& checked : gets) {
      if (!checked.projection) continue;
      ExpressionReader reader(checked.placeholders);
      DOLMEN_TRY_VOID(reader.projection(*checked.projection));
      if (&checked != &get) DOLMEN_TRY_VOID(reader.finish());
    }
    return std::unexpected(std::move(read).error());
  }
  return gets;
}

Result<void> transact_get_items(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  TransactGetRequest request{
      .return_capacity = read_return_capacity(parameters), .trace = backend.trace, .elsewhere = backend.elsewhere};
  DOLMEN_TRY(request.gets, read_gets(json::array_of(*parameters.find("TransactItems")), backend));
  for (GetItemRequest& get : request.gets) get.return_capacity = request.return_capacity;
  const auto encode = [wanted = request.return_capacity](const TransactGetResponse& response) -> Result<std::string> {
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
    append_capacities_member(object, response.capacity, wanted);
    object.end();
    return body;
  };
  backend.service.start(TransactGetItems{}, std::move(request),
                        encoded<TransactGetResponse>(encode, std::move(done), backend.trace));
  return {};
}

}  // namespace

std::span<const WireOperation> transact_operations() {
  static const WireOperation kAll[] = {
      {TransactWriteItems::kInfo, transact_write_items},
      {TransactGetItems::kInfo, transact_get_items},
  };
  return kAll;
}

}  // namespace dolmen::wire
