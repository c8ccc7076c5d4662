// Keys, tokens and queries of entities. bench/entity/run.py compares them with the published JavaScript package.
// Times are CPU times of the process, without the preparation of the input.
#include <benchmark/benchmark.h>
#include <malloc.h>
#include <memory>
#include <random>

#include "cpu_time.h"
#include "dolmen/embedded.h"
#include "dolmen/entity/client.h"
#include "dolmen/entity/manager.h"

namespace dolmen {
namespace {

double cpu_seconds() { return cpu_microseconds() / 1e6; }

/// Keeps freed memory in the process, as Node.js keeps its heap; otherwise each iteration would get its memory from the
/// kernel again, page by page.
[[maybe_unused]] const int kKeepsMemory = mallopt(M_MMAP_THRESHOLD, 32 << 20) + mallopt(M_TRIM_THRESHOLD, 1 << 30);

/// An entity has 2^(bits * chars) shards.
EntityConfig config(int bits, int chars) {
  return {.hash_key = "hashKey2",
          .range_key = "rangeKey",
          .entities = {{.name = "user",
                        .timestamp_property = "created",
                        .unique_property = "userId",
                        .shard_bumps = {{.timestamp = 0, .char_bits = bits, .chars = chars}}}},
          .sharded = {{"beneficiaryPK", {"beneficiaryId"}}, {"userPK", {"userId"}}},
          .unsharded = {{"firstNameRK", {"firstNameCanonical", "lastNameCanonical"}},
                        {"lastNameRK", {"lastNameCanonical", "firstNameCanonical"}},
                        {"phoneRK", {"phone", "created"}}},
          .indexes = {{.name = "lastName", .hash_key = "hashKey2", .range_key = "lastNameRK"}},
          .property_transcodes = {{"beneficiaryId", "string"},
                                  {"created", "timestamp"},
                                  {"firstNameCanonical", "string"},
                                  {"lastNameCanonical", "string"},
                                  {"phone", "string"},
                                  {"updated", "timestamp"},
                                  {"userId", "string"}}};
}

std::string random_text(std::mt19937_64& random, std::size_t size) {
  static constexpr std::string_view kCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
  std::string text(size, ' ');
  for (char& c : text) c = kCharacters[random() % kCharacters.size()];
  return text;
}

std::vector<Item> users(std::size_t count) {
  std::mt19937_64 random(7);
  std::vector<Item> items;
  for (std::size_t i = 0; i < count; ++i)
    items.push_back({{"userId", random_text(random, 21)},
                     {"beneficiaryId", random_text(random, 21)},
                     {"created", static_cast<std::int64_t>(1'700'000'000'000 + random() % 100'000'000)},
                     {"updated", static_cast<std::int64_t>(1'700'000'000'000 + random() % 100'000'000)},
                     {"firstNameCanonical", random_text(random, 8)},
                     {"lastNameCanonical", random_text(random, 10)},
                     {"phone", "+1555" + std::to_string(1'000'000 + random() % 9'000'000)}});
  return items;
}

/// Adds keys to a thousand items. Each item is moved away and dropped, as in a program that writes it.
void add_keys(benchmark::State& state) {
  const EntityManager entities = EntityManager::make(config(2, 2)).value();
  const std::vector<Item> items = users(1000);
  for (auto _ : state) {
    std::vector<Item> copies = items;
    const double start = cpu_seconds();
    for (Item& item : copies) {
      const Item record = entities.add_keys("user", std::move(item)).value();
      benchmark::DoNotOptimize(record.size());
    }
    state.SetIterationTime(cpu_seconds() - start);
  }
}
BENCHMARK(add_keys)->UseManualTime();

void dehydrate_and_compress(benchmark::State& state) {
  const EntityManager entities = EntityManager::make(config(5, 2)).value();
  const std::vector<std::string> shards = entities.hash_key_space("user", "hashKey2").value();
  const std::vector<Item> records = entities.add_keys("user", users(shards.size())).value();
  PageKeyMap map;
  auto& keys = map.emplace_back("lastName", PageKeyMap::value_type::second_type()).second;
  for (std::size_t i = 0; i < shards.size(); ++i)
    keys.emplace_back(shards[i], Item{{"hashKey2", shards[i]},
                                      {"rangeKey", records[i].at("rangeKey")},
                                      {"lastNameRK", records[i].at("lastNameRK")}});
  for (auto _ : state) {
    const double start = cpu_seconds();
    const std::string token = write_entity_page_token(*entities.dehydrate_page_key_map("user", map));
    state.SetIterationTime(cpu_seconds() - start);
    benchmark::DoNotOptimize(token.size());
  }
}
BENCHMARK(dehydrate_and_compress)->UseManualTime();

/// Every shard has the same number of the 10,240 items and returns them unchanged, like a shard that has just read
/// them.
void query(benchmark::State& state, int bits, int chars, const char* sort) {
  const EntityManager entities = EntityManager::make(config(bits, chars)).value();
  const std::vector<std::string> shards = entities.hash_key_space("user", "hashKey2").value();
  const std::vector<Item> records = entities.add_keys("user", users(10'240)).value();
  std::map<std::string, std::vector<Item>, std::less<>> pages;
  EntityQueryOptions options{.entity = "user", .limit = kNoLimit, .page_size = 100'000, .sort = {{sort}}};
  options.shard_queries["lastName"] = [&](const ShardRequest& request, ShardDone done) {
    done(ShardPage{.items = std::move(pages.find(request.hash_key)->second)});
  };
  for (auto _ : state) {
    for (const std::string& shard : shards) pages[shard].clear();
    for (std::size_t i = 0; i < records.size(); ++i) pages[shards[i % shards.size()]].push_back(records[i]);
    const double start = cpu_seconds();
    const EntityQueryResult result = entities.query(options).value();
    state.SetIterationTime(cpu_seconds() - start);
    if (result.count != records.size()) state.SkipWithError("items are missing");
  }
}
BENCHMARK_CAPTURE(query, 16_number, 4, 1, "created")->UseManualTime();
BENCHMARK_CAPTURE(query, 16_text, 4, 1, "lastNameCanonical")->UseManualTime();
BENCHMARK_CAPTURE(query, 256_number, 4, 2, "created")->UseManualTime();
BENCHMARK_CAPTURE(query, 256_text, 4, 2, "lastNameCanonical")->UseManualTime();
BENCHMARK_CAPTURE(query, 1024_number, 5, 2, "created")->UseManualTime();
BENCHMARK_CAPTURE(query, 1024_text, 5, 2, "lastNameCanonical")->UseManualTime();

/// A query of 10,000 users in 256 shards of a store in memory, in one page, by the wall clock.
void query_embedded(benchmark::State& state) {
  const std::unique_ptr<Store> store = open_embedded({.durability = Durability::kMemory}).value();
  const EntityClient client(EntityManager::make(config(4, 2)).value(), *store, "people");
  client.create_table().value();
  if (!client.put_all("user", users(10'000)).complete()) return state.SkipWithError("the users cannot be written");
  for (auto _ : state) {
    const auto page = client.query("user")
                          .index("lastName")
                          .limit(kNoLimit)
                          .page_size(100)
                          .threads(static_cast<std::size_t>(state.range(0)))
                          .run();
    benchmark::DoNotOptimize(page.value().count);
  }
}
BENCHMARK(query_embedded)->ArgName("threads")->Arg(1)->Arg(2)->Arg(4)->UseRealTime();

}  // namespace
}  // namespace dolmen
