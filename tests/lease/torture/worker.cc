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
  return PageCache(world_.store, world_.table, world_.bodies,
                   {.leases = std::move(options), .lease_length = milliseconds(kRequestLengthMs)});
}

std::int64_t Worker::draw(std::int64_t low, std::int64_t high) {
  return std::uniform_int_distribution(low, high)(random_);
}

void Worker::be_born() {
  skew_ms_ = draw(-kSkewMaxMs, kSkewMaxMs);
  if (!begun_) return;
  ++world_.abandoned_requests;
  claims_.push_back(std::move(begun_->claim));
  begun_.reset();
}

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

bool Worker::begin_request(std::size_t key) {
  look_at_clock();
  const std::int64_t number = world_.requests[key] + draw(0, 2);
  PageRequest request{.id = std::to_string(number), .hash = "h"};
  RequestClaim claim{.key = key, .id = request.id, .now_ms = now_ms_};
  claim.begun.called = world_.next_moment();
  const Result<RequestState> state = cache_of(key).begin_request(World::page_key(key), request);
  claim.begun.returned = world_.next_moment();
  if (!state) {
    // Others were at work on the items, again and again.
    const std::vector<TransactFailure> failures = transact_failures(state.error());
    if (std::ranges::find(failures, "TransactionConflict", &TransactFailure::reason) == failures.end())
      world_.report("begin: " + state.error().message());
    return true;
  }
  if (state->status == RequestStatus::kCompleted) {
    std::int64_t first = number;
    world_.requests[key].compare_exchange_strong(first, number + 1);
  }
  if (!state->is_mine) return true;
  claim.end = std::chrono::ceil<std::chrono::seconds>(milliseconds(claim.now_ms + kRequestLengthMs)).count();
  request.token = state->token;
  begun_ = Begun{std::move(request), std::move(claim)};
  if (!chance(10)) return true;
  be_born();
  return false;
}

void Worker::end_request(const Interval& asked, bool completed) {
  if (!begun_) return;
  begun_->claim.ended = asked;
  begun_->claim.completed = completed;
  claims_.push_back(std::move(begun_->claim));
  begun_.reset();
}

void Worker::give_up_request(std::size_t key) {
  if (!begun_) return;
  if (chance(20)) return be_born();
  look_at_clock();
  Interval asked{.called = world_.next_moment()};
  Result<void> failed = cache_of(key).fail_request(World::page_key(key), begun_->request);
  while (!failed && failed.error().code() == Code::kTransactionConflict)
    failed = cache_of(key).fail_request(World::page_key(key), begun_->request);
  asked.returned = world_.next_moment();
  if (!failed) world_.report("fail: " + failed.error().message());
  end_request(asked, false);
}

bool Worker::acquire(std::size_t key) {
  if (chance(40) && !begin_request(key)) return false;
  look_at_clock();
  Acquisition acquisition{.key = key, .now_ms = now_ms_, .skew_ms = skew_ms_};
  acquisition.acquired.called = world_.next_moment();
  const Result<Lease> lease =
      leases_of(key).acquire(World::lease_key(key), milliseconds(draw(kLengthMinMs, kLengthMaxMs)));
  acquisition.acquired.returned = world_.next_moment();
  acquisition.acquired_ms = world_.time_ms;
  if (!lease) {
    if (lease.error().code() != Code::kLeaseHeld) world_.report("acquire: " + lease.error().message());
    give_up_request(key);
    return false;
  }
  acquisition.expires_at = lease->expires_at;
  acquisition.generation = lease->generation;
  if (begun_) begun_->claim.leases.push_back({acquisition.acquired, lease->expires_at});
  work(acquisition, *lease);
  give_up_request(key);
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
    if (begun_) begun_->claim.leases.push_back({{asked.called, world_.next_moment()}, lease.expires_at});
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
  PublishOptions options;
  if (begun_) options.request = begun_->request;
  const Result<PageMetadata> published = cache_of(acquisition.key)
                                             .publish(lease, World::page_key(acquisition.key),
                                                      GeneratedPage{.body = "", .etag = etag_of(number)}, options);
  asked.returned = world_.next_moment();
  if (published) {
    if (now_ms_ >= lease.expires_at * 1000) world_.report("publish: somebody published after the end of the lease");
    acquisition.ended = asked;
    acquisition.published = number;
    end_request(asked, true);
    return;
  }
  // The request was taken over by another before this worker had the lease, because its time was over.
  if (begun_ && published.error().code() == Code::kIdempotencyMismatch) {
    if (now_ms_ + 2 * kSkewMaxMs < begun_->claim.end * 1000)
      world_.report("publish: a request was lost before its end");
    return release(acquisition, lease);
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
  if (begun_) begun_->claim.leases.push_back({asked, 0});
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

void Worker::check_that_requests_are_free_again() {
  skew_ms_ = 0;
  const ScanOptions begun{.filter = attr("status") == "STARTED", .consistent_read = true};
  const Result<std::vector<Item>> rows = world_.store.scan(world_.table, begun).all();
  if (!rows) return world_.report("scan: " + rows.error().message());
  for (std::size_t key = 0; key < world_.keys; ++key)
    for (const Item& row : *rows) {
      if (row.at("pk").string() != World::lease_key(key).partition) continue;
      const PageRequest request{.id = row.at("sk").string().substr(std::string("REQ#").size()), .hash = "h"};
      const std::int64_t end_ms = row.at("lease_expires_at").number().to_int64().value() * 1000;
      const auto is_free_at = [&](std::int64_t at_ms) {
        now_ms_ = at_ms;
        const Result<RequestState> state = cache_of(key).begin_request(World::page_key(key), request);
        return state && state->is_mine;
      };
      if (is_free_at(end_ms - 1))
        world_.report(fmt::format("key {}: request {} was free before its end", key, request.id));
      RequestClaim claim{.key = key, .id = request.id};
      claim.begun.called = world_.next_moment();
      if (!is_free_at(std::max(end_ms, world_.time_ms.load())))
        return world_.report(fmt::format("key {}: request {} is not free after its end", key, request.id));
      claim.begun.returned = world_.next_moment();
      claim.now_ms = now_ms_;
      ++world_.requests_freed;
      claim.ended = Interval{.called = world_.next_moment()};
      const Result<void> failed = cache_of(key).fail_request(World::page_key(key), request);
      claim.ended->returned = world_.next_moment();
      if (!failed) world_.report("fail: " + failed.error().message());
      claims_.push_back(std::move(claim));
    }
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
