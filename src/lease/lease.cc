#include "dolmen/lease.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "base/clock.h"
#include "base/fail.h"
#include "base/random.h"
#include "base/saturating.h"

namespace dolmen {
namespace {

constexpr std::chrono::milliseconds kLengthMax = std::chrono::days(365);

/// A whole number. Rounds up a number with a fraction, which other programs may write and which is later than the same
/// whole seconds. Limits a number that is too large to the largest one.
std::optional<std::int64_t> integer_in(const Item& row, const std::string& attribute) {
  const AttributeValue* value = row.find(attribute);
  const Number* number = value == nullptr ? nullptr : value->get_if<Number>();
  if (number == nullptr) return std::nullopt;
  if (const std::optional<std::int64_t> exact = number->to_int64()) return exact;
  constexpr double kFarAway = 9e18;
  const double rough = number->to_double();
  if (rough > kFarAway) return std::numeric_limits<std::int64_t>::max();
  if (rough < -kFarAway) return std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(std::ceil(rough));
}

std::string text_of(const LeaseKey& key) { return fmt::format("{}/{}", key.partition, key.sort); }

void fill_in(LeaseClock& clock) {
  clock.now = or_system_clock(std::move(clock.now));
  if (!clock.steady_now) clock.steady_now = [] { return std::chrono::steady_clock::now(); };
  if (!clock.wait_until)
    clock.wait_until = [](std::unique_lock<std::mutex>& lock, std::condition_variable& changed,
                          LeaseClock::Moment moment) { changed.wait_until(lock, moment); };
}

Result<void> check_length(std::chrono::milliseconds length) {
  if (length <= std::chrono::milliseconds{0} || length > kLengthMax)
    return fail(Code::kInvalidArgument, "a lease must last from 1 ms to 365 days, not {} ms", length.count());
  return {};
}

PutOptions plain_options(Condition condition) {
  return {.condition = std::move(condition), .return_item_on_failure = true};
}

UpdateOptions fenced_options(Condition condition) {
  return {
      .condition = std::move(condition), .return_values = ReturnValues::kUpdatedNew, .return_item_on_failure = true};
}

Result<void> check_token(const Lease& lease) {
  if (lease.token.empty()) return fail(Code::kInvalidArgument, "the lease of {} has no token", text_of(lease.key));
  return {};
}

}  // namespace

/// An update that refreshes a lease, and the lease that it makes.
struct Leases::Refreshed {
  UpdateAction action;
  Lease lease;
};

Leases::Leases(Store& store, std::string table, LeaseOptions options)
    : store_(&store), table_(std::move(table)), options_(std::move(options)) {
  fill_in(options_.clock);
  options_.random = or_system_random(std::move(options_.random));
}

TableDefinition Leases::table_definition() const {
  TableDefinition definition{.name = table_,
                             .partition_key = {options_.attributes.partition_key, KeyType::kString},
                             .sort_key = KeyAttribute{options_.attributes.sort_key, KeyType::kString}};
  // Also when leases do not write it: other rows of the table may have it.
  if (!options_.attributes.ttl.empty()) definition.ttl = options_.attributes.ttl;
  return definition;
}

Result<void> Leases::check(const LeaseKey& key) const {
  if (key.partition.empty() || key.sort.empty()) return fail(Code::kInvalidArgument, "the key of a lease is empty");
  const LeaseAttributes& names = options_.attributes;
  const bool unnamed = names.partition_key.empty() || names.sort_key.empty() || names.token.empty() ||
                       names.expires_at.empty() || (options_.fencing && names.generation.empty());
  if (unnamed) return fail(Code::kInvalidArgument, "an attribute of leases has no name");
  return {};
}

Item Leases::key_of(const LeaseKey& key) const {
  return {{options_.attributes.partition_key, key.partition}, {options_.attributes.sort_key, key.sort}};
}

std::int64_t Leases::now_seconds() const {
  return std::chrono::floor<std::chrono::seconds>(options_.clock.now()).time_since_epoch().count();
}

/// Rounded up, so that a lease is never shorter than asked.
std::int64_t Leases::expiry(std::chrono::milliseconds length) const {
  return std::chrono::ceil<std::chrono::seconds>(options_.clock.now() + length).time_since_epoch().count();
}

std::int64_t Leases::ttl(const Lease& lease) const {
  return saturating_add(lease.expires_at, options_.ttl_buffer.count());
}

bool Leases::has_ttl() const {
  return !options_.fencing && !options_.attributes.ttl.empty() && options_.ttl_buffer.count() > 0;
}

bool Leases::held(const Lease& lease) const { return lease.expires_at > now_seconds(); }

Condition Leases::owned(const Lease& lease) const {
  return attr(options_.attributes.token) == lease.token && attr(options_.attributes.expires_at) > now_seconds();
}

// ---- Acquiring ----

Result<Lease> Leases::new_lease(const LeaseKey& key, std::chrono::milliseconds length) const {
  DOLMEN_TRY_VOID(check(key));
  DOLMEN_TRY_VOID(check_length(length));
  FunctionRandom random(options_.random);
  return Lease{.key = key, .token = random_uuid(random), .expires_at = expiry(length)};
}

Condition Leases::is_free() const {
  return attr(options_.attributes.partition_key).not_exists() || attr(options_.attributes.expires_at) <= now_seconds();
}

/// The whole row, which replaces an existing one.
Item Leases::new_row(const Lease& lease) const {
  const LeaseAttributes& names = options_.attributes;
  Item row = key_of(lease.key);
  row.set(names.token, lease.token);
  row.set(names.expires_at, lease.expires_at);
  if (has_ttl()) row.set(names.ttl, ttl(lease));
  return row;
}

/// Changes the row instead of replacing it, so that its generation increases. A generation begins with the time in
/// microseconds, so that it also increases when the row was lost, or replaced by a program without generations: no
/// lease is acquired more often than that.
UpdateAction Leases::next_generation(const Lease& lease) const {
  const LeaseAttributes& names = options_.attributes;
  const std::int64_t start =
      std::chrono::floor<std::chrono::microseconds>(options_.clock.now()).time_since_epoch().count();
  UpdateAction action{.table = table_, .key = key_of(lease.key)};
  action.update.set(attr(names.token), lease.token)
      .set(attr(names.expires_at), lease.expires_at)
      .increment_or_start(attr(names.generation), 1, start);
  if (!names.ttl.empty()) action.update.remove(attr(names.ttl));
  return action;
}

std::optional<Result<Lease>> Leases::acquired(Lease lease, const Result<WriteResult>& taken) const {
  if (!taken && taken.error().code() == Code::kUnknownOutcome) return std::nullopt;
  if (!taken && taken.error().code() == Code::kConditionFailed)
    return std::unexpected(held_by_other(lease.key, taken.error()));
  // The row is part of a transaction in progress, for example when its holder publishes.
  if (!taken && taken.error().code() == Code::kTransactionConflict)
    return fail(Code::kLeaseHeld, "{} is being written by somebody else", text_of(lease.key));
  if (!taken) return std::unexpected(taken.error());
  if (options_.fencing)
    lease.generation = integer_in(taken->attributes.value_or(Item()), options_.attributes.generation);
  return lease;
}

/// After a broken connection the row shows whether the write succeeded. When it has another token, the write may still
/// arrive: then nobody gets the lease until it has expired, which is safe.
Result<Lease> Leases::acquired_after_all(Lease lease, const Result<std::optional<LeaseStatus>>& row,
                                         const Error& error) const {
  // A row that was given back since keeps its token.
  if (!row || !*row || (*row)->token != lease.token || (*row)->expires_at != lease.expires_at)
    return std::unexpected(error);
  if (options_.fencing) lease.generation = (*row)->generation;
  return lease;
}

Result<Lease> Leases::acquire(const LeaseKey& key, std::chrono::milliseconds length) {
  DOLMEN_TRY(const Lease lease, new_lease(key, length));
  Result<WriteResult> taken = std::unexpected(Error(Code::kUnknownOutcome, ""));
  if (options_.fencing) {
    const UpdateAction action = next_generation(lease);
    taken = store_->update_item(table_, action.key, action.update, fenced_options(is_free()));
  } else {
    taken = store_->put_item(table_, new_row(lease), plain_options(is_free()));
  }
  if (std::optional<Result<Lease>> known = acquired(lease, taken)) return std::move(*known);
  return acquired_after_all(lease, status(key), taken.error());
}

void Leases::async_acquire(const LeaseKey& key, std::chrono::milliseconds length, Callback<Lease> done) {
  Result<Lease> lease = new_lease(key, length);
  if (!lease) return done(std::unexpected(std::move(lease).error()));
  auto answered = [leases = *this, lease = *lease, done = std::move(done)](const Result<WriteResult>& taken) mutable {
    if (std::optional<Result<Lease>> known = leases.acquired(lease, taken)) return done(std::move(*known));
    leases.async_status(lease.key, [leases, lease, error = taken.error(),
                                    done = std::move(done)](const Result<std::optional<LeaseStatus>>& row) mutable {
      done(leases.acquired_after_all(lease, row, error));
    });
  };
  if (options_.fencing)
    store_->async_update_item(next_generation(*lease), fenced_options(is_free()), std::move(answered));
  else
    store_->async_put_item(table_, new_row(*lease), plain_options(is_free()), std::move(answered));
}

Error Leases::held_by_other(const LeaseKey& key, const Error& error) const {
  const std::optional<Item> row = failed_item(error);
  if (!row) return Error(Code::kLeaseHeld, fmt::format("{} is held", text_of(key)));
  const LeaseStatus status = read_row(*row);
  if (!status.expires_at)
    return Error(Code::kLeaseHeld, fmt::format("{} is an item without {}, which never expires", text_of(key),
                                               options_.attributes.expires_at));
  return Error(Code::kLeaseHeld,
               fmt::format("{} is held for another {} s", text_of(key), *status.expires_at - now_seconds()));
}

// ---- Refreshing ----

Error Leases::not_owned(const Lease& lease) const {
  return Error(Code::kLeaseNotOwned,
               fmt::format("the lease of {} has expired or is somebody else's", text_of(lease.key)));
}

Result<Leases::Refreshed> Leases::refreshed(const Lease& lease, std::chrono::milliseconds length) const {
  DOLMEN_TRY_VOID(check(lease.key));
  DOLMEN_TRY_VOID(check_token(lease));
  DOLMEN_TRY_VOID(check_length(length));
  Refreshed refreshed{.action = {.table = table_, .key = key_of(lease.key), .condition = owned(lease)}, .lease = lease};
  refreshed.lease.expires_at = expiry(length);
  refreshed.action.update.set(attr(options_.attributes.expires_at), refreshed.lease.expires_at);
  if (has_ttl()) refreshed.action.update.set(attr(options_.attributes.ttl), ttl(refreshed.lease));
  return refreshed;
}

Result<Lease> Leases::refresh(const Lease& lease, std::chrono::milliseconds length) {
  DOLMEN_TRY(const Refreshed next, refreshed(lease, length));
  const Result<WriteResult> written =
      store_->update_item(table_, next.action.key, next.action.update, {.condition = next.action.condition});
  if (!written && written.error().code() == Code::kConditionFailed) return std::unexpected(not_owned(lease));
  if (!written) return std::unexpected(written.error());
  return next.lease;
}

void Leases::async_refresh(const Lease& lease, std::chrono::milliseconds length, Callback<Lease> done) {
  Result<Refreshed> next = refreshed(lease, length);
  if (!next) return done(std::unexpected(std::move(next).error()));
  const UpdateAction action = next->action;
  store_->async_update_item(action, {.condition = action.condition},
                            [refreshed = next->lease, refused = not_owned(lease),
                             done = std::move(done)](const Result<WriteResult>& written) mutable {
                              if (written) return done(std::move(refreshed));
                              const bool not_owner = written.error().code() == Code::kConditionFailed;
                              done(std::unexpected(not_owner ? std::move(refused) : written.error()));
                            });
}

// ---- Releasing ----

/// A row with a generation stays, and is free. It keeps its token, which every row has for those who read it by its
/// model: the end decides who holds a lease.
Update Leases::release_update() const {
  Update update;
  update.set(attr(options_.attributes.expires_at), 0);
  return update;
}

Result<void> Leases::released_after_all(const Lease& lease, const Result<std::optional<LeaseStatus>>& row,
                                        const Error& error) const {
  if (!row) return std::unexpected(row.error());
  if (!*row || (*row)->token != lease.token || (*row)->expires_at == 0) return {};
  return std::unexpected(error);
}

Result<void> Leases::release(const Lease& lease) {
  DOLMEN_TRY_VOID(check(lease.key));
  DOLMEN_TRY_VOID(check_token(lease));
  const PutOptions mine{.condition = attr(options_.attributes.token) == lease.token};
  const Result<WriteResult> released = options_.fencing
                                           ? store_->update_item(table_, key_of(lease.key), release_update(), mine)
                                           : store_->delete_item(table_, key_of(lease.key), mine);
  if (released || released.error().code() == Code::kConditionFailed) return {};
  if (released.error().code() != Code::kUnknownOutcome) return std::unexpected(released.error());
  return released_after_all(lease, status(lease.key), released.error());
}

void Leases::async_release(const Lease& lease, Callback<void> done) {
  Result<void> valid = check(lease.key);
  if (valid) valid = check_token(lease);
  if (!valid) return done(std::move(valid));
  auto answered = [leases = *this, lease, done = std::move(done)](const Result<WriteResult>& released) mutable {
    if (released || released.error().code() == Code::kConditionFailed) return done({});
    if (released.error().code() != Code::kUnknownOutcome) return done(std::unexpected(released.error()));
    leases.async_status(lease.key, [leases, lease, error = released.error(),
                                    done = std::move(done)](const Result<std::optional<LeaseStatus>>& row) mutable {
      done(leases.released_after_all(lease, row, error));
    });
  };
  const PutOptions mine{.condition = attr(options_.attributes.token) == lease.token};
  if (options_.fencing)
    store_->async_update_item({.table = table_, .key = key_of(lease.key), .update = release_update()}, mine,
                              std::move(answered));
  else
    store_->async_delete_item(table_, key_of(lease.key), mine, std::move(answered));
}

Result<TransactAction> Leases::release_action(const Lease& lease) const {
  DOLMEN_TRY_VOID(check(lease.key));
  DOLMEN_TRY_VOID(check_token(lease));
  if (options_.fencing)
    return UpdateAction{
        .table = table_, .key = key_of(lease.key), .update = release_update(), .condition = owned(lease)};
  return DeleteAction{.table = table_, .key = key_of(lease.key), .condition = owned(lease)};
}

Result<CheckAction> Leases::check_action(const Lease& lease) const {
  DOLMEN_TRY_VOID(check(lease.key));
  DOLMEN_TRY_VOID(check_token(lease));
  return CheckAction{.table = table_, .key = key_of(lease.key), .condition = owned(lease)};
}

Condition not_older(const std::string& attribute, std::int64_t generation) {
  return attr(attribute).not_exists() || attr(attribute) <= generation;
}

// ---- Reading ----

LeaseStatus Leases::read_row(const Item& row) const {
  LeaseStatus status{.expires_at = integer_in(row, options_.attributes.expires_at),
                     .generation = integer_in(row, options_.attributes.generation)};
  if (const AttributeValue* token = row.find(options_.attributes.token))
    if (const std::string* text = token->get_if<std::string>()) status.token = *text;
  status.held = status.expires_at && *status.expires_at > now_seconds();
  return status;
}

Result<std::optional<LeaseStatus>> Leases::status(const LeaseKey& key) {
  DOLMEN_TRY_VOID(check(key));
  DOLMEN_TRY(const GetResult found, store_->get_item(table_, key_of(key)));
  if (!found.item) return std::nullopt;
  return read_row(*found.item);
}

void Leases::async_status(const LeaseKey& key, Callback<std::optional<LeaseStatus>> done) {
  if (Result<void> valid = check(key); !valid) return done(std::unexpected(std::move(valid).error()));
  store_->async_get_item(table_, key_of(key), {},
                         [leases = *this, done = std::move(done)](const Result<GetResult>& found) mutable {
                           if (!found) return done(std::unexpected(found.error()));
                           if (!found->item) return done(std::nullopt);
                           done(leases.read_row(*found->item));
                         });
}

}  // namespace dolmen
