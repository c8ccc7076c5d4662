#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/relation/resource_types.h"
#include "dolmen/relation/types.h"
#include "dolmen/relation/urn.h"
#include "dolmen/store.h"
#include "relation/plan.h"
#include "relation/records.h"

/// What all operations of `Relations` share.
namespace dolmen::relation {

struct Graph {
  Graph(Store& in_store, std::string in_table, ResourceTypes in_types, RelationsOptions in_options);

  Store& store;
  std::string table;
  ResourceTypes types;
  RelationsOptions options;
  UuidGenerator ids;
  /// Jobs end with kCanceled at their next step.
  std::atomic<bool> interrupted = false;

  // ---- Reading ----

  /// The record, whatever its state. Consistent.
  Result<std::optional<Row>> find_row(const std::string& urn);
  /// Fails with kResourceNotFound also for what is being deleted.
  Result<Row> live_row(const std::string& urn);
  /// In the order of the URNs, of which some may be the same. Consistent, each by itself.
  Result<std::vector<std::optional<Row>>> find_rows(const std::vector<std::string>& urns);
  /// The same as of one moment, a hundred at a time, with what links them alone.
  Result<std::vector<std::optional<Row>>> find_rows_at_once(const std::vector<std::string>& urns);
  /// One record by its key.
  Result<std::optional<Item>> find_record(const Item& key);
  /// The record and its parent, the parent's parent, and so on to the root. kTransactionConflict when one is missing,
  /// which is so only while others move it.
  Result<std::vector<Row>> chain_of(Row row);
  /// The chain of a resource that is to become the parent of another. Fails when it cannot: kInvalidResource,
  /// kAccountMismatch, kCycle, or kResourceDeleting.
  Result<std::vector<Row>> chain_of_new_parent(const Row& child, Row parent);
  /// Fails with kResourceDeleting when something above the record is being deleted, and so this will be.
  Result<void> check_stays(const Row& row);
  /// All records of a partition, of the table (consistent) or of an index.
  Result<std::vector<Item>> all_in(const std::string& partition, const char* index = "");

  // ---- Rules ----

  /// The account that the resource belongs to; an account belongs to itself.
  [[nodiscard]] std::optional<std::string> scope_of(const Row& row) const;
  /// Whether resources may have it as their account. Without declarations that is so when one has.
  Result<bool> is_account(const Row& row);
  /// A resource that is to become the account of others. Fails with kAccountMismatch, kResourceDeleting.
  Result<Row> account_row(const std::string& urn);
  /// Whether one may be the other's parent, by type and account.
  Result<void> check_family(const Row& parent, const Row& child) const;
  /// The attributes in the current schema version. Fails with kSchemaVersion.
  Result<Row> upcast(Row row) const;

  // ---- Repeating ----

  /// Runs an attempt until it does something else than fail with kTransactionConflict.
  template <class T, class Attempt>
  Result<T> repeat(Attempt attempt) {
    for (unsigned n = 1;; ++n) {
      Result<T> result = attempt();
      if (result || result.error().code() != Code::kTransactionConflict || n >= options.attempts_max) return result;
      pause(n);
    }
  }
  void pause(unsigned attempt);
  /// Fails with kCanceled.
  [[nodiscard]] Result<void> check_interrupted() const;
};

/// Fails with kInvalidUrn.
Result<void> check_urn(const std::string& urn);
/// The same for what users link and change: kInvalidResource for what is Dolmen's own.
Result<void> check_urn_of_user(const std::string& urn);

/// A resource of that type cannot have an account.
std::unexpected<Error> takes_no_account(std::string_view type);

std::unexpected<Error> is_deleting(std::string_view urn);

std::unexpected<Error> not_found(std::string_view urn);

/// The usual meaning of a refused change of a record: it is gone, or being deleted; else begin anew.
Refusal gone_or_stale(std::string urn);
/// The same for a record to which something is added: kResourceDeleting, or `missing` when it is gone.
Refusal deleting_or_stale(std::string urn, Code missing, std::string_view what);

/// Notes in the plan that `child`, with so many levels below it, gets the first of the chain as its parent: keeps the
/// heights above it right. Fails with kLimitExceeded when the family would become too deep.
Result<void> plan_height(const Graph& graph, Plan& plan, const std::vector<Row>& chain, std::uint64_t child_height);
/// The same with all that the records of both say of each other, without the edge. The transaction contains every
/// ancestor of the new parent as it was when the walk found no cycle, so that two moves that are each good by
/// themselves cannot make one together.
Result<void> plan_new_parent(const Graph& graph, Plan& plan, const std::vector<Row>& chain, const Row& child);

}  // namespace dolmen::relation
