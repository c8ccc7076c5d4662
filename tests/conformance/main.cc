// Runs the conformance tests against one store: store_conformance --store ADDRESS [gtest options].
#include <cstdio>
#include <random>
#include <string_view>

#include "base/test_result.h"
#include "conformance.h"

namespace dolmen::conformance {
namespace {

std::string address = "memory:";  // NOLINT: set once, before the tests start

const TableDefinition kDefinition{.partition_key = {"p", KeyType::kString},
                                  .sort_key = KeyAttribute{"s", KeyType::kNumber},
                                  .local_indexes = {{.name = "by-text",
                                                     .partition_keys = {{"p", KeyType::kString}},
                                                     .sort_keys = {{"text", KeyType::kString}},
                                                     .projection = ProjectionType::kKeysOnly}},
                                  .global_indexes = {{.name = "by-group",
                                                      .partition_keys = {{"group", KeyType::kString}},
                                                      .sort_keys = {{"rank", KeyType::kNumber}}},
                                                     {.name = "by-kind",
                                                      .partition_keys = {{"kind", KeyType::kString}},
                                                      .projection = ProjectionType::kInclude,
                                                      .included_attributes = {"extra"}}}};

}  // namespace

const std::string& store_address() { return address; }

std::string StoreTest::fresh_name(const std::string& stem) {
  static std::random_device device;
  return stem + "-" + std::to_string(device());
}

void StoreTest::SetUp() {
  Result<std::unique_ptr<Store>> opened = open(address);
  ASSERT_THAT(opened, succeeds());
  RecordProperty("store", address);
  store_ = std::move(*opened);
  table_ = make_table(kDefinition);
}

void StoreTest::TearDown() {
  if (store_ == nullptr) return;
  for (const std::string& name : tables_) {
    const Result<TableDescription> gone = store_->delete_table(name);
    EXPECT_THAT(gone, testing::AnyOf(succeeds(), fails_with(Code::kTableNotFound)));
  }
}

std::string StoreTest::make_table(const TableDefinition& definition) {
  TableDefinition named = definition;
  named.name = fresh_name("conformance");
  const Result<TableDescription> made = ensure_table(*store_, named, {.interval = std::chrono::milliseconds(20)});
  EXPECT_THAT(made, succeeds());
  tables_.push_back(named.name);
  return named.name;
}

void StoreTest::put(const Item& item) {
  const Result<WriteResult> written = store_->put_item(table_, item);
  ASSERT_THAT(written, succeeds());
}

std::optional<Item> StoreTest::get(const Item& key) {
  const Result<GetResult> found = store_->get_item(table_, key);
  EXPECT_THAT(found, succeeds());
  return found ? found->item : std::nullopt;
}

void StoreTest::put_range(const std::string& partition, int first, int last) {
  std::vector<BatchAction> actions;
  for (int s = first; s <= last; ++s)
    actions.emplace_back(BatchPut{table_, {{"p", partition}, {"s", s}, {"text", "t" + std::to_string(s)}}});
  const WriteAllResult written = write_all(*store_, std::move(actions));
  ASSERT_TRUE(written.complete()) << (written.error ? written.error->message() : "unprocessed");
}

std::vector<int> sorts_of(const std::vector<Item>& items) {
  std::vector<int> sorts;
  for (const Item& item : items) sorts.push_back(static_cast<int>(item.at("s").number().to_int64().value()));
  return sorts;
}

}  // namespace dolmen::conformance

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--store" && i + 1 < argc) {
      dolmen::conformance::address = argv[++i];
    } else {
      std::fprintf(stderr, "usage: store_conformance [--store ADDRESS] [gtest options]\n");
      return 2;
    }
  }
  return RUN_ALL_TESTS();
}
