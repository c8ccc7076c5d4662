#include "relation/plan.h"

#include <algorithm>
#include <ranges>

#include "base/fail.h"
#include "base/limits.h"
#include "relation/records.h"
#include "store/transact_reasons.h"
#include "value/encoded_item.h"

namespace dolmen::relation {
namespace {

Condition record_is_new() { return attr("PK").not_exists(); }

std::unexpected<Error> begin_anew(std::string_view why) {
  return fail(Code::kTransactionConflict, "others changed the same resources: {}", why);
}

}  // namespace

Condition record_exists() { return attr("PK").exists(); }

RowChange& RowChange::require_live() {
  if (!requires_live_) condition_ = std::move(condition_) && attr("_deleteJob").not_exists();
  requires_live_ = true;
  return *this;
}

RowChange& RowChange::require_parent(const std::optional<std::string>& parent) {
  condition_ = std::move(condition_) && (parent ? attr("_parentUrn") == *parent : attr("_parentUrn").not_exists());
  return *this;
}

RowChange& RowChange::require_child_of(const std::string& parent) {
  condition_ = std::move(condition_) &&
               (attr("_parentUrn") == parent || (attr("_parentUrn").not_exists() && attr("_height").not_exists()));
  return *this;
}

RowChange& RowChange::require_updated_at(const std::string& time) {
  condition_ = std::move(condition_) && (time.empty() ? attr("_updatedAt").not_exists() : attr("_updatedAt") == time);
  return *this;
}

RowChange& RowChange::require_job(const std::string& job) {
  condition_ = std::move(condition_) && attr("_deleteJob") == job;
  return *this;
}

RowChange& RowChange::require_account(const std::optional<std::string>& account) {
  condition_ = std::move(condition_) && (account ? attr("_accountUrn") == *account : attr("_accountUrn").not_exists());
  return *this;
}

RowChange& RowChange::require_account_move(const std::string& job) {
  condition_ = std::move(condition_) && attr("_accountMove") == job;
  return *this;
}

RowChange& RowChange::require_settled() {
  condition_ = std::move(condition_) && attr("_accountMove").not_exists();
  return *this;
}

RowChange& RowChange::require_markable(const std::string& job) {
  condition_ = std::move(condition_) && (attr("_deleteJob").not_exists() || attr("_deleteJob") == job);
  return *this;
}

RowChange& RowChange::require_count(const char* name, std::uint64_t count) {
  // A record that another program wrote begins without counters, and what is taken away makes them negative.
  condition_ = std::move(condition_) &&
               (count == 0 ? attr(name).not_exists() || attr(name) <= 0 : attr(name) == AttributeValue(Number(count)));
  return *this;
}

RowChange& RowChange::on_refusal(Refusal refusal) {
  if (!refusal_) refusal_ = std::move(refusal);
  return *this;
}

RowChange& RowChange::set(std::string name, AttributeValue value) {
  changes_[std::move(name)] = std::move(value);
  return *this;
}

RowChange& RowChange::remove(std::string name) {
  changes_[std::move(name)] = std::nullopt;
  return *this;
}

RowChange& RowChange::add(const std::string& counter, std::int64_t count) {
  counters_[counter] += count;
  return *this;
}

RowChange& RowChange::erase() {
  erased_ = true;
  return *this;
}

RowChange& Plan::row(const std::string& urn) {
  const auto [position, is_new] = row_positions_.emplace(urn, rows_.size());
  if (is_new) rows_.emplace_back(urn, RowChange{});
  return rows_[position->second].second;
}

void Plan::create(Item record, Refusal refusal) { put(std::move(record), record_is_new(), std::move(refusal)); }

void Plan::put(Item record, Condition condition, Refusal refusal) {
  bytes_ += item_size(record);
  PutAction action{.table = table_,
                   .item = std::move(record),
                   .condition = std::move(condition),
                   .return_item_on_failure = static_cast<bool>(refusal)};
  actions_.push_back({std::move(action), std::move(refusal)});
}

void Plan::update(Item key, Update update, Condition condition, Refusal refusal) {
  UpdateAction action{.table = table_,
                      .key = std::move(key),
                      .update = std::move(update),
                      .condition = std::move(condition),
                      .return_item_on_failure = static_cast<bool>(refusal)};
  actions_.push_back({std::move(action), std::move(refusal)});
}

bool Plan::erase(const Item& key, Condition condition, Refusal refusal) {
  const auto [position, is_new] =
      erased_.emplace(std::pair(key.at("PK").string(), key.at("SK").string()), actions_.size());
  if (!is_new) return false;
  DeleteAction action{.table = table_,
                      .key = key,
                      .condition = std::move(condition),
                      .return_item_on_failure = static_cast<bool>(refusal)};
  actions_.push_back({std::move(action), std::move(refusal)});
  return true;
}

TransactAction Plan::row_action(const std::string& urn, const RowChange& change) const {
  const Condition condition = record_exists() && change.condition_;
  const bool return_item = static_cast<bool>(change.refusal_);
  if (change.erased_)
    return DeleteAction{
        .table = table_, .key = resource_key(urn), .condition = condition, .return_item_on_failure = return_item};
  Update update;
  for (const auto& [name, value] : change.changes_)
    if (value)
      update.set(attr(name), *value);
    else
      update.remove(attr(name));
  for (const auto& [name, count] : change.counters_)
    if (count != 0) update.add(attr(name), Number(count));
  if (update.empty())
    return CheckAction{
        .table = table_, .key = resource_key(urn), .condition = condition, .return_item_on_failure = return_item};
  return UpdateAction{.table = table_,
                      .key = resource_key(urn),
                      .update = std::move(update),
                      .condition = condition,
                      .return_item_on_failure = return_item};
}

Result<void> Plan::carry_out(Store& store) const {
  if (size() > limits::kTransactionActions)
    return fail(Code::kLimitExceeded, "the change needs {} actions; a transaction can have at most {}", size(),
                limits::kTransactionActions);
  if (bytes_ > limits::kTransactionBytes)
    return fail(Code::kLimitExceeded, "the change needs {} bytes; a transaction can have at most {}", bytes_,
                limits::kTransactionBytes);
  std::vector<TransactAction> actions;
  std::vector<const Refusal*> refusals;
  for (const auto& [urn, change] : rows_) {
    actions.push_back(row_action(urn, change));
    refusals.push_back(&change.refusal_);
  }
  for (const Planned& planned : actions_) {
    actions.push_back(planned.action);
    refusals.push_back(&planned.refusal);
  }
  const Result<TransactWriteResult> written = store.transact_write(actions);
  if (written) return {};
  if (written.error().code() == Code::kTransactionConflict) return begin_anew(written.error().message());
  if (written.error().code() != Code::kTransactionCanceled) return std::unexpected(written.error());

  const std::vector<TransactFailure> failures = transact_failures(written.error());
  bool passing = false;
  for (std::size_t i = 0; i < std::min(failures.size(), refusals.size()); ++i) {
    passing = passing || is_passing(failures[i]) || failures[i].reason == "ConditionalCheckFailed";
    if (failures[i].reason != "ConditionalCheckFailed" || !*refusals[i]) continue;
    if (std::optional<Error> error = (*refusals[i])(failures[i].item)) return std::unexpected(*std::move(error));
  }
  // What is left to blame: an item that is too large, say.
  if (!passing) return std::unexpected(written.error());
  return begin_anew(written.error().message());
}

}  // namespace dolmen::relation
