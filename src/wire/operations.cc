#include "wire/operations.h"

#include <algorithm>
#include <unordered_map>

#include "base/check.h"
#include "base/fail.h"
#include "value/json_reader.h"
#include "wire/constraint_check.h"
#include "wire/demand.h"
#include "wire/operation.h"
#include "wire/service_model.h"
#include "wire/shape_check.h"
#include "wire/texts.h"

namespace dolmen::wire {
namespace {

/// An operation, and what its request looks like.
struct Known {
  const WireOperation* operation;
  const Shape* input;
  /// Its request says where to go when it takes long (WriteRequest::elsewhere), so that it may begin anywhere.
  bool begins_anywhere;
};

template <class Op>
constexpr bool kBeginsAnywhere = requires(typename Op::Request request) { request.elsewhere; };

bool begins_anywhere(std::string_view operation) {
#define DOLMEN_LOOK(Op) \
  if (operation == Op::kInfo.name) return kBeginsAnywhere<Op>;
  DOLMEN_OPERATIONS(DOLMEN_LOOK)
#undef DOLMEN_LOOK
  return false;
}

/// All operations by name.
std::unordered_map<std::string_view, Known> all_operations() {
  std::unordered_map<std::string_view, Known> all;
  for (const auto family :
       {table_operations(), item_operations(), read_operations(), vector_operations(), batch_operations(),
        transact_operations(), statement_operations(), time_to_live_operations(), tag_operations(), stream_operations(),
        backup_operations(), account_operations(), policy_operations(), insights_operations(), kinesis_operations(),
        global_table_operations(), transfer_operations()})
    for (const WireOperation& operation : family)
      all.emplace(operation.info.name, Known{.operation = &operation,
                                             .input = find_model_operation(operation.info.name)->input,
                                             .begins_anywhere = begins_anywhere(operation.info.name)});
  for (const OperationInfo& declared : Operations::kInfos)
    DOLMEN_CHECK(all.contains(declared.name), "the wire understands every operation");
  return all;
}

const Known* find_operation(Interface interface, std::string_view name) {
  static const std::unordered_map<std::string_view, Known> all = all_operations();
  const auto found = all.find(name);
  if (found == all.end()) return nullptr;
  const bool of_streams = found->second.operation->info.family == OperationFamily::kStreams;
  return of_streams == (interface == Interface::kStreams) ? &found->second : nullptr;
}

/// No parameter of DynamoDB is accepted and then ignored.
Result<void> check_supported(const WireOperation& operation, const Parameters& parameters) {
  for (const std::string_view name : operation.unsupported)
    if (parameters.has(name))
      return fail(Code::kUnsupported, "{} does not support the parameter {} yet", operation.info.name, name);
  return {};
}

Result<void> check_access(const WireOperation& operation, const Parameters& parameters, const Backend& backend) {
  // What a statement asks for is known when it has been read.
  if (backend.caller == nullptr || operation.info.family == OperationFamily::kStatements) return {};
  return check_demand(demand_of(operation.info, parameters), backend);
}

bool is_deeper(json::Element value, unsigned levels) {
  if (!value.is_array() && !value.is_object()) return false;
  if (levels == 0) return true;
  if (value.is_array())
    return std::ranges::any_of(json::array_of(value),
                               [&](json::Element inner) { return is_deeper(inner, levels - 1); });
  return std::ranges::any_of(json::object_of(value), [&](auto member) { return is_deeper(member.value, levels - 1); });
}

/// Checks a request whose types are right, and starts the service.
Result<void> start_in(const Layer& layer, const Known& known, json::Element input, const Backend& backend,
                      Done<std::string>& done) {
  const WireOperation& operation = *known.operation;
  const Parameters parameters(input, &layer);
  DOLMEN_TRY_VOID(check_constraints(*known.input, parameters.members(), layer));
  if (backend.table != nullptr) *backend.table = table_named_by(parameters);
  DOLMEN_TRY_VOID(check_access(operation, parameters, backend));
  DOLMEN_TRY_VOID(check_supported(operation, parameters));
  Result<void> started = operation.start(parameters, backend, done);
  if (!started) return std::unexpected(worded(std::move(started).error(), layer, Found::kInRequest));
  return {};
}

Result<void> start(const Known& known, const Layer& layer, std::string_view body, const Backend& backend,
                   Done<std::string>& done) {
  // Memory is reused between requests, except for large bodies, which need a multiple of their size.
  constexpr std::size_t kSmallBodyBytesMax = std::size_t{1} << 20;
  thread_local simdjson::dom::parser for_small;
  simdjson::dom::parser for_large;
  simdjson::dom::parser& parser = body.size() <= kSmallBodyBytesMax ? for_small : for_large;
  json::Element input;
  if (parser.parse(body.data(), body.size()).get(input) != simdjson::SUCCESS || !input.is_object())
    return std::unexpected(Error(Code::kSerialization, ""));
  if (known.operation->decode != nullptr) DOLMEN_TRY_VOID(known.operation->decode(body));
  DOLMEN_TRY_VOID(check_types(*known.input, input));
  Result<void> started = start_in(layer, known, input, backend, done);
  // A request as deep as that holds a value that is too deep, so that it has not reached the service.
  if (!started && layer.older_when_deep && is_deeper(input, kDeepLevels))
    return start_in(layer_of(known.operation->info.name, Texts::kOlder), known, input, backend, done);
  return started;
}

void start_or_refuse(const Known& known, const Layer& layer, std::string_view body, const Backend& backend,
                     Done<std::string> done) {
  if (Result<void> started = start(known, layer, body, backend, done); !started)
    done(std::unexpected(std::move(started).error()));
}

/// The same where threads may wait for the disk. Where there is no such place, or too much waits there, it starts here.
void start_elsewhere(const Known& known, const Layer& layer, std::string_view body, const Backend& backend,
                     Done<std::string> done) {
  go_elsewhere_or_stay<std::string>(
      *backend.elsewhere, std::move(done),
      [&known, &layer, body = std::string(body), reached_at = std::string(backend.reached_at),
       backend = Backend(backend)](Done<std::string> answer) mutable {
        backend.reached_at = reached_at;
        start_or_refuse(known, layer, body, backend, std::move(answer));
      });
}

/// Words what the service refuses.
Done<std::string> in_words_of(const Layer& layer, Done<std::string> done) {
  if (!layer.words_answers()) return done;
  return [&layer, done = std::move(done)](Result<std::string> outcome) mutable {
    if (outcome) return done(std::move(outcome));
    done(std::unexpected(worded(std::move(outcome).error(), layer, Found::kByService)));
  };
}

}  // namespace

Result<EncodedItem> read_item(const Parameters& parameters, std::string_view name) {
  return json::encode_item(json::object_of(*parameters.find(name)));
}

Result<void> read_written_item(const Parameters& parameters, WriteRequest& request) {
  const json::Element given = *parameters.find(request.kind == WriteKind::kPut ? "Item" : "Key");
  DOLMEN_TRY(json::SizedItem read, json::encode_sized_item(json::object_of(given)));
  request.item = std::move(read.item);
  request.item_bytes = read.size;
  return {};
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

Result<std::string_view> check_operation(Interface interface, std::string_view operation) {
  if (const Known* found = find_operation(interface, operation)) return found->operation->info.name;
  const ModelOperation* known = find_model_operation(operation);
  if (known != nullptr && known->of_streams == (interface == Interface::kStreams))
    return fail(Code::kUnknownOperation, "{} is not supported yet", operation);
  return std::unexpected(Error(Code::kUnknownOperation, ""));
}

std::span<const std::string_view> unsupported_parameters(std::string_view operation) {
  for (const Interface interface : {Interface::kTables, Interface::kStreams})
    if (const Known* found = find_operation(interface, operation)) return found->operation->unsupported;
  return {};
}

void execute(Interface interface, std::string_view operation, std::string_view body, const Backend& backend,
             Done<std::string> done) {
  const Known* const known = find_operation(interface, operation);
  if (known == nullptr) return done(std::unexpected(check_operation(interface, operation).error()));
  const Layer& layer = layer_of(operation, backend.texts);
  Done<std::string> answered = in_words_of(layer, std::move(done));
  const bool may_wait = backend.elsewhere == nullptr || HasTime::here();
  const auto begin = known->begins_anywhere || may_wait ? start_or_refuse : start_elsewhere;
  begin(*known, layer, body, backend, std::move(answered));
}

Result<void> check_demand(const access::Demand& demand, const Backend& backend) {
  const access::AccessKey& key = backend.caller->key();
  const access::ResourceOwner owner{backend.account.id, backend.account.region};
  return backend.gatekeeper->judge(backend.policies == nullptr
                                       ? access::check_permission(key, demand, owner)
                                       : access::check_permission(key, demand, owner, *backend.policies));
}

}  // namespace dolmen::wire
