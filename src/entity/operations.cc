#include "entity/operations.h"

#include <algorithm>
#include <utility>

#include "base/fail.h"
#include "entity/request.h"
#include "entity/stored_config.h"
#include "protocol/object_writer.h"
#include "value/json.h"

namespace dolmen::entity {

namespace {

/// A request about one entity of a table.
struct Asked {
  EntityClient client;
  std::string entity;
  ObjectView request;
};

/// Reads the table and the entity of a request, which may also have the members of `allowed`.
Result<Asked> asked_in(Operations& operations, std::string_view body, ObjectView::Names allowed) {
  DOLMEN_TRY(ObjectView request, ObjectView::request(body, allowed));
  DOLMEN_TRY(std::string table, text_in(request, "table"));
  DOLMEN_TRY(std::string entity, text_in(request, "entity"));
  DOLMEN_TRY(EntityManager entities, operations.entities_of(table));
  return Asked{EntityClient(std::move(entities), operations.store(), std::move(table)), std::move(entity),
               std::move(request)};
}

std::string item_answer(const Item& item) {
  return object_text([&](ObjectWriter& object) { object.json("item", json::to_text(item)); });
}

// ---- The table ----

Result<EntityManager> given_config(const ObjectView& request) {
  EntityOptions options;
  DOLMEN_TRY(options.legacy_modulus, request.flag("legacy_modulus"));
  DOLMEN_TRY(const std::optional<std::string> text, request.optional_text("text"));
  std::string_view json;
  if (!text) {
    DOLMEN_TRY(json, request.json("config"));
  }
  DOLMEN_TRY(const EntityConfig config,
             text ? parse_entity_config(*text, "text", options) : parse_entity_config(json, "config.json", options));
  return EntityManager::make(config, std::move(options));
}

Result<std::string> bind_entities(Operations& operations, std::string_view body) {
  DOLMEN_TRY(const ObjectView request, ObjectView::request(body, {"table", "config", "text", "legacy_modulus", "all"}));
  DOLMEN_TRY(const std::string table, text_in(request, "table"));
  DOLMEN_TRY(EntityManager entities, given_config(request));
  EntityGrowth growth;
  GrowOptions options{.progress = [&](const EntityGrowth& now) { growth = now; }};
  DOLMEN_TRY(options.all, request.flag("all"));
  const EntityClient client(std::move(entities), operations.store(), table);
  DOLMEN_TRY_VOID(client.ensure_table({.interval = std::chrono::milliseconds(100)}, options));
  return object_text([&](ObjectWriter& object) {
    object.text("table", table).number("scanned", growth.scanned).number("foreign", growth.foreign);
    object.number("changed", growth.changed).number("moved", growth.moved).number("refused", growth.refused);
    object.number("indexes", growth.indexes);
  });
}

Result<std::string> describe_entities(Operations& operations, std::string_view body) {
  DOLMEN_TRY(const ObjectView request, ObjectView::request(body, {"table"}));
  DOLMEN_TRY(const std::string table, text_in(request, "table"));
  return stored_config_text(operations.store(), table);
}

// ---- One entity ----

Result<std::string> put_entity(Operations& operations, std::string_view body) {
  DOLMEN_TRY(const Asked asked, asked_in(operations, body, {"table", "entity", "item", "condition"}));
  DOLMEN_TRY(Item item, item_in(asked.request, "item"));
  DOLMEN_TRY(Condition condition, condition_in(asked.request, "condition"));
  DOLMEN_TRY(const Item stored, asked.client.put(asked.entity, std::move(item), {.condition = std::move(condition)}));
  return item_answer(stored);
}

Result<std::string> get_entity(Operations& operations, std::string_view body) {
  DOLMEN_TRY(const Asked asked, asked_in(operations, body, {"table", "entity", "item"}));
  DOLMEN_TRY(const Item key, item_in(asked.request, "item"));
  DOLMEN_TRY(const std::optional<Item> found, asked.client.get(asked.entity, key));
  return found ? item_answer(*found) : "{}";
}

Result<std::string> update_entity(Operations& operations, std::string_view body) {
  DOLMEN_TRY(const Asked asked,
             asked_in(operations, body, {"table", "entity", "item", "set", "add", "remove", "condition"}));
  DOLMEN_TRY(const Item key, item_in(asked.request, "item"));
  DOLMEN_TRY(const Update update, update_in(asked.request));
  DOLMEN_TRY(Condition condition, condition_in(asked.request, "condition"));
  DOLMEN_TRY(const Item now, asked.client.update(asked.entity, key, update, {.condition = std::move(condition)}));
  return item_answer(now);
}

Result<std::string> remove_entity(Operations& operations, std::string_view body) {
  DOLMEN_TRY(const Asked asked, asked_in(operations, body, {"table", "entity", "item", "condition"}));
  DOLMEN_TRY(const Item key, item_in(asked.request, "item"));
  DeleteOptions options{.return_values = ReturnValues::kAllOld};
  DOLMEN_TRY(options.condition, condition_in(asked.request, "condition"));
  DOLMEN_TRY(const WriteResult removed, asked.client.remove(asked.entity, key, options));
  return object_text([&](ObjectWriter& object) { object.flag("removed", removed.attributes.has_value()); });
}

// ---- Several ----

Result<void> add_write(EntityTransaction& transaction, std::string_view element) {
  DOLMEN_TRY(const ObjectView write,
             ObjectView::part(element, {"action", "entity", "item", "set", "add", "remove", "condition"}));
  DOLMEN_TRY(const std::string action, text_in(write, "action"));
  DOLMEN_TRY(const std::string entity, text_in(write, "entity"));
  DOLMEN_TRY(Item item, item_in(write, "item"));
  DOLMEN_TRY(Condition condition, condition_in(write, "condition"));
  if (action == "put") {
    transaction.put(entity, std::move(item), std::move(condition));
  } else if (action == "update") {
    DOLMEN_TRY(Update update, update_in(write));
    transaction.update(entity, std::move(item), std::move(update), std::move(condition));
  } else if (action == "remove") {
    transaction.remove(entity, std::move(item), std::move(condition));
  } else if (action == "check") {
    if (condition.empty()) return fail(Code::kQueryInvalid, "a check needs a condition");
    transaction.check(entity, std::move(item), std::move(condition));
  } else {
    return fail(Code::kQueryInvalid, "\"{}\" is not an action; there are put, update, remove and check", action);
  }
  return {};
}

Result<std::string> transact_entities(Operations& operations, std::string_view body) {
  DOLMEN_TRY(const ObjectView request, ObjectView::request(body, {"table", "writes"}));
  DOLMEN_TRY(std::string table, text_in(request, "table"));
  DOLMEN_TRY(EntityManager entities, operations.entities_of(table));
  const EntityClient client(std::move(entities), operations.store(), std::move(table));
  EntityTransaction transaction = client.transaction();
  DOLMEN_TRY(const std::vector<std::string_view> writes, request.list("writes"));
  if (writes.empty()) return fail(Code::kQueryInvalid, "writes must have at least one element");
  for (const std::string_view element : writes) DOLMEN_TRY_VOID(add_write(transaction, element));
  DOLMEN_TRY_VOID(transaction.run());
  return "{}";
}

Result<std::string> query_entities(Operations& operations, std::string_view body) {
  DOLMEN_TRY(const Asked asked, asked_in(operations, body,
                                         {"table", "entity", "indexes", "item", "sort", "project", "limit", "page_size",
                                          "from", "to", "backward", "merge", "page_token"}));
  DOLMEN_TRY(const EntityQuery query, query_in(asked.client, asked.entity, asked.request));
  DOLMEN_TRY(const std::optional<std::string> token, asked.request.optional_text("page_token"));
  DOLMEN_TRY(const EntityQueryResult page, query.run(token.value_or("")));
  return object_text([&](ObjectWriter& object) {
    std::string& out = object.member("items");
    append_array(out, page.items, [&](const Item& item) { out.append(json::to_text(item)); });
    object.number("count", page.count).flag("has_more", page.has_more);
    if (page.has_more) object.text("page_token", page.page_token);
  });
}

struct Operation {
  std::string_view name;
  Result<std::string> (*run)(Operations& operations, std::string_view body);
};

constexpr Operation kOperations[] = {
    {"BindEntities", bind_entities},
    {"DescribeEntities", describe_entities},
    {"GetEntity", get_entity},
    {"PutEntity", put_entity},
    {"QueryEntities", query_entities},
    {"RemoveEntity", remove_entity},
    {"TransactEntities", transact_entities},
    {"UpdateEntity", update_entity},
};

const Operation* find_operation(std::string_view name) {
  const auto found = std::ranges::find(kOperations, name, &Operation::name);
  return found == std::end(kOperations) ? nullptr : found;
}

}  // namespace

bool is_operation(std::string_view operation) { return find_operation(operation) != nullptr; }

Result<std::string> Operations::execute(std::string_view operation, std::string_view body) {
  const Operation* found = find_operation(operation);
  if (found == nullptr) return fail(Code::kUnknownOperation, "{} is not an operation on entities", operation);
  return found->run(*this, body);
}

Result<EntityManager> Operations::entities_of(const std::string& table) {
  DOLMEN_TRY(std::string text, stored_config_text(store_, table));
  const std::scoped_lock lock(known_mutex_);
  const auto known = known_.find(table);
  if (known != known_.end() && known->second.first == text) return known->second.second;
  DOLMEN_TRY(EntityManager entities, read_config_text(text, {}));
  known_.insert_or_assign(table, std::pair(std::move(text), entities));
  return entities;
}

}  // namespace dolmen::entity
