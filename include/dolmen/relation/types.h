#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/clock.h"
#include "dolmen/error.h"
#include "dolmen/tables.h"
#include "dolmen/timestamp.h"
#include "dolmen/value.h"

/// What the operations of `Relations` take and return.
namespace dolmen {

struct DeleteProgress;

struct RelationsOptions {
  /// Make the table when there is none; else a missing one is kTableNotFound.
  bool create_table = true;
  /// Go on with deletes, and changes of accounts, that were interrupted: in the background, from `open` on, in a store
  /// of this process. In a store elsewhere others may be at work on them, so `dolmen relation resume --watch` does it.
  bool resume_deletes = true;
  /// Told of each of these when it has ended, on a thread of its own.
  std::function<void(const Result<DeleteProgress>&)> on_resumed = {};
  WaitOptions wait = {};
  /// The most resources on the way from a root to a leaf, both included; at most 64.
  unsigned depth_max = 64;
  /// Deletes that take more actions than this are jobs, whose transactions have at most so many: 10 to 100.
  std::size_t delete_actions_max = 100;
  /// How often an operation starts again because others changed what it depends on.
  unsigned attempts_max = 50;
  /// Where times, ids and pauses come from; the machine's clock and random bytes unless a test puts its own here.
  Now now = {};
  RandomNumbers random = {};
  Sleep sleep = {};
};

/// A resource as it is read, with its attributes in the current schema version.
struct Resource {
  std::string urn;
  std::string type;
  std::string id;
  std::int64_t schema_version = 1;
  /// ISO 8601 in UTC with milliseconds. `updated_at` grows with every change and so serves as a version.
  std::string created_at;
  std::string updated_at;
  std::optional<std::string> account;
  std::optional<std::string> parent;
  Item attributes;

  friend bool operator==(const Resource&, const Resource&) = default;
};

/// A collection that a new resource joins, or an existing one.
struct JoinCollection {
  std::string collection;
  /// Whether grants on the collection reach the member.
  bool conveys_authorization = false;
  /// Take it although collection and member belong to different accounts.
  bool allow_cross_account = false;
};

struct CreateResource {
  std::string type;
  /// Without one, a UUID of version 7 is made.
  std::string id = {};
  std::optional<std::string> parent = std::nullopt;
  /// Without one, the parent's account.
  std::optional<std::string> account = std::nullopt;
  Item attributes = {};
  /// Attributes that are unique keys may as well be given here.
  std::map<std::string, std::string> unique = {};
  std::vector<JoinCollection> collections = {};
};

struct GetResource {
  /// A resource below one that is being deleted counts as gone, too; this reads its ancestors.
  bool strict = false;
};

struct UpdateResource {
  std::string urn;
  Item set = {};
  std::vector<std::string> remove = {};
  /// Only when the resource still has this `updated_at`; else kConditionFailed.
  std::optional<std::string> if_updated_at = std::nullopt;
};

/// A value of a unique key.
struct UniqueValue {
  std::string type;
  std::string key;
  std::string value;
  /// Only for keys that are unique per account.
  std::optional<std::string> account = std::nullopt;

  friend bool operator==(const UniqueValue&, const UniqueValue&) = default;
};

/// Carried by kUniqueViolation.
struct UniqueConflict final : ErrorPayload {
  UniqueValue value;
  /// Nothing when the value is only reserved.
  std::optional<std::string> owner;
};

/// Who has a unique value.
struct UniqueHolder {
  /// As it is compared (see `Normaliser`).
  std::string value;
  /// Nothing for a reservation.
  std::optional<std::string> owner;
  std::string created_at;
  std::string updated_at;
};

struct TransferUnique {
  UniqueValue value;
  /// Who has it now; nothing takes a reservation.
  std::optional<std::string> from = std::nullopt;
  /// Who gets it; what it had for the same key before becomes free.
  std::string to;
};

struct Membership {
  std::string collection;
  std::string member;
  bool conveys_authorization = false;
  std::string created_at;
  std::optional<std::string> account;

  friend bool operator==(const Membership&, const Membership&) = default;
};

// ---- Lists ----

/// Which part of a list is wanted. Begin without a token, and go on with that of the page before.
struct ListOptions {
  /// At most so many; 1 to 1000.
  std::uint32_t limit = 100;
  std::string token = {};
  bool descending = false;
};

/// A part of a list. It may be short, even empty, and still not be the last.
template <class T>
struct ListPage {
  std::vector<T> items;
  /// Where to go on; empty on the last page.
  std::string token;
};

/// A child of a resource.
struct ChildLink {
  std::string urn;
  std::string created_at;
  std::optional<std::string> account;

  friend bool operator==(const ChildLink&, const ChildLink&) = default;
};

/// A resource below another: a child has depth 1.
struct Descendant {
  std::string urn;
  std::string parent;
  unsigned depth = 1;
  std::string created_at;

  friend bool operator==(const Descendant&, const Descendant&) = default;
};

/// Which resources are wanted.
struct ResourceQuery {
  /// Of exactly this type; empty: any.
  std::string type = {};
  /// Only those without a parent.
  bool roots = false;
  /// Only those of this account. With an account its index is read, without one the table, from one end to the other.
  std::optional<std::string> account = std::nullopt;
};

/// Which resources that are linked to another one are wanted.
struct LinkQuery {
  /// The parent, collection or member.
  std::string of;
  /// Of exactly this type; empty: any. Has the domain of `of`.
  std::string type = {};
};

/// Which resources of an account are wanted. The order is that of their URNs, so by time within a type.
struct AccountQuery {
  std::string account;
  /// Of exactly this type.
  std::string type = {};
  /// Created in this time; only with a type, and only for ids of version 7.
  std::optional<Timestamp> created_from = std::nullopt;
  std::optional<Timestamp> created_before = std::nullopt;
};

// ---- Deletes ----

/// What becomes of those that refer to a resource that is deleted: its children, and of an account also the resources
/// that belong to it.
enum class DeleteMode : std::uint8_t {
  kCascade,   ///< they are deleted too, with all that refers to them
  kRestrict,  ///< kResourceInUse when there are any
  kReassign,  ///< they get another parent or account
};

struct DeleteCount {
  std::uint64_t resources = 0;
  std::uint64_t edges = 0;
  std::uint64_t memberships = 0;
  std::uint64_t unique_values = 0;

  friend bool operator==(const DeleteCount&, const DeleteCount&) = default;
};

/// What a job does.
enum class JobKind : std::uint8_t {
  kCascade,  ///< deletes a resource and what is below it
  kPurge,    ///< deletes an account and what belongs to it
  kAccount,  ///< gives a resource and what is below it another account
};

/// "cascade", "purge" or "account".
std::string_view job_kind_name(JobKind kind);

/// A delete, or a change of an account, that is under way.
struct DeleteProgress {
  /// The URN of its job; empty for a delete that reassigns, which has none.
  std::string job;
  JobKind kind = JobKind::kCascade;
  std::string root;
  /// So far, also before it was interrupted.
  DeleteCount deleted;
  /// Resources that have got another account or parent so far.
  std::uint64_t reassigned = 0;
  std::string started_at;

  friend bool operator==(const DeleteProgress&, const DeleteProgress&) = default;
};

using OnProgress = std::function<void(const DeleteProgress&)>;

/// Those that refer to a resource.
struct References {
  std::uint64_t children = 0;
  /// Resources that belong to it as their account.
  std::uint64_t of_account = 0;

  friend bool operator==(const References&, const References&) = default;
};

struct RemoveResult {
  DeleteCount count;
  /// Those that referred to it. Only for a dry run, for `confirm`, and when they were reassigned.
  References references = {};
  /// The job that did it; empty when a single transaction did.
  std::string job = {};
};

struct RemoveOptions {
  DeleteMode mode = DeleteMode::kCascade;
  /// kReassign: the new parent of the children, and the new account of what belongs to an account.
  std::optional<std::string> reassign_to = std::nullopt;
  /// Only count what would go.
  bool dry_run = false;
  /// Called with the count before anything is changed. When it returns false, nothing is, and the call fails with
  /// kCanceled.
  std::function<bool(const RemoveResult&)> confirm = {};
  OnProgress on_progress = {};
};

struct ReassignAccount {
  std::string urn;
  /// The account that it gets.
  std::string account;
  /// A new parent, which must belong to the new account or to none. Needed when the present one belongs to the old.
  std::optional<std::string> parent = std::nullopt;
  /// Take it although it stays in collections, or keeps members, of another account.
  bool allow_cross_account = false;
  /// Only look whether it can be done, and count.
  bool dry_run = false;
  OnProgress on_progress = {};
};

struct ReassignResult {
  /// Resources that got the account; none when they had it.
  std::uint64_t resources = 0;
  /// The job that did it; empty when a single transaction did.
  std::string job = {};
};

// ---- Keeping the table in order ----

/// Which resources to look at. Without `whole_table` the table is never scanned.
struct Scope {
  /// This resource and all below it.
  std::optional<std::string> below = std::nullopt;
  /// All of this account, and of this type when it is given.
  std::optional<std::string> account = std::nullopt;
  std::string type = {};
  /// Every record. Only for `verify` and `repair`; also finds what nothing leads to.
  bool whole_table = false;
};

struct RewritePage {
  std::uint64_t rewritten = 0;
  std::uint64_t unchanged = 0;
  /// Where to go on; empty when all is done.
  std::string token;
};

/// Something that is wrong in the table.
struct Finding {
  /// A word from a closed list, such as "dangling-edge"; docs/relation.md has them all.
  std::string kind;
  /// The resource, or the key of the record, that it concerns.
  std::string subject;
  std::string message;
  /// What `repair` did about it; empty when nothing.
  std::string repaired;
};

struct FindingPage {
  std::vector<Finding> findings;
  /// Resources (records of a whole table) that were looked at.
  std::uint64_t examined = 0;
  /// Those among them that a delete which has begun will take. They are as they should be.
  std::uint64_t deleting = 0;
  std::string token;
};

}  // namespace dolmen
