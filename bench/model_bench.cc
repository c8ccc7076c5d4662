// The overhead of a model: put and get of a struct with 20 attributes through Table<T>, compared with put_item and
// get_item of the same stored item, in the same run on a store in memory, by the CPU time of the whole process.
// `encode` is only the model's part of a put.
//
// The last lines are the differences.
#include <algorithm>
#include <benchmark/benchmark.h>
#include <fmt/core.h>
#include <set>
#include <string>
#include <vector>

#include "cpu_time.h"
#include "dolmen/model/table.h"
#include "dolmen/open.h"

namespace {

using namespace dolmen;

constexpr int kItems = 1'000;
constexpr int kRounds = 60;
constexpr int kOperations = 3'000;
constexpr double kAimMicroseconds = 3;

struct Order {
  std::string pk;
  std::string sk;
  std::string customer;
  std::string status;
  std::string currency;
  std::string street;
  std::string city;
  std::string country;
  std::optional<std::string> note;
  std::int64_t amount = 0;
  std::int64_t discount = 0;
  double weight = 0;
  bool paid = false;
  bool express = false;
  std::set<std::string> tags;
  std::vector<std::string> lines;
  std::int64_t ttl = 0;
  std::string created_at;
  std::string updated_at;
  std::int64_t version = 0;
};
DOLMEN_RECORD(Order, pk, sk, customer, status, currency, street, city, country, note, amount, discount, weight, paid,
              express, tags, lines, ttl, created_at, updated_at, version);

Model order_model() {
  Model model{.name = "Order",
              .table = "orders",
              .naming = NamingConvention::kSnakeCase,
              .partition_key = {"pk", KeyType::kString},
              .sort_key = KeyAttribute{"sk", KeyType::kString}};
  for (const char* name : {"pk", "sk"})
    model.attributes.push_back({.name = name, .type = Type::kString, .required = true});
  for (const char* name : {"customer", "status", "currency", "street", "city", "country", "note"})
    model.attributes.push_back({.name = name, .type = Type::kString, .omit_empty = true});
  for (const char* name : {"amount", "discount", "weight"})
    model.attributes.push_back({.name = name, .type = Type::kNumber});
  for (const char* name : {"paid", "express"}) model.attributes.push_back({.name = name, .type = Type::kBool});
  model.attributes.push_back({.name = "tags", .type = Type::kStringSet, .omit_empty = true});
  model.attributes.push_back({.name = "lines", .type = Type::kList});
  model.attributes.push_back({.name = "ttl",
                              .type = Type::kNumber,
                              .omit_empty = true,
                              .roles = {{Role::kTtl}},
                              .format = AttributeFormat::kUnixSeconds});
  model.attributes.push_back({.name = "created_at", .type = Type::kString, .roles = {{Role::kCreatedAt}}});
  model.attributes.push_back({.name = "updated_at", .type = Type::kString, .roles = {{Role::kUpdatedAt}}});
  model.attributes.push_back(
      {.name = "version", .type = Type::kNumber, .roles = {{Role::kVersion}}, .format = AttributeFormat::kInt});
  return model;
}

Order order_of(int number) {
  return {.pk = fmt::format("CUSTOMER#{:06}", number),
          .sk = "ORDER#2026-01-16",
          .customer = "Ada Lovelace",
          .status = "paid",
          .currency = "EUR",
          .street = "12 rue de Siam",
          .city = "Brest",
          .country = "FR",
          .note = "ring twice",
          .amount = 129'900 + number,
          .discount = 500,
          .weight = 2.75,
          .paid = true,
          .express = true,
          .tags = {"fragile", "gift"},
          .lines = {"lamp", "desk", "chair"},
          .ttl = 1'900'000'000};
}

LeastTimes& least() {
  static LeastTimes times;
  return times;
}

template <class Operation>
void add(const std::string& name, Operation operation) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [name, operation](benchmark::State& state) {
                                 for (auto _ : state) {
                                   const double start = cpu_microseconds();
                                   for (int i = 0; i < kOperations; ++i)
                                     operation(static_cast<std::size_t>(i * 7919 % kItems));
                                   const double each = (cpu_microseconds() - start) / kOperations;
                                   state.SetIterationTime(each / 1e6);
                                   least().add(name, each);
                                 }
                               })
      ->UseManualTime()
      ->Iterations(1)
      ->Repetitions(kRounds)
      ->ReportAggregatesOnly()
      ->Unit(benchmark::kMicrosecond);
}

}  // namespace

int main(int argc, char** argv) {
  // The rounds alternate, so that other activity of the machine and the growing store affect all alike.
  std::string in_turns = "--benchmark_enable_random_interleaving=true";
  std::vector<char*> arguments(argv, argv + argc);
  arguments.insert(arguments.begin() + 1, in_turns.data());
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  const std::unique_ptr<Store> store = open("memory:").value();
  Table<Order> table = Table<Order>::open(*store, order_model()).value();
  table.items().create_table().value();
  std::vector<Order> orders;
  std::vector<Item> items;
  std::vector<Item> keys;
  std::vector<ModelKey> model_keys;
  for (int i = 0; i < kItems; ++i) {
    orders.push_back(order_of(i));
    items.push_back(table.put_action(orders.back()).value().item);
    keys.push_back({{"pk", orders.back().pk}, {"sk", orders.back().sk}});
    model_keys.push_back({orders.back().pk, orders.back().sk});
    store->put_item("orders", items.back()).value();
  }
  add("store_put", [&](std::size_t i) { store->put_item("orders", items[i]).value(); });
  add("typed_put", [&](std::size_t i) { table.put(orders[i]).value(); });
  add("encode", [&](std::size_t i) { benchmark::DoNotOptimize(table.put_action(orders[i]).value()); });
  add("store_get", [&](std::size_t i) { benchmark::DoNotOptimize(store->get_item("orders", keys[i]).value()); });
  add("typed_get", [&](std::size_t i) { benchmark::DoNotOptimize(table.get(model_keys[i]).value()); });
  benchmark::RunSpecifiedBenchmarks();
  for (const char* name : {"put", "get"}) {
    const double raw = least()[fmt::format("store_{}", name)];
    const double typed = least()[fmt::format("typed_{}", name)];
    if (raw > 0 && typed > 0)
      fmt::print("{}: {:.2f} us through the model, {:.2f} us without, {:.2f} us added (aim: at most {})\n", name, typed,
                 raw, typed - raw, kAimMicroseconds);
  }
  benchmark::Shutdown();
}
