#include "worker.h"

#include <algorithm>
#include <fmt/format.h>
#include <thread>

namespace dolmen::torture {
namespace {

using std::chrono::milliseconds;

constexpr std::int64_t kLengthMinMs = 500;
constexpr std::int64_t kLengthMaxMs = 8000;

}  // namespace

Worker::Worker(World& world, std::uint64_t seed)
    : world_(world), random_(seed), plain_(make_cache(false)), fenced_(make_cache(true)) {
  be_born();
}

PageCache Worker::make_cache(bool fenced) {
  LeaseOptions options{.ttl_buffer = std::chrono::seconds(kTtlBufferSeconds), .fencing = fenced};
  options.random = [this] { return random_(); };
  options.clock.now = [this] { return std::chrono::system_clock::time_point(milliseconds(now_ms_)); };
  options.clock.steady_now = [this] { return steady_now_; };
  options.clock.wait_until = [this](auto&, auto&, LeaseClock::Moment moment) {
    world_.time_ms += std::chrono::ceil<milliseconds>(moment - steady_now_).count();
    steady_now_ = moment;
    look_at_clock();
    std::this_thread::yield();
  };
  return PageCache(world_.store, world_.table, world_.bodies, {.leases = std::move(options)});
}

std::int64_t Worker::draw(std::int64_t low, std::int64_t high) {
  return std::uniform_int_distribution(low, high)(random_);
}

void Worker::be_born() { skew_ms_ = draw(-kSkewMaxMs, kSkewMaxMs); }

void Worker::look_at_clock() { now_ms_ = world_.time_ms.fetch_add(draw(0, 2)) + skew_ms_; }

/// Mostly a moment; now and then longer than any lease.
void Worker::let_time_pass() {
  const bool long_pause = draw(1, 400) == 1;
  world_.time_ms += long_pause ? draw(kLengthMaxMs, 2 * kLengthMaxMs) : draw(0, 40);
  if (chance(20)) std::this_thread::yield();
}

void Worker::run() {
  while (!world_.stop) {
    if (world_.permits.fetch_sub(1) <= 0) {
      world_.permits.fetch_add(1);
      return;
    }
    const auto key = static_cast<std::size_t>(draw(0, static_cast<std::int64_t>(world_.keys) - 1));
    if (acquire(key)) {
      ++world_.acquired;
    } else {
      world_.permits.fetch_add(1);
      let_time_pass();
    }
    if (chance(1)) collect_garbage(key);
  }
}

bool Worker::acquire(std::size_t key) {
  look_at_clock();
  Acquisition acquisition{.key = key, .now_ms = now_ms_, .skew_ms = skew_ms_};
  acquisition.acquired.called = world_.next_moment();
  const Result<Lease> lease =
      leases_of(key).acquire(World::lease_key(key), milliseconds(draw(kLengthMinMs, kLengthMaxMs)));
  acquisition.acquired.returned = world_.next_moment();
  acquisition.acquired_ms = world_.time_ms;
  if (!lease) {
    if (lease.error().code() != Code::kLeaseHeld) world_.report("acquire: " + lease.error().message());
    return false;
  }
  acquisition.expires_at = lease->expires_at;
  acquisition.generation = lease->generation;
  work(acquisition, *lease);
  history_.push_back(acquisition);
  return true;
}

void Worker::work(Acquisition& acquisition, Lease lease) {
  // Killed right after it got the lease; for the others that is the same as before it was told.
  if (chance(2)) return be_born();
  count_on(acquisition, lease);
  const std::optional<std::int64_t> before = published_number(acquisition.key);
  let_time_pass();
  count_on(acquisition, lease);
  while (chance(30)) {
    if (!refresh(acquisition, lease)) return;
    let_time_pass();
    count_on(acquisition, lease);
  }
  if (chance(2)) return be_born();
  if (before && chance(60))
    publish(acquisition, lease, *before + 1);
  else
    release(acquisition, lease);
}

void Worker::count_on(Acquisition& acquisition, const Lease& lease) {
  look_at_clock();
  if (now_ms_ < lease.expires_at * 1000 - 2 * kSkewMaxMs) acquisition.counted_on_ms = now_ms_ - skew_ms_;
}

bool Worker::refresh(Acquisition& acquisition, Lease& lease) {
  look_at_clock();
  const Interval asked{.called = world_.next_moment()};
  const Result<Lease> refreshed =
      leases_of(acquisition.key).refresh(lease, milliseconds(draw(kLengthMinMs, kLengthMaxMs)));
  if (refreshed) {
    if (now_ms_ >= lease.expires_at * 1000) world_.report("refresh: a lease was refreshed after its end");
    lease = *refreshed;
    acquisition.expires_at = lease.expires_at;
    return true;
  }
  // Somebody who publishes was at work on the row, and this worker may try again.
  if (refreshed.error().code() == Code::kTransactionConflict) return true;
  acquisition.refused = {.asked = {asked.called, world_.next_moment()}, .now_ms = now_ms_};
  if (refreshed.error().code() != Code::kLeaseNotOwned) world_.report("refresh: " + refreshed.error().message());
  return false;
}

std::optional<std::int64_t> Worker::published_number(std::size_t key) {
  const Result<std::optional<PageMetadata>> found = cache_of(key).metadata(World::page_key(key));
  if (found) return number_of(*found);
  world_.report("get: " + found.error().message());
  return std::nullopt;
}

void Worker::publish(Acquisition& acquisition, const Lease& lease, std::int64_t number) {
  look_at_clock();
  Interval asked{.called = world_.next_moment()};
  const Result<PageMetadata> published =
      cache_of(acquisition.key)
          .publish(lease, World::page_key(acquisition.key), GeneratedPage{.body = "", .etag = etag_of(number)});
  asked.returned = world_.next_moment();
  if (published) {
    if (now_ms_ >= lease.expires_at * 1000) world_.report("publish: somebody published after the end of the lease");
    acquisition.ended = asked;
    acquisition.published = number;
    return;
  }
  // Others were at work on the row, again and again.
  const std::vector<TransactFailure> failures = transact_failures(published.error());
  if (std::ranges::find(failures, "TransactionConflict", &TransactFailure::reason) != failures.end())
    return release(acquisition, lease);
  acquisition.refused = {.asked = asked, .now_ms = now_ms_};
  if (published.error().code() != Code::kLeaseNotOwned) world_.report("publish: " + published.error().message());
}

void Worker::release(Acquisition& acquisition, const Lease& lease) {
  look_at_clock();
  Interval asked{.called = world_.next_moment()};
  Result<void> released = leases_of(acquisition.key).release(lease);
  while (!released && released.error().code() == Code::kTransactionConflict)
    released = leases_of(acquisition.key).release(lease);
  asked.returned = world_.next_moment();
  acquisition.ended = asked;
  if (!released) world_.report("release: " + released.error().message());
}

void Worker::collect_garbage(std::size_t key) {
  const Item row{{"pk", World::lease_key(key).partition}, {"sk", "LOCK"}};
  const Result<GetResult> found = world_.store.get_item(world_.table, row);
  if (!found || !found->item || !found->item->contains("ttl")) return;
  const AttributeValue ttl = found->item->at("ttl");
  if (ttl.number() > Number(world_.time_ms / 1000)) return;
  const Result<WriteResult> removed = world_.store.delete_item(world_.table, row, {.condition = attr("ttl") == ttl});
  if (!removed && removed.error().code() != Code::kConditionFailed)
    world_.report("delete: " + removed.error().message());
}

void Worker::check_that_all_can_be_acquired() {
  skew_ms_ = 0;
  for (std::size_t key = 0; key < world_.keys; ++key) {
    Leases& leases = leases_of(key);
    const Result<std::optional<LeaseStatus>> row = leases.status(World::lease_key(key));
    if (!row) return world_.report("status: " + row.error().message());
    const std::int64_t end_ms = *row ? (*row)->expires_at.value_or(0) * 1000 : 0;
    const auto try_at = [&](std::int64_t at_ms) {
      now_ms_ = at_ms;
      return leases.acquire(World::lease_key(key), milliseconds(kLengthMinMs));
    };
    if (end_ms > 0 && try_at(end_ms - 1)) world_.report(fmt::format("key {} was acquired before its end", key));
    Acquisition acquisition{.key = key};
    acquisition.acquired.called = world_.next_moment();
    const Result<Lease> lease = try_at(std::max(end_ms, world_.time_ms.load()));
    acquisition.acquired.returned = world_.next_moment();
    acquisition.acquired_ms = std::max(now_ms_, world_.time_ms.load());
    if (!lease) return world_.report(fmt::format("no progress: key {} is free but {}", key, lease.error().message()));
    acquisition.now_ms = now_ms_;
    acquisition.expires_at = lease->expires_at;
    acquisition.generation = lease->generation;
    release(acquisition, *lease);
    history_.push_back(acquisition);
  }
}

}  // namespace dolmen::torture
