#include "entity/write_run.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>

#include "base/fail.h"
#include "service/failures.h"
#include "value/encoded_item.h"

namespace dolmen::entity {

namespace {

using Items = std::vector<std::optional<Item>>;

/// How often a write is planned anew because others were faster.
constexpr int kPlansMax = 10;
constexpr std::size_t kTransactionMax = 100;
constexpr std::string_view kConditionReason = "ConditionalCheckFailed";

/// The plans of all writes, one after the other.
struct Plans {
  std::vector<PlannedAction> actions;
  /// How many actions each write has.
  std::vector<std::size_t> sizes;
  /// Of the first write.
  std::optional<Item> stored;
};

Result<Plans> make_plans(const std::vector<WritePlanner>& planners, const Items& found) {
  Plans plans;
  std::size_t read = 0;
  for (const WritePlanner& planner : planners) {
    const std::size_t keys = planner.keys_to_read().size();
    DOLMEN_TRY(WritePlan plan, planner.plan(std::span(found).subspan(read, keys)));
    read += keys;
    if (plans.sizes.empty()) plans.stored = std::move(plan.stored);
    plans.sizes.push_back(plan.actions.size());
    std::ranges::move(plan.actions, std::back_inserter(plans.actions));
  }
  if (plans.actions.size() > kTransactionMax)
    return fail(Code::kLimitExceeded,
                "the transaction has {} actions and may have {}; an entity takes one for each of its shard bumps",
                plans.actions.size(), kTransactionMax);
  return plans;
}

// ---- Failures ----

/// Why each action failed, in order.
std::vector<TransactFailure> failures_of(const Error& error) {
  if (error.code() == Code::kConditionFailed)
    return {{.reason = std::string(kConditionReason), .message = error.message(), .item = failed_item(error)}};
  return transact_failures(error);
}

/// Whether an action failed because others have changed what it relied on.
bool is_outdated(const Error& error, const Plans& plans) {
  const std::vector<TransactFailure> failures = failures_of(error);
  for (std::size_t i = 0; i < std::min(failures.size(), plans.actions.size()); ++i)
    if (failures[i].reason == kConditionReason && !plans.actions[i].expectation.holds(failures[i].item)) return true;
  return false;
}

Error condition_failed(const Write& write, const TransactFailure& failure) {
  auto payload = std::make_shared<ConditionFailure>();
  if (write.return_item_on_failure && failure.item) payload->item = encode_item(*failure.item);
  return {Code::kConditionFailed, "The conditional request failed", std::move(payload)};
}

/// The failure of a single write, whose transaction the caller knows nothing about.
Error single_failure(const Write& write, Error error) {
  for (const TransactFailure& failure : failures_of(error))
    if (failure.reason == kConditionReason) return condition_failed(write, failure);
  return error;
}

/// The same with a reason for each write instead of each action.
Error group_failure(const std::vector<Write>& writes, const Plans& plans, Error error) {
  const std::vector<TransactFailure> failures = transact_failures(error);
  if (failures.size() != plans.actions.size()) return error;
  auto payload = std::make_shared<Cancellation>();
  std::string codes;
  std::size_t first = 0;
  for (std::size_t w = 0; w < writes.size(); first += plans.sizes[w++]) {
    CancellationReason& reason = payload->reasons.emplace_back();
    for (std::size_t i = first; i < first + plans.sizes[w] && reason.code == "None"; ++i) {
      reason.code = failures[i].reason;
      reason.message = failures[i].message;
      if (writes[w].return_item_on_failure && failures[i].item) reason.item = encode_item(*failures[i].item);
    }
    codes += (w == 0 ? "" : ", ") + reason.code;
  }
  return {Code::kTransactionCanceled,
          fmt::format("Transaction cancelled, please refer cancellation reasons for specific reasons [{}]", codes),
          std::move(payload)};
}

/// The first update of what does not exist.
const Write* update_of_nothing(const std::vector<Write>& writes, const Plans& plans, const Error& error) {
  const std::vector<TransactFailure> failures = failures_of(error);
  std::size_t first = 0;
  for (std::size_t w = 0; w < writes.size(); first += plans.sizes[w++])
    for (std::size_t i = first; i < std::min(first + plans.sizes[w], failures.size()); ++i)
      if (writes[w].kind == Write::Kind::kUpdate && failures[i].reason == kConditionReason && !failures[i].item)
        return &writes[w];
  return nullptr;
}

Error failure_of(const std::vector<Write>& writes, const Plans& plans, Error error, bool is_transaction) {
  if (const Write* update = update_of_nothing(writes, plans, error))
    return {Code::kItemNotFound, fmt::format("there is no such {}", update->entity)};
  return is_transaction ? group_failure(writes, plans, std::move(error))
                        : single_failure(writes.front(), std::move(error));
}

// ---- Calls ----

Task<Result<WriteResult>> run_action(EntityClient client, TransactAction action, RunOptions options) {
  PutOptions how{.return_item_on_failure = true,
                 .return_capacity = options.return_capacity,
                 .return_collection_size = options.return_collection_size};
  Store& store = client.store();
  if (auto* put = std::get_if<PutAction>(&action)) {
    how.condition = put->condition;
    co_return co_await awaitable<WriteResult>(
        [&](Callback<WriteResult> done) { store.async_put_item(put->table, put->item, how, std::move(done)); });
  }
  if (auto* update = std::get_if<UpdateAction>(&action)) {
    how.condition = update->condition;
    how.return_values = ReturnValues::kAllNew;
    co_return co_await awaitable<WriteResult>(
        [&](Callback<WriteResult> done) { store.async_update_item(*update, how, std::move(done)); });
  }
  auto& remove = std::get<DeleteAction>(action);
  how.condition = remove.condition;
  how.return_values = options.return_values;
  co_return co_await awaitable<WriteResult>(
      [&](Callback<WriteResult> done) { store.async_delete_item(remove.table, remove.key, how, std::move(done)); });
}

Task<Result<Written>> carry_out(EntityClient client, Plans plans, RunOptions options) {
  Written written{.stored = std::move(plans.stored), .one = {}, .all = {}};
  const bool is_one = !options.is_transaction && plans.actions.size() == 1 &&
                      !std::holds_alternative<CheckAction>(plans.actions.front().action);
  // A transaction of nothing is left to the store to refuse.
  if (plans.actions.empty() && !plans.sizes.empty()) co_return written;
  if (is_one) {
    Result<WriteResult> result = co_await run_action(client, plans.actions.front().action, options);
    if (!result) co_return std::unexpected(std::move(result).error());
    written.one = std::move(*result);
    if (std::holds_alternative<UpdateAction>(plans.actions.front().action)) written.stored = written.one.attributes;
    co_return written;
  }
  std::vector<TransactAction> actions;
  for (PlannedAction& planned : plans.actions) actions.push_back(std::move(planned.action));
  Result<TransactWriteResult> result = co_await awaitable<TransactWriteResult>([&](Callback<TransactWriteResult> done) {
    client.store().async_transact_write(actions, options.transaction, std::move(done));
  });
  if (!result) co_return std::unexpected(std::move(result).error());
  written.all = std::move(*result);
  co_return written;
}

}  // namespace

Task<Result<Items>> read_keys(EntityClient client, std::vector<Item> keys, GetOptions options) {
  Items found;
  if (keys.size() == 1) {
    Result<GetResult> one = co_await awaitable<GetResult>([&](Callback<GetResult> done) {
      client.store().async_get_item(client.table(), keys.front(), options, std::move(done));
    });
    if (!one) co_return std::unexpected(std::move(one).error());
    found.push_back(std::move(one->item));
    co_return found;
  }
  for (std::size_t begin = 0; begin < keys.size(); begin += kTransactionMax) {
    std::vector<TransactGet> gets;
    for (std::size_t i = begin; i < std::min(begin + kTransactionMax, keys.size()); ++i)
      gets.push_back({.table = client.table(), .key = keys[i], .projection = options.projection});
    Result<TransactGetResult> some = co_await awaitable<TransactGetResult>(
        [&](Callback<TransactGetResult> done) { client.store().async_transact_get(gets, {}, std::move(done)); });
    if (!some) co_return std::unexpected(std::move(some).error());
    std::ranges::move(some->items, std::back_inserter(found));
  }
  co_return found;
}

Task<Result<Written>> run_writes(EntityClient client, std::vector<Write> writes, RunOptions options) {
  std::vector<WritePlanner> planners;
  std::vector<Item> keys;
  for (const Write& write : writes) {
    Result<WritePlanner> planner = WritePlanner::make(client, write);
    if (!planner) co_return std::unexpected(std::move(planner).error());
    keys.insert(keys.end(), planner->keys_to_read().begin(), planner->keys_to_read().end());
    planners.push_back(std::move(*planner));
  }
  const GetOptions all_attributes;
  for (int i = 0; i < kPlansMax; ++i) {
    Result<Items> found = co_await read_keys(client, keys, all_attributes);
    if (!found) co_return std::unexpected(std::move(found).error());
    Result<Plans> plans = make_plans(planners, *found);
    if (!plans) co_return std::unexpected(std::move(plans).error());
    Result<Written> written = co_await carry_out(client, *plans, options);
    if (written) co_return written;
    if (keys.empty() || !is_outdated(written.error(), *plans))
      co_return std::unexpected(failure_of(writes, *plans, std::move(written).error(), options.is_transaction));
  }
  co_return fail(Code::kTransactionConflict, "others changed {} {} times while it was to be written; try again",
                 writes.size() == 1 ? "the " + writes.front().entity : "the entities", kPlansMax);
}

}  // namespace dolmen::entity
