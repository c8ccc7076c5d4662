// SearchVectors.
#include <fmt/format.h>
#include <utility>

#include "service/vector_rules.h"
#include "value/float_number.h"
#include "value/json.h"
#include "value/json_reader.h"
#include "wire/expression_parameters.h"
#include "wire/operation.h"
#include "wire/response_json.h"
#include "wire/strict_decoder.h"

namespace dolmen::wire {
namespace {

constexpr DecodedMember kSearchMembers[] = {
    {"TableName", DecodedKind::kString, true},
    {"IndexName", DecodedKind::kString, true},
    {"ReturnConsumedCapacity", DecodedKind::kString},
    {"ExpressionAttributeNames", DecodedKind::kMap},
    {"ExpressionAttributeValues", DecodedKind::kMap},
    {"ProjectionExpression", DecodedKind::kString},
    {"SearchVector", DecodedKind::kSequence, true},
    {"SearchConditionExpression", DecodedKind::kString},
    {"TopK", DecodedKind::kI32, true},
};

Result<void> decode_search(std::string_view body) { return check_decoding(body, kSearchMembers); }

/// Each element is {"N": "0.1"}.
Result<std::vector<float>> read_search_vector(const Parameters& parameters) {
  std::vector<float> vector;
  for (const json::Element element : json::array_of(*parameters.find("SearchVector"))) {
    if (element.is_null()) return bad_search_vector();
    const json::Object value = json::object_of(element);
    const std::optional<json::Element> number = json::member_of(value, "N");
    if (!number || !number->is_string() || value.size() != 1) return bad_search_vector();
    const Result<Number> parsed = Number::parse(json::string_of(*number));
    const std::optional<float> nearest = parsed ? nearest_float(*parsed) : std::nullopt;
    if (!nearest) return bad_search_vector();
    vector.push_back(*nearest);
  }
  return vector;
}

/// The item with the elements of its vector that were asked for.
Result<void> append_found_item(std::string& out, const FoundVector& found, std::string_view attribute) {
  DOLMEN_TRY_VOID(json::append_item(out, found.item.bytes));
  if (found.vector.empty()) return {};
  out.pop_back();
  if (out.back() != '{') out.push_back(',');
  json::append_string(out, attribute);
  out.append(":{\"L\":");
  append_array(out, found.vector, [&](float element) {
    out.append("{\"N\":\"");
    append_float(out, element);
    out.append("\"}");
  });
  out.append("}}");
  return {};
}

Result<std::string> search_body(const SearchVectorsResponse& response) {
  std::string body;
  ObjectWriter object(body);
  std::string& out = object.member("SearchResults");
  Result<void> written;
  append_array(out, response.results, [&](const FoundVector& found) {
    ObjectWriter one(out);
    if (written) written = append_found_item(one.member("Item"), found, response.vector_attribute);
    fmt::format_to(std::back_inserter(one.member("Score")), "{}", found.score);
    one.end();
  });
  if (!written) return std::unexpected(std::move(written).error());
  if (response.search_bytes) {
    ObjectWriter capacity(object.member("ConsumedCapacity"));
    const std::string bytes = fmt::format("{}", *response.search_bytes);
    // The second one is in no model, but AWS sends it.
    capacity.json("VectorSearchRequestBytes", bytes).json("VectorSearchUnits", bytes);
    capacity.end();
  }
  object.end();
  return body;
}

Result<void> search_vectors(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  DOLMEN_TRY_VOID(check_forms(parameters, {{"ProjectionExpression", "SearchConditionExpression"}, {}}));
  SearchVectorsRequest request;
  const std::int64_t top_k = parameters.integer("TopK").value_or(0);
  DOLMEN_TRY_VOID(check_top_k(top_k));
  request.top_k = static_cast<std::uint32_t>(top_k);
  DOLMEN_TRY(request.vector, read_search_vector(parameters));
  DOLMEN_TRY(request.placeholders, read_placeholders(parameters, parameters.layer()));
  request.condition = read_expression(parameters, "SearchConditionExpression");
  request.projection = read_expression(parameters, "ProjectionExpression");
  request.index = parameters.required_string("IndexName");
  request.return_capacity = read_return_capacity(parameters);
  DOLMEN_TRY(request.table, read_table_name(parameters, backend));
  request.trace = backend.trace;
  request.elsewhere = backend.elsewhere;
  backend.service.start(SearchVectors{}, std::move(request),
                        encoded<SearchVectorsResponse>(search_body, std::move(done), backend.trace));
  return {};
}

}  // namespace

std::span<const WireOperation> vector_operations() {
  static const WireOperation kAll[] = {
      {SearchVectors::kInfo, search_vectors, {}, decode_search},
  };
  return kAll;
}

}  // namespace dolmen::wire
