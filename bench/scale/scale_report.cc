// Opens a store, adds items to it, measures reads and prints one line of JSON; then it ends without closing the store,
// so that the next run has to recover it. Used by run.py. Usage:
//
//     scale_report DIRECTORY [from N] [to N] [bytes N] [per_partition N] [indexes N] [tables_from N] [tables N] [reads
//     N]
//
// Items have numbers; item n is in table n % tables. `from` of them are there already, as are `tables_from` tables.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fmt/core.h>
#include <fstream>
#include <map>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#include "base/check.h"
#include "bench/cpu_time.h"
#include "bench/filler.h"
#include "dolmen/embedded.h"

namespace {

using namespace dolmen;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kBatch = 25;
constexpr std::size_t kPage = 100;
constexpr std::size_t kStep = 1'000'003;  // A prime: reads visit items in a mixed order.

struct Shape {
  std::size_t from = 0;
  std::size_t to = 10'000;
  std::size_t bytes = 40;
  std::size_t per_partition = 100;
  std::size_t indexes = 0;
  std::size_t tables_from = 0;
  std::size_t tables = 1;
  std::size_t reads = 20'000;
};

double milliseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

/// A number from a file of /proc: the one behind `name`.
double proc_number(const char* file, const std::string& name) {
  std::ifstream in(file);
  for (std::string word; in >> word;)
    if (word == name && in >> word) return std::strtod(word.c_str(), nullptr);
  return 0;
}

class Grown {
 public:
  Grown(const std::string& directory, const Shape& shape) : shape_(shape) {
    const auto begin = Clock::now();
    store_ = open_embedded({.directory = directory, .durability = Durability::kOs, .tables_max = shape.tables}).value();
    if (shape.from > 0) get(0);
    figures_["open_ms"] = milliseconds_since(begin);
  }

  void create_tables() {
    const auto begin = Clock::now();
    for (std::size_t i = shape_.tables_from; i < shape_.tables; ++i) {
      TableDefinition table{.name = table_name(i),
                            .partition_key = {"p", KeyType::kString},
                            .sort_key = KeyAttribute{"s", KeyType::kNumber}};
      for (std::size_t index = 0; index < shape_.indexes; ++index)
        table.global_indexes.push_back(
            {.name = fmt::format("by-{}", index), .partition_keys = {{fmt::format("a{}", index), KeyType::kString}}});
      store_->create_table(table).value();
    }
    if (shape_.tables > shape_.tables_from)
      figures_["create_table_ms"] = milliseconds_since(begin) / static_cast<double>(shape_.tables - shape_.tables_from);
  }

  void grow() {
    if (shape_.to <= shape_.from) return;
    const auto begin = Clock::now();
    const double cpu = cpu_microseconds();
    std::vector<BatchAction> actions;
    for (std::size_t i = shape_.from; i < shape_.to; ++i) {
      actions.emplace_back(BatchPut{table_name(i % shape_.tables), item(i)});
      if (actions.size() < kBatch && i + 1 < shape_.to) continue;
      store_->batch_write(actions).value();
      actions.clear();
    }
    const auto count = static_cast<double>(shape_.to - shape_.from);
    figures_["puts_per_s"] = count / milliseconds_since(begin) * 1000;
    await_quiet();
    figures_["put_cpu_us"] = (cpu_microseconds() - cpu) / count;
    figures_["written_mb"] = proc_number("/proc/self/io", "write_bytes:") / 1e6;
    figures_["user_mb"] = count * static_cast<double>(user_bytes()) / 1e6;
  }

  void read() {
    measure("get", shape_.reads, [&](std::size_t i) { get(i * kStep % shape_.to); });
    measure("page", std::max<std::size_t>(shape_.reads / 20, 1), [&](std::size_t i) { page(i * kStep % shape_.to); });
    figures_["memory_mb"] = proc_number("/proc/self/status", "VmRSS:") / 1024;
  }

  void print() const {
    std::string out;
    for (const auto& [name, value] : figures_)
      out += fmt::format("{}\"{}\": {:.3f}", out.empty() ? "{" : ", ", name, value);
    fmt::print("{}}}\n", out);
    std::fflush(stdout);
  }

 private:
  static std::string table_name(std::size_t number) { return fmt::format("scale-{:05}", number); }
  [[nodiscard]] std::size_t place(std::size_t number) const { return number / shape_.tables; }
  [[nodiscard]] std::string partition(std::size_t number) const {
    return fmt::format("partition-{:08}", place(number) / shape_.per_partition);
  }
  [[nodiscard]] Item key_of(std::size_t number) const {
    return {{"p", partition(number)}, {"s", static_cast<std::int64_t>(place(number) % shape_.per_partition)}};
  }
  [[nodiscard]] Item item(std::size_t number) const {
    Item made = key_of(number);
    made.set("text", std::string(bench::filler(number, shape_.bytes)));
    for (std::size_t index = 0; index < shape_.indexes; ++index)
      made.set(fmt::format("a{}", index), fmt::format("value-{:08}", number % (1000 + index)));
    return made;
  }
  /// As DynamoDB counts, roughly.
  [[nodiscard]] std::size_t user_bytes() const { return 28 + shape_.bytes + shape_.indexes * 16; }

  void get(std::size_t number) {
    DOLMEN_CHECK(store_->get_item(table_name(number % shape_.tables), key_of(number)).value().item.has_value(),
                 "the item is there");
  }
  void page(std::size_t number) {
    const std::size_t first = place(number) % shape_.per_partition / kPage * kPage;
    const Page found =
        store_
            ->query_page(table_name(number % shape_.tables),
                         {.key = key("p") == partition(number) && key("s") >= static_cast<std::int64_t>(first),
                          .page_size = kPage})
            .value();
    DOLMEN_CHECK(found.count > 0, "a page has items");
  }

  /// Flushes and compactions are part of the cost of writing.
  static void await_quiet() {
    const auto end = Clock::now() + std::chrono::seconds(20);
    for (double before = 0, now = cpu_microseconds(); now - before > 5'000 && Clock::now() < end;) {
      before = now;
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      now = cpu_microseconds();
    }
  }

  void measure(const std::string& name, std::size_t count, const auto& operation) {
    for (std::size_t i = 0; i < count / 4; ++i) operation(i);
    std::vector<double> times;
    const double cpu = cpu_microseconds();
    for (std::size_t i = 0; i < count; ++i) {
      const auto begin = Clock::now();
      operation(i + count);
      times.push_back(milliseconds_since(begin) * 1000);
    }
    figures_[name + "_cpu_us"] = (cpu_microseconds() - cpu) / static_cast<double>(count);
    std::ranges::sort(times);
    figures_[name + "_us"] = times[count / 2];
    figures_[name + "_p99_us"] = times[count * 99 / 100];
  }

  Shape shape_;
  std::unique_ptr<Store> store_;
  std::map<std::string, double> figures_;
};

}  // namespace

int main(int argc, char** argv) {
  Shape shape;
  const std::map<std::string, std::size_t*> known{{"from", &shape.from},     {"to", &shape.to},
                                                  {"bytes", &shape.bytes},   {"indexes", &shape.indexes},
                                                  {"tables", &shape.tables}, {"tables_from", &shape.tables_from},
                                                  {"reads", &shape.reads},   {"per_partition", &shape.per_partition}};
  for (int i = 2; i + 1 < argc; i += 2) {
    const auto found = known.find(argv[i]);
    if (found == known.end()) {
      fmt::print(stderr, "{} is not known\n", argv[i]);
      return 2;
    }
    *found->second = std::strtoull(argv[i + 1], nullptr, 10);
  }
  if (argc < 2 || argc % 2 != 0) {
    fmt::print(stderr, "usage: scale_report DIRECTORY [NAME NUMBER]...\n");
    return 2;
  }
  auto* grown = new Grown(argv[1], shape);  // Never closed: the process ends as if it were killed.
  grown->create_tables();
  grown->grow();
  grown->read();
  grown->print();
  ::_exit(0);
}
