// The cost of pages: fresh ones, and a herd of 1,000 simultaneous requests for one stale page, which must cause one
// generation. The counters show requests/s, the median and the 99th percentile of the time until a request was
// answered, how long one request alone takes that generates the page, and how many generations a herd has caused.
//
// Bodies, and the data of the store on disk, go below $TMPDIR or the current directory, and are removed at the
// end.
#include <algorithm>
#include <atomic>
#include <benchmark/benchmark.h>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <latch>
#include <thread>
#include <unistd.h>
#include <vector>

#include "base/check.h"
#include "dolmen/isr.h"
#include "dolmen/isr/isr.h"
#include "dolmen/open.h"

namespace {

using namespace dolmen;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr int kHerd = 1000;

/// A cache whose clock the benchmark moves to make pages stale.
struct World {
  std::filesystem::path folder;
  std::unique_ptr<Store> store;
  std::unique_ptr<BodyStore> bodies;
  std::atomic<std::int64_t> seconds = 4'100'000'000;
  std::chrono::seconds revalidate{60};
  std::chrono::milliseconds generation{20};
  std::atomic<int> generated = 0;
  PageCache cache;

  explicit World(bool on_disk)
      : folder(std::filesystem::path(std::getenv("TMPDIR") != nullptr ? std::getenv("TMPDIR") : ".") /
               fmt::format("isr_bench_{}", ::getpid())),
        store(open(on_disk ? (folder / "data").string() : "memory:").value()),
        bodies(open_body_directory(folder / "bodies").value()),
        cache(*store, "cache", *bodies, options()) {
    DOLMEN_CHECK(store->create_table(cache.leases().table_definition()).has_value(), "the table can be made");
  }
  ~World() {
    store.reset();
    std::filesystem::remove_all(folder);
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  PageCacheOptions options() {
    PageCacheOptions options{.poll_interval = 5ms};
    options.leases.clock.now = [this] { return std::chrono::system_clock::time_point(std::chrono::seconds(seconds)); };
    return options;
  }

  Result<ServedPage> serve(const ServeOptions& serve_options = {}) {
    return cache.serve_or_regenerate(
        {"/"},
        [this](const std::stop_token&) -> Result<GeneratedPage> {
          ++generated;
          std::this_thread::sleep_for(generation);
          return GeneratedPage{.body = std::string(4096, 'x'), .revalidate = revalidate};
        },
        serve_options);
  }

  /// Returns when the page of this second is there, which may be generated in the background.
  void wait_for_page() {
    while (cache.metadata({"/"}).value()->generated_at != seconds) std::this_thread::sleep_for(1ms);
  }
};

void fresh_page(benchmark::State& state) {
  World world(false);
  DOLMEN_CHECK(world.serve().has_value(), "the page can be generated");
  for (auto _ : state) DOLMEN_CHECK(world.serve()->state == PageState::kFresh, "the page is fresh");
  state.SetItemsProcessed(state.iterations());
}

struct HerdOptions {
  bool on_disk = false;
  ServeOptions serve = {};
  std::chrono::seconds revalidate{60};
  std::chrono::milliseconds generation{20};
};

/// All requests of a herd start at the same moment, each on its own thread. The next herd comes when the page that the
/// one before it has caused is there.
void herd(benchmark::State& state, const HerdOptions& options) {
  World world(options.on_disk);
  world.revalidate = options.revalidate;
  world.generation = options.generation;
  const Clock::time_point alone = Clock::now();
  DOLMEN_CHECK(world.serve().has_value(), "the page can be generated");
  state.counters["alone_ms"] = std::chrono::duration<double, std::milli>(Clock::now() - alone).count();
  int generations = 0;
  std::vector<double> milliseconds;
  double total_seconds = 0;
  int herds = 0;
  for (auto _ : state) {
    world.seconds += 60;
    world.generated = 0;
    std::vector<double> times(kHerd);
    std::latch ready(kHerd + 1);
    Clock::time_point begin;
    {
      std::vector<std::jthread> threads;
      for (int i = 0; i < kHerd; ++i)
        threads.emplace_back([&, i] {
          ready.arrive_and_wait();
          const Clock::time_point start = Clock::now();
          DOLMEN_CHECK(world.serve(options.serve).has_value(), "every request is answered");
          times[static_cast<std::size_t>(i)] = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
        });
      begin = Clock::now();
      ready.arrive_and_wait();
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    state.SetIterationTime(seconds);
    total_seconds += seconds;
    ++herds;
    milliseconds.insert(milliseconds.end(), times.begin(), times.end());
    world.wait_for_page();
    generations += world.generated;
    // Who comes after a page was published that is stale already may generate it once more.
    DOLMEN_CHECK(world.generated == 1 || options.revalidate == 0s, "a herd causes one generation");
  }
  std::ranges::sort(milliseconds);
  state.counters["requests/s"] = kHerd * herds / total_seconds;
  state.counters["p50_ms"] = milliseconds[milliseconds.size() / 2];
  state.counters["p99_ms"] = milliseconds[milliseconds.size() * 99 / 100];
  state.counters["generations"] = static_cast<double>(generations) / herds;
}

constexpr WhenStale kAtOnce = WhenStale::kServeAtOnce;

void herd_generates(benchmark::State& state) { herd(state, {}); }
void herd_generates_on_disk(benchmark::State& state) { herd(state, {.on_disk = true}); }
void herd_polls(benchmark::State& state) { herd(state, {.serve = {.when_busy = WhenBusy::kWait}}); }
void herd_at_once(benchmark::State& state) { herd(state, {.serve = {.when_stale = kAtOnce}}); }
void herd_at_once_on_disk(benchmark::State& state) { herd(state, {.on_disk = true, .serve = {.when_stale = kAtOnce}}); }
void herd_at_once_slow(benchmark::State& state) { herd(state, {.serve = {.when_stale = kAtOnce}, .generation = 1s}); }
void herd_waits(benchmark::State& state) { herd(state, {.serve = {.when_stale = WhenStale::kWait}}); }
/// Pages that are stale again when they are published.
void herd_waits_stale(benchmark::State& state) {
  herd(state, {.serve = {.when_stale = WhenStale::kWait}, .revalidate = 0s, .generation = 1s});
}

BENCHMARK(fresh_page);
BENCHMARK(herd_generates)->Iterations(10)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(herd_generates_on_disk)->Iterations(10)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(herd_polls)->Iterations(10)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(herd_at_once)->Iterations(10)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(herd_at_once_on_disk)->Iterations(10)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(herd_at_once_slow)->Iterations(10)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(herd_waits)->Iterations(10)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(herd_waits_stale)->Iterations(10)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
