#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dolmen/entity/client.h"
#include "dolmen/entity/grow.h"

/// The row of a table that says which config its entities are written by. No entity has its key.
namespace dolmen::entity {

struct StoredConfig {
  /// What `config_text` gives; empty when it is not known.
  std::string config;
  /// The config that the table is growing to; empty when it is not.
  std::string growing;
  /// How far that has come: all items up to here are done.
  std::optional<Item> position;
  EntityGrowth growth;
};

/// A config with the options that decide about keys, as one JSON text.
std::string config_text(const EntityManager& entities);

/// The reverse. `options` has what a text cannot hold. Fails with kInvalidEntityConfig.
Result<EntityManager> read_config_text(std::string_view text, EntityOptions options);

/// The key of the row in a table with these keys.
Item stored_config_key(const std::string& hash_key, const std::string& range_key);

/// Nothing when the table has no such row.
Result<std::optional<StoredConfig>> read_stored_config(const EntityClient& client);
Result<void> write_stored_config(const EntityClient& client, const StoredConfig& stored);

/// The config text of a table whose config is not known. Fails with kItemNotFound when it has none.
Result<std::string> stored_config_text(Store& store, const std::string& table);

}  // namespace dolmen::entity
