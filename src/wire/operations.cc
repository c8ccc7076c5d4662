#include "wire/operations.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <span>

#include "base/fail.h"
#include "value/json.h"
#include "value/json_reader.h"
#include "wire/parameters.h"
#include "wire/service_model.h"
#include "wire/shape_check.h"
#include "wire/table_json.h"

namespace dolmen::wire {
namespace {

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

/// ReturnValues of the operations that have no new item to return.
Result<bool> read_return_old(const Parameters& parameters) {
  const std::string wanted = parameters.string("ReturnValues").value_or("NONE");
  if (wanted != "NONE" && wanted != "ALL_OLD")
    return fail(Code::kValidation, "ReturnValues can only be ALL_OLD or NONE");
  return wanted == "ALL_OLD";
}

/// Writes a JSON object member by member.
class ObjectWriter {
 public:
  explicit ObjectWriter(std::string& out) : out_(out) { out_.push_back('{'); }

  /// Begins a member; its value is appended to the returned text.
  std::string& member(std::string_view name) {
    if (!first_) out_.push_back(',');
    first_ = false;
    out_.push_back('"');
    out_.append(name).append("\":");
    return out_;
  }
  void end() { out_.push_back('}'); }

 private:
  std::string& out_;
  bool first_ = true;
};

Result<void> append_item_member(ObjectWriter& object, std::string_view name, const std::optional<EncodedItem>& item) {
  if (!item) return {};
  return json::append_item(object.member(name), item->bytes);
}

void append_capacity_member(ObjectWriter& object, const std::optional<ConsumedCapacity>& capacity,
                            const std::string& table, ReturnCapacity wanted) {
  if (!capacity) return;
  std::string& out = object.member("ConsumedCapacity");
  fmt::format_to(std::back_inserter(out), R"({{"TableName":"{}","CapacityUnits":{:.1f})", table, capacity->units);
  if (wanted == ReturnCapacity::kIndexes)
    fmt::format_to(std::back_inserter(out), R"(,"Table":{{"CapacityUnits":{:.1f}}})", capacity->units);
  out.push_back('}');
}

/// Turns the outcome of an operation into the body of its response.
template <class Response, class Encode>
Done<Response> encoded(Encode encode, Done<std::string> done) {
  return [encode = std::move(encode), done = std::move(done)](Result<Response> outcome) mutable {
    if (!outcome) return done(std::unexpected(std::move(outcome).error()));
    done(encode(*outcome));
  };
}

Done<TableDescription> encoded_table(std::string_view member, Done<std::string> done) {
  const auto encode = [member](const TableDescription& table) -> Result<std::string> {
    std::string body;
    ObjectWriter object(body);
    append_table_description(object.member(member), table);
    object.end();
    return body;
  };
  return encoded<TableDescription>(encode, std::move(done));
}

Done<WriteItemResponse> encoded_write(std::string table, ReturnCapacity wanted, Done<std::string> done) {
  const auto encode = [table = std::move(table), wanted](const WriteItemResponse& response) -> Result<std::string> {
    std::string body;
    ObjectWriter object(body);
    DOLMEN_TRY_VOID(append_item_member(object, "Attributes", response.old));
    append_capacity_member(object, response.capacity, table, wanted);
    object.end();
    return body;
  };
  return encoded<WriteItemResponse>(encode, std::move(done));
}

// Each operation reads its parameters and starts the service. An error that it returns itself was found before that.

Result<void> create_table(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  DOLMEN_TRY(TableDefinition definition, read_table_definition(parameters));
  backend.service.create_table(std::move(definition), encoded_table("TableDescription", std::move(done)));
  return {};
}

Result<void> describe_table(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  DOLMEN_TRY(const std::string name, read_table_name(parameters, backend));
  backend.service.describe_table(name, encoded_table("Table", std::move(done)));
  return {};
}

Result<void> delete_table(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  DOLMEN_TRY(const std::string name, read_table_name(parameters, backend));
  backend.service.delete_table(name, encoded_table("TableDescription", std::move(done)));
  return {};
}

Result<void> list_tables(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  ListTablesRequest request{.after = parameters.string("ExclusiveStartTableName")};
  if (const auto limit = parameters.integer("Limit")) request.limit = static_cast<int>(*limit);
  const auto encode = [](const TableNamePage& page) -> Result<std::string> {
    std::string body;
    ObjectWriter object(body);
    std::string& names = object.member("TableNames");
    names.push_back('[');
    for (std::size_t i = 0; i < page.names.size(); ++i) {
      if (i > 0) names.push_back(',');
      json::append_string(names, page.names[i]);
    }
    names.push_back(']');
    if (page.last_name) json::append_string(object.member("LastEvaluatedTableName"), *page.last_name);
    object.end();
    return body;
  };
  backend.service.list_tables(request, encoded<TableNamePage>(encode, std::move(done)));
  return {};
}

Result<void> put_item(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  PutItemRequest request{.return_capacity = read_return_capacity(parameters)};
  DOLMEN_TRY(request.item, read_item(parameters, "Item"));
  DOLMEN_TRY(request.return_old, read_return_old(parameters));
  DOLMEN_TRY(request.table, read_table_name(parameters, backend));
  auto reply = encoded_write(parameters.required_string("TableName"), request.return_capacity, std::move(done));
  backend.service.put_item(std::move(request), std::move(reply));
  return {};
}

Result<void> delete_item(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  DeleteItemRequest request{.return_capacity = read_return_capacity(parameters)};
  DOLMEN_TRY(request.key, read_item(parameters, "Key"));
  DOLMEN_TRY(request.return_old, read_return_old(parameters));
  DOLMEN_TRY(request.table, read_table_name(parameters, backend));
  auto reply = encoded_write(parameters.required_string("TableName"), request.return_capacity, std::move(done));
  backend.service.delete_item(std::move(request), std::move(reply));
  return {};
}

Result<void> get_item(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  GetItemRequest request{.consistent_read = parameters.boolean("ConsistentRead", false),
                         .return_capacity = read_return_capacity(parameters)};
  DOLMEN_TRY(request.key, read_item(parameters, "Key"));
  DOLMEN_TRY(request.table, read_table_name(parameters, backend));
  const auto encode = [table = parameters.required_string("TableName"),
                       wanted = request.return_capacity](const GetItemResponse& response) -> Result<std::string> {
    std::string body;
    if (response.item) body.reserve(response.item->bytes.size() * 3 / 2 + 64);
    ObjectWriter object(body);
    DOLMEN_TRY_VOID(append_item_member(object, "Item", response.item));
    append_capacity_member(object, response.capacity, table, wanted);
    object.end();
    return body;
  };
  backend.service.get_item(request, encoded<GetItemResponse>(encode, std::move(done)));
  return {};
}

struct Operation {
  std::string_view name;
  Result<void> (*start)(const Parameters&, const Backend&, Done<std::string>&);
  /// The parameters that `start` reads, or whose only meaning here is that of their absence.
  std::array<std::string_view, 8> supported;
};

constexpr Operation kOperations[] = {
    {"CreateTable",
     create_table,
     {"TableName", "AttributeDefinitions", "KeySchema", "BillingMode", "ProvisionedThroughput",
      "DeletionProtectionEnabled"}},
    {"DeleteItem", delete_item, {"TableName", "Key", "ReturnValues", "ReturnConsumedCapacity"}},
    {"DeleteTable", delete_table, {"TableName"}},
    {"DescribeTable", describe_table, {"TableName"}},
    {"GetItem", get_item, {"TableName", "Key", "ConsistentRead", "ReturnConsumedCapacity"}},
    {"ListTables", list_tables, {"ExclusiveStartTableName", "Limit"}},
    {"PutItem", put_item, {"TableName", "Item", "ReturnValues", "ReturnConsumedCapacity"}},
};

const Operation* find_operation(std::string_view name) {
  const auto found = std::ranges::find(kOperations, name, &Operation::name);
  return found == std::end(kOperations) ? nullptr : found;
}

/// No parameter of DynamoDB is accepted and then ignored.
Result<void> check_supported(const Operation& operation, const Shape& shape, const Parameters& parameters) {
  for (const auto [name, value] : parameters.members()) {
    const bool known = std::ranges::find(shape.members, name, &Member::name) != shape.members.end();
    const bool supported = std::ranges::find(operation.supported, name) != operation.supported.end();
    if (known && !supported && !value.is_null())
      return fail(Code::kUnsupported, "{} does not support the parameter {} yet", operation.name, name);
  }
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
  DOLMEN_TRY_VOID(check_supported(operation, shape, parameters));
  return operation.start(parameters, backend, done);
}

}  // namespace

bool is_operation(std::string_view operation) { return find_operation(operation) != nullptr; }

void execute(std::string_view operation, std::string_view body, const Backend& backend, Done<std::string> done) {
  const Operation* found = find_operation(operation);
  if (found == nullptr) return done(std::unexpected(Error(Code::kUnknownOperation, "")));
  if (Result<void> started = start(*found, body, backend, done); !started)
    done(std::unexpected(std::move(started).error()));
}

}  // namespace dolmen::wire
