#include <algorithm>

#include "base/fail.h"
#include "base/random.h"
#include "base/sleep.h"
#include "dolmen/model/transaction.h"
#include "model/actions.h"
#include "store/transact_reasons.h"

namespace dolmen {

namespace {

constexpr std::size_t kActionsMax = 100;
constexpr std::string_view kNone = "None";
constexpr std::string_view kConditionalCheckFailed = "ConditionalCheckFailed";

/// The portable error of a transaction: a failed condition when there is one, wherever it stands among the reasons.
Error portable_error(const Error& error) {
  if (error.code() != Code::kTransactionCanceled) return error;
  auto failure = std::make_shared<TransactionFailure>();
  failure->reasons = transact_failures(error);
  const auto condition = std::ranges::find(failure->reasons, kConditionalCheckFailed, &TransactFailure::reason);
  const bool is_condition = condition != failure->reasons.end();
  const auto first =
      is_condition ? condition
                   : std::ranges::find_if(failure->reasons, [](const TransactFailure& f) { return f.reason != kNone; });
  if (first == failure->reasons.end()) return error;
  failure->index = static_cast<std::size_t>(first - failure->reasons.begin());
  std::string message = fmt::format("action {} of the transaction failed: {}", failure->index,
                                    first->message.empty() ? first->reason : first->message);
  return {is_condition ? Code::kConditionFailed : Code::kTransactionCanceled, std::move(message), std::move(failure)};
}

struct KeyOf {
  const Model& model;

  Item operator()(const PutAction& put) const { return key_of(model, put.item); }
  template <class Action>
  Item operator()(const Action& action) const {
    return action.key;
  }
};

}  // namespace

ModelTransaction& ModelTransaction::add(const ModelTable& table, Result<TransactAction> action) {
  if (!action) {
    if (!mistake_) mistake_ = std::move(action).error();
    return *this;
  }
  actions_.push_back(std::move(*action));
  targets_.emplace_back(table.table(), std::visit(KeyOf{table.model()}, actions_.back()));
  return *this;
}

ModelTransaction& ModelTransaction::create(const ModelTable& table, const LogicalItem& item) {
  return add(table, table.create_action(item));
}

ModelTransaction& ModelTransaction::put(const ModelTable& table, const LogicalItem& item,
                                        const FieldCondition& condition) {
  return add(table, table.put_action(item, condition));
}

ModelTransaction& ModelTransaction::update(const ModelTable& table, const LogicalItem& item,
                                           const std::vector<std::string>& fields) {
  return add(table, table.update_action(item, fields));
}

ModelTransaction& ModelTransaction::change(const ModelTable& table, const LogicalItem& key, const FieldUpdate& update,
                                           const ChangeOptions& options) {
  if (options.return_values != ReturnValues::kNone)
    return add(table, fail(Code::kInvalidOperator, "a transaction cannot return values"));
  return add(table, table.change_action(key, update, options));
}

ModelTransaction& ModelTransaction::remove(const ModelTable& table, const LogicalItem& key,
                                           const ModelRemoveOptions& options) {
  return add(table, table.remove_action(key, options));
}

ModelTransaction& ModelTransaction::check(const ModelTable& table, const LogicalItem& key,
                                          const FieldCondition& condition) {
  return add(table, table.check_action(key, condition));
}

Result<void> ModelTransaction::check_actions() const {
  if (mistake_) return std::unexpected(*mistake_);
  if (actions_.empty() || actions_.size() > kActionsMax)
    return fail(Code::kInvalidOperator, "a transaction has 1 to {} actions, not {}", kActionsMax, actions_.size());
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    const auto before = std::ranges::find(targets_, targets_[i]);
    if (const auto first = static_cast<std::size_t>(before - targets_.begin()); first != i)
      return fail(Code::kInvalidOperator, "actions {} and {} of the transaction are on the same item", first, i);
  }
  return {};
}

Result<void> ModelTransaction::commit(const TransactionRetry& retry) {
  DOLMEN_TRY_VOID(check_actions());
  const TransactWriteOptions options{.client_token = random_uuid(system_random())};
  const Sleep sleep = or_real_sleep(retry.sleep);
  std::chrono::milliseconds delay = retry.delay_first;
  for (unsigned attempt = 1;; ++attempt) {
    const Result<TransactWriteResult> written = store_.transact_write(actions_, options);
    if (written) return {};
    if (attempt >= retry.attempts_max || !may_try_again(transact_failures(written.error())))
      return std::unexpected(portable_error(written.error()));
    sleep(delay);
    delay *= 2;
  }
}

void ModelTransaction::async_commit(Callback<void> done) {
  const Result<void> checked = check_actions();
  if (!checked) return done(std::unexpected(checked.error()));
  store_.async_transact_write(
      actions_, {.client_token = random_uuid(system_random())},
      [done = std::move(done)](Result<TransactWriteResult> written) mutable {
        done(written ? Result<void>() : Result<void>(std::unexpected(portable_error(written.error()))));
      });
}

}  // namespace dolmen
