// The cost of the storage room compared with plain RocksDB: the same bytes, the same options, the same run.
//
// Data goes below $TMPDIR or the current directory, and is removed at the end. The last lines are ratios of
// throughput, storage to plain RocksDB.

#include <algorithm>
#include <benchmark/benchmark.h>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fmt/core.h>
#include <map>
#include <memory>
#include <mutex>
#include <rocksdb/db.h>
#include <rocksdb/options.h>
#include <rocksdb/write_batch.h>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#include "base/check.h"
#include "cpu_time.h"
#include "storage/rocks_options.h"
#include "storage/storage.h"

namespace {

using dolmen::Durability;
using dolmen::Result;
using dolmen::storage::Batch;
using dolmen::storage::Keyspace;
using dolmen::storage::Options;
using dolmen::storage::Storage;

constexpr Keyspace kRows{0};
constexpr std::size_t kKeys = 10'000;  ///< Few enough for the block cache.
constexpr std::size_t kValueBytes = 1000;
constexpr std::size_t kWriters = 64;
constexpr std::size_t kCommitsPerWriter = 300;
constexpr int kRepetitions = 5;

std::filesystem::path bench_directory() {
  const char* chosen = std::getenv("TMPDIR");
  return std::filesystem::path(chosen != nullptr ? chosen : ".") / fmt::format("storage_bench_{}", ::getpid());
}

const std::string& key(std::size_t number) {
  static const std::vector<std::string> keys = [] {
    std::vector<std::string> made;
    for (std::size_t i = 0; i < kKeys; ++i) made.push_back(fmt::format("row-{:012}", i * 7919 % kKeys));
    return made;
  }();
  return keys[number % kKeys];
}

const std::string& value() {
  static const std::string bytes = [] {
    std::string made(kValueBytes, '\0');
    std::uint64_t state = 1;
    for (char& byte : made) byte = static_cast<char>((state = state * 6364136223846793005 + 1442695040888963407) >> 58);
    return made;
  }();
  return bytes;
}

void check(const rocksdb::Status& status) { DOLMEN_CHECK(status.ok(), status.ToString().c_str()); }

template <class T>
void check(const Result<T>& result) {
  DOLMEN_CHECK(result, result.error().message().c_str());
}

Options options_for(std::string_view name, Durability durability) {
  Options options;
  options.directory = bench_directory() / name;
  options.durability = durability;
  options.keyspaces = {"rows"};
  return options;
}

std::unique_ptr<Storage> open_storage(std::string_view name, Durability durability) {
  auto opened = Storage::open(options_for(name, durability));
  check(opened);
  return *std::move(opened);
}

/// Plain RocksDB with the options of the storage room.
class Raw {
 public:
  Raw(std::string_view name, Durability durability) {
    rocksdb::Options options = dolmen::storage::rocks_options(options_for(name, durability), rocksdb::Env::Default());
    options.create_if_missing = options.create_missing_column_families = true;
    const auto directory = bench_directory() / name;
    std::filesystem::create_directories(directory);
    rocksdb::DB* db = nullptr;
    std::vector<rocksdb::ColumnFamilyHandle*> families;
    check(rocksdb::DB::Open(options, directory, {{"default", options}, {"rows", options}}, &families, &db));
    db_.reset(db);
    default_ = families[0];
    rows_ = families[1];
    write_options_.sync = durability == Durability::kSync;
  }
  ~Raw() {
    for (auto* family : {default_, rows_}) check(db_->DestroyColumnFamilyHandle(family));
  }
  Raw(const Raw&) = delete;
  Raw& operator=(const Raw&) = delete;

  void commit(std::size_t number) {
    rocksdb::WriteBatch batch;
    check(batch.Put(rows_, key(number), value()));
    check(db_->Write(write_options_, &batch));
  }
  bool get(std::string_view at, std::string& into) {
    const rocksdb::Status status = db_->Get(read_options_, rows_, at, &into);
    return status.ok();
  }
  void flush() { check(db_->Flush(rocksdb::FlushOptions(), rows_)); }

 private:
  std::unique_ptr<rocksdb::DB> db_;
  rocksdb::ColumnFamilyHandle* default_ = nullptr;
  rocksdb::ColumnFamilyHandle* rows_ = nullptr;
  rocksdb::WriteOptions write_options_;
  const rocksdb::ReadOptions read_options_;
};

Batch batch_of(std::size_t number) {
  Batch batch;
  batch.put(kRows, key(number), value());
  return batch;
}

/// Rates by name, for the ratios at the end.
std::map<std::string, std::vector<double>>& rates() {
  static std::map<std::string, std::vector<double>> all;
  return all;
}

/// The repetition that other programs disturbed least.
double best(const std::vector<double>& numbers) { return *std::ranges::max_element(numbers); }

double thread_cpu_seconds() { return dolmen::cpu_microseconds(CLOCK_THREAD_CPUTIME_ID) / 1e6; }

/// Runs `operation(i)` as often as the benchmark requires and records its rate per second of CPU time.
template <class Operation>
void measure(benchmark::State& state, const std::string& name, Operation&& operation) {
  for (std::size_t i = 0; i < kKeys; ++i) operation(i);
  const double start = thread_cpu_seconds();
  std::size_t count = 0;
  for (auto _ : state) operation(count++);
  state.SetItemsProcessed(static_cast<std::int64_t>(count));
  rates()[name].push_back(static_cast<double>(count) / (thread_cpu_seconds() - start));
}

void get_storage(benchmark::State& state) {
  auto storage = open_storage("get-storage", Durability::kOs);
  for (std::size_t i = 0; i < kKeys; ++i) check(storage->commit(batch_of(i)));
  check(storage->close());
  storage = open_storage("get-storage", Durability::kOs);
  std::string found;
  measure(state, "get storage", [&](std::size_t i) { check(storage->get(kRows, key(i), found)); });
}

void get_raw(benchmark::State& state) {
  Raw raw("get-raw", Durability::kOs);
  for (std::size_t i = 0; i < kKeys; ++i) raw.commit(i);
  raw.flush();
  std::string found;
  measure(state, "get raw", [&](std::size_t i) { benchmark::DoNotOptimize(raw.get(key(i), found)); });
}

void commit_os_storage(benchmark::State& state) {
  const auto storage = open_storage("os-storage", Durability::kOs);
  measure(state, "commit os storage",
          [&](std::size_t i) { storage->commit_async(batch_of(i), [](Result<void> result) { check(result); }); });
}

void commit_os_raw(benchmark::State& state) {
  Raw raw("os-raw", Durability::kOs);
  measure(state, "commit os raw", [&](std::size_t i) { raw.commit(i); });
}

/// One thread with kWriters commits in progress, like an event loop with as many connections.
void run_event_loop(Storage& storage) {
  std::mutex ready_mutex;
  std::condition_variable ready_changed;
  std::vector<std::size_t> ready(kWriters);
  std::size_t submitted = 0;
  std::size_t completed = 0;
  while (completed < kWriters * kCommitsPerWriter) {
    std::vector<std::size_t> writers;
    {
      std::unique_lock lock(ready_mutex);
      ready_changed.wait(lock, [&] { return !ready.empty(); });
      writers.swap(ready);
    }
    completed += submitted == 0 ? 0 : writers.size();
    for (const std::size_t writer : writers) {
      if (submitted == kWriters * kCommitsPerWriter) break;
      storage.commit_async(batch_of(submitted++), [&, writer](Result<void> result) {
        check(result);
        const std::scoped_lock lock(ready_mutex);
        ready.push_back(writer);
        if (ready.size() == 1) ready_changed.notify_one();
      });
    }
  }
}

template <class Commit>
void run_threads(Commit&& commit) {
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < kWriters; ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < kCommitsPerWriter; ++i) commit(t * kCommitsPerWriter + i);
    });
  }
  for (auto& thread : threads) thread.join();
}

/// All the work of the writers, once.
template <class Work>
void measure_writers(benchmark::State& state, const std::string& name, Work&& work) {
  constexpr std::size_t kCommits = kWriters * kCommitsPerWriter;
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    rates()[name].push_back(static_cast<double>(kCommits) / elapsed.count());
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(kCommits));
}

void sync_writers_raw(benchmark::State& state) {
  Raw raw("sync-raw", Durability::kSync);
  measure_writers(state, "64 sync writers raw", [&] { run_threads([&](std::size_t i) { raw.commit(i); }); });
}

void sync_writers_async(benchmark::State& state) {
  const auto storage = open_storage("sync-async", Durability::kSync);
  measure_writers(state, "64 sync writers storage, event loop", [&] { run_event_loop(*storage); });
}

void sync_writers_threads(benchmark::State& state) {
  const auto storage = open_storage("sync-threads", Durability::kSync);
  measure_writers(state, "64 sync writers storage, threads",
                  [&] { run_threads([&](std::size_t i) { check(storage->commit(batch_of(i))); }); });
}

BENCHMARK(get_raw)->Iterations(100'000)->Repetitions(kRepetitions);
BENCHMARK(get_storage)->Iterations(100'000)->Repetitions(kRepetitions);
BENCHMARK(commit_os_raw)->Iterations(40'000)->Repetitions(kRepetitions);
BENCHMARK(commit_os_storage)->Iterations(40'000)->Repetitions(kRepetitions);
BENCHMARK(sync_writers_raw)->Iterations(1)->Repetitions(kRepetitions)->UseRealTime();
BENCHMARK(sync_writers_async)->Iterations(1)->Repetitions(kRepetitions)->UseRealTime();
BENCHMARK(sync_writers_threads)->Iterations(1)->Repetitions(kRepetitions)->UseRealTime();

void print_ratio(const std::string& storage, const std::string& raw) {
  if (!rates().contains(storage) || !rates().contains(raw)) return;
  const double of_storage = best(rates()[storage]);
  const double of_raw = best(rates()[raw]);
  fmt::print("{:<40} {:>10.0f}/s, raw {:>10.0f}/s, ratio {:.2f}\n", storage, of_storage, of_raw, of_storage / of_raw);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  std::filesystem::create_directories(bench_directory());
  benchmark::RunSpecifiedBenchmarks();
  std::filesystem::remove_all(bench_directory());
  print_ratio("get storage", "get raw");
  print_ratio("commit os storage", "commit os raw");
  print_ratio("64 sync writers storage, event loop", "64 sync writers raw");
  print_ratio("64 sync writers storage, threads", "64 sync writers raw");
}
