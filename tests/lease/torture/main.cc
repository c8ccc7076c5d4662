// lease_torture: workers with wrong clocks contend for leases, publish, pause and die; their history is checked.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fmt/format.h>
#include <memory>
#include <random>
#include <string_view>
#include <thread>
#include <unistd.h>

#include "base/test_flags.h"
#include "dolmen/open.h"
#include "dolmen/tables.h"
#include "worker.h"

namespace {

using namespace dolmen;
using namespace dolmen::torture;

constexpr std::string_view kUsage =
    "usage: lease_torture [--workers W] [--acquisitions N] [--seed S] [--endpoint URL]\n"
    "\n"
    "Lets W workers (default: 32) acquire leases N times (default: 100000), refresh them, publish under them and give\n"
    "them back, with clocks that are up to two seconds wrong, pauses longer than their leases, and deaths at any "
    "point.\n"
    "Some do so for a request, which must be completed once. Then checks all of it: never two holders, no stale\n"
    "publication, no request that a dead worker keeps, nobody waits for ever. Ends with status 1 when there was a\n"
    "violation.\n"
    "\n"
    "  --workers W       how many at the same time, 1 to 1000\n"
    "  --acquisitions N  how many leases are acquired\n"
    "  --seed S          the same choices as in another run; without it, new ones\n"
    "  --endpoint URL    a server that speaks DynamoDB's protocol; without it, a store in memory\n"
    "  --help            this text\n";

/// Between two of these rounds nobody is at work, and every key is tried.
constexpr std::uint64_t kRounds = 10;
constexpr std::chrono::seconds kPatience{60};
constexpr std::size_t kViolationsShown = 20;

struct Options {
  std::uint64_t workers = 32;
  std::uint64_t acquisitions = 100'000;
  std::uint64_t seed = std::random_device{}();
  std::string endpoint = {};
};

/// Stops the process when nobody has acquired anything for a long time: then no thread would ever end.
void watch(const std::stop_token& stop, const World& world) {
  std::uint64_t seen = world.acquired;
  auto since = std::chrono::steady_clock::now();
  while (!stop.stop_requested()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (const std::uint64_t now = world.acquired; now != seen) {
      seen = now;
      since = std::chrono::steady_clock::now();
    } else if (std::chrono::steady_clock::now() - since > kPatience) {
      std::printf("violation: no progress for %lld s\n%llu acquisitions, 1 violations\n",
                  static_cast<long long>(kPatience.count()), static_cast<unsigned long long>(seen));
      std::fflush(stdout);
      std::_Exit(1);
    }
  }
}

/// What all workers saw.
struct Seen {
  std::vector<Acquisition> history;
  std::vector<RequestClaim> claims;
};

Seen run(World& world, const Options& options) {
  std::vector<std::unique_ptr<Worker>> workers;
  for (std::uint64_t i = 0; i <= options.workers; ++i)
    workers.push_back(std::make_unique<Worker>(world, options.seed * 1'000'003 + i));
  for (std::uint64_t round = 0; round < kRounds && !world.stop; ++round) {
    world.permits = static_cast<std::int64_t>(options.acquisitions * (round + 1) / kRounds -
                                              options.acquisitions * round / kRounds);
    {
      const std::jthread watcher([&](const std::stop_token& stop) { watch(stop, world); });
      std::vector<std::jthread> threads;
      for (std::uint64_t i = 0; i < options.workers; ++i) threads.emplace_back([&, i] { workers[i]->run(); });
    }
    // A worker that found no permit left early; what others gave back is still there.
    while (world.permits > 0 && !world.stop) workers[0]->run();
    workers[options.workers]->check_that_all_can_be_acquired();
    workers[options.workers]->check_that_requests_are_free_again();
  }
  Seen seen;
  for (const auto& worker : workers) {
    for (Acquisition& acquisition : worker->take_history()) seen.history.push_back(std::move(acquisition));
    for (RequestClaim& claim : worker->take_claims()) seen.claims.push_back(std::move(claim));
  }
  return seen;
}

/// What is stored in the end is the last that was published.
void check_stored(World& world, const std::vector<Acquisition>& history) {
  std::vector<std::int64_t> last(world.keys, 0);
  for (const Acquisition& acquisition : history)
    last[acquisition.key] = std::max(last[acquisition.key], acquisition.published.value_or(0));
  for (std::size_t key = 0; key < world.keys; ++key) {
    const auto found = PageCache(world.store, world.table, world.bodies).metadata(World::page_key(key));
    const std::int64_t stored = found ? number_of(*found) : -1;
    if (stored != last[key]) world.report(fmt::format("key {}: {} is stored, not {}", key, stored, last[key]));
  }
}

void print_summary(const std::vector<Acquisition>& history, std::size_t compared) {
  std::size_t published = 0;
  std::size_t refused = 0;
  std::size_t abandoned = 0;
  for (const Acquisition& acquisition : history) {
    published += acquisition.published ? 1 : 0;
    refused += acquisition.refused ? 1 : 0;
    abandoned += !acquisition.refused && !acquisition.ended ? 1 : 0;
  }
  fmt::print("{} published, {} refused as stale, {} died with their lease; {} compared with the one before\n",
             published, refused, abandoned, compared);
}

int torture_leases(const Options& options) {
  auto store = open(options.endpoint.empty() ? "memory:" : options.endpoint);
  if (!store) {
    fmt::print(stderr, "lease_torture: {}\n", store.error().message());
    return 2;
  }
  World world{.store = **store,
              .table = fmt::format("lease_torture_{}_{}", ::getpid(), options.seed % 1'000'000),
              .keys = std::max<std::size_t>(4, options.workers / 4)};
  // The clock of the leases is not the one by which a server removes expired items.
  TableDefinition definition = Leases(**store, world.table).table_definition();
  definition.ttl.reset();
  const auto made = ensure_table(**store, definition);
  if (!made) {
    fmt::print(stderr, "lease_torture: {}\n", made.error().message());
    return 2;
  }
  const Seen seen = run(world, options);
  check_stored(world, seen.history);
  HistoryReport report = check(seen.history, world.keys);
  for (std::string& violation : report.violations) world.report(std::move(violation));
  for (std::string& violation : check_requests(seen.claims, seen.history)) world.report(std::move(violation));
  print_summary(seen.history, report.compared);
  fmt::print(
      "{} requests begun, {} completed, {} left by a worker that died; {} of those were still there "
      "between rounds, and free again\n",
      seen.claims.size(), std::ranges::count(seen.claims, true, &RequestClaim::completed),
      world.abandoned_requests.load(), world.requests_freed.load());
  for (std::size_t i = 0; i < std::min(world.violations.size(), kViolationsShown); ++i)
    fmt::print("violation: {}\n", world.violations[i]);
  const auto dropped = (*store)->delete_table(world.table);
  if (!dropped) fmt::print("the table {} was left behind: {}\n", world.table, dropped.error().message());
  fmt::print("{} acquisitions, {} violations\n", world.acquired.load(), world.violations.size());
  return world.violations.empty() ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
  Options options;
  if (const auto status = read_test_flags(kUsage, count, arguments,
                                          {{"--workers", &options.workers},
                                           {"--acquisitions", &options.acquisitions},
                                           {"--seed", &options.seed},
                                           {"--endpoint", &options.endpoint}}))
    return *status;
  if (options.workers < 1 || options.workers > 1000) {
    std::fputs("lease_torture: --workers must be 1 to 1000\n", stderr);
    return 2;
  }
  fmt::print("seed {}\n", options.seed);
  std::fflush(stdout);
  return torture_leases(options);
}
