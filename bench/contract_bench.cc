// The cost of a contract: PutItem of an item with 20 attributes to a bound table and to an unbound one, on a store with
// Durability::kOs; and the check alone.
#include <benchmark/benchmark.h>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <unistd.h>

#include "contract/contracts.h"
#include "dolmen/embedded.h"
#include "dolmen/store.h"
#include "service/service.h"
#include "value/encoded_item.h"

namespace {

using namespace dolmen;

constexpr int kFields = 20;

enum class Bound { kNot, kModel, kVersionedModel, kSchema };

/// A model of 20 attributes: strings, numbers and bools.
std::string model_text(bool versioned) {
  std::string text = R"({"dms_version":"0.1","models":[{"name":"Thing","table":{"name":"things"},)"
                     R"("keys":{"partition":{"attribute":"_id","type":"S"}},"attributes":[)"
                     R"({"attribute":"_id","type":"S","required":true})";
  for (int i = 1; i < kFields; ++i) {
    constexpr const char* kTypes[] = {"S", "N", "BOOL"};
    const bool is_version = versioned && i == 1;
    text += fmt::format(R"(,{{"attribute":"field_number_{}","type":"{}","required":true{}}})", i, kTypes[i % 3],
                        is_version ? R"(,"roles":["version"])" : "");
  }
  return text + "]}]}";
}

std::string schema_text() {
  std::string text = R"({"schema_id":"things","schema_version":"v1","fields":{"_id":{"type":"string","required":true})";
  for (int i = 1; i < kFields; ++i) {
    constexpr const char* kTypes[] = {"string", "int", "bool"};
    text += fmt::format(R"(,"field_number_{}":{{"type":"{}","required":true}})", i, kTypes[i % 3]);
  }
  return text + "}}";
}

Item thing(int number) {
  Item item{{"_id", fmt::format("thing-{:08}", number)}};
  for (int i = 1; i < kFields; ++i) {
    const AttributeValue values[] = {"a value of some length, and then some", number, i % 2 == 0};
    item.set(fmt::format("field_number_{}", i), values[i % 3]);
  }
  return item;
}

contract::Definition definition_of(Bound bound) {
  if (bound == Bound::kSchema) return {.models = {}, .schemas = {schema_text()}, .discriminator = {}, .kinds = {}};
  return {.models = {{.name = "things.json", .text = model_text(bound == Bound::kVersionedModel)}},
          .schemas = {},
          .discriminator = {},
          .kinds = {}};
}

struct Opened {
  explicit Opened(Bound bound) {
    std::filesystem::remove_all(directory);
    store = open_embedded({.directory = directory, .durability = Durability::kOs}).value();
    store->create_table({.name = "things", .partition_key = {"_id", KeyType::kString}}).value();
    if (bound == Bound::kNot) return;
    contract::Contracts(*store).bind({.table = "things", .version = "v1", .definition = definition_of(bound)}).value();
  }
  ~Opened() {
    store.reset();
    std::filesystem::remove_all(directory);
  }

  std::string directory =
      fmt::format("{}/contract_bench_{}", std::filesystem::temp_directory_path().string(), ::getpid());
  std::unique_ptr<Store> store;
};

void put_item(benchmark::State& state, Bound bound) {
  const Opened opened(bound);
  int number = 0;
  for (auto _ : state) opened.store->put_item("things", thing(number++)).value();
}
BENCHMARK_CAPTURE(put_item, not_bound, Bound::kNot)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(put_item, bound_to_a_model, Bound::kModel)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(put_item, bound_to_a_model_with_version, Bound::kVersionedModel)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(put_item, bound_to_a_schema, Bound::kSchema)->Unit(benchmark::kMicrosecond);

void check(benchmark::State& state, Bound bound) {
  const TableDefinition table{.name = "things", .partition_key = {"_id", KeyType::kString}};
  const contract::Gate gate({.table = "things",
                             .version = "v1",
                             .mode = contract::Mode::kEnforce,
                             .rules = contract::Rules::make(definition_of(bound), table).value()});
  const EncodedItem item = encode_item(thing(1));
  for (auto _ : state) benchmark::DoNotOptimize(gate.check({.old_item = {}, .new_item = item.bytes}).has_value());
}
BENCHMARK_CAPTURE(check, model, Bound::kModel)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(check, schema, Bound::kSchema)->Unit(benchmark::kMicrosecond);

}  // namespace
