// The cost of a query of 100 items while its table grows from 10^4 to 10^7 items: the same partitions are read each
// time, in an embedded store on disk. QUERY_BENCH_ITEMS replaces the 10^7.
//
// Data goes below $TMPDIR or the current directory, and is removed at the end.
#include <algorithm>
#include <benchmark/benchmark.h>
#include <cstdlib>
#include <filesystem>
#include <fmt/core.h>
#include <unistd.h>

#include "base/check.h"
#include "cpu_time.h"
#include "dolmen/store.h"
#include "embedded/embedded.h"

namespace {

using namespace dolmen;

constexpr std::size_t kPerPartition = 100;
constexpr int kQueries = 500;
constexpr int kRounds = 5;

std::filesystem::path bench_directory() {
  const char* chosen = std::getenv("TMPDIR");
  return std::filesystem::path(chosen != nullptr ? chosen : ".") / fmt::format("query_bench_{}", ::getpid());
}

std::string partition(std::size_t number) { return fmt::format("partition-{:08}", number); }

/// Adds items until the table has `wanted`.
void grow(Store& store, std::size_t& items, std::size_t wanted) {
  std::vector<BatchAction> actions;
  for (; items < wanted; ++items) {
    actions.emplace_back(BatchPut{"bench",
                                  {{"p", partition(items / kPerPartition)},
                                   {"s", static_cast<std::int64_t>(items % kPerPartition)},
                                   {"text", "a value of about forty bytes, no more"}}});
    if (actions.size() == 25 || items + 1 == wanted) {
      store.batch_write(actions).value();
      actions.clear();
    }
  }
}

/// The CPU time of one query in this thread, which does all its work; the minimum of all rounds.
double cost_of_query(Store& store) {
  double least = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    const double start = cpu_microseconds(CLOCK_THREAD_CPUTIME_ID);
    for (int i = 0; i < kQueries; ++i) {
      const Page page =
          store.query_page("bench", {.key = key("p") == partition(static_cast<std::size_t>(i % 50) * 2)}).value();
      DOLMEN_CHECK(page.count == kPerPartition, "a partition has 100 items");
    }
    least = std::min(least, (cpu_microseconds(CLOCK_THREAD_CPUTIME_ID) - start) / kQueries);
  }
  return least;
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const char* end = std::getenv("QUERY_BENCH_ITEMS");
  const std::size_t most = end != nullptr ? std::strtoull(end, nullptr, 10) : 10'000'000;
  {
    const auto opened =
        open_embedded_store({.directory = bench_directory().string(), .durability = Durability::kOs}).value();
    Store& store = *opened;
    store
        .create_table({.name = "bench",
                       .partition_key = {"p", KeyType::kString},
                       .sort_key = KeyAttribute{"s", KeyType::kNumber}})
        .value();
    std::size_t items = 0;
    double first = 0;
    for (std::size_t wanted = 10'000; wanted <= most; wanted *= 10) {
      grow(store, items, wanted);
      const double cost = cost_of_query(store);
      if (first == 0) first = cost;
      fmt::print("{:>10} items: {:.1f} us of CPU for a query of {} items, {:.2f} of that with 10,000 items\n", wanted,
                 cost, kPerPartition, cost / first);
      std::fflush(stdout);
    }
  }
  benchmark::Shutdown();
  std::filesystem::remove_all(bench_directory());
}
