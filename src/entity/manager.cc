#include "dolmen/entity/manager.h"

#include <algorithm>
#include <fmt/format.h>

#include "entity/hash_key_space.h"
#include "entity/item_source.h"
#include "entity/keys.h"
#include "entity/logged.h"
#include "entity/page_keys.h"
#include "entity/page_token.h"
#include "entity/query.h"
#include "entity/query_state.h"
#include "entity/table.h"
#include "value/item_parts.h"
#include "value/json.h"

namespace dolmen {

using entity::CompiledConfig;
using entity::CompiledEntity;
using entity::CompiledIndex;
using entity::ElementList;
using entity::ItemView;
using entity::log_result;
using entity::logged;

namespace {

entity::TimeWindow window_of(const EntityWindow& window, const EntityOptions& options) {
  return {.from = static_cast<double>(window.from),
          .to = static_cast<double>(window.to ? *window.to : entity::now_ms(options))};
}

// ---- For the logger ----

std::string show_item(const Item& item) { return json::to_text(item); }
std::string show_texts(const std::vector<std::string>& texts) { return fmt::format("{}", fmt::join(texts, ", ")); }
template <class T>
std::string show_count(const std::vector<T>& all) {
  return fmt::format("{} in all", all.size());
}

std::string show_page(const EntityQueryResult& page) {
  return fmt::format("{} items{}", page.count, page.has_more ? ", and more" : "");
}

/// Keeps the config until the query has ended.
detail::Notifier start_query(EntityManager entities, EntityQueryOptions options, EntityQueryDone done) {
  const std::string name = options.entity;
  Result<EntityQueryResult> page =
      co_await entity::query_task(entities.compiled(), std::move(options), entity::Waiting::kGoesOn);
  log_result(entities.options(), {"query", name}, page, show_page);
  done(std::move(page));
}

template <class Run>
Result<std::vector<Item>> each_of(std::vector<Item> items, Run run) {
  for (Item& item : items) {
    DOLMEN_TRY(item, run(std::move(item)));
  }
  return items;
}

}  // namespace

Result<EntityManager> EntityManager::load(const std::filesystem::path& file, EntityOptions options) {
  DOLMEN_TRY(EntityConfig config, load_entity_config(file, options));
  return EntityManager(std::make_shared<CompiledConfig>(std::move(config), std::move(options)));
}

Result<EntityManager> EntityManager::make(const EntityConfig& config, EntityOptions options) {
  DOLMEN_TRY(EntityConfig checked, check_entity_config(config, options));
  return EntityManager(std::make_shared<CompiledConfig>(std::move(checked), std::move(options)));
}

const EntityConfig& EntityManager::config() const { return compiled_->config(); }
const EntityOptions& EntityManager::options() const { return compiled_->options(); }

// ---- Keys ----

Result<Item> EntityManager::add_keys(EntityNameView entity, Item item, bool overwrite) const {
  const auto run = [&]() -> Result<Item> {
    DOLMEN_TRY(const CompiledEntity* found, compiled_->entity(entity));
    entity::KeyMemory memory;
    DOLMEN_TRY(const auto changes, key_changes(*compiled_, *found, ItemView(*compiled_, item), overwrite, memory));
    ItemParts::change(item, changes);
    return std::move(item);
  };
  return logged(options(), {"addKeys", entity}, run, show_item);
}

Result<std::vector<Item>> EntityManager::add_keys(EntityNameView entity, std::vector<Item> items,
                                                  bool overwrite) const {
  return each_of(std::move(items), [&](Item item) { return add_keys(entity, std::move(item), overwrite); });
}

Result<Item> EntityManager::remove_keys(EntityNameView entity, Item item) const {
  const auto run = [&]() -> Result<Item> {
    DOLMEN_TRY_VOID(compiled_->entity(entity));
    item.erase(config().hash_key);
    item.erase(config().range_key);
    for (const entity::CompiledGenerated& property : compiled_->generated()) item.erase(property.name);
    return std::move(item);
  };
  return logged(options(), {"removeKeys", entity}, run, show_item);
}

Result<std::vector<Item>> EntityManager::remove_keys(EntityNameView entity, std::vector<Item> items) const {
  return each_of(std::move(items), [&](Item item) { return remove_keys(entity, std::move(item)); });
}

Result<Item> EntityManager::primary_key(EntityNameView entity, const Item& item, bool overwrite) const {
  const auto run = [&]() -> Result<Item> {
    const ItemView view(*compiled_, item);
    const std::string& hash_name = config().hash_key;
    const std::string& range_name = config().range_key;
    if (!overwrite && view.get(hash_name).is_truthy() && view.get(range_name).is_truthy())
      return Item{{hash_name, item.at(hash_name)}, {range_name, item.at(range_name)}};
    DOLMEN_TRY(const CompiledEntity* found, compiled_->entity(entity));
    DOLMEN_TRY(auto hash_key, hash_key_change(*compiled_, *found, view, overwrite));
    DOLMEN_TRY(auto range_key, range_key_change(*compiled_, *found, view, overwrite));
    return Item{{hash_name, hash_key ? AttributeValue(std::move(*hash_key)) : item.at(hash_name)},
                {range_name, range_key ? AttributeValue(std::move(*range_key)) : item.at(range_name)}};
  };
  return logged(options(), {"getPrimaryKey", entity}, run, show_item);
}

Result<std::vector<Item>> EntityManager::primary_keys(EntityNameView entity, const std::vector<Item>& items,
                                                      bool overwrite) const {
  return each_of(items, [&](const Item& item) { return primary_key(entity, item, overwrite); });
}

Result<std::vector<Item>> EntityManager::possible_keys(EntityNameView entity, const Item& item) const {
  const auto run = [&]() -> Result<std::vector<Item>> {
    DOLMEN_TRY(const CompiledEntity* found, compiled_->entity(entity));
    const ItemView view(*compiled_, item);
    DOLMEN_TRY(const auto range_key, range_key_change(*compiled_, *found, view, true));
    DOLMEN_TRY(std::vector<std::string> hash_keys, hash_keys_of_bumps(*compiled_, *found, view));
    std::vector<Item> keys;
    for (std::string& hash_key : hash_keys)
      keys.push_back({{config().hash_key, std::move(hash_key)}, {config().range_key, *range_key}});
    return keys;
  };
  return logged(options(), {"getPossibleKeys", entity}, run, show_count<Item>);
}

Result<std::optional<std::string>> EntityManager::encode_generated_property(std::string_view property,
                                                                            const Item& item) const {
  const auto run = [&]() -> Result<std::optional<std::string>> {
    return encode_generated(*compiled_, property, ItemView(*compiled_, item));
  };
  return logged(options(), {"encodeGeneratedProperty", property}, run,
                [](const auto& text) { return text.value_or("undefined"); });
}

Result<Item> EntityManager::decode_generated_property(std::string_view encoded) const {
  const auto run = [&]() -> Result<Item> {
    DOLMEN_TRY(const ElementList elements, decode_generated(*compiled_, encoded));
    return item_of(elements);
  };
  return logged(options(), {"decodeGeneratedProperty", encoded}, run, show_item);
}

// ---- Indexes and shards ----

Result<std::vector<std::string>> EntityManager::index_components(IndexNameView index) const {
  const auto run = [&]() -> Result<std::vector<std::string>> {
    DOLMEN_TRY(const CompiledIndex* found, compiled_->index(index));
    return found->components;
  };
  return logged(options(), {"getIndexComponents", index}, run, show_texts);
}

Result<std::vector<std::string>> EntityManager::unwrap_index(EntityNameView entity, IndexNameView index,
                                                             const std::vector<std::string>& omit) const {
  const auto run = [&]() -> Result<std::vector<std::string>> {
    DOLMEN_TRY(const CompiledEntity* found, compiled_->entity(entity));
    DOLMEN_TRY(const CompiledIndex* found_index, compiled_->index(index));
    return entity::unwrap_index(*compiled_, *found, *found_index, omit);
  };
  return logged(options(), {"unwrapIndex", index}, run, show_texts);
}

Result<std::string> EntityManager::find_index(std::string_view hash_key, std::string_view range_key) const {
  const auto run = [&]() -> Result<std::string> { return entity::find_index(*compiled_, hash_key, range_key); };
  return logged(options(), {"findIndexToken", hash_key}, run, [](const std::string& text) { return text; });
}

Result<std::vector<std::string>> EntityManager::hash_key_space(EntityNameView entity, std::string_view hash_key,
                                                               const Item& item, const EntityWindow& window) const {
  const auto run = [&]() -> Result<std::vector<std::string>> {
    DOLMEN_TRY(const CompiledEntity* found, compiled_->entity(entity));
    return entity::hash_key_space(*compiled_, *found, hash_key, ItemView(*compiled_, item),
                                  bumps_in(*found, window_of(window, options())));
  };
  return logged(options(), {"getHashKeySpace", entity}, run, show_count<std::string>);
}

// ---- Places in indexes ----

Result<std::string> EntityManager::dehydrate_index_item(EntityNameView entity, IndexNameView index,
                                                        const Item& item) const {
  const auto run = [&]() -> Result<std::string> {
    DOLMEN_TRY(const CompiledEntity* found, compiled_->entity(entity));
    DOLMEN_TRY(const CompiledIndex* found_index, compiled_->index(index));
    std::string text;
    DOLMEN_TRY_VOID(
        dehydrate(*compiled_, dehydrated_elements(*compiled_, *found, *found_index), ItemView(*compiled_, item), text));
    return text;
  };
  return logged(options(), {"dehydrateIndexItem", index}, run, [](const std::string& text) { return text; });
}

Result<Item> EntityManager::rehydrate_index_item(EntityNameView entity, IndexNameView index,
                                                 std::string_view dehydrated) const {
  const auto run = [&]() -> Result<Item> {
    DOLMEN_TRY(const CompiledEntity* found, compiled_->entity(entity));
    DOLMEN_TRY(const CompiledIndex* found_index, compiled_->index(index));
    DOLMEN_TRY(const ElementList elements,
               rehydrate(*compiled_, dehydrated_elements(*compiled_, *found, *found_index), dehydrated));
    return item_of(elements);
  };
  return logged(options(), {"rehydrateIndexItem", index}, run, show_item);
}

Result<std::vector<std::string>> EntityManager::dehydrate_page_key_map(EntityNameView entity,
                                                                       const PageKeyMap& map) const {
  const auto run = [&]() -> Result<std::vector<std::string>> {
    std::vector<std::vector<std::optional<ItemView>>> views;
    std::vector<entity::IndexPageKeys> page_keys;
    views.reserve(map.size());
    for (const auto& [index, keys] : map) {
      std::vector<std::optional<ItemView>>& of_index = views.emplace_back();
      of_index.reserve(keys.size());
      entity::IndexPageKeys& index_keys = page_keys.emplace_back(entity::IndexPageKeys{.index = index, .keys = {}});
      for (const auto& [hash_key, page_key] : keys) {
        std::optional<ItemView>& view = of_index.emplace_back();
        if (page_key) view.emplace(*compiled_, *page_key);
        index_keys.keys.emplace_back(hash_key, view ? &*view : nullptr);
      }
    }
    return dehydrate_page_keys(*compiled_, entity, std::move(page_keys));
  };
  return logged(options(), {"dehydratePageKeyMap", entity}, run, show_count<std::string>);
}

Result<PageKeyMap> EntityManager::rehydrate_page_key_map(EntityNameView entity, const std::vector<std::string>& indexes,
                                                         const Item& item,
                                                         const std::optional<std::vector<std::string>>& dehydrated,
                                                         const EntityWindow& window) const {
  const auto run = [&]() -> Result<PageKeyMap> {
    const ItemView view(*compiled_, item);
    DOLMEN_TRY(const entity::RehydratedMap rehydrated,
               rehydrate_page_keys(*compiled_, {.entity_token = entity,
                                                .index_tokens = indexes,
                                                .item = view,
                                                .dehydrated = dehydrated,
                                                .window = window_of(window, options())}));
    PageKeyMap map;
    for (std::size_t i = 0; i < rehydrated.page_keys.size(); ++i) {
      auto& keys = map.emplace_back(indexes[i], PageKeyMap::value_type::second_type()).second;
      for (std::size_t k = 0; k < rehydrated.hash_keys.size(); ++k) {
        auto& page_key = keys.emplace_back(rehydrated.hash_keys[k], std::nullopt).second;
        if (rehydrated.page_keys[i][k]) {
          DOLMEN_TRY(page_key, item_of(*rehydrated.page_keys[i][k]));
        }
      }
    }
    return map;
  };
  return logged(options(), {"rehydratePageKeyMap", entity}, run,
                [](const PageKeyMap& map) { return fmt::format("{} indexes", map.size()); });
}

// ---- Queries and tables ----

Result<EntityQueryResult> EntityManager::query(const EntityQueryOptions& options) const {
  const auto run = [&] { return entity::run_query(*compiled_, options); };
  return logged(this->options(), {"query", options.entity}, run, show_page);
}

void EntityManager::async_query(EntityQueryOptions options, EntityQueryDone done) const {
  start_query(*this, std::move(options), std::move(done));
}

TableDefinition EntityManager::table_definition(std::string name) const {
  return entity::table_of(*compiled_, std::move(name));
}

std::string write_entity_page_token(const std::vector<std::string>& dehydrated) {
  return entity::write_page_token(dehydrated);
}

Result<std::vector<std::string>> read_entity_page_token(std::string_view token) {
  return entity::read_page_token(token);
}

}  // namespace dolmen
