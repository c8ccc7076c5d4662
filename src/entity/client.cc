#include "dolmen/entity/client.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

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

}  // namespace

EntityClient::EntityClient(EntityManager entities, Store& store, std::string table)
    : entities_(std::move(entities)), store_(&store), table_(std::move(table)) {}

// ---- The table ----

Result<TableDescription> EntityClient::create_table() const { return store_->create_table(table_definition()); }

Result<TableDescription> EntityClient::ensure_table(const WaitOptions& options) const {
  return dolmen::ensure_table(*store_, table_definition(), options);
}

Result<std::vector<std::string>> EntityClient::table_differences() const {
  DOLMEN_TRY(const TableDescription description, store_->describe_table(table_));
  return differences(table_definition(), description.definition);
}

// ---- One entity ----

Result<Item> EntityClient::put(EntityNameView entity, Item item, const PutOptions& options) const {
  DOLMEN_TRY(Item record, entities_.add_keys(entity, std::move(item), true));
  DOLMEN_TRY_VOID(store_->put_item(table_, record, options));
  return record;
}

Result<std::optional<Item>> EntityClient::get(EntityNameView entity, const Item& item,
                                              const GetOptions& options) const {
  DOLMEN_TRY(const Item key, entities_.primary_key(entity, item));
  DOLMEN_TRY(GetResult result, store_->get_item(table_, key, options));
  return std::move(result.item);
}

Result<WriteResult> EntityClient::remove(EntityNameView entity, const Item& item, const DeleteOptions& options) const {
  DOLMEN_TRY(const Item key, entities_.primary_key(entity, item));
  return store_->delete_item(table_, key, options);
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
  Result<std::vector<Item>> keys = entities_.primary_keys(entity, items);
  if (!keys) return {.not_done = items.size(), .error = keys.error()};
  std::unordered_set<std::string> seen;
  std::erase_if(*keys, [&](const Item& key) { return !seen.insert(key_text(key, entities_.config())).second; });
  GetAllResult read = dolmen::get_all(*store_, {{.table = table_, .keys = std::move(*keys)}}, retry);
  EntityGetResult result{.items = std::move(read.items[table_]), .error = std::move(read.error)};
  for (const KeysOfTable& left : read.not_done) result.not_done += left.keys.size();
  return result;
}

// ---- Transactions ----

EntityTransaction& EntityTransaction::put(EntityNameView entity, const Item& item, Condition condition) {
  Result<Item> record = client_->entities().add_keys(entity, item, true);
  if (record) {
    actions_.emplace_back(
        PutAction{.table = client_->table(), .item = std::move(*record), .condition = std::move(condition)});
  } else if (!mistake_) {
    mistake_ = std::move(record).error();
  }
  return *this;
}

EntityTransaction& EntityTransaction::remove(EntityNameView entity, const Item& item, Condition condition) {
  Result<Item> key = client_->entities().primary_key(entity, item);
  if (key) {
    actions_.emplace_back(
        DeleteAction{.table = client_->table(), .key = std::move(*key), .condition = std::move(condition)});
  } else if (!mistake_) {
    mistake_ = std::move(key).error();
  }
  return *this;
}

EntityTransaction& EntityTransaction::check(EntityNameView entity, const Item& item, Condition condition) {
  Result<Item> key = client_->entities().primary_key(entity, item);
  if (key) {
    actions_.emplace_back(
        CheckAction{.table = client_->table(), .key = std::move(*key), .condition = std::move(condition)});
  } else if (!mistake_) {
    mistake_ = std::move(key).error();
  }
  return *this;
}

Result<TransactWriteResult> EntityTransaction::run(const TransactWriteOptions& options) const {
  if (mistake_) return std::unexpected(*mistake_);
  return client_->store().transact_write(actions_, options);
}

}  // namespace dolmen
