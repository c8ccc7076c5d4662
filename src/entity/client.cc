#include "dolmen/entity/client.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "dolmen/coroutine.h"
#include "entity/grow_table.h"
#include "entity/write_run.h"
#include "value/encoded_item.h"

namespace dolmen {

namespace {

/// A text that is equal only for items with the same key.
std::string key_text(const Item& item, const EntityConfig& config) {
  std::string text;
  for (const std::string* name : {&config.hash_key, &config.range_key})
    if (const AttributeValue* value = item.find(*name)) append_value(text, *value);
  return text;
}

/// The same for what is written to it.
std::string key_text(const BatchAction& action, const EntityConfig& config) {
  const BatchPut* put = std::get_if<BatchPut>(&action);
  return key_text(put != nullptr ? put->item : std::get<BatchDelete>(action).key, config);
}

/// The items whose action was not carried out, by their keys. Of items with the same key it is the last ones.
EntityWriteResult result_of(WriteAllResult written, const std::vector<Item>& items,
                            const std::vector<std::string>& keys, const EntityConfig& config) {
  std::unordered_map<std::string, std::size_t> left;
  for (const BatchAction& action : written.not_done) ++left[key_text(action, config)];
  EntityWriteResult result{.done = written.done, .error = std::move(written.error)};
  for (std::size_t i = items.size(); i-- > 0;) {
    const auto found = left.find(keys[i]);
    if (found == left.end() || found->second == 0) continue;
    --found->second;
    result.not_done.push_back(items[i]);
  }
  std::ranges::reverse(result.not_done);
  return result;
}

using Kind = detail::EntityWrite::Kind;

detail::EntityWrite written(Kind kind, EntityNameView entity, Item item, EntityWriteOptions options) {
  return {.kind = kind,
          .entity = std::string(entity),
          .item = std::move(item),
          .condition = std::move(options.condition),
          .return_item_on_failure = options.return_item_on_failure};
}

// ---- One entity, without waiting ----

/// For puts and updates.
Task<Result<Item>> put_task(EntityClient client, detail::EntityWrite write) {
  std::vector<detail::EntityWrite> writes;
  writes.push_back(std::move(write));
  const entity::RunOptions how;
  Result<entity::Written> done = co_await entity::run_writes(client, std::move(writes), how);
  if (!done) co_return std::unexpected(std::move(done).error());
  co_return std::move(done->stored).value_or(Item());
}

Task<Result<WriteResult>> remove_task(EntityClient client, std::string entity, Item item, DeleteOptions options) {
  std::vector<detail::EntityWrite> writes;
  writes.push_back(written(Kind::kRemove, entity, std::move(item),
                           {.condition = options.condition, .return_item_on_failure = options.return_item_on_failure}));
  const entity::RunOptions how{.return_values = options.return_values,
                               .return_capacity = options.return_capacity,
                               .return_collection_size = options.return_collection_size};
  Result<entity::Written> done = co_await entity::run_writes(client, std::move(writes), how);
  if (!done) co_return std::unexpected(std::move(done).error());
  co_return std::move(done->one);
}

Task<Result<std::optional<Item>>> get_task(EntityClient client, std::string entity, Item item, GetOptions options) {
  Result<std::vector<Item>> keys = entity::entity_keys(client.entities(), entity, item);
  if (!keys) co_return std::unexpected(std::move(keys).error());
  Result<std::vector<std::optional<Item>>> found = co_await entity::read_keys(client, std::move(*keys), options);
  if (!found) co_return std::unexpected(std::move(found).error());
  for (std::optional<Item>& one : *found)
    if (one) co_return std::move(one);
  co_return std::optional<Item>();
}

Task<Result<TransactWriteResult>> transaction_task(EntityClient client, std::vector<detail::EntityWrite> writes,
                                                   TransactWriteOptions options) {
  const entity::RunOptions how{.is_transaction = true, .transaction = std::move(options)};
  Result<entity::Written> done = co_await entity::run_writes(client, std::move(writes), how);
  if (!done) co_return std::unexpected(std::move(done).error());
  co_return std::move(done->all);
}

}  // namespace

EntityClient::EntityClient(EntityManager entities, Store& store, std::string table)
    : entities_(std::move(entities)), store_(&store), table_(std::move(table)) {}

// ---- The table ----

Result<TableDescription> EntityClient::create_table() const { return store_->create_table(table_definition()); }

Result<TableDescription> EntityClient::ensure_table(const WaitOptions& wait, const GrowOptions& grow) const {
  return entity::grow_table(*this, wait, grow);
}

Result<std::vector<std::string>> EntityClient::table_differences() const {
  DOLMEN_TRY(const TableDescription description, store_->describe_table(table_));
  return differences(table_definition(), description.definition);
}

// ---- One entity ----

Result<Item> EntityClient::put(EntityNameView entity, Item item, const EntityWriteOptions& options) const {
  return sync_wait(put_task(*this, written(Kind::kPut, entity, std::move(item), options)));
}

Result<std::optional<Item>> EntityClient::get(EntityNameView entity, const Item& item,
                                              const GetOptions& options) const {
  return sync_wait(get_task(*this, std::string(entity), item, options));
}

Result<Item> EntityClient::update(EntityNameView entity, const Item& item, const Update& update,
                                  const EntityWriteOptions& options) const {
  detail::EntityWrite write = written(Kind::kUpdate, entity, item, options);
  write.update = update;
  return sync_wait(put_task(*this, std::move(write)));
}

Result<WriteResult> EntityClient::remove(EntityNameView entity, const Item& item, const DeleteOptions& options) const {
  return sync_wait(remove_task(*this, std::string(entity), item, options));
}

// ---- The same without waiting ----

void EntityClient::async_put(EntityNameView entity, Item item, const EntityWriteOptions& options,
                             Callback<Item> done) const {
  entity::finish_with(put_task(*this, written(Kind::kPut, entity, std::move(item), options)), std::move(done));
}

void EntityClient::async_get(EntityNameView entity, const Item& item, const GetOptions& options,
                             Callback<std::optional<Item>> done) const {
  entity::finish_with(get_task(*this, std::string(entity), item, options), std::move(done));
}

void EntityClient::async_update(EntityNameView entity, const Item& item, const Update& update,
                                const EntityWriteOptions& options, Callback<Item> done) const {
  detail::EntityWrite write = written(Kind::kUpdate, entity, item, options);
  write.update = update;
  entity::finish_with(put_task(*this, std::move(write)), std::move(done));
}

void EntityClient::async_remove(EntityNameView entity, const Item& item, const DeleteOptions& options,
                                Callback<WriteResult> done) const {
  entity::finish_with(remove_task(*this, std::string(entity), item, options), std::move(done));
}

// ---- Many ----

EntityWriteResult EntityClient::put_all(EntityNameView entity, const std::vector<Item>& items,
                                        const BatchRetry& retry) const {
  std::vector<BatchAction> actions;
  std::vector<std::string> keys;
  for (const Item& item : items) {
    Result<Item> record = entities_.add_keys(entity, item, true);
    if (!record) return {.not_done = items, .error = record.error()};
    keys.push_back(key_text(*record, entities_.config()));
    actions.emplace_back(BatchPut{table_, std::move(*record)});
  }
  return result_of(write_all(*store_, std::move(actions), retry), items, keys, entities_.config());
}

EntityWriteResult EntityClient::remove_all(EntityNameView entity, const std::vector<Item>& items,
                                           const BatchRetry& retry) const {
  std::vector<BatchAction> actions;
  std::vector<std::string> keys;
  for (const Item& item : items) {
    Result<Item> key = entities_.primary_key(entity, item);
    if (!key) return {.not_done = items, .error = key.error()};
    keys.push_back(key_text(*key, entities_.config()));
    actions.emplace_back(BatchDelete{table_, std::move(*key)});
  }
  return result_of(write_all(*store_, std::move(actions), retry), items, keys, entities_.config());
}

EntityGetResult EntityClient::get_all(EntityNameView entity, const std::vector<Item>& items,
                                      const BatchRetry& retry) const {
  std::vector<Item> keys;
  std::unordered_set<std::string> seen;
  for (const Item& item : items) {
    Result<std::vector<Item>> of_item = entity::entity_keys(entities_, entity, item);
    if (!of_item) return {.not_done = items.size(), .error = of_item.error()};
    for (Item& key : *of_item)
      if (seen.insert(key_text(key, entities_.config())).second) keys.push_back(std::move(key));
  }
  GetAllResult read = dolmen::get_all(*store_, {{.table = table_, .keys = std::move(keys)}}, retry);
  EntityGetResult result{.items = std::move(read.items[table_]), .error = std::move(read.error)};
  for (const KeysOfTable& left : read.not_done) result.not_done += left.keys.size();
  return result;
}

// ---- Transactions ----

EntityTransaction& EntityTransaction::add(detail::EntityWrite write) {
  writes_.push_back(std::move(write));
  return *this;
}

EntityTransaction& EntityTransaction::put(EntityNameView entity, Item item, Condition condition) {
  return add(written(Kind::kPut, entity, std::move(item), {.condition = std::move(condition)}));
}

EntityTransaction& EntityTransaction::update(EntityNameView entity, Item item, Update update, Condition condition) {
  detail::EntityWrite write = written(Kind::kUpdate, entity, std::move(item), {.condition = std::move(condition)});
  write.update = std::move(update);
  return add(std::move(write));
}

EntityTransaction& EntityTransaction::remove(EntityNameView entity, Item item, Condition condition) {
  return add(written(Kind::kRemove, entity, std::move(item), {.condition = std::move(condition)}));
}

EntityTransaction& EntityTransaction::check(EntityNameView entity, Item item, Condition condition) {
  return add(written(Kind::kCheck, entity, std::move(item), {.condition = std::move(condition)}));
}

Result<TransactWriteResult> EntityTransaction::run(const TransactWriteOptions& options) const {
  return sync_wait(transaction_task(*client_, writes_, options));
}

void EntityTransaction::async_run(const TransactWriteOptions& options, Callback<TransactWriteResult> done) const {
  entity::finish_with(transaction_task(*client_, writes_, options), std::move(done));
}

}  // namespace dolmen
