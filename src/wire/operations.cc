#include "wire/operations.h"

#include <map>

#include "base/check.h"
#include "base/fail.h"
#include "value/json_reader.h"
#include "wire/operation.h"
#include "wire/service_model.h"
#include "wire/shape_check.h"

namespace dolmen::wire {
namespace {

/// All operations by name.
std::map<std::string_view, const WireOperation*> all_operations() {
  std::map<std::string_view, const WireOperation*> all;
  for (const auto family :
       {table_operations(), item_operations(), read_operations(), batch_operations(), transact_operations()})
    for (const WireOperation& operation : family) all.emplace(operation.info.name, &operation);
  for (const OperationInfo& declared : Operations::kInfos)
    DOLMEN_CHECK(all.contains(declared.name), "the wire understands every operation");
  return all;
}

const WireOperation* find_operation(std::string_view name) {
  static const std::map<std::string_view, const WireOperation*> all = all_operations();
  const auto found = all.find(name);
  return found == all.end() ? nullptr : found->second;
}

/// No parameter of DynamoDB is accepted and then ignored.
Result<void> check_supported(const WireOperation& operation, const Parameters& parameters) {
  for (const std::string_view name : operation.unsupported)
    if (parameters.has(name))
      return fail(Code::kUnsupported, "{} does not support the parameter {} yet", operation.info.name, name);
  return {};
}

Result<void> start(const WireOperation& operation, std::string_view body, const Backend& backend,
                   Done<std::string>& done) {
  // Memory is reused between requests, except for large bodies, which need a multiple of their size.
  constexpr std::size_t kSmallBodyBytesMax = std::size_t{1} << 20;
  thread_local simdjson::dom::parser for_small;
  simdjson::dom::parser for_large;
  simdjson::dom::parser& parser = body.size() <= kSmallBodyBytesMax ? for_small : for_large;
  json::Element input;
  if (parser.parse(body.data(), body.size()).get(input) != simdjson::SUCCESS || !input.is_object())
    return std::unexpected(Error(Code::kSerialization, ""));
  const Shape& shape = *input_shape(operation.info.name);
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
