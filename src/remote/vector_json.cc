#include "remote/vector_json.h"

#include <string>

#include "protocol/object_writer.h"
#include "remote/expression_json.h"
#include "remote/request_json.h"
#include "remote/response_reader.h"
#include "value/float_number.h"

namespace dolmen::remote {
namespace {

Result<void> read_vector_projection(const Fields& fields, VectorIndexDefinition& index) {
  DOLMEN_TRY(const std::optional<json::Object> found, fields.optional<json::Object>("Projection"));
  if (!found) return {};
  const Fields projection(*found);
  DOLMEN_TRY(const auto type, projection.optional<std::string_view>("ProjectionType"));
  index.projection = type == "KEYS_ONLY" ? ProjectionType::kKeysOnly
                     : type == "INCLUDE" ? ProjectionType::kInclude
                                         : ProjectionType::kAll;
  DOLMEN_TRY(const auto included, projection.optional<json::Array>("NonKeyAttributes"));
  if (!included) return {};
  for (const json::Element element : *included) {
    std::string_view name;
    if (element.get(name) != simdjson::SUCCESS) return unexpected_response("NonKeyAttributes");
    index.included_attributes.emplace_back(name);
  }
  return {};
}

Result<void> read_search_schema(const Fields& fields, VectorIndexDefinition& index) {
  DOLMEN_TRY(const auto schema, fields.optional<json::Array>("SearchSchema"));
  if (!schema) return {};
  for (const json::Element element : *schema) {
    DOLMEN_TRY(const Fields one, Fields::of(element));
    DOLMEN_TRY(const auto name, one.required<std::string_view>("AttributeName"));
    DOLMEN_TRY(const auto type, one.required<std::string_view>("SearchSchemaElementType"));
    const std::optional<SearchRole> role = search_role_of(type);
    if (!role) return unexpected_response("SearchSchemaElementType");
    index.search.push_back({.name = std::string(name), .role = *role});
  }
  return {};
}

}  // namespace

Result<VectorIndexDefinition> read_vector_index(const Fields& fields) {
  VectorIndexDefinition index;
  DOLMEN_TRY(index.name, fields.required<std::string_view>("IndexName"));
  DOLMEN_TRY(const json::Object attribute, fields.required<json::Object>("VectorAttribute"));
  DOLMEN_TRY(index.attribute, Fields(attribute).required<std::string_view>("AttributeName"));
  DOLMEN_TRY(index.dimensions, fields.required<std::int64_t>("Dimensions"));
  DOLMEN_TRY(const auto distance, fields.required<std::string_view>("DistanceFunction"));
  const std::optional<VectorDistance> known = vector_distance_of(distance);
  if (!known) return unexpected_response("DistanceFunction");
  index.distance = *known;
  DOLMEN_TRY_VOID(read_vector_projection(fields, index));
  DOLMEN_TRY_VOID(read_search_schema(fields, index));
  return index;
}

Result<std::string> request_body(const SearchVectorsRequest& request) {
  if (request.mode != VectorSearchMode::kAuto)
    return fail(Code::kUnsupported, "only an embedded store searches in a way that is asked for");
  std::string body;
  ObjectWriter object(body);
  object.text("TableName", request.table).text("IndexName", request.index);
  std::string& out = object.member("SearchVector");
  append_array(out, request.vector, [&](float element) {
    out.append("{\"N\":\"");
    append_float(out, element);
    out.append("\"}");
  });
  object.number("TopK", request.top_k);
  append_expression(object, "SearchConditionExpression", request.condition);
  append_expression(object, "ProjectionExpression", request.projection);
  DOLMEN_TRY_VOID(append_placeholders(object, request.placeholders));
  append_return_capacity(object, request.return_capacity);
  object.end();
  return body;
}

Result<SearchVectorsResponse> read_response(SearchVectors /*operation*/, std::string_view body,
                                            const SearchVectorsRequest& /*asked*/) {
  Document document;
  DOLMEN_TRY(const Fields fields, document.parse(body));
  SearchVectorsResponse response;
  DOLMEN_TRY(const json::Array results, fields.required<json::Array>("SearchResults"));
  for (const json::Element element : results) {
    DOLMEN_TRY(const Fields one, Fields::of(element));
    DOLMEN_TRY(std::optional<EncodedItem> item, one.item("Item"));
    DOLMEN_TRY(const double score, one.required<double>("Score"));
    response.results.push_back({.item = item ? *std::move(item) : encode_item({}), .score = score});
  }
  DOLMEN_TRY(const auto capacity, fields.optional<json::Object>("ConsumedCapacity"));
  if (capacity) {
    DOLMEN_TRY(response.search_bytes, Fields(*capacity).optional<double>("VectorSearchRequestBytes"));
  }
  return response;
}

}  // namespace dolmen::remote
