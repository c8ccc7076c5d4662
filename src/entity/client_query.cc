#include <algorithm>
#include <thread>

#include "base/fail.h"
#include "dolmen/entity/client.h"
#include "entity/compiled.h"
#include "entity/query.h"
#include "service/write_gate.h"

namespace dolmen {

EntityQuery::EntityQuery(const EntityClient& client, EntityNameView entity) : client_(&client) {
  options_.entity = std::string_view(entity);
  // A store in this process answers on the thread that asks.
  const bool is_embedded = client.store().companions().find<WriteGates>() != nullptr;
  if (is_embedded) options_.threads = std::max(std::thread::hardware_concurrency(), 1U);
}

EntityQuery& EntityQuery::index(IndexNameView index, Condition range_key, Condition filter) {
  const std::string name(index);
  if (std::ranges::find(indexes_, name, &IndexQuery::name) != indexes_.end() && !mistake_)
    mistake_ = Error(Code::kInvalidArgument, "range key condition already exists: index " + name + " is named twice");
  indexes_.push_back({name, std::move(range_key), std::move(filter)});
  return *this;
}

EntityQuery& EntityQuery::index(IndexNameView name, const EntityCondition& range_key,
                                const std::vector<EntityCondition>& filters) {
  const auto condition = [&](const EntityCondition& given, ConditionUse use) {
    Result<Condition> made = condition_of(given, use);
    if (!made && !mistake_) mistake_ = made.error();
    return made ? std::move(*made) : Condition();
  };
  Condition filter;
  for (const EntityCondition& given : filters) filter = std::move(filter) && condition(given, ConditionUse::kFilter);
  return index(name, condition(range_key, ConditionUse::kRangeKey), std::move(filter));
}

EntityQuery& EntityQuery::item(Item item) {
  options_.item = std::move(item);
  return *this;
}

EntityQuery& EntityQuery::sort(std::vector<SortField> order) {
  options_.sort = std::move(order);
  return *this;
}

EntityQuery& EntityQuery::project(std::vector<std::string> attributes) {
  projection_ = std::move(attributes);
  return *this;
}

EntityQuery& EntityQuery::backward() {
  options_.backward = true;
  return *this;
}

EntityQuery& EntityQuery::limit(std::int64_t limit) {
  options_.limit = limit;
  return *this;
}

EntityQuery& EntityQuery::page_size(std::int64_t size) {
  options_.page_size = size;
  return *this;
}

EntityQuery& EntityQuery::made(const EntityWindow& window) {
  options_.timestamp_from = window.from;
  options_.timestamp_to = window.to;
  return *this;
}

EntityQuery& EntityQuery::throttle(std::int64_t calls) {
  options_.throttle = calls;
  return *this;
}

EntityQuery& EntityQuery::threads(std::size_t count) {
  options_.threads = count;
  return *this;
}

EntityQuery& EntityQuery::stop_at_first_failure() {
  options_.stop_at_first_failure = true;
  return *this;
}

EntityQuery& EntityQuery::fan_out(FanOut how) {
  options_.fan_out = how;
  return *this;
}

EntityQuery& EntityQuery::statistics() {
  options_.statistics = true;
  return *this;
}

/// The requested attributes, and those that the query itself needs.
Result<std::vector<std::string>> EntityQuery::read_attributes(const IndexQuery& index) const {
  DOLMEN_TRY(std::vector<std::string> attributes, client_->entities().index_components(index.name));
  DOLMEN_TRY(const entity::CompiledEntity* entity, client_->entities().compiled().entity(options_.entity));
  const auto add = [&](const std::string& attribute) {
    if (std::ranges::find(attributes, attribute) == attributes.end()) attributes.push_back(attribute);
  };
  add(entity->definition.unique_property);
  for (const SortField& field : options_.sort) add(field.property);
  std::ranges::for_each(projection_, add);
  return attributes;
}

Result<EntityQueryOptions> EntityQuery::options() const {
  if (mistake_) return std::unexpected(*mistake_);
  EntityQueryOptions options = options_;
  for (const IndexQuery& index : indexes_) {
    QueryOptions request{.index = index.name, .filter = index.filter, .descending = options_.backward};
    if (!projection_.empty()) {
      DOLMEN_TRY(const std::vector<std::string> attributes, read_attributes(index));
      std::vector<Path> paths;
      for (const std::string& attribute : attributes) paths.emplace_back(attribute);
      request.projection = Projection(paths);
    }
    const EntityIndex* definition = client_->entities().config().find_index(index.name);
    const std::string hash_key = definition == nullptr ? "" : definition->hash_key;
    options.shard_queries[index.name] = [store = &client_->store(), table = client_->table(), hash_key,
                                         range_key = index.range_key,
                                         request](const ShardRequest& shard, ShardDone done) {
      QueryOptions page = request;
      page.key = (key(hash_key) == shard.hash_key) && range_key;
      page.page_size = shard.page_size;
      page.start_after = shard.page_key;
      store->async_query_page(table, page, [done = std::move(done)](Result<Page> read) mutable {
        if (!read) return done(std::unexpected(std::move(read).error()));
        done(ShardPage{.items = std::move(read->items), .page_key = std::move(read->last_key)});
      });
    };
  }
  return options;
}

/// Keeps only the requested attributes.
void EntityQuery::project_items(std::vector<Item>& items) const {
  if (projection_.empty()) return;
  for (Item& item : items) {
    Item wanted;
    for (const std::string& attribute : projection_)
      if (const AttributeValue* value = item.find(attribute)) wanted.set(attribute, *value);
    item = std::move(wanted);
  }
}

Result<EntityQueryResult> EntityQuery::run(std::string page_token) const {
  DOLMEN_TRY(EntityQueryOptions asked, options());
  asked.page_token = std::move(page_token);
  DOLMEN_TRY(EntityQueryResult result, client_->entities().query(asked));
  project_items(result.items);
  return result;
}

Result<std::vector<Item>> EntityQuery::all() const {
  DOLMEN_TRY(EntityQueryOptions asked, options());
  const entity::CompiledConfig& config = client_->entities().compiled();
  DOLMEN_TRY(const entity::CompiledEntity* entity, config.entity(options_.entity));
  entity::Pages pages;
  for (bool has_more = true; has_more;) {
    DOLMEN_TRY(EntityQueryResult page, client_->entities().query(asked));
    pages.push_back(std::move(page.items));
    asked.page_token = std::move(page.page_token);
    has_more = page.has_more;
  }
  std::vector<Item> items;
  if (options_.fan_out == FanOut::kMerge) {
    for (std::vector<Item>& page : pages) std::ranges::move(page, std::back_inserter(items));
  } else {
    DOLMEN_TRY(items, ordered_items(config, *entity, options_.sort, std::move(pages)));
  }
  project_items(items);
  return items;
}

}  // namespace dolmen
