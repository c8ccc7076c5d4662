// Query and Scan.
#include <fmt/format.h>
#include <utility>

#include "base/fail.h"
#include "service/expressions.h"
#include "service/request_rules.h"
#include "value/json_reader.h"
#include "wire/expression_parameters.h"
#include "wire/legacy_attributes.h"
#include "wire/legacy_conditions.h"
#include "wire/operation.h"
#include "wire/response_json.h"

namespace dolmen::wire {
namespace {

/// Why Select does not go with the other parameters.
template <class... Arguments>
std::unexpected<Error> bad_select(const Parameters& parameters, fmt::format_string<Arguments...> text,
                                  Arguments&&... arguments) {
  return fail(Code::kValidation, "{}{}", parameters.layer().introduces_select ? kOneErrorDetected : "",
              fmt::format(text, std::forward<Arguments>(arguments)...));
}

Result<std::optional<Select>> read_select(const Parameters& parameters) {
  const std::optional<std::string> select = parameters.string("Select");
  const bool projection = parameters.has("ProjectionExpression");
  const bool attributes = projection || parameters.has("AttributesToGet");
  const std::string_view given = projection ? "ProjectionExpression" : "AttributesToGet";
  if (!select) return std::nullopt;
  if (*select == "SPECIFIC_ATTRIBUTES") {
    if (!attributes)
      return bad_select(
          parameters,
          "Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES");
    return Select::kSpecific;
  }
  if (attributes)
    return bad_select(parameters, "Cannot specify the {} when choosing to get {}", given,
                      *select == "COUNT" ? "only the Count" : *select);
  if (*select == "ALL_PROJECTED_ATTRIBUTES") {
    if (!parameters.has("IndexName"))
      return bad_select(parameters, "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName");
    return Select::kAllProjected;
  }
  return *select == "COUNT" ? Select::kCount : Select::kAllAttributes;
}

Result<std::optional<EncodedItem>> read_start_key(const Parameters& parameters) {
  const auto given = parameters.find("ExclusiveStartKey");
  if (!given) return std::nullopt;
  Result<EncodedItem> key = json::encode_item(json::object_of(*given));
  if (!key) return bad_start_key(key.error());
  return std::move(*key);
}

Result<std::optional<ScanSegment>> read_segment(const Parameters& parameters) {
  const std::optional<std::int64_t> segment = parameters.integer("Segment");
  const std::optional<std::int64_t> total = parameters.integer("TotalSegments");
  if (segment && !total)
    return fail(
        Code::kValidation,
        "The TotalSegments parameter is required but was not present in the request when Segment parameter is present");
  if (total && !segment)
    return fail(
        Code::kValidation,
        "The Segment parameter is required but was not present in the request when parameter TotalSegments is present");
  if (!segment) return std::nullopt;
  if (*segment >= *total && !parameters.layer().shows_segments)
    return fail(Code::kValidation, "The Segment parameter is zero-based and must be less than parameter TotalSegments");
  const ScanSegment read{static_cast<std::uint32_t>(*segment), static_cast<std::uint32_t>(*total)};
  DOLMEN_TRY_VOID(check_segment(read));
  return read;
}

Result<void> read_common(const Parameters& parameters, const Backend& backend, ReadManyRequest& request) {
  request.index = parameters.string("IndexName");
  request.consistent_read = parameters.boolean("ConsistentRead", false);
  request.return_capacity = read_return_capacity(parameters);
  if (const auto limit = parameters.integer("Limit")) request.limit = static_cast<std::uint32_t>(*limit);
  DOLMEN_TRY(request.select, read_select(parameters));
  DOLMEN_TRY(request.start_key, read_start_key(parameters));
  DOLMEN_TRY(request.table, read_table_name(parameters, backend));
  return {};
}

/// Reads the expressions, unless their legacy forms have been read already.
Result<void> read_expressions(const Parameters& parameters, ReadManyRequest& request) {
  if (request.filter || request.projection) return {};
  DOLMEN_TRY(request.placeholders, read_placeholders(parameters, parameters.layer()));
  request.filter = read_expression(parameters, "FilterExpression");
  request.projection = read_expression(parameters, "ProjectionExpression");
  return {};
}

/// KeyConditions may be combined with expressions, whose mistakes are reported first.
Result<void> read_legacy_keys(const Parameters& parameters, ReadManyRequest& request) {
  ExpressionReader reader(request.placeholders);
  if (request.filter) DOLMEN_TRY_VOID(reader.filter(*request.filter));
  if (request.projection) DOLMEN_TRY_VOID(reader.projection(*request.projection));
  DOLMEN_TRY_VOID(reader.finish());
  DOLMEN_TRY(request.key_conditions, read_key_conditions(parameters));
  return {};
}

template <class Op>
Result<void> start_read(ReadManyRequest request, const Parameters& parameters, const Backend& backend,
                        Done<std::string>& done) {
  const bool counting = request.select == Select::kCount;
  const auto encode = [counting, table = parameters.required_string("TableName"),
                       wanted = request.return_capacity](ReadManyResponse& response) -> Result<std::string> {
    std::string body;
    body.reserve(json_size_estimate(response.items));
    ObjectWriter object(body);
    if (!counting) DOLMEN_TRY_VOID(append_items_member(object, "Items", response.items));
    object.member("Count").append(std::to_string(response.count));
    object.member("ScannedCount").append(std::to_string(response.scanned_count));
    DOLMEN_TRY_VOID(append_item_member(object, "LastEvaluatedKey", response.last_key));
    if (response.capacity) response.capacity->table = table;
    append_capacity_member(object, response.capacity, wanted);
    object.end();
    return body;
  };
  request.trace = backend.trace;
  request.elsewhere = backend.elsewhere;
  backend.service.start(Op{}, std::move(request), encoded<ReadManyResponse>(encode, std::move(done), backend.trace));
  return {};
}

Result<void> query(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  DOLMEN_TRY_VOID(
      check_forms(parameters, {{"ProjectionExpression", "FilterExpression", "KeyConditionExpression"},
                               {"AttributesToGet", "QueryFilter", "ConditionalOperator", "KeyConditions"}}));
  ReadManyRequest request;
  DOLMEN_TRY(request.filter, read_filter(parameters, "QueryFilter", request.placeholders));
  DOLMEN_TRY(request.projection, read_attributes_to_get(parameters, request.placeholders));
  DOLMEN_TRY_VOID(read_common(parameters, backend, request));
  request.forward = parameters.boolean("ScanIndexForward", true);
  if (!parameters.has("KeyConditionExpression") && !parameters.has("KeyConditions"))
    return fail(Code::kValidation,
                "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.");
  DOLMEN_TRY_VOID(read_expressions(parameters, request));
  request.key_condition = read_expression(parameters, "KeyConditionExpression");
  if (parameters.has("KeyConditions")) DOLMEN_TRY_VOID(read_legacy_keys(parameters, request));
  return start_read<Query>(std::move(request), parameters, backend, done);
}

Result<void> scan(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  DOLMEN_TRY_VOID(check_forms(parameters, {{"ProjectionExpression", "FilterExpression"},
                                           {"AttributesToGet", "ScanFilter", "ConditionalOperator"}}));
  ReadManyRequest request;
  DOLMEN_TRY(request.projection, read_attributes_to_get(parameters, request.placeholders));
  DOLMEN_TRY(request.filter, read_filter(parameters, "ScanFilter", request.placeholders));
  DOLMEN_TRY_VOID(read_common(parameters, backend, request));
  DOLMEN_TRY(request.segment, read_segment(parameters));
  DOLMEN_TRY_VOID(read_expressions(parameters, request));
  return start_read<Scan>(std::move(request), parameters, backend, done);
}

}  // namespace

std::span<const WireOperation> read_operations() {
  static const WireOperation kAll[] = {
      {Query::kInfo, query},
      {Scan::kInfo, scan},
  };
  return kAll;
}

}  // namespace dolmen::wire
