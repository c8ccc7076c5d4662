#include "base/fail.h"
#include "dolmen/model/transaction.h"
#include "scenario/fields.h"
#include "scenario/own_steps.h"

namespace dolmen::scenario {

namespace {

constexpr std::size_t kTransactGetsMax = 100;

/// The condition of an action that is written as DynamoDB's text; empty when there is none.
Result<Condition> condition_text_of(const LogicalItem& action) {
  if (find(action, "condition_expression") == nullptr) return Condition();
  DOLMEN_TRY(const std::string text, text_of(action, "condition_expression"));
  DOLMEN_TRY(const LogicalItem given_names, map_of(action, "expression_attribute_names"));
  DOLMEN_TRY(const LogicalItem given_values, map_of(action, "expression_attribute_values"));
  Names names;
  for (const auto& [placeholder, name] : given_names) {
    DOLMEN_TRY(names[placeholder], text_of(given_names, placeholder));
  }
  Values values;
  for (const auto& [placeholder, value] : given_values) {
    DOLMEN_TRY(AttributeValue encoded, document_value(value));
    values.set(placeholder, std::move(encoded));
  }
  return Condition(text, values, names);
}

/// The changes of an action of op `set`: what is empty is removed where the model says omit_empty. Keys, times and the
/// version are the library's, and fail with kInvalidModel.
Result<FieldUpdate> set_update_of(const LogicalItem& action, const Model& model) {
  DOLMEN_TRY(const LogicalItem set, item_of(action, "set", model));
  FieldUpdate update;
  for (const auto& [name, value] : set) {
    const ModelAttribute* attribute = model.find(name);
    if (attribute == nullptr) return fail(Code::kInvalidModel, "model {} has no attribute {}", model.name, name);
    const bool is_owned = attribute->has_role(Role::kCreatedAt) || attribute->has_role(Role::kUpdatedAt) ||
                          attribute->has_role(Role::kVersion);
    if (is_owned || model.is_key(name))
      return fail(Code::kInvalidModel, "\"{}\" cannot be set: it is a key, or kept by the library", name);
    if (attribute->omit_empty && is_empty(value))
      update.remove(name);
    else
      update.set(name, value);
  }
  return update;
}

Result<TransactAction> plain_action_of(const LogicalItem& action, ModelTable& table) {
  const Model& model = table.model();
  DOLMEN_TRY(const std::string op, text_of(action, "op"));
  DOLMEN_TRY(const LogicalItem item, item_of(action, "item", model));
  DOLMEN_TRY(const LogicalItem key, item_of(action, "key", model));
  DOLMEN_TRY(const FieldCondition condition, condition_of(action, "condition", model));
  if (op == "create") {
    DOLMEN_TRY(const bool if_not_exists, flag_of(action, "if_not_exists"));
    return if_not_exists ? table.create_action(item) : table.put_action(item, condition);
  }
  if (op == "update") {
    DOLMEN_TRY(const std::vector<std::string> fields, names_of(action, "fields"));
    return table.update_action(item, fields);
  }
  if (op == "set" || op == "change") {
    DOLMEN_TRY(const FieldUpdate changes, op == "set" ? set_update_of(action, model) : update_of(action, model));
    DOLMEN_TRY(ChangeOptions options, change_options(action, model));
    // Other implementations leave the version alone unless one is expected.
    if (op == "set") options.count_version = options.expected_version.has_value();
    return table.change_action(key, changes, options);
  }
  if (op == "delete") {
    DOLMEN_TRY(const ModelRemoveOptions options, remove_options(action, model));
    return table.remove_action(key, options);
  }
  // Its condition may be a text, which is added afterwards.
  if (condition.empty() && find(action, "condition_expression") != nullptr) {
    DOLMEN_TRY(Item encoded, encode_key(model, key));
    return CheckAction{.table = table.table(), .key = std::move(encoded), .condition = {}};
  }
  return table.check_action(key, condition);
}

Result<TransactAction> action_of(const LogicalItem& action, ModelTable& table) {
  DOLMEN_TRY(TransactAction made, plain_action_of(action, table));
  DOLMEN_TRY(const Condition text, condition_text_of(action));
  std::visit([&](auto& each) { each.condition = std::move(each.condition) && text; }, made);
  return made;
}

}  // namespace

Result<Outcome> write_batch(const LogicalItem& step, World& world) {
  DOLMEN_TRY(ModelTable* const table, world.table_for(step));
  DOLMEN_TRY(const std::vector<LogicalItem> puts, items_of(step, "puts", table->model()));
  DOLMEN_TRY(const std::vector<LogicalItem> deletes, items_of(step, "deletes", table->model()));
  const Result<WriteAllResult> written = table->write_many(puts, deletes);
  if (!written) return Outcome{.failure = Failure::of(written.error())};
  if (written->error) return Outcome{.failure = Failure::of(*written->error)};
  if (!written->complete())
    return fail(Code::kInvalidArgument, "{} writes were not processed", written->not_done.size());
  return Outcome{};
}

Result<Outcome> get_transaction(const LogicalItem& step, World& world) {
  DOLMEN_TRY(const LogicalValue::List gets, list_of(step, "gets"));
  if (gets.empty() || gets.size() > kTransactGetsMax)
    return fail(Code::kInvalidOperator, "a transaction reads 1 to {} items, not {}", kTransactGetsMax, gets.size());
  std::vector<TransactGet> requests;
  std::vector<ModelTable*> tables;
  for (const LogicalValue& get : gets) {
    DOLMEN_TRY(const LogicalItem map, map_of({{"get", get}}, "get"));
    LogicalItem with_model = map;
    if (const LogicalValue* model = find(step, "model"); model != nullptr) with_model.emplace("model", *model);
    DOLMEN_TRY(tables.emplace_back(), world.table_for(with_model));
    DOLMEN_TRY(const LogicalItem key, item_of(map, "key", tables.back()->model()));
    DOLMEN_TRY(Item encoded, encode_key(tables.back()->model(), key));
    requests.push_back({.table = world.table_name(), .key = std::move(encoded)});
  }
  const Result<TransactGetResult> got = world.store().transact_get(requests);
  if (!got) return Outcome{.failure = Failure::of(got.error())};
  Outcome outcome{};
  for (std::size_t i = 0; i < got->items.size(); ++i) {
    if (!got->items[i]) continue;
    DOLMEN_TRY(DecodedItem item, decode_item(tables[i]->model(), *got->items[i], {.keys = world.keys()}));
    outcome.items.push_back(std::move(item.values));
  }
  return outcome;
}

Result<Outcome> write_transaction(const LogicalItem& step, World& world) {
  DOLMEN_TRY(const LogicalValue::List actions, list_of(step, "actions"));
  ModelTransaction transaction(world.store());
  for (const LogicalValue& action : actions) {
    DOLMEN_TRY(LogicalItem map, map_of({{"action", action}}, "action"));
    if (const LogicalValue* model = find(step, "model"); model != nullptr) map.emplace("model", *model);
    DOLMEN_TRY(ModelTable* const table, world.table_for(map));
    Result<TransactAction> made = action_of(map, *table);
    if (!made && !is_outcome(made.error())) return std::unexpected(made.error());
    transaction.add(*table, std::move(made));
  }
  return Outcome{.failure = failure_of(transaction.commit())};
}

Result<Outcome> check_item(const LogicalItem& step, World& world) {
  DOLMEN_TRY(ModelTable* const table, world.table_for(step));
  DOLMEN_TRY(LogicalItem key, item_of(step, "key", table->model()));
  DOLMEN_TRY(const FieldCondition condition, condition_of(step, "condition", table->model()));
  return Outcome{.failure = failure_of(ModelTransaction(world.store()).check(*table, key, condition).commit()),
                 .key = std::move(key)};
}

}  // namespace dolmen::scenario
