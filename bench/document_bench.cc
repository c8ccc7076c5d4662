// Inserting a document compared with PutItem of an item with the same content, on a store with Durability::kOs.
#include <benchmark/benchmark.h>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <unistd.h>

#include "dolmen/documents.h"
#include "dolmen/embedded.h"
#include "dolmen/store.h"

namespace {

using namespace dolmen;

constexpr std::string_view kSchema = R"({"schema_id":"users","schema_version":"v1","fields":{
    "_id":{"type":"string","required":true},"name":{"type":"string","required":true},
    "count":{"type":"int","required":true},"active":{"type":"bool","required":true},
    "data":{"type":"string","required":true}}})";

struct Opened {
  Opened() {
    std::filesystem::remove_all(directory);
    store = open_embedded({.directory = directory, .durability = Durability::kOs}).value();
    store->create_table({.name = "bench", .partition_key = {"_id", KeyType::kString}}).value();
    documents = std::make_unique<Documents>(Documents::open(*store).value());
    documents->publish(kSchema).value();
  }
  ~Opened() {
    documents.reset();
    store.reset();
    std::filesystem::remove_all(directory);
  }

  std::string directory =
      fmt::format("{}/document_bench_{}", std::filesystem::temp_directory_path().string(), ::getpid());
  std::unique_ptr<Store> store;
  std::unique_ptr<Documents> documents;
};

const std::string kData(900, 'x');

void put_item(benchmark::State& state) {
  const Opened opened;
  int number = 0;
  for (auto _ : state)
    opened.store
        ->put_item("bench", {{"_id", fmt::format("item-{:08}", number)},
                             {"name", "a name of some length"},
                             {"count", number++},
                             {"active", true},
                             {"data", kData}})
        .value();
}
BENCHMARK(put_item)->Unit(benchmark::kMicrosecond);

void insert(benchmark::State& state, int indexes) {
  const Opened opened;
  for (const char* field : {"count", "name"})
    if (indexes-- > 0) opened.documents->create_index({"users", "v1"}, field).value();
  opened.documents->wait_for_indexes().value();
  int number = 0;
  for (auto _ : state) {
    const std::string document =
        fmt::format(R"({{"_id":"item-{:08}","name":"a name of some length","count":{},"active":true,"data":"{}"}})",
                    number, number, kData);
    ++number;
    opened.documents->insert({"users", "v1"}, document).value();
  }
}
BENCHMARK_CAPTURE(insert, without_index, 0)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(insert, with_two_indexes, 2)->Unit(benchmark::kMicrosecond);

void get(benchmark::State& state) {
  const Opened opened;
  opened.documents
      ->insert({"users", "v1"}, fmt::format(R"({{"_id":"a","name":"n","count":1,"active":true,"data":"{}"}})", kData))
      .value();
  for (auto _ : state) benchmark::DoNotOptimize(opened.documents->get({"users", "v1"}, "a").value());
}
BENCHMARK(get)->Unit(benchmark::kMicrosecond);

}  // namespace
