#include "entity/page_keys.h"

#include <algorithm>

#include "entity/keys.h"
#include "entity/refusal.h"
#include "entity/utf16.h"

namespace dolmen::entity {

namespace {

const ElementSource* page_key_of(const IndexPageKeys& index, std::string_view hash_key, std::size_t position) {
  if (position < index.keys.size() && index.keys[position].first == hash_key) return index.keys[position].second;
  const auto found = std::ranges::find(index.keys, hash_key, &std::pair<std::string_view, const ElementSource*>::first);
  return found == index.keys.end() ? nullptr : found->second;
}

}  // namespace

PageKeyWriter::PageKeyWriter(const CompiledConfig& config, const CompiledEntity& entity, const CompiledIndex& index)
    : config_(config), elements_(dehydrated_elements(config, entity, index)) {}

Result<std::string> PageKeyWriter::write(const ElementSource& page_key) {
  item_.clear();
  text_.clear();
  Result<void> outcome{};
  page_key.each([&](std::string_view name, const Element& value) {
    if (outcome) outcome = add(name, value);
  });
  DOLMEN_TRY_VOID(std::move(outcome));
  DOLMEN_TRY_VOID(dehydrate(config_, elements_, item_, text_));
  return text_;
}

Result<void> PageKeyWriter::add(std::string_view name, const Element& value) {
  const bool is_text = value.kind() == Element::Kind::kString;
  if (name != config_.config().range_key && config_.find_generated(name) == nullptr) {
    item_.set(name, value.kind() == Element::Kind::kOther ? Element::view(value.text()) : value);
    return {};
  }
  if (!value.is_truthy()) return {};
  return decode_generated(config_, is_text ? value.text() : item_.kept().emplace_front(value.to_string()), item_);
}

Result<std::vector<std::string>> dehydrate_page_keys(const CompiledConfig& config, std::string_view entity_token,
                                                     std::vector<IndexPageKeys> page_keys) {
  DOLMEN_TRY(const CompiledEntity* entity, config.entity(entity_token));
  if (page_keys.empty()) return std::vector<std::string>();
  std::ranges::stable_sort(page_keys, units_less, &IndexPageKeys::index);
  std::vector<const CompiledIndex*> indexes;
  for (const IndexPageKeys& index : page_keys) {
    DOLMEN_TRY(const CompiledIndex* compiled, config.index(index.index));
    indexes.push_back(compiled);
  }
  std::vector<std::string> texts;
  texts.reserve(page_keys.size() * page_keys.front().keys.size());
  bool any = false;
  for (std::size_t i = 0; i < page_keys.size(); ++i) {
    PageKeyWriter writer(config, *entity, *indexes[i]);
    for (std::size_t k = 0; k < page_keys.front().keys.size(); ++k) {
      const ElementSource* page_key = page_key_of(page_keys[i], page_keys.front().keys[k].first, k);
      std::string text;
      if (page_key != nullptr) {
        DOLMEN_TRY(text, writer.write(*page_key));
      }
      any = any || !text.empty();
      texts.push_back(std::move(text));
    }
  }
  if (!any) texts.clear();
  return texts;
}

Result<QueryIndexes> find_indexes(const CompiledConfig& config, const Tokens& tokens) {
  if (tokens.empty())
    return refuse(Code::kInvalidArgument, "indexTokens empty", "", "a query needs at least one index");
  QueryIndexes found;
  for (const std::string& token : tokens) {
    DOLMEN_TRY(const CompiledIndex* index, config.index(token));
    found.indexes.push_back(index);
  }
  found.hash_key_token = found.indexes.front()->definition.hash_key;
  for (const CompiledIndex* index : found.indexes)
    if (index->definition.hash_key != found.hash_key_token)
      return refuse(Code::kInvalidArgument, "inconsistent hashKeys", index->definition.name,
                    "all indexes of a query must have the same hash key");
  return found;
}

Result<ElementList> rehydrate_page_key(const CompiledConfig& config, const CompiledEntity& entity,
                                       const CompiledIndex& index, const PlaceElements& elements,
                                       std::string_view hash_key, std::string_view dehydrated) {
  DOLMEN_TRY(ElementList item, decode_generated(config, hash_key));
  DOLMEN_TRY(const ElementList place, rehydrate(config, elements, dehydrated));
  for (const auto& [name, value] : place.entries()) item.set(name, value);
  const Element unique = item.get(entity.definition.unique_property);
  if (unique.is_nil())
    return refuse(Code::kInvalidPageToken, "missing item unique property", entity.definition.unique_property,
                  "the token is of another query, or a value contains a delimiter");
  std::string range_key = entity.range_prefix;
  unique.append_to(range_key);

  ElementList page_key;
  for (const std::string& component : index.components) {
    if (component == config.config().range_key) {
      page_key.set(component, range_key);
    } else if (config.find_generated(component) != nullptr) {
      DOLMEN_TRY(std::optional<std::string> text, encode_generated(config, component, item));
      page_key.set(component, text ? EntityValue(std::move(*text)) : EntityValue());
    } else {
      page_key.set(component, item.get(component).value());
    }
  }
  return page_key;
}

Result<RehydratedMap> rehydrate_page_keys(const CompiledConfig& config, const RehydrateRequest& request) {
  DOLMEN_TRY(const CompiledEntity* entity, config.entity(request.entity_token));
  DOLMEN_TRY(const QueryIndexes found, find_indexes(config, request.index_tokens));
  RehydratedMap map{.hash_key_token = found.hash_key_token, .hash_keys = {}, .page_keys = {}};
  if (request.dehydrated && request.dehydrated->empty()) return map;
  DOLMEN_TRY(map.hash_keys,
             hash_key_space(config, *entity, found.hash_key_token, request.item, bumps_in(*entity, request.window)));
  const std::size_t shards = map.hash_keys.size();
  if (shards == 0 || (request.dehydrated && request.dehydrated->size() != shards * found.indexes.size()))
    return refuse(Code::kInvalidPageToken, "dehydrated length mismatch", "",
                  "the token is of a query with other indexes or another time window");
  for (std::size_t i = 0; i < found.indexes.size(); ++i) {
    std::vector<std::optional<ElementList>>& keys = map.page_keys.emplace_back(shards);
    if (!request.dehydrated) continue;
    const PlaceElements elements = dehydrated_elements(config, *entity, *found.indexes[i]);
    for (std::size_t k = 0; k < shards; ++k) {
      const std::string& text = (*request.dehydrated)[i * shards + k];
      if (text.empty()) continue;
      DOLMEN_TRY(keys[k], rehydrate_page_key(config, *entity, *found.indexes[i], elements, map.hash_keys[k], text));
    }
  }
  return map;
}

}  // namespace dolmen::entity
