#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dolmen/batch.h"
#include "dolmen/entity/client_query.h"
#include "dolmen/entity/grow.h"
#include "dolmen/entity/manager.h"
#include "dolmen/entity/nearest.h"
#include "dolmen/entity/tokens.h"
#include "dolmen/entity/transaction.h"
#include "dolmen/operations.h"
#include "dolmen/store.h"
#include "dolmen/tables.h"
#include "dolmen/vectors.h"

namespace dolmen {

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
  /// Creates the table and waits for it, or lets an existing one grow to what the config says: adds missing indexes one
  /// after the other, and before that writes the generated properties that entities lack and moves those that a new
  /// shard bump puts elsewhere. It is known from a row in the table which config that was done for and how far it has
  /// come, so that a call after an interrupted one goes on there, and others cost one read. A bump that begins in the
  /// future needs nothing. Programs that write must have the new config before.
  ///
  /// Fails with kInvalidArgument when the table has other keys, an index of the same name with another definition, or
  /// an index that the config does not have.
  Result<TableDescription> ensure_table(const WaitOptions& wait = {}, const GrowOptions& grow = {}) const;
  /// How the existing table differs from what the config needs; empty when it does not.
  [[nodiscard]] Result<std::vector<std::string>> table_differences() const;

  // ---- One entity ----

  // `item` holds the properties that the key is made of, or the unique property alone. With that alone, an entity is
  // looked for under every shard bump of its kind, at one moment and with one read for each.

  /// Generates the keys of the item, puts it, and returns what was stored. When the entity was in another shard,
  /// because its timestamp was under another bump, that copy is removed in the same transaction. Fails with
  /// kConditionFailed.
  Result<Item> put(EntityNameView entity, Item item, const EntityWriteOptions& options = {}) const;
  /// Empty when there is no such entity.
  [[nodiscard]] Result<std::optional<Item>> get(EntityNameView entity, const Item& item,
                                                const GetOptions& options = {}) const;
  /// Changes an entity and returns what it is now. Generated properties follow from what changes, and an entity whose
  /// timestamp moves under another bump moves to its shard in one transaction. An update that names nothing of which
  /// keys are made is carried out by the store without reading. Fails with kItemNotFound, kConditionFailed, and with
  /// kInvalidArgument for an update of the keys, a generated property or the unique property.
  Result<Item> update(EntityNameView entity, const Item& item, const Update& update,
                      const EntityWriteOptions& options = {}) const;
  /// Also succeeds when there is no such entity. Fails with kConditionFailed.
  Result<WriteResult> remove(EntityNameView entity, const Item& item, const DeleteOptions& options = {}) const;

  // ---- The same without waiting ----

  // `done` is called where the store answers; see Store.

  void async_put(EntityNameView entity, Item item, const EntityWriteOptions& options, Callback<Item> done) const;
  void async_get(EntityNameView entity, const Item& item, const GetOptions& options,
                 Callback<std::optional<Item>> done) const;
  void async_update(EntityNameView entity, const Item& item, const Update& update, const EntityWriteOptions& options,
                    Callback<Item> done) const;
  void async_remove(EntityNameView entity, const Item& item, const DeleteOptions& options,
                    Callback<WriteResult> done) const;

  // ---- Many ----

  /// In requests of 25; what a store leaves unprocessed is sent again as it was. Batches know no transactions: copies
  /// that entities have under other bumps stay, and removing needs the timestamp.
  [[nodiscard]] EntityWriteResult put_all(EntityNameView entity, const std::vector<Item>& items,
                                          const BatchRetry& retry = {}) const;
  [[nodiscard]] EntityWriteResult remove_all(EntityNameView entity, const std::vector<Item>& items,
                                             const BatchRetry& retry = {}) const;
  /// In requests of 100. A key that comes several times is read once. With the unique property alone, an entity takes a
  /// key for each bump.
  [[nodiscard]] EntityGetResult get_all(EntityNameView entity, const std::vector<Item>& items,
                                        const BatchRetry& retry = {}) const;
  [[nodiscard]] EntityTransaction transaction() const { return EntityTransaction(*this); }

  [[nodiscard]] EntityQuery query(EntityNameView entity) const { return {*this, entity}; }

  // ---- Vectors ----

  /// The entities whose vectors are nearest, best first. Every shard of the entity is searched, as many at a time as
  /// the throttle allows, and the nearest of all of them come back, each once. Fails as Store::search_vectors does,
  /// with the error of a shard; with kInvalidArgument for an unknown index; and as EntityManager::hash_key_space does.
  ///
  ///     client.nearest("note", "meaning", vector, {.top_k = 3, .where = key("language") == "br"})
  [[nodiscard]] NearestHits<VectorHit> nearest(EntityNameView entity, IndexNameView index,
                                               std::span<const float> vector,
                                               const EntitySearchOptions& options = {}) const;
  /// The same without waiting. `done` is called where a shard answered.
  void async_nearest(EntityNameView entity, IndexNameView index, std::span<const float> vector,
                     const EntitySearchOptions& options, Callback<std::vector<VectorHit>> done) const;

 private:
  EntityManager entities_;
  Store* store_;
  std::string table_;
};

}  // namespace dolmen
