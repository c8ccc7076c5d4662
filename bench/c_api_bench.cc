// The cost of a call through the interface for C beside the same call in C++: GetItem and PutItem of a 1 KB item in a
// store in memory. What C adds is the JSON, which a program in C++ never sees. bench/languages/run.py does the same
// from Python.
#include <benchmark/benchmark.h>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <string>

#include "base/check.h"
#include "dolmen/c.h"
#include "dolmen/embedded.h"
#include "dolmen/store.h"
#include "value/json.h"

namespace {

using namespace dolmen;

constexpr int kItems = 1000;

Item key_of(std::int64_t number) { return {{"id", fmt::format("item-{:08}", number % kItems)}}; }

Item item_of(std::int64_t number) {
  Item item = key_of(number);
  item.set("name", "a name of some length");
  item.set("count", number);
  item.set("active", true);
  item.set("data", std::string(900, 'x'));
  return item;
}

std::string put_text(std::int64_t number) {
  return fmt::format(R"({{"TableName":"bench","Item":{}}})", json::to_text(item_of(number)));
}
std::string get_text(std::int64_t number) {
  return fmt::format(R"({{"TableName":"bench","Key":{}}})", json::to_text(key_of(number)));
}

std::unique_ptr<Store> cpp_store() {
  auto store = open_embedded({.durability = Durability::kMemory}).value();
  store->create_table({.name = "bench", .partition_key = {"id", KeyType::kString}}).value();
  for (int i = 0; i < kItems; ++i) store->put_item("bench", item_of(i)).value();
  return store;
}

class CStore {
 public:
  CStore() {
    DOLMEN_CHECK(dolmen_open("memory:", &store_) == DOLMEN_OK, "a store in memory opens");
    call("CreateTable",
         R"({"TableName":"bench","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],
             "AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}]})");
    for (int i = 0; i < kItems; ++i) call("PutItem", put_text(i));
  }
  ~CStore() { dolmen_close(store_); }
  CStore(const CStore&) = delete;
  CStore& operator=(const CStore&) = delete;

  std::size_t call(const char* operation, const std::string& request) {
    char* answer = nullptr;
    DOLMEN_CHECK(dolmen_call(store_, operation, request.c_str(), &answer) == DOLMEN_OK, "the call succeeds");
    const std::size_t length = std::strlen(answer);
    dolmen_free(answer);
    return length;
  }

 private:
  dolmen_store* store_ = nullptr;
};

void get_cpp(benchmark::State& state) {
  const auto store = cpp_store();
  std::int64_t number = 0;
  for (auto _ : state) benchmark::DoNotOptimize(store->get_item("bench", key_of(++number)).value());
}
BENCHMARK(get_cpp);

void get_c(benchmark::State& state) {
  CStore store;
  std::int64_t number = 0;
  for (auto _ : state) benchmark::DoNotOptimize(store.call("GetItem", get_text(++number)));
}
BENCHMARK(get_c);

void put_cpp(benchmark::State& state) {
  const auto store = cpp_store();
  std::int64_t number = 0;
  for (auto _ : state) benchmark::DoNotOptimize(store->put_item("bench", item_of(++number)).value());
}
BENCHMARK(put_cpp);

void put_c(benchmark::State& state) {
  CStore store;
  std::int64_t number = 0;
  for (auto _ : state) benchmark::DoNotOptimize(store.call("PutItem", put_text(++number)));
}
BENCHMARK(put_c);

/// What crosses the boundary in any case: the handle, the checks of a small request, the answer.
void smallest_call_c(benchmark::State& state) {
  CStore store;
  for (auto _ : state) benchmark::DoNotOptimize(store.call("ListTables", "{\"Limit\":1}"));
}
BENCHMARK(smallest_call_c);

}  // namespace
