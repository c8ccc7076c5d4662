#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/entity/condition.h"
#include "dolmen/entity/manager.h"
#include "dolmen/entity/query.h"
#include "dolmen/entity/range.h"
#include "dolmen/entity/tokens.h"
#include "dolmen/error.h"
#include "dolmen/expression.h"
#include "dolmen/store.h"
#include "dolmen/value.h"

namespace dolmen {

class EntityClient;

namespace detail {
struct Notifier;
}  // namespace detail

/// A query of entities in a store, as it is put together. Each index is asked in all of its shards.
class EntityQuery {
 public:
  /// Reads an index, or a range of it: the entities that also match the filter, which is applied after reading. A
  /// mistake is reported by `run`.
  EntityQuery& index(IndexNameView name, EntityRange range = {}, Condition filter = {});
  /// The same with filters as data; those without values are left out.
  EntityQuery& index(IndexNameView name, EntityRange range, const std::vector<EntityCondition>& filters);
  /// What the hash keys of the indexes need when they are sharded properties.
  EntityQuery& item(Item item);
  EntityQuery& sort(std::vector<SortField> order);
  /// Only these attributes come back. Every index must hold them, except for the unique property.
  EntityQuery& project(std::vector<std::string> attributes);
  /// Reads the indexes from their end.
  EntityQuery& backward();
  /// How many entities are enough; `kNoLimit` for all.
  EntityQuery& limit(std::int64_t limit);
  /// How many entities one request reads from a shard.
  EntityQuery& page_size(std::int64_t size);
  /// When the entities were made; decides which shards are asked.
  EntityQuery& made(const EntityWindow& window);
  EntityQuery& throttle(std::int64_t calls);
  /// How many threads ask the shards: as many as the machine has cores when the store is embedded, which answers on the
  /// thread that asks, and else one. See EntityQueryOptions::threads.
  EntityQuery& threads(std::size_t count);
  EntityQuery& stop_at_first_failure();
  /// See FanOut.
  EntityQuery& fan_out(FanOut how);
  EntityQuery& statistics();

  /// One page: the first, or the one after the page that gave the token.
  [[nodiscard]] Result<EntityQueryResult> run(std::string page_token = {}) const;
  /// The entities of all pages, each once, and sorted as a whole.
  [[nodiscard]] Result<std::vector<Item>> all() const;
  /// The same without waiting. The client must live until `done` has been called, which is where a shard answered.
  void async_run(std::string page_token, Callback<EntityQueryResult> done) const;
  void async_all(Callback<std::vector<Item>> done) const;

 private:
  friend class EntityClient;
  EntityQuery(const EntityClient& client, EntityNameView entity);

  struct IndexQuery {
    std::string name;
    EntityRange range;
    Condition filter;
  };

  [[nodiscard]] Result<EntityQueryOptions> options() const;
  [[nodiscard]] Result<EntityQueryResult> projected(Result<EntityQueryResult> page) const;
  [[nodiscard]] Result<std::vector<Item>> joined(std::vector<std::vector<Item>> pages) const;
  static detail::Notifier finish_all(EntityQuery query, Callback<std::vector<Item>> done);
  [[nodiscard]] Result<void> project_items(std::vector<Item>& items) const;
  [[nodiscard]] Result<std::vector<std::string>> read_attributes(const IndexQuery& index) const;

  const EntityClient* client_;
  EntityQueryOptions options_;
  std::vector<IndexQuery> indexes_;
  std::vector<std::string> projection_;
  std::optional<Error> mistake_;
};

}  // namespace dolmen
