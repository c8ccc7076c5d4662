// TagResource, UntagResource, ListTagsOfResource.
#include <utility>

#include "value/json.h"
#include "wire/operation.h"
#include "wire/response_json.h"
#include "wire/tag_parameters.h"

namespace dolmen::wire {
namespace {

/// DynamoDB answers without any body.
Done<TagsChanged> without_body(Done<std::string> done) {
  return encoded<TagsChanged>([](const TagsChanged&) -> Result<std::string> { return std::string(); }, std::move(done));
}

Result<void> tag_resource(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  TagResourceRequest request{.arn = parameters.required_string("ResourceArn"), .tags = {}};
  DOLMEN_TRY(request.tags, read_tags(parameters));
  backend.service.start(TagResource{}, std::move(request), without_body(std::move(done)));
  return {};
}

Result<void> untag_resource(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  UntagResourceRequest request{.arn = parameters.required_string("ResourceArn"), .keys = {}};
  for (const json::Element key : json::array_of(*parameters.find("TagKeys")))
    request.keys.emplace_back(json::string_of(key));
  backend.service.start(UntagResource{}, std::move(request), without_body(std::move(done)));
  return {};
}

Result<void> list_tags_of_resource(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  const auto encode = [](const ListTagsOfResourceResponse& response) -> Result<std::string> {
    std::string body;
    ObjectWriter object(body);
    object.objects("Tags", response.tags,
                   [](ObjectWriter& tag, const Tag& of) { tag.text("Key", of.key).text("Value", of.value); });
    if (response.next_token) object.text("NextToken", *response.next_token);
    object.end();
    return body;
  };
  backend.service.start(ListTagsOfResource{},
                        // No token is ever given out, and one that somebody made up is passed over, as on AWS.
                        {.arn = parameters.required_string("ResourceArn")},
                        encoded<ListTagsOfResourceResponse>(encode, std::move(done)));
  return {};
}

}  // namespace

std::span<const WireOperation> tag_operations() {
  static const WireOperation kAll[] = {
      {TagResource::kInfo, tag_resource},
      {UntagResource::kInfo, untag_resource},
      {ListTagsOfResource::kInfo, list_tags_of_resource},
  };
  return kAll;
}

}  // namespace dolmen::wire
