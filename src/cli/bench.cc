#include "cli/bench.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "base/fail.h"
#include "base/limits.h"
#include "base/random.h"
#include "cli/latency_counts.h"
#include "cli/opened_table.h"
#include "cli/print_error.h"
#include "cli/print_json.h"
#include "cli/progress_line.h"
#include "dolmen/tables.h"

namespace dolmen::cli {
namespace {

using BenchClock = std::chrono::steady_clock;

/// Items of one partition, which a query reads.
constexpr std::uint64_t kItemsPerPartition = 10;

struct BenchFlags {
  StoreFlags store;
  std::uint64_t items = 10'000;
  std::uint32_t bytes = 200;
  std::uint32_t connections = 16;
  double seconds = 3;
  std::vector<std::string> kinds;
  bool yes = false;
  bool json = false;
};

std::atomic<bool> bench_interrupted = false;

/// What one kind of request did.
struct Measured {
  std::string kind;
  LatencyCounts latencies;
  std::uint64_t items = 0;
  double seconds = 0;

  [[nodiscard]] double rate() const { return static_cast<double>(latencies.count()) / std::max(seconds, 1e-9); }
};

/// A table of random items, and requests about them.
class Bench {
 public:
  using Numbers = std::mt19937_64;
  /// Makes one request. Returns how many items it is about.
  using Request = std::function<Result<std::uint64_t>(Numbers& numbers)>;

  Bench(Store& store, std::string table, const BenchFlags& flags)
      : store_(store), table_(std::move(table)), flags_(flags), text_(flags.bytes, 'x') {}

  Result<void> create() {
    DOLMEN_TRY_VOID(store_.create_table({.name = table_,
                                         .partition_key = {"partition", KeyType::kNumber},
                                         .sort_key = KeyAttribute{"number", KeyType::kNumber}}));
    DOLMEN_TRY_VOID(wait_until_active(store_, table_));
    return {};
  }
  Result<void> remove() {
    DOLMEN_TRY_VOID(store_.delete_table(table_));
    return wait_until_deleted(store_, table_);
  }

  Request request(const std::string& kind) {
    if (kind == "put") return [this](Numbers& n) { return one(store_.put_item(table_, item(any(n)))); };
    if (kind == "get") return [this](Numbers& n) { return one(store_.get_item(table_, key(any(n)))); };
    if (kind == "update")
      return
          [this](Numbers& n) { return one(store_.update_item(table_, key(any(n)), Update().add(Path("count"), 1))); };
    if (kind == "query") return [this](Numbers& n) { return query(any(n)); };
    return [this](Numbers& n) { return write_batch(n); };
  }

  /// Runs a kind of request from many threads for the time of the flags.
  Result<Measured> measure(const std::string& kind) {
    const Request request = this->request(kind);
    Measured measured{.kind = kind, .latencies = {}};
    std::mutex outcome_mutex;  // Guards `measured` and `error`.
    std::optional<Error> error;
    const auto start = BenchClock::now();
    const auto end =
        start + std::chrono::duration_cast<BenchClock::duration>(std::chrono::duration<double>(flags_.seconds));
    const auto work = [&](unsigned seed) {
      Numbers numbers(seed);
      LatencyCounts own;
      std::uint64_t items = 0;
      Result<std::uint64_t> done = 0;
      for (auto before = BenchClock::now(); done && before < end && !bench_interrupted;) {
        done = request(numbers);
        const auto after = BenchClock::now();
        if (!done) break;
        items += *done;
        own.add(static_cast<std::uint64_t>(std::chrono::nanoseconds(after - before).count()));
        before = after;
      }
      const std::scoped_lock lock(outcome_mutex);
      measured.latencies.add(own);
      measured.items += items;
      if (!done && !error) error = done.error();
    };
    {
      std::vector<std::jthread> threads;
      for (unsigned i = 0; i < flags_.connections; ++i) threads.emplace_back(work, i + 1);
    }
    measured.seconds = std::chrono::duration<double>(BenchClock::now() - start).count();
    if (error) return std::unexpected(*error);
    if (bench_interrupted) return fail(Code::kCanceled, "interrupted");
    return measured;
  }

 private:
  template <class T>
  static Result<std::uint64_t> one(const Result<T>& done) {
    if (!done) return std::unexpected(done.error());
    return 1;
  }

  std::uint64_t any(Numbers& numbers) const { return numbers() % flags_.items; }
  static Item key(std::uint64_t number) {
    return {{"partition", static_cast<std::int64_t>(number / kItemsPerPartition)},
            {"number", static_cast<std::int64_t>(number % kItemsPerPartition)}};
  }
  [[nodiscard]] Item item(std::uint64_t number) const {
    Item item = key(number);
    item.set("text", text_);
    return item;
  }
  Result<std::uint64_t> query(std::uint64_t number) {
    const auto partition = static_cast<std::int64_t>(number / kItemsPerPartition);
    DOLMEN_TRY(const Page page, store_.query_page(table_, {.key = dolmen::key("partition") == partition}));
    return page.items.size();
  }
  Result<std::uint64_t> write_batch(Numbers& numbers) {
    // A batch names an item only once: those after a random one.
    const std::uint64_t first = any(numbers);
    std::vector<BatchAction> actions;
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(limits::kBatchWrites, flags_.items); ++i)
      actions.emplace_back(BatchPut{.table = table_, .item = item((first + i) % flags_.items)});
    DOLMEN_TRY(const BatchWriteResult done, store_.batch_write(actions));
    return actions.size() - done.unprocessed.size();
  }

  Store& store_;
  const std::string table_;
  const BenchFlags& flags_;
  const std::string text_;
};

void print_measured(const Measured& measured) {
  fmt::print("{:<7} {:>10}/s  {:>11}/s  {:>8.0f}  {:>8.0f}  {:>8.0f}  {:>8.0f}\n", measured.kind,
             grouped_digits(static_cast<std::uint64_t>(measured.rate())),
             grouped_digits(
                 static_cast<std::uint64_t>(static_cast<double>(measured.items) / std::max(measured.seconds, 1e-9))),
             measured.latencies.quantile(0.5), measured.latencies.quantile(0.95), measured.latencies.quantile(0.99),
             measured.latencies.quantile(1));
  std::fflush(stdout);
}

LogicalItem measured_object(const Measured& measured) {
  return {{"kind", measured.kind},
          {"requests", measured.latencies.count()},
          {"items", measured.items},
          {"seconds", measured.seconds},
          {"requestsPerSecond", measured.rate()},
          {"p50Microseconds", measured.latencies.quantile(0.5)},
          {"p95Microseconds", measured.latencies.quantile(0.95)},
          {"p99Microseconds", measured.latencies.quantile(0.99)},
          {"maxMicroseconds", measured.latencies.quantile(1)}};
}

Result<void> measure_all(Bench& bench, const BenchFlags& flags) {
  if (!flags.json)
    fmt::print("{:<7} {:>12}  {:>13}  {:>8}  {:>8}  {:>8}  {:>8}\n", "kind", "requests", "items", "p50 µs", "p95 µs",
               "p99 µs", "max µs");
  LogicalValue::List objects;
  for (const std::string& kind : flags.kinds) {
    DOLMEN_TRY(const Measured measured, bench.measure(kind));
    if (flags.json)
      objects.emplace_back(measured_object(measured));
    else
      print_measured(measured);
  }
  if (flags.json) print_json(LogicalItem{{"connections", flags.connections}, {"results", std::move(objects)}});
  return {};
}

Result<void> run_bench(const BenchFlags& flags) {
  const std::string name = store_name(flags.store);
  if (name.starts_with("aws:") || name.find("amazonaws.com") != std::string::npos)
    DOLMEN_TRY_VOID(confirm(fmt::format("Measure {}, which bills for every request?", name), flags.yes));
  DOLMEN_TRY(const std::unique_ptr<Store> store, open_store(flags.store));
  Bench bench(*store, "dolmen-bench-" + random_uuid(system_random()), flags);
  std::signal(SIGINT, [](int) { bench_interrupted = true; });
  std::signal(SIGTERM, [](int) { bench_interrupted = true; });
  DOLMEN_TRY_VOID(bench.create());
  const Result<void> measured = measure_all(bench, flags);
  // The table goes, whatever happened.
  const Result<void> removed = bench.remove();
  return measured ? removed : measured;
}

}  // namespace

void add_bench(const Verb& program) {
  auto flags = std::make_shared<BenchFlags>();
  flags->kinds = {};
  const Verb verb =
      program.verb("bench", "Measure requests to a store, in a table of its own that is deleted afterwards");
  verb.number("--items", flags->items, "Items of the table", {1, 1'000'000'000});
  verb.number("--bytes", flags->bytes, "Size of an item's text", {1, 300'000});
  verb.number("--connections", flags->connections, "Requests at a time", {1, 256});
  verb.number("--seconds", flags->seconds, "How long each kind of request is measured", {0.01, 86'400});
  verb.texts("--kind", flags->kinds,
             "Requests to measure: batch, put, get, update or query; can be given several times, all by default")
      .one_of({"batch", "put", "get", "update", "query"});
  verb.flag("--yes", flags->yes, "Do not ask before AWS is measured, which bills for it");
  verb.flag("--json", flags->json, "Print JSON");
  add_store_flags(verb, flags->store);
  verb.runs([flags]() -> int {
    if (flags->kinds.empty()) flags->kinds = {"batch", "put", "get", "update", "query"};
    const Result<void> done = run_bench(*flags);
    return done ? kDone : report(done.error(), flags->json);
  });
}

}  // namespace dolmen::cli
