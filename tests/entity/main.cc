// Runs the tests of entities against one store: entity_store_test --store ADDRESS [gtest options].
#include <algorithm>
#include <random>
#include <string_view>

#include "base/test_result.h"
#include "entity/test_configs.h"
#include "entity_store.h"

namespace dolmen {
namespace {

std::string address = "memory:";  // NOLINT: set once, before the tests start

}  // namespace

const std::string& store_address() { return address; }

EntityConfig EntityStoreTest::config() {
  EntityConfig config = users_and_emails();
  config.unsharded = {{"lastNameRK", {"lastName", "created"}}, {"scoreRK", {"score", "lastName"}}};
  std::erase_if(config.property_transcodes, [](const PropertyTranscode& one) { return one.property == "firstName"; });
  return config;
}

void EntityStoreTest::SetUp() {
  Result<std::unique_ptr<Store>> opened = open(address);
  ASSERT_THAT(opened, succeeds());
  RecordProperty("store", address);
  store_ = std::move(*opened);
  static std::random_device device;
  table_ = "entities-" + std::to_string(device());
  const auto made = client().ensure_table({.interval = std::chrono::milliseconds(20)});
  ASSERT_THAT(made, succeeds());
}

void EntityStoreTest::TearDown() {
  if (store_ == nullptr) return;
  EXPECT_THAT(store_->delete_table(table_), succeeds());
}

EntityClient EntityStoreTest::client(const EntityConfig& config, EntityOptions options) const {
  if (!options.now) options.now = [] { return TimePoint(std::chrono::milliseconds(3000)); };
  return {EntityManager::make(config, std::move(options)).value(), *store_, table_};
}

std::vector<Item> EntityStoreTest::users(int count, std::int64_t first_created, std::int64_t step) {
  static const char* const kNames[] = {"Lovelace", "hopper", "Noether", "émilie", "Zuse", "hamilton", "Ångström"};
  std::vector<Item> items;
  for (int i = 0; i < count; ++i)
    items.push_back({{"userId", "u" + std::to_string(i)},
                     {"created", first_created + i * step},
                     {"lastName", kNames[i % 7]},
                     {"score", i % 11 - 5}});
  return items;
}

void EntityStoreTest::put_users(const EntityClient& client, const std::vector<Item>& items) {
  const EntityWriteResult written = client.put_all("user", items);
  ASSERT_TRUE(written.complete()) << (written.error ? written.error->message() : "");
}

std::vector<std::string> ids_of(const std::vector<Item>& items) {
  std::vector<std::string> ids;
  for (const Item& item : items) ids.push_back(item.at("userId").string());
  return ids;
}

std::vector<std::string> sorted_ids_of(const std::vector<Item>& items) {
  std::vector<std::string> ids = ids_of(items);
  std::ranges::sort(ids);
  return ids;
}

}  // namespace dolmen

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i + 1 < argc; ++i)
    if (std::string_view(argv[i]) == "--store") dolmen::address = argv[i + 1];
  return RUN_ALL_TESTS();
}
