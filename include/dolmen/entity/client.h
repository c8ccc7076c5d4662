#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/batch.h"
#include "dolmen/entity/condition.h"
#include "dolmen/entity/manager.h"
#include "dolmen/entity/query.h"
#include "dolmen/entity/tokens.h"
#include "dolmen/operations.h"
#include "dolmen/store.h"
#include "dolmen/tables.h"

namespace dolmen {

class EntityClient;

/// The range key of an index in a condition: `range("created").between(monday, friday)`.
inline Path range(std::string property) { return Path(std::move(property)); }

/// A query of entities in a store, as it is put together. Each index is asked in all of its shards.
class EntityQuery {
 public:
  /// Reads an index: the entities that match both conditions. The filter is applied after reading.
  EntityQuery& index(IndexNameView name, Condition range_key = {}, Condition filter = {});
  /// The same with conditions as data; those without values are left out. A mistake is reported by `run`.
  EntityQuery& index(IndexNameView name, const EntityCondition& range_key, const std::vector<EntityCondition>& filters);
  /// What the hash keys of the indexes need when they are sharded properties.
  EntityQuery& item(Item item);
  EntityQuery& sort(std::vector<SortField> order);
  /// Only these attributes come back.
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

 private:
  friend class EntityClient;
  EntityQuery(const EntityClient& client, EntityNameView entity);

  struct IndexQuery {
    std::string name;
    Condition range_key;
    Condition filter;
  };

  [[nodiscard]] Result<EntityQueryOptions> options() const;
  void project_items(std::vector<Item>& items) const;
  [[nodiscard]] Result<std::vector<std::string>> read_attributes(const IndexQuery& index) const;

  const EntityClient* client_;
  EntityQueryOptions options_;
  std::vector<IndexQuery> indexes_;
  std::vector<std::string> projection_;
  std::optional<Error> mistake_;
};

/// What became of many writes of entities.
struct EntityWriteResult {
  std::size_t done = 0;
  /// The items as they were given.
  std::vector<Item> not_done = {};
  std::optional<Error> error = std::nullopt;

  [[nodiscard]] bool complete() const noexcept { return not_done.empty() && !error; }
};

/// What became of reading many entities.
struct EntityGetResult {
  /// In no particular order; keys without an item are simply not there.
  std::vector<Item> items = {};
  std::size_t not_done = 0;
  std::optional<Error> error = std::nullopt;

  [[nodiscard]] bool complete() const noexcept { return not_done == 0 && !error; }
};

/// Several writes of entities, all of them or none. Up to 100.
class EntityTransaction {
 public:
  EntityTransaction& put(EntityNameView entity, const Item& item, Condition condition = {});
  EntityTransaction& remove(EntityNameView entity, const Item& item, Condition condition = {});
  /// Changes nothing, and fails the transaction unless the condition holds.
  EntityTransaction& check(EntityNameView entity, const Item& item, Condition condition);

  /// Fails with kTransactionCanceled, or with the mistake of an item.
  Result<TransactWriteResult> run(const TransactWriteOptions& options = {}) const;

 private:
  friend class EntityClient;
  explicit EntityTransaction(const EntityClient& client) : client_(&client) {}

  const EntityClient* client_;
  std::vector<TransactAction> actions_;
  std::optional<Error> mistake_;
};

/// Entities in a table of any store.
///
///     auto client = EntityClient{entities, *store, "app"};
///     auto result = client.query("user")
///                       .index("created", range("created").between(monday, friday))
///                       .sort({{"lastName"}, {"created", descending}})
///                       .limit(50)
///                       .run(token);
///
/// Any thread may use it; the store must outlive it.
class EntityClient {
 public:
  EntityClient(EntityManager entities, Store& store, std::string table);

  [[nodiscard]] const EntityManager& entities() const noexcept { return entities_; }
  [[nodiscard]] Store& store() const noexcept { return *store_; }
  [[nodiscard]] const std::string& table() const noexcept { return table_; }

  // ---- The table ----

  [[nodiscard]] TableDefinition table_definition() const { return entities_.table_definition(table_); }
  /// Fails with kTableExists.
  Result<TableDescription> create_table() const;
  /// Creates it and waits for it unless it is there; fails with kInvalidArgument when it differs.
  Result<TableDescription> ensure_table(const WaitOptions& options = {}) const;
  /// How the existing table differs from what the config needs; empty when it does not.
  [[nodiscard]] Result<std::vector<std::string>> table_differences() const;

  // ---- One entity ----

  /// Generates the keys of the item, puts it, and returns what was stored.
  Result<Item> put(EntityNameView entity, Item item, const PutOptions& options = {}) const;
  /// `item` holds the properties that the keys are made of. Empty when there is no such entity.
  [[nodiscard]] Result<std::optional<Item>> get(EntityNameView entity, const Item& item,
                                                const GetOptions& options = {}) const;
  Result<WriteResult> remove(EntityNameView entity, const Item& item, const DeleteOptions& options = {}) const;

  // ---- Many ----

  /// In requests of 25; what a store leaves unprocessed is sent again as it was.
  [[nodiscard]] EntityWriteResult put_all(EntityNameView entity, const std::vector<Item>& items,
                                          const BatchRetry& retry = {}) const;
  [[nodiscard]] EntityWriteResult remove_all(EntityNameView entity, const std::vector<Item>& items,
                                             const BatchRetry& retry = {}) const;
  /// In requests of 100. A key that comes several times is read once.
  [[nodiscard]] EntityGetResult get_all(EntityNameView entity, const std::vector<Item>& items,
                                        const BatchRetry& retry = {}) const;
  [[nodiscard]] EntityTransaction transaction() const { return EntityTransaction(*this); }

  [[nodiscard]] EntityQuery query(EntityNameView entity) const { return {*this, entity}; }

 private:
  EntityManager entities_;
  Store* store_;
  std::string table_;
};

}  // namespace dolmen
