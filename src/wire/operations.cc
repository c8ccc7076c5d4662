#include "wire/operations.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "base/fail.h"
#include "value/json_reader.h"
#include "wire/operation.h"
#include "wire/service_model.h"
#include "wire/shape_check.h"

namespace dolmen::wire {
namespace {

struct Operation {
  std::string_view name;
  StartOperation start;
  /// Parameters of DynamoDB that are not supported yet, whatever they say.
  std::array<std::string_view, 6> unsupported = {};
};

constexpr Operation kOperations[] = {
    {"BatchGetItem", batch_get_item},
    {"BatchWriteItem", batch_write_item},
    {"CreateTable",
     create_table,
     {"OnDemandThroughput", "WarmThroughput", "ResourcePolicy", "GlobalTableSourceArn",
      "GlobalTableSettingsReplicationMode", "VectorIndexes"}},
    {"DeleteItem", delete_item},
    {"DeleteTable", delete_table},
    {"DescribeTable", describe_table},
    {"GetItem", get_item},
    {"ListTables", list_tables},
    {"PutItem", put_item},
    {"Query", query},
    {"Scan", scan},
    {"TransactGetItems", transact_get_items},
    {"TransactWriteItems", transact_write_items},
    {"UpdateItem", update_item},
};

const Operation* find_operation(std::string_view name) {
  const auto found = std::ranges::lower_bound(kOperations, name, {}, &Operation::name);
  return found == std::end(kOperations) || found->name != name ? nullptr : found;
}

/// No parameter of DynamoDB is accepted and then ignored.
Result<void> check_supported(const Operation& operation, const Parameters& parameters) {
  for (const std::string_view name : operation.unsupported)
    if (!name.empty() && parameters.has(name))
      return fail(Code::kUnsupported, "{} does not support the parameter {} yet", operation.name, name);
  return {};
}

Result<void> start(const Operation& operation, std::string_view body, const Backend& backend, Done<std::string>& done) {
  // Its memory is reused from request to request.
  thread_local simdjson::dom::parser parser;
  json::Element input;
  if (parser.parse(body.data(), body.size()).get(input) != simdjson::SUCCESS || !input.is_object())
    return std::unexpected(Error(Code::kSerialization, ""));
  const Shape& shape = *input_shape(operation.name);
  DOLMEN_TRY_VOID(check_types(shape, input));
  DOLMEN_TRY_VOID(check_constraints(shape, input));
  const Parameters parameters(input);
  DOLMEN_TRY_VOID(check_supported(operation, parameters));
  return operation.start(parameters, backend, done);
}

}  // namespace

Result<EncodedItem> read_item(const Parameters& parameters, std::string_view name) {
  return json::encode_item(json::object_of(*parameters.find(name)));
}

Result<std::string> read_table_name(const Parameters& parameters, const Backend& backend) {
  return table_name_of(parameters.required_string("TableName"), backend.account);
}

ReturnCapacity read_return_capacity(const Parameters& parameters) {
  const std::string wanted = parameters.string("ReturnConsumedCapacity").value_or("NONE");
  if (wanted == "NONE") return ReturnCapacity::kNone;
  return wanted == "TOTAL" ? ReturnCapacity::kTotal : ReturnCapacity::kIndexes;
}

bool read_return_metrics(const Parameters& parameters) {
  return parameters.string("ReturnItemCollectionMetrics") == "SIZE";
}

Result<void> check_operation(std::string_view operation) {
  if (find_operation(operation) != nullptr) return {};
  if (is_dynamodb_operation(operation)) return fail(Code::kUnknownOperation, "{} is not supported yet", operation);
  return std::unexpected(Error(Code::kUnknownOperation, ""));
}

void execute(std::string_view operation, std::string_view body, const Backend& backend, Done<std::string> done) {
  if (Result<void> known = check_operation(operation); !known) return done(std::unexpected(std::move(known).error()));
  if (Result<void> started = start(*find_operation(operation), body, backend, done); !started)
    done(std::unexpected(std::move(started).error()));
}

}  // namespace dolmen::wire
