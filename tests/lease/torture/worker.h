#pragma once

#include <optional>
#include <random>
#include <vector>

#include "request_history.h"
#include "world.h"

namespace dolmen::torture {

/// One program that wants leases. Its clock is wrong, it pauses, and it dies now and then and comes back as another.
class Worker {
 public:
  Worker(World& world, std::uint64_t seed);

  /// Acquires leases until all permits of the world are used.
  void run();

  /// Nobody else is at work: every key can be acquired when its lease ends and not sooner.
  void check_that_all_can_be_acquired();

  /// Nobody else is at work: every request whose worker died can be begun when its time is over and not sooner.
  void check_that_requests_are_free_again();

  std::vector<Acquisition> take_history() { return std::move(history_); }
  std::vector<RequestClaim> take_claims() { return std::move(claims_); }

 private:
  std::int64_t draw(std::int64_t low, std::int64_t high);
  bool chance(int percent) { return draw(1, 100) <= percent; }
  PageCache make_cache(bool fenced);
  PageCache& cache_of(std::size_t key) { return World::is_fenced(key) ? fenced_ : plain_; }
  Leases& leases_of(std::size_t key) { return cache_of(key).leases(); }

  /// A new program in place of this one.
  void be_born();
  /// The time of the next call, by this worker's clock; a little passes.
  void look_at_clock();
  void let_time_pass();
  /// While the lease lasts long enough for everybody's clock, the worker counts on it.
  void count_on(Acquisition& acquisition, const Lease& lease);

  bool acquire(std::size_t key);
  /// Begins a request of the key, which the next publication completes. False when the worker died of it.
  bool begin_request(std::size_t key);
  /// Lets the request fail, or dies and leaves it as it is.
  void give_up_request(std::size_t key);
  void work(Acquisition& acquisition, Lease lease);
  bool refresh(Acquisition& acquisition, Lease& lease);
  void publish(Acquisition& acquisition, const Lease& lease, std::int64_t number);
  void release(Acquisition& acquisition, const Lease& lease);
  std::optional<std::int64_t> published_number(std::size_t key);
  /// Removes a row whose time to live is over, as DynamoDB does sooner or later.
  void collect_garbage(std::size_t key);

  World& world_;
  std::mt19937_64 random_;
  std::int64_t skew_ms_ = 0;
  std::int64_t now_ms_ = 0;
  LeaseClock::Moment steady_now_ = {};
  PageCache plain_;
  PageCache fenced_;
  std::vector<Acquisition> history_;
  /// The request that the worker has begun.
  struct Begun {
    PageRequest request;
    RequestClaim claim;
  };
  void end_request(const Interval& asked, bool completed);
  std::optional<Begun> begun_;
  std::vector<RequestClaim> claims_;
};

}  // namespace dolmen::torture
