// The cost of an embedded store compared with plain RocksDB with the same bytes, keys and options in the same run:
// GetItem and PutItem of a 1 KB item, by the CPU time of the whole process. And the same with an encrypted table.
//
// Data goes below $TMPDIR or the current directory, and is removed at the end. The last lines are the ratios.
#include <algorithm>
#include <benchmark/benchmark.h>
#include <cstdlib>
#include <filesystem>
#include <fmt/core.h>
#include <rocksdb/db.h>
#include <string>
#include <unistd.h>
#include <vector>

#include "base/check.h"
#include "cpu_time.h"
#include "dolmen/model/encryption.h"
#include "dolmen/store.h"
#include "embedded/embedded.h"
#include "storage/rocks_options.h"
#include "value/encoded_item.h"

namespace {

using namespace dolmen;

constexpr int kItems = 10'000;  // few enough for the block cache
constexpr int kRounds = 5;
constexpr int kOperations = 20'000;

std::filesystem::path bench_directory() {
  const char* chosen = std::getenv("TMPDIR");
  return std::filesystem::path(chosen != nullptr ? chosen : ".") / fmt::format("store_bench_{}", ::getpid());
}

Item key_of(int number) { return {{"id", fmt::format("item-{:08}", number % kItems)}}; }

Item item_of(int number) {
  Item item = key_of(number);
  item.set("name", "a name of some length");
  item.set("count", number);
  item.set("active", true);
  item.set("data", std::string(900, 'x'));
  return item;
}

TableDefinition definition() { return {.name = "bench", .partition_key = {"id", KeyType::kString}}; }

/// Item bytes under keys of the same length as the engine's.
class RawRocks {
 public:
  explicit RawRocks(const std::filesystem::path& directory) {
    std::filesystem::create_directories(directory);
    rocksdb::Options options =
        storage::rocks_options({.directory = directory, .durability = Durability::kOs}, rocksdb::Env::Default());
    options.create_if_missing = true;
    rocksdb::DB* db = nullptr;
    check(rocksdb::DB::Open(options, directory, &db));
    db_.reset(db);
    for (int i = 0; i < kItems; ++i) {
      keys_.push_back(std::string(13, '\1') + key_of(i).at("id").string());
      values_.push_back(encode_item(item_of(i)).bytes);
    }
  }

  void put(int number) {
    check(db_->Put({}, keys_[static_cast<std::size_t>(number % kItems)],
                   values_[static_cast<std::size_t>(number % kItems)]));
  }
  void get(int number) {
    std::string value;
    check(db_->Get({}, keys_[static_cast<std::size_t>(number % kItems)], &value));
    benchmark::DoNotOptimize(value);
  }

 private:
  static void check(const rocksdb::Status& status) { DOLMEN_CHECK(status.ok(), status.ToString().c_str()); }

  std::unique_ptr<rocksdb::DB> db_;
  std::vector<std::string> keys_;
  std::vector<std::string> values_;
};

std::unique_ptr<Store> open_store(const std::filesystem::path& directory) {
  std::filesystem::create_directories(directory.parent_path());
  const std::filesystem::path keys = directory.parent_path() / "table.keys";
  create_key_file(keys, "bench").value();
  auto store =
      open_embedded_store({.directory = directory.string(), .durability = Durability::kOs, .table_keys = keys.string()})
          .value();
  store->create_table(definition()).value();
  TableDefinition encrypted = definition();
  encrypted.name = "encrypted";
  encrypted.kms_key = "bench";
  store->create_table(encrypted).value();
  return store;
}

LeastTimes& least() {
  static LeastTimes times;
  return times;
}

template <class Operation>
void measure(benchmark::State& state, const std::string& name, Operation operation) {
  int number = 0;
  for (auto _ : state) {
    const double start = cpu_microseconds();
    for (int i = 0; i < kOperations; ++i) operation(number++ * 7919 % kItems);
    const double each = (cpu_microseconds() - start) / kOperations;
    state.SetIterationTime(each / 1e6);
    least().add(name, each);
  }
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  std::filesystem::create_directories(bench_directory());
  {
    RawRocks raw(bench_directory() / "raw");
    const std::unique_ptr<Store> store = open_store(bench_directory() / "store");
    const std::vector<Item> items = [] {
      std::vector<Item> made;
      for (int i = 0; i < kItems; ++i) made.push_back(item_of(i));
      return made;
    }();
    const std::vector<Item> keys = [] {
      std::vector<Item> made;
      for (int i = 0; i < kItems; ++i) made.push_back(key_of(i));
      return made;
    }();
    for (int i = 0; i < kItems; ++i) {
      raw.put(i);
      store->put_item("bench", items[static_cast<std::size_t>(i)]).value();
      store->put_item("encrypted", items[static_cast<std::size_t>(i)]).value();
    }
    const auto at = [](const std::vector<Item>& list, int number) -> const Item& {
      return list[static_cast<std::size_t>(number)];
    };
    // Registered alternately, so that a change of the machine's speed affects both sides.
    const auto add = [](const char* name, auto operation) {
      benchmark::RegisterBenchmark(name,
                                   [name, operation](benchmark::State& state) { measure(state, name, operation); })
          ->UseManualTime()
          ->Iterations(1)
          ->Repetitions(kRounds)
          ->ReportAggregatesOnly()
          ->Unit(benchmark::kMicrosecond);
    };
    add("rocksdb_get", [&](int i) { raw.get(i); });
    add("store_get", [&](int i) { benchmark::DoNotOptimize(store->get_item("bench", at(keys, i)).value()); });
    add("rocksdb_put", [&](int i) { raw.put(i); });
    add("store_put", [&](int i) { store->put_item("bench", at(items, i)).value(); });
    add("encrypted_get", [&](int i) { benchmark::DoNotOptimize(store->get_item("encrypted", at(keys, i)).value()); });
    add("encrypted_put", [&](int i) { store->put_item("encrypted", at(items, i)).value(); });
    benchmark::RunSpecifiedBenchmarks();
    for (const auto& [name, aim] : {std::pair("get", 1.5), std::pair("put", 2.0)})
      if (const double plain = least()[fmt::format("rocksdb_{}", name)]; plain > 0)
        fmt::print("{}: store {:.2f} us, rocksdb {:.2f} us of CPU, ratio {:.2f} (aim: at most {:.1f})\n", name,
                   least()[fmt::format("store_{}", name)], plain, least()[fmt::format("store_{}", name)] / plain, aim);
    for (const char* const name : {"get", "put"})
      if (const double plain = least()[fmt::format("store_{}", name)]; plain > 0)
        fmt::print("{}: encrypted {:.2f} us of CPU, {:.2f} us more than plain\n", name,
                   least()[fmt::format("encrypted_{}", name)], least()[fmt::format("encrypted_{}", name)] - plain);
  }
  benchmark::Shutdown();
  std::filesystem::remove_all(bench_directory());
}
