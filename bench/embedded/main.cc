// Measures Dolmen's embedded store beside other stores, in rounds that take turns, and prints one line of JSON for each
// engine, operation and round. Usage: embedded_report FOLDER os|sync ROUNDS OPERATIONS; the folder is empty.
#include <chrono>
#include <cstdlib>
#include <fmt/core.h>
#include <functional>
#include <vector>

#include "base/check.h"
#include "bench/cpu_time.h"
#include "bench/embedded/engine.h"

namespace {

using namespace dolmen;
using namespace dolmen::bench;

constexpr std::size_t kRows = 10'000;  // About as much as the block cache holds.
constexpr std::size_t kStep = 7919;    // Visits all rows in a mixed order.
constexpr std::size_t kPages = kRows / kRowsPerPartition;
constexpr std::size_t kOperationsPerPage = 20;  // Pages are so much rarer than rows.

struct Opened {
  const char* name;
  std::unique_ptr<Engine> plain;
  std::unique_ptr<Engine> indexed;
  std::size_t next_new = kRows;
};

struct Operation {
  const char* name;
  std::size_t count;
  std::function<void(Opened&, std::size_t)> run;
};

void measure(Opened& engine, const Operation& operation) {
  const auto begin = std::chrono::steady_clock::now();
  const double cpu = cpu_microseconds();
  for (std::size_t i = 0; i < operation.count; ++i) operation.run(engine, i * kStep % kRows);
  const double spent = cpu_microseconds() - cpu;
  const std::chrono::duration<double, std::micro> wall = std::chrono::steady_clock::now() - begin;
  const auto count = static_cast<double>(operation.count);
  fmt::print("{{\"engine\": \"{}\", \"operation\": \"{}\", \"cpu_us\": {:.3f}, \"wall_us\": {:.3f}}}\n", engine.name,
             operation.name, spent / count, wall.count() / count);
}

void check_page(std::size_t count) { DOLMEN_CHECK(count == 100, "a page has 100 rows"); }

std::vector<Operation> operations(std::size_t count) {
  const std::size_t pages = std::max<std::size_t>(count / kOperationsPerPage, 1);
  return {
      {"get", count, [](Opened& e, std::size_t i) { e.plain->get(i); }},
      {"put over another", count, [](Opened& e, std::size_t i) { e.plain->put(i); }},
      {"query of 100", pages, [](Opened& e, std::size_t i) { check_page(e.plain->query(i % kPages)); }},
      {"put with an index", count, [](Opened& e, std::size_t i) { e.indexed->put(i); }},
      {"index query of 100", pages, [](Opened& e, std::size_t i) { check_page(e.indexed->query_index(i % kPages)); }},
      {"put of a new row", count, [](Opened& e, std::size_t) { e.plain->put(e.next_new++); }},
  };
}

std::vector<Opened> open_all(const std::filesystem::path& folder, bool sync) {
  std::vector<Opened> all;
  const auto add = [&](const char* name, auto open) {
    const auto options = [&](const char* kind, bool indexed) {
      return EngineOptions{
          .directory = folder / (std::string(name) + kind), .sync = sync, .indexed = indexed, .rows = kRows};
    };
    Opened opened{.name = name, .plain = open(options("-plain", false)), .indexed = open(options("-indexed", true))};
    if (opened.plain == nullptr)
      fmt::print("{{\"skipped\": \"{}\"}}\n", name);
    else
      all.push_back(std::move(opened));
  };
  add("dolmen", open_dolmen);
  add("rocksdb", open_rocksdb);
  add("sqlite", open_sqlite);
  add("lmdb", open_lmdb);
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    fmt::print(stderr, "usage: embedded_report FOLDER os|sync ROUNDS OPERATIONS\n");
    return 2;
  }
  const bool sync = std::string_view(argv[2]) == "sync";
  const auto rounds = std::strtoul(argv[3], nullptr, 10);
  std::vector<Opened> engines = open_all(argv[1], sync);
  for (Opened& engine : engines)
    for (std::size_t i = 0; i < kRows; ++i) {
      engine.plain->put(i);
      engine.indexed->put(i);
    }
  for (std::size_t round = 0; round < rounds; ++round)
    for (const Operation& operation : operations(std::strtoul(argv[4], nullptr, 10)))
      for (Opened& engine : engines) measure(engine, operation);
}
