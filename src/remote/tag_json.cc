// TagResource, UntagResource and ListTagsOfResource as JSON.
#include "protocol/object_writer.h"
#include "remote/json_fields.h"
#include "remote/request_json.h"
#include "remote/response_reader.h"

namespace dolmen::remote {

Result<std::string> request_body(const TagResourceRequest& request) {
  return object_text([&](ObjectWriter& object) {
    object.text("ResourceArn", request.arn);
    object.objects("Tags", request.tags,
                   [](ObjectWriter& tag, const Tag& of) { tag.text("Key", of.key).text("Value", of.value); });
  });
}

Result<std::string> request_body(const UntagResourceRequest& request) {
  return object_text(
      [&](ObjectWriter& object) { object.text("ResourceArn", request.arn).texts("TagKeys", request.keys); });
}

Result<std::string> request_body(const ListTagsOfResourceRequest& request) {
  return object_text([&](ObjectWriter& object) {
    object.text("ResourceArn", request.arn);
    if (request.next_token) object.text("NextToken", *request.next_token);
  });
}

// The answers have no body, or an empty object.
Result<TagsChanged> read_response(TagResource /*operation*/, std::string_view /*body*/,
                                  const TagResourceRequest& /*asked*/) {
  return TagsChanged{};
}

Result<TagsChanged> read_response(UntagResource /*operation*/, std::string_view /*body*/,
                                  const UntagResourceRequest& /*asked*/) {
  return TagsChanged{};
}

Result<ListTagsOfResourceResponse> read_response(ListTagsOfResource /*operation*/, std::string_view body,
                                                 const ListTagsOfResourceRequest& /*asked*/) {
  Document document;
  DOLMEN_TRY(const Fields fields, document.parse(body));
  ListTagsOfResourceResponse response;
  DOLMEN_TRY(const std::optional<json::Array> tags, fields.optional<json::Array>("Tags"));
  if (tags)
    for (const json::Element element : *tags) {
      DOLMEN_TRY(const Fields tag, Fields::of(element));
      DOLMEN_TRY(const std::string_view key, tag.required<std::string_view>("Key"));
      DOLMEN_TRY(const std::string_view value, tag.required<std::string_view>("Value"));
      response.tags.push_back({.key = std::string(key), .value = std::string(value)});
    }
  DOLMEN_TRY(const std::optional<std::string_view> next, fields.optional<std::string_view>("NextToken"));
  if (next) response.next_token = *next;
  return response;
}

}  // namespace dolmen::remote
