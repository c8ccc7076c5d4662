#include "base/fail.h"
#include "scenario/driver.h"
#include "scenario/fields.h"
#include "scenario/own_steps.h"

namespace dolmen::scenario {

namespace {

/// In the words of the scenarios that other implementations share.
const std::vector<std::string> kOwnCapabilities{"crud",
                                                "omitempty",
                                                "lifecycle.timestamps",
                                                "optimistic_lock.version",
                                                "error.version_conflict",
                                                "ttl.epoch_seconds",
                                                "query.basic",
                                                "scan.basic",
                                                "count.native",
                                                "get.optional",
                                                "type.matrix",
                                                "number.precision.exact",
                                                "naming.snake_case",
                                                "encryption.fail_closed",
                                                "encryption.deterministic_interop",
                                                "transact_get",
                                                "transact.write",
                                                "batch.get",
                                                "batch.write",
                                                "release_state.write_policy",
                                                "release_state.transactional_transition"};

Result<Outcome> create(const LogicalItem& step, World& world) {
  DOLMEN_TRY(ModelTable* const table, world.table_for(step));
  DOLMEN_TRY(LogicalItem item, item_of(step, "item", table->model()));
  DOLMEN_TRY(const bool if_not_exists, flag_of(step, "if_not_exists"));
  DOLMEN_TRY(const FieldCondition condition, condition_of(step, "condition", table->model()));
  const Result<void> done = if_not_exists ? table->create(item) : table->put(item, condition);
  return Outcome{.failure = failure_of(done), .key = std::move(item)};
}

Result<Outcome> upsert(const LogicalItem& step, World& world) {
  DOLMEN_TRY(ModelTable* const table, world.table_for(step));
  DOLMEN_TRY(LogicalItem item, item_of(step, "item", table->model()));
  return Outcome{.failure = failure_of(table->upsert(item)), .key = std::move(item)};
}

Result<Outcome> get(const LogicalItem& step, World& world) {
  DOLMEN_TRY(ModelTable* const table, world.table_for(step));
  DOLMEN_TRY(LogicalItem key, item_of(step, "key", table->model()));
  const Result<LogicalItem> item = table->get(key);
  if (!item) return Outcome{.failure = Failure::of(item.error()), .key = std::move(key)};
  return Outcome{.key = std::move(key), .item = *item};
}

Result<Outcome> get_optional(const LogicalItem& step, World& world) {
  DOLMEN_TRY(ModelTable* const table, world.table_for(step));
  DOLMEN_TRY(LogicalItem key, item_of(step, "key", table->model()));
  const Result<LogicalItem> item = table->get(key);
  if (!item && item.error().code() != Code::kItemNotFound)
    return Outcome{.failure = Failure::of(item.error()), .key = std::move(key)};
  return Outcome{.key = std::move(key), .item = item ? std::optional(*item) : std::nullopt};
}

Result<Outcome> update(const LogicalItem& step, World& world) {
  DOLMEN_TRY(ModelTable* const table, world.table_for(step));
  DOLMEN_TRY(LogicalItem item, item_of(step, "item", table->model()));
  DOLMEN_TRY(const std::vector<std::string> fields, names_of(step, "fields"));
  ModelUpdateOptions options;
  DOLMEN_TRY(options.protected_attributes, names_of(step, "protected_attributes"));
  Outcome outcome{.failure = failure_of(table->update(item, fields, options))};
  // The only condition of an update is its version.
  if (outcome.failure && outcome.failure->names.front() == portable_error_name(Code::kConditionFailed))
    outcome.failure->names.emplace_back("ErrVersionConflict");
  outcome.key = std::move(item);
  return outcome;
}

Result<Outcome> change(const LogicalItem& step, World& world) {
  DOLMEN_TRY(ModelTable* const table, world.table_for(step));
  DOLMEN_TRY(LogicalItem key, item_of(step, "key", table->model()));
  DOLMEN_TRY(const ChangeOptions options, change_options(step, table->model()));
  DOLMEN_TRY(const FieldUpdate changes, update_of(step, table->model()));
  return Outcome{.failure = failure_of(table->change(key, changes, options)), .key = std::move(key)};
}

Result<Outcome> remove(const LogicalItem& step, World& world) {
  DOLMEN_TRY(ModelTable* const table, world.table_for(step));
  DOLMEN_TRY(LogicalItem key, item_of(step, "key", table->model()));
  DOLMEN_TRY(const ModelRemoveOptions options, remove_options(step, table->model()));
  return Outcome{.failure = failure_of(table->remove(key, options)), .key = std::move(key)};
}

const std::map<std::string, OwnStep, std::less<>> kOwnSteps{
    {"create", create},
    // A put without a condition.
    {"save", create},
    {"upsert", upsert},
    {"get", get},
    {"get_optional", get_optional},
    {"update", update},
    {"change", change},
    {"delete", remove},
    {"check", check_item},
    {"query", query_items},
    {"scan", scan_items},
    {"count", count_items},
    {"batch_get", get_batch},
    {"batch_write", write_batch},
    {"transact_get", get_transaction},
    {"transaction", write_transaction},
};

}  // namespace

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

const std::vector<std::string>& OwnDriver::capabilities() const { return kOwnCapabilities; }

Result<void> OwnDriver::begin(const Scenario& /*scenario*/, const World& /*world*/) { return {}; }

Result<Outcome> OwnDriver::carry_out(const LogicalItem& step, World& world) {
  DOLMEN_TRY(const std::string op, text_of(step, "op"));
  const auto found = kOwnSteps.find(op);
  if (found == kOwnSteps.end()) return fail(Code::kInvalidArgument, "\"{}\" is not an op", op);
  Result<Outcome> outcome = found->second(step, world);
  if (!outcome && is_outcome(outcome.error())) return Outcome{.failure = Failure::of(outcome.error())};
  return outcome;
}

}  // namespace dolmen::scenario
