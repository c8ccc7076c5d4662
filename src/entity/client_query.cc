#include <algorithm>
#include <fmt/format.h>
#include <thread>

#include "base/fail.h"
#include "dolmen/coroutine.h"
#include "dolmen/entity/client.h"
#include "entity/compiled.h"
#include "entity/indexes.h"
#include "entity/query.h"
#include "entity/range.h"
#include "entity/refusal.h"
#include "service/write_gate.h"

namespace dolmen {

EntityQuery::EntityQuery(const EntityClient& client, EntityNameView entity) : client_(&client) {
  options_.entity = std::string_view(entity);
  // A store in this process answers on the thread that asks.
  const bool is_embedded = client.store().companions().find<WriteGates>() != nullptr;
  if (is_embedded) options_.threads = std::max(std::thread::hardware_concurrency(), 1U);
}

EntityQuery& EntityQuery::index(IndexNameView index, EntityRange range, Condition filter) {
  const std::string name(index);
  if (std::ranges::find(indexes_, name, &IndexQuery::name) != indexes_.end() && !mistake_)
    mistake_ = Error(Code::kInvalidArgument, "range key condition already exists: index " + name + " is named twice");
  indexes_.push_back({name, std::move(range), std::move(filter)});
  return *this;
}

EntityQuery& EntityQuery::index(IndexNameView name, EntityRange range, const std::vector<EntityCondition>& filters) {
  Condition filter;
  for (const EntityCondition& given : filters) {
    Result<Condition> made = condition_of(given, ConditionUse::kFilter);
    if (made)
      filter = std::move(filter) && std::move(*made);
    else if (!mistake_)
      mistake_ = made.error();
  }
  return index(name, std::move(range), std::move(filter));
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

/// The requested attributes, and those that the query itself needs. What an index does not hold cannot be requested of
/// it, except for the unique property, which the range key has.
Result<std::vector<std::string>> EntityQuery::read_attributes(const IndexQuery& index) const {
  DOLMEN_TRY(const entity::CompiledIndex* found, client_->entities().compiled().index(index.name));
  DOLMEN_TRY(const entity::CompiledEntity* entity, client_->entities().compiled().entity(options_.entity));
  std::vector<std::string> attributes = found->components;
  const std::optional<std::vector<std::string>>& held = found->definition.projections;
  const auto is_held = [&](const std::string& attribute) {
    return !held || entity::contains(*held, attribute) || entity::contains(found->components, attribute);
  };
  const auto add = [&](const std::string& attribute) {
    if (is_held(attribute) && !entity::contains(attributes, attribute)) attributes.push_back(attribute);
  };
  const std::string& unique = entity->definition.unique_property;
  for (const std::string& attribute : projection_)
    if (attribute != unique && !is_held(attribute))
      return entity::refuse(Code::kInvalidArgument, fmt::format("index {} does not hold {}", index.name, attribute),
                            attribute, "add it to the index's projections, or do not project it");
  add(unique);
  for (const SortField& field : options_.sort) add(field.property);
  std::ranges::for_each(projection_, add);
  return attributes;
}

Result<EntityQueryOptions> EntityQuery::options() const {
  if (mistake_) return std::unexpected(*mistake_);
  EntityQueryOptions options = options_;
  const entity::CompiledConfig& config = client_->entities().compiled();
  DOLMEN_TRY(const entity::CompiledEntity* entity, config.entity(options_.entity));
  for (const IndexQuery& index : indexes_) {
    DOLMEN_TRY(const entity::CompiledIndex* found, config.index(index.name));
    DOLMEN_TRY(const Condition range_key, range_condition(config, *entity, *found, index.range));
    QueryOptions request{.index = index.name, .filter = index.filter, .descending = options_.backward};
    if (!projection_.empty()) {
      DOLMEN_TRY(const std::vector<std::string> attributes, read_attributes(index));
      std::vector<Path> paths;
      for (const std::string& attribute : attributes) paths.emplace_back(attribute);
      request.projection = Projection(paths);
    }
    options.shard_queries[index.name] = [store = &client_->store(), table = client_->table(),
                                         hash_key = found->definition.hash_key, range_key,
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
Result<void> EntityQuery::project_items(std::vector<Item>& items) const {
  if (projection_.empty()) return {};
  const EntityManager& entities = client_->entities();
  DOLMEN_TRY(const entity::CompiledEntity* entity, entities.compiled().entity(options_.entity));
  const std::string& unique = entity->definition.unique_property;
  for (Item& item : items) {
    Item wanted;
    for (const std::string& attribute : projection_) {
      if (const AttributeValue* value = item.find(attribute)) {
        wanted.set(attribute, *value);
      } else if (attribute == unique) {
        DOLMEN_TRY(const Item read, entities.decode_generated_property(item.at(entities.config().range_key).string()));
        if (const AttributeValue* in_key = read.find(unique)) wanted.set(unique, *in_key);
      }
    }
    item = std::move(wanted);
  }
  return {};
}

Result<EntityQueryResult> EntityQuery::projected(Result<EntityQueryResult> page) const {
  if (page) DOLMEN_TRY_VOID(project_items(page->items));
  return page;
}

Result<EntityQueryResult> EntityQuery::run(std::string page_token) const {
  DOLMEN_TRY(EntityQueryOptions asked, options());
  asked.page_token = std::move(page_token);
  return projected(client_->entities().query(asked));
}

void EntityQuery::async_run(std::string page_token, Callback<EntityQueryResult> done) const {
  Result<EntityQueryOptions> asked = options();
  if (!asked) return done(std::unexpected(std::move(asked).error()));
  asked->page_token = std::move(page_token);
  client_->entities().async_query(std::move(*asked),
                                  [query = *this, done = std::move(done)](Result<EntityQueryResult> page) mutable {
                                    done(query.projected(std::move(page)));
                                  });
}

/// The items of all pages.
Result<std::vector<Item>> EntityQuery::joined(std::vector<std::vector<Item>> pages) const {
  std::vector<Item> items;
  if (options_.fan_out == FanOut::kMerge) {
    for (std::vector<Item>& page : pages) std::ranges::move(page, std::back_inserter(items));
  } else {
    const entity::CompiledConfig& config = client_->entities().compiled();
    DOLMEN_TRY(const entity::CompiledEntity* entity, config.entity(options_.entity));
    DOLMEN_TRY(items, ordered_items(config, *entity, options_.sort, std::move(pages)));
  }
  DOLMEN_TRY_VOID(project_items(items));
  return items;
}

Result<std::vector<Item>> EntityQuery::all() const {
  DOLMEN_TRY(EntityQueryOptions asked, options());
  entity::Pages pages;
  for (bool has_more = true; has_more;) {
    DOLMEN_TRY(EntityQueryResult page, client_->entities().query(asked));
    pages.push_back(std::move(page.items));
    asked.page_token = std::move(page.page_token);
    has_more = page.has_more;
  }
  return joined(std::move(pages));
}

detail::Notifier EntityQuery::finish_all(EntityQuery query, Callback<std::vector<Item>> done) {
  Result<EntityQueryOptions> asked = query.options();
  entity::Pages pages;
  std::optional<Error> failure;
  if (!asked) failure = asked.error();
  for (bool has_more = true; has_more && !failure;) {
    Result<EntityQueryResult> page = co_await awaitable<EntityQueryResult>(
        [&](Callback<EntityQueryResult> then) { query.client_->entities().async_query(*asked, std::move(then)); });
    if (!page) {
      failure = page.error();
      break;
    }
    pages.push_back(std::move(page->items));
    asked->page_token = std::move(page->page_token);
    has_more = page->has_more;
  }
  Result<std::vector<Item>> items;
  if (failure)
    items = std::unexpected(*failure);
  else
    items = query.joined(std::move(pages));
  done(std::move(items));
}

void EntityQuery::async_all(Callback<std::vector<Item>> done) const { finish_all(*this, std::move(done)); }

}  // namespace dolmen
