#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "dolmen/clock.h"
#include "dolmen/error.h"
#include "dolmen/model/condition.h"
#include "dolmen/model/model_table.h"
#include "dolmen/model/table.h"
#include "dolmen/model/update.h"
#include "dolmen/operations.h"
#include "dolmen/store.h"

namespace dolmen {

/// Carried by the errors of a model's transaction: which action was to blame, and what DynamoDB said of each.
struct TransactionFailure final : ErrorPayload {
  /// Counts from 0, in the order in which the actions were added.
  std::size_t index = 0;
  std::vector<TransactFailure> reasons;
};

/// How often a transaction is tried again that only met others on its way.
struct TransactionRetry {
  unsigned attempts_max = 5;
  /// Doubled after each attempt.
  std::chrono::milliseconds delay_first{100};
  /// Waits; a test puts its own clock here.
  Sleep sleep = {};
};

/// Writes to items of any models of one store that happen all together or not at all:
///
///     ModelTransaction transaction(*store);
///     transaction.put(pages, meta);
///     transaction.remove(locks, lock, {.condition = field("token") == token && field("expires") > now});
///     Result<void> published = transaction.commit();
///
/// A mistake in an action is reported by `commit`, which then sends nothing. Belongs to one thread.
class ModelTransaction {
 public:
  explicit ModelTransaction(Store& store) : store_(store) {}

  ModelTransaction& create(const ModelTable& table, const LogicalItem& item);
  ModelTransaction& put(const ModelTable& table, const LogicalItem& item, const FieldCondition& condition = {});
  /// With optimistic locking, as ModelTable::update.
  ModelTransaction& update(const ModelTable& table, const LogicalItem& item, const std::vector<std::string>& fields);
  /// As ModelTable::change; `return_values` must be kNone.
  ModelTransaction& change(const ModelTable& table, const LogicalItem& key, const FieldUpdate& update,
                           const ChangeOptions& options = {});
  ModelTransaction& remove(const ModelTable& table, const LogicalItem& key, const ModelRemoveOptions& options = {});
  /// Changes nothing, and fails the transaction unless the condition holds.
  ModelTransaction& check(const ModelTable& table, const LogicalItem& key, const FieldCondition& condition);

  // Records, which stay as they are: what the library sets in the items is not filled in.

  template <Record T>
  ModelTransaction& create(const Table<T>& table, const std::type_identity_t<T>& record) {
    return add(table.items(), table.create_action(record));
  }
  template <Record T>
  ModelTransaction& put(const Table<T>& table, const std::type_identity_t<T>& record,
                        const FieldCondition& condition = {}) {
    return add(table.items(), table.put_action(record, condition));
  }
  template <Record T>
  ModelTransaction& update(const Table<T>& table, const std::type_identity_t<T>& record, const Members<T>& members) {
    return add(table.items(), table.update_action(record, members));
  }
  /// Provided that the record's version is the stored one.
  template <Record T>
  ModelTransaction& remove(const Table<T>& table, const std::type_identity_t<T>& record) {
    return add(table.items(), table.remove_action(record));
  }

  /// Any action that a table has made, or why it could not.
  ModelTransaction& add(const ModelTable& table, Result<TransactAction> action);

  [[nodiscard]] std::size_t size() const noexcept { return actions_.size(); }

  /// Fails with kInvalidOperator unless there are 1 to 100 actions, each on an item of its own; with kConditionFailed
  /// when a condition did not hold, and with kTransactionCanceled for other reasons, both with a TransactionFailure as
  /// payload. A transaction that met another one is tried again under the same client token.
  Result<void> commit(const TransactionRetry& retry = {});
  /// The same without waiting, and without trying again: a transaction that met another one fails with
  /// kTransactionCanceled. See Callback.
  void async_commit(Callback<void> done);

 private:
  Result<void> check_actions() const;

  Store& store_;
  std::vector<TransactAction> actions_;
  /// The table and the key of each action.
  std::vector<std::pair<std::string, Item>> targets_;
  std::optional<Error> mistake_;
};

}  // namespace dolmen
