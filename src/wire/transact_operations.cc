// TransactWriteItems and TransactGetItems.
#include <map>

#include "base/fail.h"
#include "service/request_rules.h"
#include "value/json_reader.h"
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

Result<WriteRequest> read_action(const Parameters& item, const Backend& backend) {
  std::optional<WriteRequest> request;
  for (const ActionForm& form : kActions) {
    const std::optional<Parameters> action = item.structure(form.name);
    if (!action) continue;
    if (request) return fail(Code::kValidation, "TransactItems can only contain one of Check, Put, Update or Delete");
    request.emplace(WriteRequest{
        .kind = form.kind, .return_on_failure = action->string("ReturnValuesOnConditionCheckFailure") == "ALL_OLD"});
    DOLMEN_TRY(request->table, table_name_of(action->required_string("TableName"), backend.account));
    DOLMEN_TRY(request->item, read_item(*action, form.kind == WriteKind::kPut ? "Item" : "Key"));
    DOLMEN_TRY(request->placeholders, read_placeholders(*action));
    if (form.kind == WriteKind::kUpdate) request->update = read_expression(*action, "UpdateExpression");
    request->condition = read_expression(*action, "ConditionExpression");
    // Unlike in other operations, placeholders without an expression are allowed.
    if (!request->update && !request->condition) request->placeholders = {};
  }
  if (!request) return fail(Code::kValidation, "TransactItems can only contain one of Check, Put, Update or Delete");
  return std::move(*request);
}

Result<void> transact_write_items(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  TransactWriteRequest request{.client_token = parameters.string("ClientRequestToken"),
                               .return_capacity = read_return_capacity(parameters),
                               .return_collection_metrics = read_return_metrics(parameters)};
  for (const json::Element element : json::array_of(*parameters.find("TransactItems"))) {
    DOLMEN_TRY(WriteRequest write, read_action(Parameters(element), backend));
    write.return_capacity = request.return_capacity;
    write.return_collection_metrics = request.return_collection_metrics;
    request.writes.push_back(std::move(write));
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

Result<void> transact_get_items(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  TransactGetRequest request{.return_capacity = read_return_capacity(parameters)};
  for (const json::Element element : json::array_of(*parameters.find("TransactItems"))) {
    const Parameters get = *Parameters(element).structure("Get");
    DOLMEN_TRY_VOID(check_forms(get, {{"ProjectionExpression"}, {}}));
    GetItemRequest item{.consistent_read = true, .return_capacity = request.return_capacity};
    DOLMEN_TRY(item.table, table_name_of(get.required_string("TableName"), backend.account));
    DOLMEN_TRY(item.key, read_item(get, "Key"));
    DOLMEN_TRY(item.placeholders, read_name_placeholders(get));
    item.projection = read_expression(get, "ProjectionExpression");
    request.gets.push_back(std::move(item));
  }
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
  backend.service.start(TransactGetItems{}, std::move(request), encoded<TransactGetResponse>(encode, std::move(done)));
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
