#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/relation/resource_types.h"
#include "dolmen/relation/types.h"
#include "dolmen/relation/urn.h"
#include "dolmen/store.h"

namespace dolmen {

namespace relation {
struct Graph;
class Resumer;
}  // namespace relation

/// Resources in one table, with the guarantees of a relational database: at most one parent and no cycles, deletes that
/// reach everything below, memberships whose two ends exist, unique values.
///
///     auto graph = Relations::open(*store, "system", types).value();
///     auto account = graph.create({.type = "System.Account", .unique = {{"name", "Acme"}}}).value();
///     auto job = graph.create({.type = "System.Account.Job", .parent = account.urn}).value();
///     auto plan = graph.remove(account.urn, {.dry_run = true}).value();  // what would be deleted
///
/// Thread-safe, also towards other processes on the same table. The store must outlive it. Every change is one
/// transaction, except a delete of more than fits into one, or of an account, and a new account for a family: these are
/// jobs, which `resume_deletes` continues after a crash. A failed call has changed nothing, unless it failed with
/// kUnknownOutcome, a job had begun, or a delete had reassigned a part of what refers to the resource.
///
/// Everything that takes a URN fails with kInvalidUrn when it is not one, and with kResourceNotFound when there is no
/// such resource or it is being deleted. Everything fails as the store does, and with kTransactionConflict when others
/// changed the same resources `attempts_max` times in a row.
class Relations {
 public:
  /// Fails with kUnsupported when the store has no transactions, and with kInvalidArgument when the table exists
  /// with other keys or indexes. Interrupted deletes go on in the background (`RelationsOptions::resume_deletes`).
  static Result<Relations> open(Store& store, std::string table, ResourceTypes types, RelationsOptions options = {});
  /// Stops what goes on in the background; it can be resumed.
  ~Relations();
  Relations(Relations&&) noexcept;
  Relations& operator=(Relations&&) noexcept;

  /// The table that `open` creates.
  static TableDefinition definition(std::string table);

  /// Keeps the text of a types file in the table, so that every program and the server use the same types. Creates the
  /// table when there is none. Fails with kInvalidArgument, whose details are all mistakes; the types cannot name files
  /// of models.
  static Result<void> bind_types(Store& store, const std::string& table, std::string_view text,
                                 std::string_view file_name);
  /// What `bind_types` has put there last, or nothing.
  static Result<std::optional<ResourceTypes>> bound_types(Store& store, const std::string& table);

  // ---- Resources ----

  /// Fails with kInvalidResource, kResourceExists, kUniqueViolation, kParentNotFound, kResourceDeleting (of a parent,
  /// account or collection), kAccountMismatch, kLimitExceeded (depth, or more than fits into a transaction).
  Result<Resource> create(const CreateResource& request);
  Result<Resource> get(const std::string& urn, const GetResource& options = {});
  /// Any number of resources, in the order of the URNs; empty for those that do not exist.
  Result<std::vector<std::optional<Resource>>> get_many(const std::vector<std::string>& urns);
  /// Fails with kConditionFailed (`if_updated_at`), kInvalidResource, kUniqueViolation.
  Result<Resource> update(const UpdateResource& request);

  /// In no particular order, unless they are of an account: then in that of their URNs. Without an account every page
  /// reads a part of the table, and may be short or empty; ListOptions::descending is refused.
  Result<ListPage<Resource>> list(const ResourceQuery& query, const ListOptions& page = {});

  // ---- Unique values ----

  /// Keeps a value for later. Fails with kUniqueViolation.
  Result<void> reserve_unique(const UniqueValue& value);
  /// Gives a reservation back; false when there was none. Fails with kUniqueViolation when a resource has the value.
  Result<bool> release_unique(const UniqueValue& value);
  /// In one step, so that no other resource can take it in between. Fails with kUniqueViolation when `from` does not
  /// have it.
  Result<void> transfer_unique(const TransferUnique& request);
  /// Empty when the value is free.
  Result<std::optional<UniqueHolder>> find_unique(const UniqueValue& value);
  /// The resource that has the value. Fails with kResourceNotFound.
  Result<Resource> get_by_unique(const UniqueValue& value);
  /// All values of a key (`value` is ignored), in their order. In a remote store the newest may be missing for a
  /// moment.
  Result<ListPage<UniqueHolder>> unique_values(const UniqueValue& of, const ListOptions& page = {});

  // ---- Families ----

  /// Gives a resource another parent, or its first one. False when it has that parent already. Fails with kCycle,
  /// kParentNotFound, kResourceDeleting (of either, or of something above them), kAccountMismatch, kInvalidResource
  /// (types), kLimitExceeded (depth).
  Result<bool> attach(const std::string& child, const std::string& parent);
  /// False when it has no parent. Fails with kResourceDeleting.
  Result<bool> detach(const std::string& child);
  Result<ListPage<ChildLink>> children(const std::string& parent, const ListOptions& page = {});
  /// The same as resources. Those that are being deleted are left out, so a page may be short.
  Result<ListPage<Resource>> child_resources(const LinkQuery& query, const ListOptions& page = {});
  Result<std::optional<std::string>> parent(const std::string& child);
  /// Root first, read at one moment.
  Result<std::vector<std::string>> ancestors(const std::string& urn);
  /// Each before what is below it, siblings in the order of their URNs; to a depth, or all when it is 0.
  Result<ListPage<Descendant>> descendants(const std::string& urn, unsigned depth_max = 0,
                                           const ListOptions& page = {});

  // ---- Collections ----

  /// False when it was a member already; whether it conveys is then what was asked for. Fails with kResourceDeleting,
  /// kAccountMismatch, kInvalidResource for a resource in itself.
  Result<bool> add_member(const std::string& member, const JoinCollection& into);
  /// False when it was not a member.
  Result<bool> remove_member(const std::string& member, const std::string& collection);
  Result<std::optional<Membership>> find_membership(const std::string& member, const std::string& collection);
  Result<ListPage<Membership>> members(const std::string& collection, const ListOptions& page = {});
  /// The same as resources; see `child_resources`.
  Result<ListPage<Resource>> member_resources(const LinkQuery& query, const ListOptions& page = {});
  /// In a remote store the newest may be missing for a moment.
  Result<ListPage<Resource>> collection_resources(const LinkQuery& query, const ListOptions& page = {});
  Result<ListPage<Membership>> collections(const std::string& member, const ListOptions& page = {});
  Result<ListPage<Resource>> by_account(const AccountQuery& query, const ListOptions& page = {});

  // ---- Authorisation ----

  /// The resources from which a grant reaches this one: itself, its ancestors, the collections that convey to any of
  /// these, their ancestors, and so on. Nearest first, each once, read at one moment (up to 100 resources). Never
  /// incomplete: fails with kLimitExceeded beyond 10,000.
  Result<std::vector<std::string>> authorization_path(const std::string& urn);
  /// The memberships by which collections convey to the resource or one of its ancestors.
  Result<std::vector<Membership>> conveying_collections(const std::string& urn);
  /// The other way round: all that a grant on the resource reaches, itself first, each once, by the shortest way. There
  /// may be any number. What is moved between two pages may be missing or come twice; do not decide by its absence that
  /// somebody has no grant, but by `authorization_path`. Cannot be descending.
  Result<ListPage<std::string>> authorization_reach(const std::string& urn, const ListOptions& page = {});

  // ---- Accounts ----

  /// Gives a resource and all below it another account, and a new parent when one is named. A family with children or
  /// memberships is changed by a job, from the top down; unique values per account go along. Until a job has ended,
  /// what it has not reached yet belongs to the old account. Fails with kAccountMismatch (types, or a parent or
  /// membership of another account), kUniqueViolation, kCycle, kParentNotFound, kResourceDeleting, kLimitExceeded.
  Result<ReassignResult> reassign_account(const ReassignAccount& request);

  // ---- Deletes ----

  /// Deletes a resource; `mode` says what becomes of those that refer to it. From the moment a cascade has begun,
  /// nothing can be added below the resource, and the delete cannot be taken back. At no moment does a remaining
  /// resource lack its parent or account. A delete that reassigns moves the others one after the other, each in a
  /// transaction, and then deletes; when it fails on the way, some have been moved, and it can be asked for again.
  /// Fails with kResourceInUse, with kCanceled (`confirm`), and when it reassigns as `attach` and `reassign_account`.
  Result<RemoveResult> remove(const std::string& urn, const RemoveOptions& options = {});
  /// An account with everything that belongs to it: `remove` with kCascade. Fails with kInvalidResource when it is not
  /// an account.
  Result<RemoveResult> purge_account(const std::string& account, const RemoveOptions& options = {});
  /// What refers to a resource now.
  Result<References> references(const std::string& urn);
  /// Deletes, and changes of accounts, that have begun and have not ended.
  Result<std::vector<DeleteProgress>> pending_deletes();
  /// Completes them, and returns what they deleted. One that fails does not stop the others; this then fails with the
  /// error of the first.
  Result<std::vector<DeleteProgress>> resume_deletes(const OnProgress& on_progress = {});
  /// The same for one job. Nothing when it has ended already.
  Result<std::optional<DeleteProgress>> resume_delete(const std::string& job, const OnProgress& on_progress = {});
  /// Waits for what `open` resumes in the background, and returns it. Fails with the error of the first that failed.
  Result<std::vector<DeleteProgress>> wait_for_resumed();
  /// Makes all jobs that this object is at work on, and will be, fail with kCanceled at their next step. From any
  /// thread. They can be resumed.
  void interrupt();

  // ---- Keeping the table in order ----

  /// Stores resources of older schema versions in the current one, a page at a time. May be repeated.
  Result<RewritePage> rewrite(const Scope& scope, const ListOptions& page = {});
  /// Findings are looked at again before they are reported, so that what others change meanwhile is not one.
  Result<FindingPage> verify(const Scope& scope, const ListOptions& page = {});
  /// The same, and repairs what can be repaired without losing a resource. Others may write meanwhile.
  Result<FindingPage> repair(const Scope& scope, const ListOptions& page = {});

 private:
  explicit Relations(std::unique_ptr<relation::Graph> graph);

  std::unique_ptr<relation::Graph> graph_;
  std::unique_ptr<relation::Resumer> resumer_;
};

}  // namespace dolmen
