#include "scenario/step.h"

#include "base/fail.h"
#include "scenario/fields.h"

namespace dolmen::scenario {

namespace {

constexpr std::int64_t kSleepMsMax = 24LL * 60 * 60 * 1000;

template <class T>
std::optional<Error> error_of(const Result<T>& result) {
  return result ? std::nullopt : std::optional(result.error());
}

/// What cannot be said at all because of a wrong operator or value is an outcome, not a mistake of the scenario.
bool is_outcome(const Error& error) { return error.code() != Code::kInvalidArgument; }

Result<Outcome> create(const LogicalItem& step, World& world) {
  DOLMEN_TRY(LogicalItem item, item_of(step, "item", world.table.model()));
  DOLMEN_TRY(const bool if_not_exists, flag_of(step, "if_not_exists"));
  DOLMEN_TRY(const FieldCondition condition, condition_of(step, "condition", world.table.model()));
  const Result<void> done = if_not_exists ? world.table.create(item) : world.table.put(item, condition);
  return Outcome{.error = error_of(done), .key = std::move(item)};
}

Result<Outcome> upsert(const LogicalItem& step, World& world) {
  DOLMEN_TRY(LogicalItem item, item_of(step, "item", world.table.model()));
  return Outcome{.error = error_of(world.table.upsert(item)), .key = std::move(item)};
}

Result<Outcome> get(const LogicalItem& step, World& world) {
  DOLMEN_TRY(LogicalItem key, item_of(step, "key", world.table.model()));
  const Result<LogicalItem> item = world.table.get(key);
  if (!item) return Outcome{.error = item.error(), .key = std::move(key)};
  return Outcome{.key = std::move(key), .items = {*item}};
}

/// Keeps attributes of the item that the step was about, as they are now stored.
Result<void> save_variables(const LogicalItem& step, const Outcome& outcome, World& world) {
  DOLMEN_TRY(const LogicalItem save, map_of(step, "save"));
  if (save.empty() || outcome.error) return {};
  const Result<LogicalItem> item = world.table.get(outcome.key);
  if (!item) return fail(Code::kInvalidArgument, "the step has nothing to save: {}", item.error().message());
  for (const auto& [variable, attribute] : save) {
    DOLMEN_TRY(const std::string name, text_of(save, variable));
    const LogicalValue* value = find(*item, name);
    if (value == nullptr) return fail(Code::kInvalidArgument, "the item has no {} to save", name);
    world.variables.insert_or_assign(variable, *value);
  }
  return {};
}

Result<Outcome> update(const LogicalItem& step, World& world) {
  DOLMEN_TRY(LogicalItem item, item_of(step, "item", world.table.model()));
  DOLMEN_TRY(const std::vector<std::string> fields, names_of(step, "fields"));
  return Outcome{.error = error_of(world.table.update(item, fields)), .key = std::move(item)};
}

Result<ChangeOptions> change_options(const LogicalItem& step, const Model& model) {
  ChangeOptions options;
  DOLMEN_TRY(options.expected_version, optional_integer_of(step, "version"));
  DOLMEN_TRY(options.condition, condition_of(step, "condition", model));
  return options;
}

Result<ModelRemoveOptions> remove_options(const LogicalItem& step, const Model& model) {
  ModelRemoveOptions options;
  DOLMEN_TRY(options.expected_version, optional_integer_of(step, "version"));
  DOLMEN_TRY(options.condition, condition_of(step, "condition", model));
  return options;
}

Result<Outcome> change(const LogicalItem& step, World& world) {
  DOLMEN_TRY(LogicalItem key, item_of(step, "key", world.table.model()));
  DOLMEN_TRY(const ChangeOptions options, change_options(step, world.table.model()));
  DOLMEN_TRY(const FieldUpdate changes, update_of(step, world.table.model()));
  return Outcome{.error = error_of(world.table.change(key, changes, options)), .key = std::move(key)};
}

Result<Outcome> remove(const LogicalItem& step, World& world) {
  DOLMEN_TRY(LogicalItem key, item_of(step, "key", world.table.model()));
  DOLMEN_TRY(const ModelRemoveOptions options, remove_options(step, world.table.model()));
  return Outcome{.error = error_of(world.table.remove(key, options)), .key = std::move(key)};
}

Result<Outcome> sleep(const LogicalItem& step, World& world) {
  DOLMEN_TRY(const std::int64_t ms, integer_of(step, "ms"));
  if (ms < 0 || ms > kSleepMsMax) return fail(Code::kInvalidArgument, "ms must be from 0 to {}", kSleepMsMax);
  world.now.seconds += ms / 1000;
  world.now.nanoseconds += static_cast<std::int32_t>(ms % 1000) * 1'000'000;
  world.now.seconds += world.now.nanoseconds / 1'000'000'000;
  world.now.nanoseconds %= 1'000'000'000;
  return Outcome{};
}

// ---- Many items ----

/// The parts that queries and scans have in common.
template <class Read>
Result<void> set_common(const LogicalItem& step, const World& world, Read& read) {
  if (find(step, "index") != nullptr) {
    DOLMEN_TRY(std::string index, text_of(step, "index"));
    read.index(std::move(index));
  }
  DOLMEN_TRY(FieldCondition filter, condition_of(step, "filter", world.table.model()));
  read.filter(std::move(filter));
  DOLMEN_TRY(std::vector<std::string> fields, names_of(step, "project"));
  read.project(std::move(fields));
  DOLMEN_TRY(const bool consistent, flag_of(step, "consistent_read"));
  read.consistent_read(consistent);
  DOLMEN_TRY(const std::optional<std::int64_t> limit, optional_integer_of(step, "limit"));
  if (limit && (*limit < 1 || *limit > std::numeric_limits<std::int32_t>::max()))
    return fail(Code::kInvalidArgument, "limit must be at least 1");
  if (limit) read.limit(static_cast<std::uint32_t>(*limit));
  if (find(step, "cursor") == nullptr) return {};
  DOLMEN_TRY(const std::string variable, text_of(step, "cursor"));
  const LogicalValue* cursor = find(world.variables, variable);
  if (cursor == nullptr || cursor->get_if<std::string>() == nullptr)
    return fail(Code::kInvalidArgument, "no step has saved a cursor as {}", variable);
  read.cursor(*cursor->get_if<std::string>());
  return {};
}

Result<Outcome> page_outcome(const LogicalItem& step, World& world, const Result<ModelPage>& page) {
  if (!page) return Outcome{.error = page.error()};
  if (find(step, "save_cursor") != nullptr) {
    DOLMEN_TRY(const std::string variable, text_of(step, "save_cursor"));
    world.variables.insert_or_assign(variable, page->cursor);
  }
  return Outcome{.items = page->items, .cursor = page->cursor};
}

/// By the type of the partition key of the table, or of the index that the step names.
Result<LogicalValue> partition_value(const LogicalItem& step, const Model& model, const LogicalValue& value) {
  const ModelIndex* index = nullptr;
  if (find(step, "index") != nullptr) {
    DOLMEN_TRY(const std::string name, text_of(step, "index"));
    index = model.find_index(name);
  }
  return value_for(model, index == nullptr ? model.partition_key.name : index->partition_key.name, value);
}

Result<Outcome> query(const LogicalItem& step, World& world) {
  ModelQuery query = world.table.query();
  DOLMEN_TRY_VOID(set_common(step, world, query));
  if (const LogicalValue* partition = find(step, "partition"); partition != nullptr) {
    DOLMEN_TRY(LogicalValue value, partition_value(step, world.table.model(), *partition));
    query.partition(std::move(value));
  }
  DOLMEN_TRY(FieldCondition sort_key, condition_of(step, "sort_key", world.table.model()));
  query.sort_key(std::move(sort_key));
  if (find(step, "order") != nullptr) {
    DOLMEN_TRY(const std::string order, text_of(step, "order"));
    if (order != "ASC" && order != "DESC") return fail(Code::kInvalidArgument, "order must be ASC or DESC");
    if (order == "DESC") query.descending();
  }
  return page_outcome(step, world, query.page());
}

Result<Outcome> scan(const LogicalItem& step, World& world) {
  ModelScan scan = world.table.scan();
  DOLMEN_TRY_VOID(set_common(step, world, scan));
  DOLMEN_TRY(const std::optional<std::int64_t> segments, optional_integer_of(step, "segments"));
  if (!segments) return page_outcome(step, world, scan.page());
  if (*segments < 0 || *segments > 1'000'000) return fail(Code::kInvalidArgument, "segments must be from 0 to 1000000");
  const Result<std::vector<LogicalItem>> items = scan.all_segments(static_cast<std::uint32_t>(*segments));
  if (!items) return Outcome{.error = items.error()};
  return Outcome{.items = *items};
}

Result<std::vector<LogicalItem>> items_of(const LogicalItem& step, std::string_view name, const Model& model) {
  DOLMEN_TRY(const LogicalValue::List list, list_of(step, name));
  std::vector<LogicalItem> items;
  for (const LogicalValue& value : list) {
    DOLMEN_TRY(items.emplace_back(), item_of({{"item", value}}, "item", model));
  }
  return items;
}

Result<Outcome> batch_get(const LogicalItem& step, World& world) {
  DOLMEN_TRY(const std::vector<LogicalItem> keys, items_of(step, "keys", world.table.model()));
  const Result<ModelGetManyResult> got = world.table.get_many(keys);
  if (!got) return Outcome{.error = got.error()};
  if (!got->not_done.empty()) return fail(Code::kInvalidArgument, "{} keys were not processed", got->not_done.size());
  return Outcome{.items = got->items};
}

Result<Outcome> batch_write(const LogicalItem& step, World& world) {
  DOLMEN_TRY(const std::vector<LogicalItem> puts, items_of(step, "puts", world.table.model()));
  DOLMEN_TRY(const std::vector<LogicalItem> deletes, items_of(step, "deletes", world.table.model()));
  const Result<WriteAllResult> written = world.table.write_many(puts, deletes);
  if (!written) return Outcome{.error = written.error()};
  if (written->error) return Outcome{.error = written->error};
  if (!written->complete())
    return fail(Code::kInvalidArgument, "{} writes were not processed", written->not_done.size());
  return Outcome{};
}

Result<void> add_action(const LogicalItem& action, World& world, ModelTransaction& transaction) {
  const Model& model = world.table.model();
  DOLMEN_TRY(const std::string op, text_of(action, "op"));
  DOLMEN_TRY(const LogicalItem item, item_of(action, "item", model));
  DOLMEN_TRY(const LogicalItem key, item_of(action, "key", model));
  if (op == "create") {
    DOLMEN_TRY(const bool if_not_exists, flag_of(action, "if_not_exists"));
    DOLMEN_TRY(const FieldCondition condition, condition_of(action, "condition", model));
    if_not_exists ? transaction.create(world.table, item) : transaction.put(world.table, item, condition);
  } else if (op == "update") {
    DOLMEN_TRY(const std::vector<std::string> fields, names_of(action, "fields"));
    transaction.update(world.table, item, fields);
  } else if (op == "change") {
    DOLMEN_TRY(const FieldUpdate changes, update_of(action, model));
    DOLMEN_TRY(const ChangeOptions options, change_options(action, model));
    transaction.change(world.table, key, changes, options);
  } else if (op == "delete") {
    DOLMEN_TRY(const ModelRemoveOptions options, remove_options(action, model));
    transaction.remove(world.table, key, options);
  } else {
    DOLMEN_TRY(const FieldCondition condition, condition_of(action, "condition", model));
    transaction.check(world.table, key, condition);
  }
  return {};
}

Result<Outcome> transaction(const LogicalItem& step, World& world) {
  DOLMEN_TRY(const LogicalValue::List actions, list_of(step, "actions"));
  ModelTransaction transaction(world.store);
  for (const LogicalValue& action : actions) {
    const LogicalItem* map = action.get_if<LogicalItem>();
    if (map == nullptr) return fail(Code::kInvalidArgument, "an action must be a map");
    DOLMEN_TRY_VOID(add_action(*map, world, transaction));
  }
  return Outcome{.error = error_of(transaction.commit())};
}

Result<Outcome> check_alone(const LogicalItem& step, World& world) {
  DOLMEN_TRY(LogicalItem key, item_of(step, "key", world.table.model()));
  DOLMEN_TRY(const FieldCondition condition, condition_of(step, "condition", world.table.model()));
  return Outcome{.error = error_of(ModelTransaction(world.store).check(world.table, key, condition).commit()),
                 .key = std::move(key)};
}

using Operation = Result<Outcome> (*)(const LogicalItem&, World&);

const std::map<std::string, Operation, std::less<>> kOperations{
    {"create", create},
    {"upsert", upsert},
    {"get", get},
    {"update", update},
    {"change", change},
    {"delete", remove},
    {"check", check_alone},
    {"query", query},
    {"scan", scan},
    {"batch_get", batch_get},
    {"batch_write", batch_write},
    {"transaction", transaction},
    {"sleep", sleep},
};

}  // namespace

Result<Outcome> carry_out(const LogicalItem& step, World& world) {
  DOLMEN_TRY(const std::string op, text_of(step, "op"));
  const auto operation = kOperations.find(op);
  if (operation == kOperations.end()) return fail(Code::kInvalidArgument, "\"{}\" is not an op", op);
  Result<Outcome> outcome = operation->second(step, world);
  if (!outcome && is_outcome(outcome.error())) return Outcome{.error = outcome.error()};
  if (outcome) DOLMEN_TRY_VOID(save_variables(step, *outcome, world));
  return outcome;
}

}  // namespace dolmen::scenario
