// What a resource of the relational store costs beside a plain item with the same attributes, on a store in memory.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <memory>
#include <string>

#include "dolmen/open.h"
#include "dolmen/relation/relations.h"
#include "dolmen/store.h"

namespace {

using namespace dolmen;

constexpr const char* kTable = "resources";
const std::string kNote(200, 'x');

struct Opened {
  Opened()
      : store(open("memory:").value()), graph(Relations::open(*store, kTable, ResourceTypes::undeclared()).value()) {
    store->create_table({.name = "plain", .partition_key = {"id", KeyType::kString}}).value();
  }
  std::unique_ptr<Store> store;
  Relations graph;
};

void put_item(benchmark::State& state) {
  const Opened opened;
  int number = 0;
  for (auto _ : state) opened.store->put_item("plain", {{"id", std::to_string(number++)}, {"note", kNote}}).value();
}
BENCHMARK(put_item)->Unit(benchmark::kMicrosecond);

void create(benchmark::State& state, bool unique) {
  Opened opened;
  int number = 0;
  for (auto _ : state) {
    CreateResource request{.type = "Node", .id = std::to_string(number), .attributes = {{"note", kNote}}};
    if (unique) request.unique = {{"code", std::to_string(number)}};
    ++number;
    opened.graph.create(request).value();
  }
}
BENCHMARK_CAPTURE(create, alone, false)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(create, with_a_unique_value, true)->Unit(benchmark::kMicrosecond);

void get_item(benchmark::State& state) {
  const Opened opened;
  opened.store->put_item("plain", {{"id", "1"}, {"note", kNote}}).value();
  for (auto _ : state) benchmark::DoNotOptimize(opened.store->get_item("plain", {{"id", "1"}}).value());
}
BENCHMARK(get_item)->Unit(benchmark::kMicrosecond);

void get(benchmark::State& state) {
  Opened opened;
  opened.graph.create({.type = "Node", .id = "1", .attributes = {{"note", kNote}}}).value();
  for (auto _ : state) benchmark::DoNotOptimize(opened.graph.get("urn:pp:Node::1").value());
}
BENCHMARK(get)->Unit(benchmark::kMicrosecond);

}  // namespace
