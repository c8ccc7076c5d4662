#include "entity/grow_table.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <thread>

#include "base/fail.h"
#include "dolmen/coroutine.h"
#include "entity/compiled.h"
#include "entity/query_state.h"
#include "entity/stored_config.h"
#include "entity/write_run.h"

namespace dolmen::entity {

namespace {

/// Those of `wanted` whose names are not among the actual ones.
template <class Index>
std::vector<Index> missing_of(const std::vector<Index>& wanted, const std::vector<Index>& actual) {
  std::vector<Index> missing;
  for (const Index& index : wanted)
    if (std::ranges::find(actual, index.name, &Index::name) == actual.end()) missing.push_back(index);
  return missing;
}

/// The indexes that a table lacks and that can be added.
struct MissingIndexes {
  std::vector<IndexDefinition> global;
  std::vector<VectorIndexDefinition> vectors;

  [[nodiscard]] bool empty() const { return global.empty() && vectors.empty(); }
};

MissingIndexes missing_indexes(const TableDefinition& wanted, const TableDefinition& actual) {
  return {.global = missing_of(wanted.global_indexes, actual.global_indexes),
          .vectors = missing_of(wanted.vector_indexes, actual.vector_indexes)};
}

/// Fails when the table differs by more than indexes that can be added.
Result<void> check_can_grow(TableDefinition wanted, const TableDefinition& actual) {
  const MissingIndexes missing = missing_indexes(wanted, actual);
  std::erase_if(wanted.global_indexes, [&](const IndexDefinition& one) {
    return std::ranges::find(missing.global, one) != missing.global.end();
  });
  std::erase_if(wanted.vector_indexes, [&](const VectorIndexDefinition& one) {
    return std::ranges::find(missing.vectors, one) != missing.vectors.end();
  });
  const std::vector<std::string> found = differences(wanted, actual);
  if (found.empty()) return {};
  return fail(Code::kInvalidArgument, "the table {} exists, but {}", wanted.name, fmt::join(found, "; "));
}

// ---- Whether items must be looked at ----

/// The bumps that have begun.
std::vector<ShardBump> begun(const EntityDefinition& entity, std::int64_t now) {
  std::vector<ShardBump> bumps = entity.shard_bumps;
  std::erase_if(bumps, [&](const ShardBump& bump) { return bump.timestamp > now; });
  return bumps;
}

bool has_property(const std::vector<GeneratedProperty>& all, const GeneratedProperty& property) {
  return std::ranges::find(all, property) != all.end();
}

/// Whether entities that were written by one config have other keys by another.
bool changes_keys(const EntityManager& before, const EntityManager& after) {
  const EntityConfig& old = before.config();
  const EntityConfig& now = after.config();
  if (old.generated_key_delimiter != now.generated_key_delimiter ||
      old.generated_value_delimiter != now.generated_value_delimiter ||
      old.shard_key_delimiter != now.shard_key_delimiter ||
      before.options().legacy_modulus != after.options().legacy_modulus)
    return true;
  const auto is_new = [](const std::vector<GeneratedProperty>& known) {
    return [&known](const GeneratedProperty& property) { return !has_property(known, property); };
  };
  if (std::ranges::any_of(now.sharded, is_new(old.sharded)) ||
      std::ranges::any_of(now.unsharded, is_new(old.unsharded)))
    return true;
  const std::int64_t moment = now_ms(after.options());
  return std::ranges::any_of(now.entities, [&](const EntityDefinition& entity) {
    const EntityDefinition* known = old.find_entity(entity.name);
    return known != nullptr &&
           (known->timestamp_property != entity.timestamp_property ||
            known->unique_property != entity.unique_property || begun(*known, moment) != begun(entity, moment));
  });
}

bool has_generated_key(const EntityManager& entities, const MissingIndexes& missing) {
  const auto is_generated = [&](const auto& key) { return entities.compiled().find_generated(key.name) != nullptr; };
  return std::ranges::any_of(missing.global,
                             [&](const IndexDefinition& index) {
                               return std::ranges::any_of(index.partition_keys, is_generated) ||
                                      std::ranges::any_of(index.sort_keys, is_generated);
                             }) ||
         std::ranges::any_of(missing.vectors, [&](const VectorIndexDefinition& index) {
           return std::ranges::any_of(index.search, is_generated);
         });
}

// ---- Looking at them ----

/// At most so many threads write at a time.
constexpr std::size_t kWritersMax = 64;

/// An entity that should have other keys.
struct Outdated {
  std::string entity;
  /// In the page that was read.
  const Item* item;
  /// As it should be.
  Item wanted;
};

class Growing {
 public:
  Growing(const EntityClient& client, const GrowOptions& options, const WaitOptions& wait)
      : client_(client), options_(options), wait_(wait), target_(config_text(client.entities())) {}

  Result<TableDescription> run(const TableDescription& table) {
    growth_.items = table.extent.item_count;
    const TableDefinition wanted = client_.table_definition();
    DOLMEN_TRY_VOID(check_can_grow(wanted, table.definition));
    const MissingIndexes missing = missing_indexes(wanted, table.definition);
    DOLMEN_TRY(const std::optional<StoredConfig> row, read_stored_config(client_));
    if (row) stored_ = *row;
    if (must_look(missing)) {
      DOLMEN_TRY_VOID(look_at_all());
    } else if (stored_.config != target_) {
      DOLMEN_TRY_VOID(write_stored_config(client_, finished()));
    }
    for (const IndexDefinition& index : missing.global) DOLMEN_TRY_VOID(add(index, table.definition));
    for (const VectorIndexDefinition& index : missing.vectors)
      DOLMEN_TRY_VOID(add({.table = client_.table(), .vector_indexes = {CreateVectorIndex{index}}}, index.name));
    return missing.empty() ? table : client_.store().describe_table(client_.table());
  }

  Result<void> record() { return write_stored_config(client_, finished()); }

 private:
  [[nodiscard]] StoredConfig finished() const {
    return {.config = target_, .growing = {}, .position = std::nullopt, .growth = {}};
  }

  [[nodiscard]] bool must_look(const MissingIndexes& missing) const {
    if (options_.all || !stored_.growing.empty()) return true;
    if (stored_.config == target_) return false;
    const Result<EntityManager> before = stored_.config.empty()
                                             ? std::unexpected(Error(Code::kItemNotFound, "not known"))
                                             : read_config_text(stored_.config, client_.entities().options());
    if (before) return changes_keys(*before, client_.entities());
    // Nothing is known of the entities but that they were not in the indexes that are missing.
    return has_generated_key(client_.entities(), missing);
  }

  Result<void> look_at_all() {
    const bool goes_on = stored_.growing == target_;
    if (goes_on) {
      const std::uint64_t items = growth_.items;
      growth_ = stored_.growth;
      growth_.items = items;
    } else {
      stored_.growing = target_;
      stored_.position.reset();
    }
    do {
      DOLMEN_TRY(const Page page, client_.store().scan_page(client_.table(), {.page_size = options_.page_size,
                                                                              .start_after = stored_.position,
                                                                              .consistent_read = true}));
      std::vector<Outdated> outdated;
      for (const Item& item : page.items) look_at(item, outdated);
      DOLMEN_TRY_VOID(write(outdated));
      stored_.position = page.last_key;
      stored_.growth = growth_;
      if (page.last_key) DOLMEN_TRY_VOID(write_stored_config(client_, stored_));
      tell();
    } while (stored_.position);
    return write_stored_config(client_, finished());
  }

  /// The entity that an item is one of; nothing when it is foreign.
  [[nodiscard]] const EntityDefinition* entity_of(const Item& item) const {
    const EntityConfig& config = client_.entities().config();
    const auto* key = item.at(config.hash_key).get_if<std::string>();
    const EntityDefinition* found = nullptr;
    for (const EntityDefinition& entity : config.entities) {
      const bool is_longer = found == nullptr || found->name.size() < entity.name.size();
      if (key != nullptr && is_longer && key->starts_with(entity.name + config.shard_key_delimiter)) found = &entity;
    }
    return found;
  }

  void look_at(const Item& item, std::vector<Outdated>& outdated) {
    ++growth_.scanned;
    const EntityDefinition* entity = entity_of(item);
    if (entity == nullptr) {
      ++growth_.foreign;
      return;
    }
    Result<Item> wanted = client_.entities().add_keys(entity->name, item, true);
    if (!wanted)
      refused(item, wanted.error());
    else if (*wanted != item)
      outdated.push_back({.entity = entity->name, .item = &item, .wanted = std::move(*wanted)});
  }

  /// Writes entities whose keys must change, several at a time, because each waits for the store.
  Result<void> write(const std::vector<Outdated>& outdated) {
    std::vector<Result<Written>> outcomes(outdated.size());
    const auto limit = static_cast<std::size_t>(client_.entities().config().throttle);
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
      for (std::size_t i = next++; i < outdated.size(); i = next++) outcomes[i] = write(outdated[i]);
    };
    {
      std::vector<std::jthread> helpers;
      for (std::size_t i = 1; i < std::min({limit, outdated.size(), kWritersMax}); ++i) helpers.emplace_back(work);
      work();
    }
    for (std::size_t i = 0; i < outdated.size(); ++i) DOLMEN_TRY_VOID(settle(outdated[i], outcomes[i]));
    return {};
  }

  [[nodiscard]] Result<Written> write(const Outdated& outdated) const {
    std::vector<Write> writes{
        {.kind = Write::Kind::kUpdate, .entity = outdated.entity, .item = key_of(*outdated.item), .regenerates = true}};
    return sync_wait(run_writes(client_, std::move(writes), {}));
  }

  Result<void> settle(const Outdated& outdated, const Result<Written>& written) {
    if (written) {
      ++(key_of(outdated.wanted) == key_of(*outdated.item) ? growth_.changed : growth_.moved);
      return {};
    }
    switch (written.error().code()) {
      case Code::kItemNotFound: return {};  // Somebody has removed it.
      case Code::kConditionFailed:
      case Code::kInvalidEntity:
      case Code::kLimitExceeded:
      case Code::kTransactionConflict:
      case Code::kValidation: refused(*outdated.item, written.error()); return {};
      default: return std::unexpected(written.error());
    }
  }

  [[nodiscard]] Item key_of(const Item& item) const {
    const EntityConfig& config = client_.entities().config();
    return {{config.hash_key, item.at(config.hash_key)}, {config.range_key, item.at(config.range_key)}};
  }

  void refused(const Item& item, const Error& error) {
    ++growth_.refused;
    const EntityConfig& config = client_.entities().config();
    const EntityLogger& logger = client_.entities().options().logger;
    if (logger.error)
      logger.error({"growTable", item.at(config.range_key).string(),
                    fmt::format("{} stays as it is: {}", item.at(config.hash_key).string(), error.message())});
  }

  Result<void> add(IndexDefinition index, const TableDefinition& actual) {
    if (actual.billing_mode == BillingMode::kProvisioned) index.throughput = actual.throughput;
    const std::string name = index.name;
    return add({.table = client_.table(), .indexes = {CreateIndex{std::move(index)}}}, name);
  }

  Result<void> add(const TableUpdate& update, const std::string& name) {
    const Result<TableDescription> added = client_.store().update_table(update);
    DOLMEN_TRY(const TableDescription table, wait_until_active(client_.store(), client_.table(), wait_));
    const auto has_name = [&](const auto& index) { return index.name == name; };
    // Another program may have added it.
    if (!added && std::ranges::none_of(table.definition.global_indexes, has_name) &&
        std::ranges::none_of(table.definition.vector_indexes, has_name))
      return std::unexpected(added.error());
    ++growth_.indexes;
    tell();
    return {};
  }

  void tell() const {
    if (options_.progress) options_.progress(growth_);
  }

  const EntityClient& client_;
  const GrowOptions& options_;
  const WaitOptions& wait_;
  const std::string target_;
  StoredConfig stored_;
  EntityGrowth growth_;
};

}  // namespace

Result<TableDescription> grow_table(const EntityClient& client, const WaitOptions& wait, const GrowOptions& options) {
  if (options.page_size == 0) return fail(Code::kInvalidArgument, "the page size of growing must be above 0");
  Growing growing(client, options, wait);
  const Result<TableDescription> made = client.create_table();
  if (!made && made.error().code() != Code::kTableExists && made.error().code() != Code::kTableInUse)
    return std::unexpected(made.error());
  DOLMEN_TRY(TableDescription table, wait_until_active(client.store(), client.table(), wait));
  if (!made) return growing.run(table);
  DOLMEN_TRY_VOID(growing.record());
  return table;
}

}  // namespace dolmen::entity
