#include "entity/indexes.h"

#include <algorithm>

#include "base/fail.h"
#include "entity/keys.h"
#include "entity/refusal.h"
#include "entity/utf16.h"

namespace dolmen::entity {

namespace {}  // namespace

Tokens unwrap_index(const CompiledConfig& config, const CompiledEntity& entity, const CompiledIndex& index,
                    const Tokens& omit) {
  Tokens elements;
  const auto add = [&](const std::string& element) {
    if (!contains(omit, element) && !contains(elements, element)) elements.push_back(element);
  };
  for (const std::string& component : index.components) {
    if (contains(omit, component)) continue;
    if (component == config.config().hash_key) {
      add(entity.definition.timestamp_property);
    } else if (component == config.config().range_key) {
      add(entity.definition.unique_property);
    } else if (const CompiledGenerated* generated = config.find_generated(component)) {
      std::ranges::for_each(generated->elements, add);
    } else {
      add(component);
    }
  }
  std::ranges::sort(elements, units_less);
  return elements;
}

Result<std::string> find_index(const CompiledConfig& config, std::string_view hash_key, std::string_view range_key) {
  for (const EntityIndex& index : config.config().indexes)
    if (index.hash_key == hash_key && index.range_key == range_key) return index.name;
  return fail(Code::kInvalidArgument, "No index token found for hashKey '{}' & rangeKey '{}'.", hash_key, range_key);
}

PlaceElements dehydrated_elements(const CompiledConfig& config, const CompiledEntity& entity,
                                  const CompiledIndex& index) {
  PlaceElements elements;
  for (std::string& name : unwrap_index(config, entity, index, {index.definition.hash_key})) {
    const Codec* codec = config.find_codec(name);
    elements.push_back({std::move(name), codec});
  }
  return elements;
}

Result<void> dehydrate(const CompiledConfig& config, const PlaceElements& elements, const ElementSource& item,
                       std::string& out) {
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (i > 0) out += config.config().generated_key_delimiter;
    DOLMEN_TRY_VOID(encode_element(config, elements[i].name, elements[i].codec, item.get(elements[i].name), out));
  }
  return {};
}

Result<ElementList> rehydrate(const CompiledConfig& config, const PlaceElements& elements,
                              std::string_view dehydrated) {
  const std::string& delimiter = config.config().generated_key_delimiter;
  std::vector<std::string_view> texts;
  for (std::size_t begin = 0; begin <= dehydrated.size();) {
    const std::size_t end = std::min(dehydrated.find(delimiter, begin), dehydrated.size());
    texts.push_back(dehydrated.substr(begin, end - begin));
    begin = end == dehydrated.size() ? end + 1 : end + delimiter.size();
  }
  if (texts.size() != elements.size())
    return refuse(Code::kInvalidPageToken, "index rehydration key-value mismatch", dehydrated,
                  "the token is of another query, or a value contains a delimiter");
  ElementList item;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    DOLMEN_TRY(EntityValue value, decode_element(elements[i].name, elements[i].codec, texts[i]));
    if (value.index() != 0) item.set(elements[i].name, std::move(value));
  }
  return item;
}

}  // namespace dolmen::entity
