// The cost of an encrypted attribute: a put of an item with one, by a model, on a store in memory, with keys of a file
// and with keys of a key service on loopback, of which every data key is asked for, or kept for a while. `plain` is the
// same put without encryption. Wall-clock time, because a program waits for a key service; a real one is a few
// milliseconds away, which `kms_each` would have to add for every value.
//
// The last lines are the differences.
#include <benchmark/benchmark.h>
#include <chrono>
#include <filesystem>
#include <fmt/core.h>
#include <map>
#include <string>
#include <vector>

#include "base/test_directory.h"
#include "dolmen/kms.h"
#include "dolmen/model/model_table.h"
#include "dolmen/open.h"
#include "key_service.h"

namespace {

using namespace dolmen;

constexpr int kRounds = 15;
constexpr int kPuts = 200;

Model user_model(bool encrypted) {
  return {.name = "User",
          .table = "users",
          .partition_key = {"pk", KeyType::kString},
          .attributes = {{.name = "pk", .type = Type::kString, .required = true},
                         {.name = "name", .type = Type::kString},
                         {.name = "phone", .type = Type::kString, .encrypted = encrypted}}};
}

/// The best round of each way, in microseconds.
std::map<std::string, double>& best() {
  static std::map<std::string, double> times;
  return times;
}

void add(const std::string& name, Store& store, KeyProvider* keys) {
  benchmark::RegisterBenchmark(
      name.c_str(),
      [name, &store, keys](benchmark::State& state) {
        ModelTable table = ModelTable::open(store, user_model(keys != nullptr), {.keys = keys}).value();
        for (auto _ : state) {
          const auto start = std::chrono::steady_clock::now();
          for (int i = 0; i < kPuts; ++i)
            table.put({{"pk", fmt::format("USER#{}", i)}, {"name", "Ada"}, {"phone", "+33 2 98 00 00 00"}}).value();
          const double each =
              std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() / kPuts;
          state.SetIterationTime(each / 1e6);
          const auto [place, is_first] = best().emplace(name, each);
          if (!is_first) place->second = std::min(place->second, each);
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
  std::string in_turns = "--benchmark_enable_random_interleaving=true";
  std::vector<char*> arguments(argv, argv + argc);
  arguments.insert(arguments.begin() + 1, in_turns.data());
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());

  const TemporaryDirectory folder;
  create_key_file(folder / "keys", "bench").value();
  const auto file = open_key_file(folder / "keys").value();
  const KeyService kms;
  KmsOptions options{.key = "arn:aws:kms:eu-west-1:111122223333:key/bench",
                     .endpoint = kms.url(),
                     .credentials = AwsCredentials{.access_key_id = "bench", .secret_access_key = "bench"},
                     .cache = std::nullopt};
  const auto each = open_kms_keys(options).value();
  options.cache = KeyCacheOptions{};
  const auto kept = open_kms_keys(options).value();

  const std::unique_ptr<Store> store = open("memory:").value();
  store->create_table(table_definition(user_model(false))).value();
  add("plain", *store, nullptr);
  add("key_file", *store, file.get());
  add("kms_kept", *store, kept.get());
  add("kms_each", *store, each.get());
  benchmark::RunSpecifiedBenchmarks();
  for (const char* name : {"key_file", "kms_kept", "kms_each"})
    if (best().contains(name) && best().contains("plain"))
      fmt::print("{}: {:.1f} us for a put, {:.1f} us more than a plain one\n", name, best()[name],
                 best()[name] - best()["plain"]);
  fmt::print("requests to the key service: {}\n", kms.requests());
  benchmark::Shutdown();
}
