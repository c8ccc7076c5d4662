#include "dolmen/entity_client.h"

#include <algorithm>

namespace dolmen {

namespace {

/// The items whose action was not done, by comparing what is left with what was sent.
EntityWriteResult result_of(const std::vector<Item>& items, const std::vector<BatchAction>& sent,
                            WriteAllResult written) {
  EntityWriteResult result{.done = written.done, .error = std::move(written.error)};
  for (const BatchAction& left : written.not_done) {
    const auto found = std::ranges::find(sent, left);
    if (found != sent.end()) result.not_done.push_back(items[static_cast<std::size_t>(found - sent.begin())]);
  }
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

Result<Item> EntityClient::put(std::string_view entity, Item item, const PutOptions& options) const {
  DOLMEN_TRY(Item record, entities_.add_keys(entity, std::move(item), true));
  DOLMEN_TRY_VOID(store_->put_item(table_, record, options));
  return record;
}

Result<std::optional<Item>> EntityClient::get(std::string_view entity, const Item& item,
                                              const GetOptions& options) const {
  DOLMEN_TRY(const Item key, entities_.primary_key(entity, item));
  DOLMEN_TRY(GetResult result, store_->get_item(table_, key, options));
  return std::move(result.item);
}

Result<WriteResult> EntityClient::remove(std::string_view entity, const Item& item,
                                         const DeleteOptions& options) const {
  DOLMEN_TRY(const Item key, entities_.primary_key(entity, item));
  return store_->delete_item(table_, key, options);
}

// ---- Many ----

EntityWriteResult EntityClient::put_all(std::string_view entity, const std::vector<Item>& items,
                                        const BatchRetry& retry) const {
  std::vector<BatchAction> actions;
  for (const Item& item : items) {
    Result<Item> record = entities_.add_keys(entity, item, true);
    if (!record) return {.not_done = items, .error = record.error()};
    actions.emplace_back(BatchPut{table_, std::move(*record)});
  }
  return result_of(items, actions, write_all(*store_, actions, retry));
}

EntityWriteResult EntityClient::remove_all(std::string_view entity, const std::vector<Item>& items,
                                           const BatchRetry& retry) const {
  std::vector<BatchAction> actions;
  for (const Item& item : items) {
    Result<Item> key = entities_.primary_key(entity, item);
    if (!key) return {.not_done = items, .error = key.error()};
    actions.emplace_back(BatchDelete{table_, std::move(*key)});
  }
  return result_of(items, actions, write_all(*store_, actions, retry));
}

EntityGetResult EntityClient::get_all(std::string_view entity, const std::vector<Item>& items,
                                      const BatchRetry& retry) const {
  Result<std::vector<Item>> keys = entities_.primary_keys(entity, items);
  if (!keys) return {.not_done = items.size(), .error = keys.error()};
  GetAllResult read = dolmen::get_all(*store_, {{.table = table_, .keys = std::move(*keys)}}, retry);
  EntityGetResult result{.items = std::move(read.items[table_]), .error = std::move(read.error)};
  for (const KeysOfTable& left : read.not_done) result.not_done += left.keys.size();
  return result;
}

// ---- Transactions ----

EntityTransaction& EntityTransaction::put(std::string_view entity, const Item& item, Condition condition) {
  Result<Item> record = client_->entities().add_keys(entity, item, true);
  if (record) {
    actions_.emplace_back(
        PutAction{.table = client_->table(), .item = std::move(*record), .condition = std::move(condition)});
  } else if (!mistake_) {
    mistake_ = std::move(record).error();
  }
  return *this;
}

EntityTransaction& EntityTransaction::remove(std::string_view entity, const Item& item, Condition condition) {
  Result<Item> key = client_->entities().primary_key(entity, item);
  if (key) {
    actions_.emplace_back(
        DeleteAction{.table = client_->table(), .key = std::move(*key), .condition = std::move(condition)});
  } else if (!mistake_) {
    mistake_ = std::move(key).error();
  }
  return *this;
}

EntityTransaction& EntityTransaction::check(std::string_view entity, const Item& item, Condition condition) {
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
