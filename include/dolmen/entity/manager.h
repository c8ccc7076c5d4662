#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dolmen/entity/config.h"
#include "dolmen/entity/query.h"
#include "dolmen/entity/tokens.h"
#include "dolmen/error.h"
#include "dolmen/table.h"
#include "dolmen/value.h"

namespace dolmen {

namespace entity {
class CompiledConfig;
}  // namespace entity

/// Where a query stands: for each index and each value of its hash key, the page key, if there is one.
using PageKeyMap = std::vector<std::pair<std::string, std::vector<std::pair<std::string, std::optional<Item>>>>>;

/// When entities were made, both ends included; without an end, until now.
struct EntityWindow {
  std::int64_t from = 0;
  std::optional<std::int64_t> to = std::nullopt;
};

/// The keys of entities that share a table, by a config; and queries over their shards, whatever answers those. For
/// entities in a Store there is `EntityClient`.
///
///     auto entities = EntityManager::load("entities.yml").value();
///     Item record = entities.add_keys("user", {{"userId", "ada"}, {"created", 1700000000000}}).value();
///
/// Cheap to copy, and any thread may use it. Unknown names are kInvalidArgument; items without what their keys need are
/// kInvalidEntity. The messages are those that the published package gives in other languages; the details say more.
class EntityManager {
 public:
  /// Fails with kInvalidEntityConfig and all mistakes of the file, or with kIo.
  static Result<EntityManager> load(const std::filesystem::path& file, EntityOptions options = {});
  static Result<EntityManager> make(const EntityConfig& config, EntityOptions options = {});

  /// With shard bumps in order and from 0 on.
  [[nodiscard]] const EntityConfig& config() const;
  [[nodiscard]] const EntityOptions& options() const;

  // ---- Keys ----

  /// The item with its hash key, range key and generated properties. What is there already stays unless `overwrite`.
  [[nodiscard]] Result<Item> add_keys(EntityNameView entity, Item item, bool overwrite = false) const;
  [[nodiscard]] Result<std::vector<Item>> add_keys(EntityNameView entity, std::vector<Item> items,
                                                   bool overwrite = false) const;
  /// The item without them.
  [[nodiscard]] Result<Item> remove_keys(EntityNameView entity, Item item) const;
  [[nodiscard]] Result<std::vector<Item>> remove_keys(EntityNameView entity, std::vector<Item> items) const;
  /// Only its hash key and range key.
  [[nodiscard]] Result<Item> primary_key(EntityNameView entity, const Item& item, bool overwrite = false) const;
  [[nodiscard]] Result<std::vector<Item>> primary_keys(EntityNameView entity, const std::vector<Item>& items,
                                                       bool overwrite = false) const;

  /// Every hash key and range key that an entity with the unique property of the item can have: one for each shard
  /// bump, the newest first. The item needs no timestamp.
  [[nodiscard]] Result<std::vector<Item>> possible_keys(EntityNameView entity, const Item& item) const;

  /// Nothing for a sharded property when an element is missing.
  [[nodiscard]] Result<std::optional<std::string>> encode_generated_property(std::string_view property,
                                                                             const Item& item) const;
  /// The elements, and the hash key when there is one before them.
  [[nodiscard]] Result<Item> decode_generated_property(std::string_view encoded) const;

  // ---- Indexes and shards ----

  /// The names of the keys of an index and of the table, each once.
  [[nodiscard]] Result<std::vector<std::string>> index_components(IndexNameView index) const;
  /// The properties of an entity that an index is made of in the end, without those of `omit`.
  [[nodiscard]] Result<std::vector<std::string>> unwrap_index(EntityNameView entity, IndexNameView index,
                                                              const std::vector<std::string>& omit = {}) const;
  /// The first index with these keys.
  [[nodiscard]] Result<std::string> find_index(std::string_view hash_key, std::string_view range_key) const;
  /// Every value of the global hash key, or of a sharded property of items like `item`. Fails with kLimitExceeded when
  /// there are more than `EntityOptions::hash_key_space_max`.
  [[nodiscard]] Result<std::vector<std::string>> hash_key_space(EntityNameView entity, std::string_view hash_key,
                                                                const Item& item = {},
                                                                const EntityWindow& window = {}) const;

  // ---- Places in indexes ----

  /// The short form of a place in an index.
  [[nodiscard]] Result<std::string> dehydrate_index_item(EntityNameView entity, IndexNameView index,
                                                         const Item& item) const;
  [[nodiscard]] Result<Item> rehydrate_index_item(EntityNameView entity, IndexNameView index,
                                                  std::string_view dehydrated) const;
  [[nodiscard]] Result<std::vector<std::string>> dehydrate_page_key_map(EntityNameView entity,
                                                                        const PageKeyMap& map) const;
  /// Without `dehydrated` there are no page keys yet. Fails with kInvalidPageToken.
  [[nodiscard]] Result<PageKeyMap> rehydrate_page_key_map(EntityNameView entity,
                                                          const std::vector<std::string>& indexes, const Item& item,
                                                          const std::optional<std::vector<std::string>>& dehydrated,
                                                          const EntityWindow& window = {}) const;

  // ---- Queries and tables ----

  /// One page of a query. Fails with kInvalidPageToken for a token that is damaged or of another query, and with
  /// kShardQueriesFailed when shards fail; it has a detail for each reason of each index.
  [[nodiscard]] Result<EntityQueryResult> query(const EntityQueryOptions& options) const;
  /// The same without waiting. `EntityQueryOptions::threads` does not count.
  void async_query(EntityQueryOptions options, EntityQueryDone done) const;

  /// The table that the entities live in, ready for `Store::create_table`.
  [[nodiscard]] TableDefinition table_definition(std::string name) const;

  /// For the other parts of Dolmen.
  [[nodiscard]] const entity::CompiledConfig& compiled() const noexcept { return *compiled_; }

 private:
  explicit EntityManager(std::shared_ptr<const entity::CompiledConfig> compiled) : compiled_(std::move(compiled)) {}

  std::shared_ptr<const entity::CompiledConfig> compiled_;
};

/// How a page token is made and read, for programs that look into them: a list of texts, compressed.
std::string write_entity_page_token(const std::vector<std::string>& dehydrated);
/// Fails with kInvalidPageToken.
Result<std::vector<std::string>> read_entity_page_token(std::string_view token);

}  // namespace dolmen
