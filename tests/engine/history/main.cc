// history_torture: random writes to a table that keeps its history, and restores to random seconds, which must equal a
// model that remembers every change.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/sleep.h"
#include "base/test_flags.h"
#include "engine/engine.h"
#include "engine/keyspaces.h"
#include "tests/service/test_calls.h"
#include "value/encoded_item.h"

namespace dolmen::engine {
namespace {

constexpr std::string_view kUsage =
    "usage: history_torture [--ops N] [--restores N] [--seed N] [--data DIRECTORY]\n"
    "Writes N times to a table that keeps its history and restores it to random seconds.\n";

struct RunOptions {
  std::uint64_t operations = 20'000;
  std::uint64_t restores = 100;
  std::uint64_t seed = 0;
  std::string directory;
};

/// Goes on only when it is told to, now and then a little back.
class SteppedClock final : public Clock {
 public:
  [[nodiscard]] TimePoint now() const override { return TimePoint(std::chrono::milliseconds(milliseconds_.load())); }
  void advance(std::int64_t milliseconds) { milliseconds_ += milliseconds; }
  [[nodiscard]] std::int64_t milliseconds() const { return milliseconds_; }

 private:
  std::atomic<std::int64_t> milliseconds_ = 1'800'000'000'000;
};

using Content = std::map<std::string, EncodedItem>;

/// Every change with its time, from which the content at any time follows.
class Model {
 public:
  void write(std::int64_t time, const std::string& key, std::optional<EncodedItem> item) {
    if (item) {
      now_[key] = *item;
    } else {
      now_.erase(key);
    }
    changes_.push_back({time, key, std::move(item)});
  }

  /// Whether a write changes anything: what changes nothing has no moment, and does not keep later moments from being
  /// before its own.
  [[nodiscard]] bool changes(const std::string& key, const std::optional<EncodedItem>& item) const {
    const auto known = now_.find(key);
    return item ? known == now_.end() || known->second != *item : known != now_.end();
  }

  [[nodiscard]] Content at(std::int64_t time) const {
    Content content;
    for (const Change& change : changes_) {
      if (change.time > time) break;
      if (change.item) {
        content[change.key] = *change.item;
      } else {
        content.erase(change.key);
      }
    }
    return content;
  }

 private:
  struct Change {
    std::int64_t time;
    std::string key;
    std::optional<EncodedItem> item;
  };
  std::vector<Change> changes_;
  Content now_;
};

class Run {
 public:
  explicit Run(const RunOptions& options) : options_(options), random_(options.seed) { open(); }

  /// Returns what is wrong.
  std::optional<std::string> go() {
    if (!create_table(*engine_, {.name = "things",
                                 .partition_key = {"p"},
                                 .global_indexes = {{.name = "by-group", .partition_keys = {{"group"}}}}}))
      return "cannot create the table";
    for (int i = 0; i < 50; ++i) write();
    first_ = clock_.milliseconds();
    if (!call<UpdateContinuousBackups>(*engine_, {.table = "things", .change = {}})) return "cannot keep a history";
    const std::uint64_t between =
        std::max<std::uint64_t>(1, options_.operations / std::max<std::uint64_t>(1, options_.restores));
    for (std::uint64_t i = 1; i <= options_.operations; ++i) {
      write();
      if (random_() % 5000 == 0) open();
      if (i % between != 0) continue;
      if (std::optional<std::string> wrong = restore()) return wrong;
    }
    return std::nullopt;
  }

  [[nodiscard]] std::uint64_t restores() const { return restored_; }

 private:
  void open() {
    if (engine_ && options_.directory.empty()) return;
    engine_.reset();
    auto storage =
        storage::Storage::open({.directory = options_.directory,
                                .durability = options_.directory.empty() ? Durability::kMemory : Durability::kOs,
                                .keyspaces = keyspaces::names()});
    engine_ = Engine::open(std::move(storage).value(), {.clock = &clock_}).value();
  }

  std::string key() { return "key" + std::to_string(random_() % 60); }

  WriteRequest request(const std::string& key) {
    Item item{{"p", key}};
    if (random_() % 4 == 0) return {.kind = WriteKind::kDelete, .table = "things", .item = encode_item(item)};
    item.set("group", "g" + std::to_string(random_() % 5));
    item.set("value", std::string(random_() % 40, 'v'));
    item.set("number", static_cast<std::int64_t>(random_() % 1000));
    return {.kind = WriteKind::kPut, .table = "things", .item = encode_item(item)};
  }

  void note(const WriteRequest& write, const std::string& key) {
    std::optional<EncodedItem> item;
    if (write.kind == WriteKind::kPut) item = write.item;
    if (!model_.changes(key, item)) return;
    // The times of a table's history never fall.
    newest_ = std::max(newest_, clock_.milliseconds());
    model_.write(newest_, key, std::move(item));
  }

  void write() {
    const std::uint64_t kind = random_() % 10;
    if (kind < 3) clock_.advance(static_cast<std::int64_t>(random_() % 3000));
    if (kind == 3 && random_() % 20 == 0) clock_.advance(-static_cast<std::int64_t>(random_() % 2000));
    if (kind < 8) {
      const std::string one = key();
      const WriteRequest write = request(one);
      if (call(*engine_, write)) note(write, one);
      return;
    }
    std::map<std::string, WriteRequest> writes;
    for (int i = 0; i < 4; ++i) {
      const std::string one = key();
      writes.insert_or_assign(one, request(one));
    }
    TransactWriteRequest transaction;
    for (const auto& [one, write] : writes) transaction.writes.push_back(write);
    if (!call(*engine_, std::move(transaction))) return;
    for (const auto& [one, write] : writes) note(write, one);
  }

  std::optional<std::string> restore() {
    // The history reaches to the present, whatever the clock says of it.
    if (clock_.milliseconds() < newest_) clock_.advance(newest_ - clock_.milliseconds());
    const std::int64_t span = (clock_.milliseconds() - first_) / 1000;
    const std::int64_t time =
        first_ + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(span + 1)) * 1000;
    const std::string name = "restored";
    const auto begun = call<RestoreTableToPointInTime>(
        *engine_, {.source = "things", .target = name, .time = TableTime(std::chrono::milliseconds(time))});
    if (!begun) return "restore: " + begun.error().message();
    if (random_() % 50 == 0) open();
    while (describe_table(*engine_, name).value().status != TableStatus::kActive)
      sleep_for(std::chrono::milliseconds(1));
    ++restored_;
    const Content expected = model_.at(time);
    if (content(name, std::nullopt) != expected) return "the table at " + std::to_string(time) + " differs";
    if (content(name, "by-group") != expected) return "the index at " + std::to_string(time) + " differs";
    const TableDescription table = describe_table(*engine_, name).value();
    if (table.extent.item_count != expected.size()) return "the count at " + std::to_string(time) + " differs";
    if (!delete_table(*engine_, name)) return "cannot delete the restored table";
    return std::nullopt;
  }

  Content content(const std::string& table, std::optional<std::string> index) {
    Content found;
    ReadManyRequest request{.table = table, .index = std::move(index)};
    do {
      ReadManyResponse page = call<Scan>(*engine_, request).value();
      for (EncodedItem& item : page.items) {
        std::string name = decode_item(item.bytes).value().at("p").string();
        found.emplace(std::move(name), std::move(item));
      }
      request.start_key = std::move(page.last_key);
    } while (request.start_key);
    return found;
  }

  const RunOptions options_;
  std::mt19937_64 random_;
  SteppedClock clock_;
  std::unique_ptr<Engine> engine_;
  Model model_;
  std::int64_t first_ = 0;
  std::int64_t newest_ = 0;
  std::uint64_t restored_ = 0;
};

}  // namespace
}  // namespace dolmen::engine

int main(int count, char** arguments) {
  dolmen::engine::RunOptions options{.seed = std::random_device{}()};
  if (const auto status = dolmen::read_test_flags(dolmen::engine::kUsage, count, arguments,
                                                  {{"--ops", &options.operations},
                                                   {"--restores", &options.restores},
                                                   {"--seed", &options.seed},
                                                   {"--data", &options.directory}}))
    return *status;
  std::printf("seed %llu\n", static_cast<unsigned long long>(options.seed));
  std::fflush(stdout);
  dolmen::engine::Run run(options);
  const auto wrong = run.go();
  std::printf("%llu restores, %d violations\n", static_cast<unsigned long long>(run.restores()), wrong ? 1 : 0);
  if (wrong) std::printf("%s\n", wrong->c_str());
  return wrong ? 1 : 0;
}
