#include "wire/tag_parameters.h"

#include "service/tag_rules.h"

namespace dolmen::wire {

Result<std::vector<Tag>> read_tags(const Parameters& parameters) {
  std::vector<Tag> tags;
  const std::optional<json::Element> given = parameters.find("Tags");
  if (!given) return tags;
  for (const json::Element element : json::array_of(*given)) {
    const Parameters fields(element);
    const std::optional<std::string> key = fields.string("Key");
    if (!key) return invalid_tag_key("null");
    const std::optional<std::string> value = fields.string("Value");
    if (!value) return invalid_tag_value("null");
    tags.push_back({.key = *key, .value = *value});
  }
  return tags;
}

Result<std::map<std::string, std::string>> read_new_tags(const Parameters& parameters) {
  DOLMEN_TRY(const std::vector<Tag> tags, read_tags(parameters));
  DOLMEN_TRY_VOID(check_tags(tags));
  DOLMEN_TRY_VOID(check_tag_count(tags.size()));
  std::map<std::string, std::string> by_key;
  for (const Tag& tag : tags) by_key.emplace(tag.key, tag.value);
  return by_key;
}

}  // namespace dolmen::wire
