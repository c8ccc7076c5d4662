#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dolmen/entity/client.h"
#include "dolmen/operations.h"

/// How a write of an entity becomes actions on items. An entity with several shard bumps can be in several places, and
/// its generated properties follow from the others; so some writes must first read where the entity is and what it
/// holds, and are carried out only if that is still so.
namespace dolmen::entity {

using Write = dolmen::detail::EntityWrite;

/// What an action relies on besides the caller's condition.
struct Expectation {
  enum class Of : std::uint8_t { kNothing, kItem, kNoItem };
  Of place = Of::kNothing;
  /// Attributes that must still have these values.
  Item unchanged = {};
  /// Attributes that must still be missing.
  std::vector<std::string> missing = {};

  [[nodiscard]] Condition condition(const std::string& hash_key) const;
  /// Whether it holds for an item, or for none.
  [[nodiscard]] bool holds(const std::optional<Item>& item) const;
};

struct PlannedAction {
  TransactAction action;
  Expectation expectation = {};
};

struct WritePlan {
  std::vector<PlannedAction> actions;
  /// The entity as it will be; nothing when only the store knows.
  std::optional<Item> stored = std::nullopt;
};

/// The keys that an entity can have: its own when the item has what that is made of, and with the unique property alone
/// one for each bump, the newest first.
Result<std::vector<Item>> entity_keys(const EntityManager& entities, std::string_view entity, const Item& item);

class WritePlanner {
 public:
  /// `client` and `write` must outlive it. Fails as `EntityManager::add_keys` does, and with kInvalidArgument for an
  /// update of what the config makes.
  static Result<WritePlanner> make(const EntityClient& client, const Write& write);

  /// What must be read before it can be planned, at one moment; empty when nothing must.
  [[nodiscard]] const std::vector<Item>& keys_to_read() const noexcept { return keys_to_read_; }

  /// `found` are the items under `keys_to_read`. Fails with kItemNotFound for an update of what does not exist.
  [[nodiscard]] Result<WritePlan> plan(std::span<const std::optional<Item>> found) const;

 private:
  WritePlanner(const EntityClient& client, const Write& write) : client_(&client), write_(&write) {}

  Result<void> prepare_put();
  Result<void> prepare_located();
  Result<void> read_update();

  [[nodiscard]] WritePlan plan_put(std::span<const std::optional<Item>> found) const;
  [[nodiscard]] Result<WritePlan> plan_update(std::span<const std::optional<Item>> found) const;
  [[nodiscard]] WritePlan plan_remove_or_check(std::span<const std::optional<Item>> found) const;
  [[nodiscard]] Result<WritePlan> plan_change(const Item& key, const Item& old) const;
  [[nodiscard]] WritePlan left_to_store(const Item& key) const;
  [[nodiscard]] Result<Item> updated(const Item& old) const;

  [[nodiscard]] const std::string& hash_key() const { return client_->entities().config().hash_key; }
  [[nodiscard]] PlannedAction put(Item item, Condition condition, Expectation expectation) const;
  [[nodiscard]] PlannedAction update(const Item& key, Update update, Expectation expectation) const;
  [[nodiscard]] PlannedAction remove_or_check(const Item& key, Expectation expectation) const;
  [[nodiscard]] PlannedAction remove(const Item& key, Condition condition, Expectation expectation) const;
  /// Lets the plan fail when there is an item in one of the other places.
  void guard(std::vector<PlannedAction>& actions, const Item& except_one, const Item& except_other) const;

  const EntityClient* client_;
  const Write* write_;
  /// Where the entity can be.
  std::vector<Item> keys_;
  std::vector<Item> keys_to_read_;
  /// Of a put: the item with its keys, and its key.
  Item record_;
  Item home_;
  /// Of an update: the attributes that it names.
  std::vector<std::string> named_;
};

}  // namespace dolmen::entity
