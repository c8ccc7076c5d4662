#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "dolmen/clock.h"
#include "dolmen/error.h"
#include "dolmen/operations.h"
#include "dolmen/store.h"
#include "dolmen/table.h"
#include "dolmen/value.h"

/// Leases: one of many programs does something, and another takes over when it has died.
///
///     Leases leases{*store, "cache"};
///     if (auto guard = leases.hold({"CACHE#" + hash}, 30s)) {   // refreshes itself, released on scope exit
///       ... work, and look at guard->held() before anything that others can see
///     }
///
/// A lease is a row of a table: a random token, and the second at which it ends. It is held if and only if
/// `lease_expires_at` > now. Rows are those of the other implementations of TableTheory, so that holders may be written
/// in any language. docs/isr.md has the whole story.
namespace dolmen {

/// Which row a lease is.
struct LeaseKey {
  std::string partition;
  std::string sort = "LOCK";

  friend bool operator==(const LeaseKey&, const LeaseKey&) = default;
};

/// How the attributes of the rows are called.
struct LeaseAttributes {
  std::string partition_key = "pk";
  std::string sort_key = "sk";
  std::string token = "lease_token";
  std::string expires_at = "lease_expires_at";
  /// Empty: none is written.
  std::string ttl = "ttl";
  /// Only with `LeaseOptions::fencing`.
  std::string generation = "generation";
};

/// Where time comes from; every member has the machine's own as its default. For tests.
struct LeaseClock {
  using Moment = std::chrono::steady_clock::time_point;

  Now now = {};
  std::function<Moment()> steady_now = {};
  /// Returns when the condition is notified or the moment has come; it may also return sooner.
  std::function<void(std::unique_lock<std::mutex>&, std::condition_variable&, Moment)> wait_until = {};
};

struct LeaseOptions {
  LeaseAttributes attributes = {};
  /// How long after a lease's end its row may be removed by time to live. Not positive: no ttl is written.
  std::chrono::seconds ttl_buffer{3600};
  /// Gives every acquisition of a key a larger `generation` than all before it. Whatever stands behind the lease can
  /// then refuse a holder whose time is over (`not_older`). Such rows stay when they are released, and have no ttl.
  bool fencing = false;
  /// Where tokens come from; the operating system's generator unless a test puts its own here.
  RandomNumbers random = {};
  LeaseClock clock = {};
};

/// A lease that was acquired.
struct Lease {
  LeaseKey key;
  std::string token;
  /// Seconds since 1970. Held while this is larger than now.
  std::int64_t expires_at = 0;
  /// Only with fencing.
  std::optional<std::int64_t> generation = std::nullopt;

  friend bool operator==(const Lease&, const Lease&) = default;
};

/// The content of a row, whichever program wrote it.
struct LeaseStatus {
  /// expires_at > now.
  bool held = false;
  /// Of the last holder: a released row with a generation keeps it. Empty when the row has none.
  std::string token = {};
  /// Empty when the row has none; such a row can never be acquired.
  std::optional<std::int64_t> expires_at = std::nullopt;
  std::optional<std::int64_t> generation = std::nullopt;
};

struct HoldOptions {
  /// How often the lease is refreshed; zero: three times before it counts as lost.
  std::chrono::milliseconds refresh_every{0};
  /// How long before the lease's end it counts as lost: at least what the clocks of the machines may differ by, and
  /// what it takes to stop working.
  std::chrono::milliseconds margin{0};
  /// How long to try when the lease is held; zero: once.
  std::chrono::milliseconds wait{0};
};

class LeaseGuard;

/// Acquires, refreshes and releases leases in one table, which has two string keys. Thread-safe, and may be copied; the
/// store must outlive it. Everything fails as the store does, and with kInvalidArgument for an empty key or token, and
/// for a length that is not between one millisecond and 365 days.
class Leases {
 public:
  Leases(Store& store, std::string table, LeaseOptions options = {});

  /// Takes the lease when it is free: the row is missing, or `expires_at` <= now. It then lasts at least `length`,
  /// rounded up to a whole second. Fails with kLeaseHeld, also for the holder itself.
  Result<Lease> acquire(const LeaseKey& key, std::chrono::milliseconds length);
  void async_acquire(const LeaseKey& key, std::chrono::milliseconds length, Callback<Lease> done);

  /// Lets the lease last `length` from now on, which may be shorter than before. Fails with kLeaseNotOwned when it has
  /// expired or has another holder.
  Result<Lease> refresh(const Lease& lease, std::chrono::milliseconds length);
  void async_refresh(const Lease& lease, std::chrono::milliseconds length, Callback<Lease> done);

  /// Gives the lease back. Also succeeds, and changes nothing, when the lease has another holder by now.
  Result<void> release(const Lease& lease);
  void async_release(const Lease& lease, Callback<void> done);

  /// The row as it is; nothing when there is none.
  Result<std::optional<LeaseStatus>> status(const LeaseKey& key);
  void async_status(const LeaseKey& key, Callback<std::optional<LeaseStatus>> done);

  /// Acquires a lease that refreshes itself. Fails as `acquire` does, and with kInvalidArgument unless the margin is
  /// shorter than the lease, and `refresh_every` shorter than what is left of it then.
  Result<LeaseGuard> hold(const LeaseKey& key, std::chrono::milliseconds length, const HoldOptions& options = {});

  /// For transactions: releases the lease, and fails the transaction when it is no longer held. DynamoDB takes
  /// one action for each item, so this is both the check and the release.
  [[nodiscard]] Result<TransactAction> release_action(const Lease& lease) const;
  /// For transactions: keeps the lease, and fails the transaction when it is no longer held.
  [[nodiscard]] Result<CheckAction> check_action(const Lease& lease) const;

  /// Whether the lease is still held by this machine's clock.
  [[nodiscard]] bool held(const Lease& lease) const;

  [[nodiscard]] Store& store() const noexcept { return *store_; }
  [[nodiscard]] const std::string& table() const noexcept { return table_; }
  /// With every clock and source of randomness filled in.
  [[nodiscard]] const LeaseOptions& options() const noexcept { return options_; }
  /// The table that leases need.
  [[nodiscard]] TableDefinition table_definition() const;

 private:
  struct Refreshed;

  [[nodiscard]] Result<void> check(const LeaseKey& key) const;
  [[nodiscard]] Item key_of(const LeaseKey& key) const;
  [[nodiscard]] std::int64_t now_seconds() const;
  [[nodiscard]] std::int64_t expiry(std::chrono::milliseconds length) const;
  [[nodiscard]] std::int64_t ttl(const Lease& lease) const;
  [[nodiscard]] bool has_ttl() const;
  [[nodiscard]] Condition owned(const Lease& lease) const;
  [[nodiscard]] LeaseStatus read_row(const Item& row) const;
  [[nodiscard]] Update release_update() const;
  [[nodiscard]] Result<Refreshed> refreshed(const Lease& lease, std::chrono::milliseconds length) const;
  [[nodiscard]] Error not_owned(const Lease& lease) const;

  [[nodiscard]] Result<Lease> new_lease(const LeaseKey& key, std::chrono::milliseconds length) const;
  [[nodiscard]] Condition is_free() const;
  [[nodiscard]] Item new_row(const Lease& lease) const;
  [[nodiscard]] UpdateAction next_generation(const Lease& lease) const;
  /// What an answer to the attempt means; nothing when the row must be read to know.
  [[nodiscard]] std::optional<Result<Lease>> acquired(Lease lease, const Result<WriteResult>& taken) const;
  [[nodiscard]] Result<Lease> acquired_after_all(Lease lease, const Result<std::optional<LeaseStatus>>& row,
                                                 const Error& error) const;
  /// Whether a release whose answer was lost has been carried out.
  [[nodiscard]] Result<void> released_after_all(const Lease& lease, const Result<std::optional<LeaseStatus>>& row,
                                                const Error& error) const;
  [[nodiscard]] Error held_by_other(const LeaseKey& key, const Error& error) const;

  Store* store_;
  std::string table_;
  LeaseOptions options_;
};

/// A condition for storage behind a lease with fencing: no holder of a later lease has written `attribute`, which every
/// writer sets to its generation.
Condition not_older(const std::string& attribute, std::int64_t generation);

/// A lease that is refreshed on a thread of its own until it is released, lost, or the guard goes. It never counts as
/// held when it is not: `held` looks at the clock, and a refresh that hangs is not waited for. Thread-safe.
class LeaseGuard {
 public:
  /// Releases the lease. Errors are ignored: the lease ends by itself.
  ~LeaseGuard();
  LeaseGuard(LeaseGuard&&) noexcept;
  /// Releases what it had before.
  LeaseGuard& operator=(LeaseGuard&&) noexcept;

  /// Not lost, not released, and not within the margin of its end: by the wall clock, which the row
  /// refers to, and by the steady clock, which cannot be set back.
  [[nodiscard]] bool held() const;
  /// The lease as it was last refreshed. Fails with kLeaseNotOwned when it is not held, and says why.
  [[nodiscard]] Result<Lease> lease() const;
  /// Asks to stop when the lease is lost. Callbacks run on the guard's thread, and may release the guard or let it go.
  [[nodiscard]] std::stop_token lost() const;

  /// Stops refreshing and gives the lease back. Further calls do nothing.
  Result<void> release();
  /// Stops refreshing, because something else has given the lease back (`Leases::release_action`).
  void forget();

 private:
  friend class Leases;
  class Keeper;
  explicit LeaseGuard(std::shared_ptr<Keeper> keeper);

  std::shared_ptr<Keeper> keeper_;
};

}  // namespace dolmen
