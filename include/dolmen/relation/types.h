#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/clock.h"
#include "dolmen/error.h"
#include "dolmen/tables.h"
#include "dolmen/timestamp.h"
#include "dolmen/value.h"

/// What the operations of `Relations` take and return.
namespace dolmen {

struct RelationsOptions {
  /// Make the table when there is none; else a missing one is kTableNotFound.
  bool create_table = true;
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

enum class DeleteMode : std::uint8_t {
  kCascade,   ///< the resource and all that is below it
  kRestrict,  ///< the resource alone; kResourceInUse when it has children
};

struct DeleteCount {
  std::uint64_t resources = 0;
  std::uint64_t edges = 0;
  std::uint64_t memberships = 0;
  std::uint64_t unique_values = 0;

  friend bool operator==(const DeleteCount&, const DeleteCount&) = default;
};

/// A delete that is under way.
struct DeleteProgress {
  /// The URN of its job.
  std::string job;
  std::string root;
  /// So far, also before it was interrupted.
  DeleteCount deleted;
  std::string started_at;
};

using OnProgress = std::function<void(const DeleteProgress&)>;

struct RemoveOptions {
  DeleteMode mode = DeleteMode::kCascade;
  /// Only count what would go.
  bool dry_run = false;
  OnProgress on_progress = {};
};

struct RemoveResult {
  DeleteCount count;
  /// The job that did it; empty when a single transaction did.
  std::string job;
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
  std::string token;
};

}  // namespace dolmen
