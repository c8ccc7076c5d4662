// What time to live costs: a put with and without it and a stream, the removal of many expired items in order, and a
// large table of which nothing expires. EXPIRY_BENCH_ITEMS replaces the 10^6 of the last.
//
// Data goes below $TMPDIR or the current directory, and is removed at the end.
#include <benchmark/benchmark.h>
#include <cstdlib>
#include <filesystem>
#include <fmt/core.h>
#include <map>
#include <unistd.h>

#include "base/check.h"
#include "base/sleep.h"
#include "cpu_time.h"
#include "engine/engine.h"
#include "engine/keyspaces.h"
#include "engine/stream_log.h"
#include "service/wait.h"

namespace {

using namespace dolmen;
using engine::Engine;

constexpr std::int64_t kNow = 2'000'000'000;

class BenchClock final : public Clock {
 public:
  [[nodiscard]] TimePoint now() const override { return TimePoint(std::chrono::seconds(seconds_.load())); }
  void set(std::int64_t seconds) { seconds_ = seconds; }

 private:
  std::atomic<std::int64_t> seconds_ = kNow;
};

struct Kind {
  bool ttl;
  bool stream;
  /// Each put changes the time of its item.
  bool moves = true;
};

TableDefinition table_of(Kind kind) {
  TableDefinition table{.name = "bench", .partition_key = {"p"}};
  if (kind.ttl) table.ttl = "ends";
  if (kind.stream) table.stream = StreamView::kOldImage;
  return table;
}

std::unique_ptr<storage::Storage> open_storage(const std::filesystem::path& directory) {
  return storage::Storage::open({.directory = directory,
                                 .durability = directory.empty() ? Durability::kMemory : Durability::kOs,
                                 .keyspaces = engine::keyspaces::names()})
      .value();
}

std::filesystem::path bench_directory() {
  const char* chosen = std::getenv("TMPDIR");
  return std::filesystem::path(chosen != nullptr ? chosen : ".") / fmt::format("expiry_bench_{}", ::getpid());
}

WriteRequest put_of(std::int64_t number, std::int64_t ends, std::size_t bytes) {
  return {.kind = WriteKind::kPut,
          .table = "bench",
          .item = encode_item(
              {{"p", fmt::format("key-{:08}", number)}, {"ends", ends}, {"text", std::string(bytes, 'x')}})};
}

[[gnu::noinline]] void put_once(Engine& engine, WriteRequest request) {
  DOLMEN_CHECK(call<PutItem>(engine, std::move(request)).has_value(), "a put succeeds");
}

/// Each put replaces an item.
void put(benchmark::State& state, Kind kind) {
  BenchClock clock;
  const auto engine = Engine::open(open_storage({}), {.clock = &clock}).value();
  call<CreateTable>(*engine, table_of(kind)).value();
  std::int64_t i = 0;
  for (; i < 1000; ++i) put_once(*engine, put_of(i, kNow + 1000 + i, 1000));
  for (auto _ : state) {
    state.PauseTiming();
    WriteRequest request = put_of(i % 1000, kNow + 1000 + (kind.moves ? i : i % 1000), 1000);
    state.ResumeTiming();
    put_once(*engine, std::move(request));
    ++i;
  }
}
BENCHMARK_CAPTURE(put, plain, Kind{.ttl = false, .stream = false})->Iterations(20000);
BENCHMARK_CAPTURE(put, ttl, Kind{.ttl = true, .stream = false})->Iterations(20000);
BENCHMARK_CAPTURE(put, ttl_stays, Kind{.ttl = true, .stream = false, .moves = false})->Iterations(20000);
BENCHMARK_CAPTURE(put, stream, Kind{.ttl = false, .stream = true})->Iterations(20000);
BENCHMARK_CAPTURE(put, ttl_and_stream, Kind{.ttl = true, .stream = true})->Iterations(20000);

void load(Engine& engine, std::int64_t items, std::int64_t (*ends)(std::int64_t)) {
  for (std::int64_t i = 0; i < items;) {
    BatchWriteRequest batch;
    for (; i < items && batch.writes.size() < 25; ++i) batch.writes.push_back(put_of(i, ends(i), 20));
    call<BatchWriteItem>(engine, std::move(batch)).value();
  }
}

/// Checks that each item left once and in order, by the records of the stream.
std::size_t check_records(const std::filesystem::path& directory) {
  const auto storage = open_storage(directory);
  std::map<std::string, std::int64_t> last;
  std::size_t removed = 0;
  auto rows = storage->iterate(engine::keyspaces::kStreams, {});
  for (rows.seek_first(); rows.valid(); rows.next()) {
    const engine::streams::RecordView record = engine::streams::decode_record(rows.value()).value();
    if (record.event != StreamEvent::kRemove) continue;
    const std::int64_t ends = decode_item(*record.old_image).value().at("ends").number().to_int64().value();
    std::int64_t& before = last[std::string(rows.key().substr(0, rows.key().size() - 8))];
    DOLMEN_CHECK(record.expired && ends >= before, "items leave in the order of their times");
    before = ends;
    ++removed;
  }
  return removed;
}

void staggered_expiry(benchmark::State& state) {
  constexpr std::int64_t kItems = 100'000;
  const std::filesystem::path directory = bench_directory();
  for (auto _ : state) {
    BenchClock clock;
    auto engine = Engine::open(open_storage(directory), {.clock = &clock}).value();
    call<CreateTable>(*engine, table_of({.ttl = true, .stream = true})).value();
    // Neighbours in time are not neighbours in the table.
    load(*engine, kItems, [](std::int64_t i) { return kNow + 1 + (i * 7919) % kItems; });
    const double cpu = cpu_microseconds();
    const auto start = std::chrono::steady_clock::now();
    for (std::int64_t passed = 0; passed <= kItems; passed += kItems / 20) {
      clock.set(kNow + passed + 2);
      engine->finish_expiry();
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    state.counters["items_per_second"] = static_cast<double>(kItems) / took.count();
    state.counters["cpu_us_per_item"] = (cpu_microseconds() - cpu) / static_cast<double>(kItems);
    engine.reset();
    const std::size_t removed = check_records(directory);
    DOLMEN_CHECK(removed == kItems, "each item leaves once");
    state.counters["records"] = static_cast<double>(removed);
  }
  std::filesystem::remove_all(directory);
}
BENCHMARK(staggered_expiry)->Iterations(1)->Unit(benchmark::kMillisecond);

void idle(benchmark::State& state, bool ttl) {
  const char* chosen = std::getenv("EXPIRY_BENCH_ITEMS");
  const std::int64_t items = chosen != nullptr ? std::atoll(chosen) : 1'000'000;
  const std::filesystem::path directory = bench_directory();
  for (auto _ : state) {
    const auto engine = Engine::open(open_storage(directory)).value();
    call<CreateTable>(*engine, table_of({.ttl = ttl, .stream = false})).value();
    load(*engine, items, [](std::int64_t i) { return 4'100'000'000 + i; });
    constexpr std::chrono::seconds kQuiet{20};
    sleep_for(std::chrono::seconds(5));  // For what the writes left to do.
    const double cpu = cpu_microseconds();
    sleep_for(kQuiet);
    state.counters["cpu_percent"] = (cpu_microseconds() - cpu) / 1e4 / static_cast<double>(kQuiet.count());
  }
  std::filesystem::remove_all(directory);
}
BENCHMARK_CAPTURE(idle, without, false)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(idle, with_ttl, true)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
