#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/expression.h"
#include "dolmen/operations.h"
#include "dolmen/store.h"
#include "dolmen/value.h"

namespace dolmen::relation {

/// What it means that an action's condition failed, given the item that is there: an error for the caller, or nothing
/// when the operation should look again and begin anew.
using Refusal = std::function<std::optional<Error>(const std::optional<Item>& found)>;

/// All that a transaction does to one Resource record, because DynamoDB takes only one action on each.
class RowChange {
 public:
  /// Conditions. The record exists in all cases.
  RowChange& require_live();
  RowChange& require_parent(const std::optional<std::string>& parent);
  /// Row::is_child_of.
  RowChange& require_child_of(const std::string& parent);
  /// Nobody has changed its attributes, unique values or parent since. An empty time: it has none.
  RowChange& require_updated_at(const std::string& time);
  RowChange& require_job(const std::string& job);
  RowChange& require_account(const std::optional<std::string>& account);
  /// Being given another account by that job; by none.
  RowChange& require_account_move(const std::string& job);
  RowChange& require_settled();
  /// Not being deleted, or by that job.
  RowChange& require_markable(const std::string& job);
  RowChange& require_count(const char* name, std::uint64_t count);
  /// Says what a failed condition means. The first one counts.
  RowChange& on_refusal(Refusal refusal);

  /// Changes.
  RowChange& set(std::string name, AttributeValue value);
  RowChange& remove(std::string name);
  RowChange& add(const std::string& counter, std::int64_t count);
  /// Deletes the record. Counters are not kept then.
  RowChange& erase();

 private:
  friend class Plan;

  Condition condition_ = {};
  bool requires_live_ = false;
  bool erased_ = false;
  std::map<std::string, std::optional<AttributeValue>> changes_;
  std::map<std::string, std::int64_t> counters_;
  Refusal refusal_;
};

/// A transaction in the making. Never sent when it is larger than DynamoDB takes.
class Plan {
 public:
  explicit Plan(std::string table) : table_(std::move(table)) {}

  RowChange& row(const std::string& urn);
  /// Adds a record that is not there yet.
  void create(Item record, Refusal refusal = {});
  /// Adds or replaces a record.
  void put(Item record, Condition condition = {}, Refusal refusal = {});
  void update(Item key, Update update, Condition condition, Refusal refusal = {});
  /// A record that is erased twice is erased once; false the second time.
  bool erase(const Item& key, Condition condition = {}, Refusal refusal = {});
  /// Counts the size of a stored record that the transaction touches.
  void weigh(std::size_t bytes) { bytes_ += bytes; }

  [[nodiscard]] std::size_t size() const noexcept { return rows_.size() + actions_.size(); }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }

  /// Fails with what a refusal says; with kTransactionConflict when the operation should begin anew; with
  /// kLimitExceeded, before anything is sent, when the transaction is too large.
  Result<void> carry_out(Store& store) const;

 private:
  struct Planned {
    TransactAction action;
    Refusal refusal;
  };

  [[nodiscard]] TransactAction row_action(const std::string& urn, const RowChange& change) const;

  std::string table_;
  /// By URN, in the order of first use.
  std::vector<std::pair<std::string, RowChange>> rows_;
  std::map<std::string, std::size_t> row_positions_;
  std::vector<Planned> actions_;
  std::map<std::pair<std::string, std::string>, std::size_t> erased_;
  std::size_t bytes_ = 0;
};

/// attribute_exists(PK).
Condition record_exists();

}  // namespace dolmen::relation
