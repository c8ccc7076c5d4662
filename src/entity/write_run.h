#pragma once

#include <optional>
#include <vector>

#include "dolmen/coroutine.h"
#include "entity/write_plan.h"

namespace dolmen::entity {

/// The items under the keys at one moment, up to 100 at a time; nothing where there is none.
Task<Result<std::vector<std::optional<Item>>>> read_keys(EntityClient client, std::vector<Item> keys,
                                                         GetOptions options);

/// g++ 12 destroys arguments twice that are written as {} in a co_await: give them a name.
struct RunOptions {
  /// Of a single remove.
  ReturnValues return_values = ReturnValues::kNone;
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
  bool return_collection_size = false;
  /// Whether the caller has asked for a transaction, and hears of it as one.
  bool is_transaction = false;
  TransactWriteOptions transaction = {};
};

struct Written {
  /// What a single write has stored, if it has.
  std::optional<Item> stored;
  /// Of a single write that took one action.
  WriteResult one;
  TransactWriteResult all;
};

/// Carries out the writes, all of them or none, and plans them anew while others change what the plan relies on. Fails
/// with kTransactionCanceled, or with kConditionFailed when the caller has asked for a single write; with kItemNotFound
/// when there is nothing to update; with kTransactionConflict when others keep being faster.
Task<Result<Written>> run_writes(EntityClient client, std::vector<Write> writes, RunOptions options);

/// Lets a task run, and gives its value to the callback.
template <class T>
dolmen::detail::Notifier finish_with(Task<Result<T>> task, Callback<T> done) {
  Result<T> value = co_await std::move(task);
  done(std::move(value));
}

}  // namespace dolmen::entity
