// What a history costs a PutItem that replaces an item of 1 KB: CPU time with the history on and off, on disk without a
// sync for each write.
//
// Data goes below $TMPDIR or the current directory, and is removed at the end.
#include <benchmark/benchmark.h>
#include <cstdlib>
#include <filesystem>
#include <fmt/core.h>
#include <unistd.h>

#include "base/check.h"
#include "engine/engine.h"
#include "engine/keyspaces.h"
#include "service/wait.h"

namespace {

using namespace dolmen;
using engine::Engine;

std::filesystem::path new_directory() {
  const char* temporary = std::getenv("TMPDIR");
  return std::filesystem::path(temporary == nullptr ? "." : temporary) / fmt::format("history_bench-{}", ::getpid());
}

void put_items(benchmark::State& state) {
  const std::filesystem::path directory = new_directory();
  {
    auto storage = storage::Storage::open(
        {.directory = directory, .durability = Durability::kOs, .keyspaces = engine::keyspaces::names()});
    const std::unique_ptr<Engine> engine = Engine::open(std::move(storage).value()).value();
    DOLMEN_CHECK(call<CreateTable>(*engine, {.name = "bench", .partition_key = {"p"}}).has_value(), "a new table");
    if (state.range(0) != 0)
      DOLMEN_CHECK(call<UpdateContinuousBackups>(*engine, {.table = "bench", .change = {}}).has_value(), "a history");
    constexpr int kItems = 1000;
    int number = 0;
    for (auto _ : state) {
      const Item item{{"p", std::to_string(number++ % kItems)},
                      {"data", std::string(1000, static_cast<char>('a' + number % 26))}};
      WriteRequest request{.kind = WriteKind::kPut, .table = "bench", .item = encode_item(item)};
      DOLMEN_CHECK(call<PutItem>(*engine, std::move(request)).has_value(), "a put");
    }
  }
  std::filesystem::remove_all(directory);
}
BENCHMARK(put_items)->ArgName("history")->Arg(0)->Arg(1)->MeasureProcessCPUTime();

}  // namespace
