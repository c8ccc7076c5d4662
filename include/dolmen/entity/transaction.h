#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dolmen/entity/tokens.h"
#include "dolmen/error.h"
#include "dolmen/expression.h"
#include "dolmen/operations.h"
#include "dolmen/store.h"
#include "dolmen/value.h"

namespace dolmen {

class EntityClient;

namespace detail {

/// A write of one entity as it was asked for. Where the entity is, is found out when it is carried out.
struct EntityWrite {
  enum class Kind : std::uint8_t { kPut, kUpdate, kRemove, kCheck };

  Kind kind = Kind::kPut;
  std::string entity;
  Item item;
  Update update = {};
  Condition condition = {};
  bool return_item_on_failure = false;
  /// Of an update: makes the keys anew even when nothing changes of which they are made.
  bool regenerates = false;
};

}  // namespace detail

/// What a write of one entity can be told.
struct EntityWriteOptions {
  /// On the entity as it is, whichever shard it is in.
  Condition condition = {};
  /// When the condition fails, its error carries the item (`failed_item`).
  bool return_item_on_failure = false;
};

/// Several writes of entities, all of them or none. DynamoDB takes 100 actions: a put needs one for each shard bump of
/// its entity, so that no copy stays behind, and other writes need one, or two when the entity moves to another shard.
///
/// Items are as in EntityClient: all properties for a put, and for the others those of the key or the unique one alone.
class EntityTransaction {
 public:
  EntityTransaction& put(EntityNameView entity, Item item, Condition condition = {});
  EntityTransaction& update(EntityNameView entity, Item item, Update update, Condition condition = {});
  EntityTransaction& remove(EntityNameView entity, Item item, Condition condition = {});
  /// Changes nothing, and fails the transaction unless the condition holds.
  EntityTransaction& check(EntityNameView entity, Item item, Condition condition);

  /// Fails with kTransactionCanceled and a reason for each of the writes (`transact_failures`), with the mistake of an
  /// item, with kItemNotFound for an update of what does not exist, and with kTransactionConflict when others keep
  /// changing the entities. A client token makes two runs one only if neither has to look for an entity.
  Result<TransactWriteResult> run(const TransactWriteOptions& options = {}) const;
  void async_run(const TransactWriteOptions& options, Callback<TransactWriteResult> done) const;

 private:
  friend class EntityClient;
  explicit EntityTransaction(const EntityClient& client) : client_(&client) {}
  EntityTransaction& add(detail::EntityWrite write);

  const EntityClient* client_;
  std::vector<detail::EntityWrite> writes_;
};

}  // namespace dolmen
