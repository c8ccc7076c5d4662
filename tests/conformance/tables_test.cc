// CreateTable, DescribeTable, ListTables, DeleteTable, and the async forms.
#include <algorithm>
#include <future>

#include "base/test_result.h"
#include "conformance.h"

namespace dolmen::conformance {
namespace {

using Tables = StoreTest;

TEST_F(Tables, are_described_as_they_were_made) {
  const TableDescription table_description = store().describe_table(table()).value();
  const TableDefinition& definition = table_description.definition;
  EXPECT_EQ(table_description.status, TableStatus::kActive);
  EXPECT_EQ(definition.name, table());
  EXPECT_EQ(definition.partition_key, (KeyAttribute{"p", KeyType::kString}));
  EXPECT_EQ(definition.sort_key, (KeyAttribute{"s", KeyType::kNumber}));
  ASSERT_EQ(definition.local_indexes.size(), 1U);
  EXPECT_EQ(definition.local_indexes[0].projection, ProjectionType::kKeysOnly);
  ASSERT_EQ(definition.global_indexes.size(), 2U);
  const auto by_kind = std::ranges::find(definition.global_indexes, "by-kind", &IndexDefinition::name);
  ASSERT_NE(by_kind, definition.global_indexes.end());
  EXPECT_EQ(by_kind->included_attributes, std::vector<std::string>{"extra"});
  EXPECT_EQ(definition.billing_mode, BillingMode::kPayPerRequest);
  EXPECT_FALSE(table_description.arn.empty());
}

TEST_F(Tables, exist_once) {
  const auto again = store().create_table({.name = table(), .partition_key = {"p", KeyType::kString}});
  ASSERT_FALSE(again.has_value());
  EXPECT_THAT(again, fails_with(Code::kTableExists));
  const auto ensured = ensure_table(store(), {.name = table(), .partition_key = {"other", KeyType::kString}});
  ASSERT_FALSE(ensured.has_value());
  EXPECT_THAT(ensured, fails_with(Code::kInvalidArgument));
}

TEST_F(Tables, get_an_index_that_has_the_items_from_before) {
  const std::string name = make_table({.partition_key = {"id"}});
  ASSERT_THAT(store().put_item(name, {{"id", "1"}, {"author", "Ann"}}), succeeds());
  ASSERT_THAT(store().put_item(name, {{"id", "2"}}), succeeds());
  const CreateIndex by_author{{.name = "by-author", .partition_keys = {{"author"}}}};
  const TableDescription answer = store().update_table({.table = name, .indexes = {by_author}}).value();
  ASSERT_EQ(answer.global_index_states.size(), 1U);
  EXPECT_EQ(answer.global_index_states[0].status, TableStatus::kCreating);
  const TableDescription table = wait_until_active(store(), name, {.interval = std::chrono::milliseconds(10)}).value();
  EXPECT_EQ(table.definition.global_indexes.at(0).name, "by-author");
  EXPECT_EQ(store().query(name, {.key = key("author") == "Ann", .index = "by-author"}).all().value(),
            (std::vector<Item>{{{"id", "1"}, {"author", "Ann"}}}));
  EXPECT_THAT(store().update_table({.table = name, .indexes = {by_author}}),
              fails_with(Code::kValidation, "Attempting to create an index which already exists"));
  EXPECT_THAT(store().update_table({.table = name, .indexes = {DeleteIndex{"missing"}}}),
              fails_with(Code::kTableNotFound));
}

TEST_F(Tables, change_their_settings) {
  const std::string name = make_table({.partition_key = {"id"}});
  ASSERT_THAT(store().update_table({.table = name, .deletion_protection = true}), succeeds());
  EXPECT_TRUE(store().describe_table(name).value().definition.deletion_protection);
  EXPECT_THAT(store().delete_table(name), fails_with(Code::kValidation));
  ASSERT_THAT(store().update_table({.table = name, .deletion_protection = false}), succeeds());
  ASSERT_THAT(store().update_table({.table = name,
                                    .billing_mode = BillingMode::kProvisioned,
                                    .throughput = Throughput{.read_units = 3, .write_units = 4}}),
              succeeds());
  const TableDescription table = wait_until_active(store(), name).value();
  EXPECT_EQ(table.definition.billing_mode, BillingMode::kProvisioned);
  EXPECT_EQ(table.definition.throughput, (Throughput{.read_units = 3, .write_units = 4}));
}

TEST_F(Tables, are_listed_page_by_page) {
  const std::string other = make_table({.partition_key = {"id", KeyType::kBinary}});
  std::vector<std::string> names;
  std::optional<std::string> after;
  do {
    const TableNamePage page = store().list_tables({.after = after, .limit = 1}).value();
    names.insert(names.end(), page.names.begin(), page.names.end());
    after = page.last_name;
  } while (after);
  EXPECT_TRUE(std::ranges::is_sorted(names));
  for (const std::string& name : {table(), other}) EXPECT_EQ(std::ranges::count(names, name), 1);
}

TEST_F(Tables, that_are_deleted_are_gone) {
  const std::string name = make_table({.partition_key = {"id", KeyType::kString}});
  ASSERT_THAT(store().put_item(name, {{"id", "x"}}), succeeds());
  ASSERT_THAT(store().delete_table(name), succeeds());
  ASSERT_THAT(wait_until_deleted(store(), name, {.interval = std::chrono::milliseconds(20)}), succeeds());
  EXPECT_THAT(store().describe_table(name), fails_with(Code::kTableNotFound));
  EXPECT_THAT(store().get_item(name, {{"id", "x"}}), fails_with(Code::kTableNotFound));
  EXPECT_THAT(store().delete_table(name), fails_with(Code::kTableNotFound));
}

TEST_F(Tables, with_wrong_definitions_are_refused) {
  const auto code = [&](const TableDefinition& definition) { return store().create_table(definition).error().code(); };
  EXPECT_EQ(code({.name = "x", .partition_key = {"p", KeyType::kString}}), Code::kValidation);
  EXPECT_EQ(code({.name = "no spaces please", .partition_key = {"p", KeyType::kString}}), Code::kValidation);
  EXPECT_EQ(code({.name = fresh_name("bad"),
                  .partition_key = {"p", KeyType::kString},
                  .sort_key = KeyAttribute{"p", KeyType::kString}}),
            Code::kValidation);
}

TEST_F(Tables, and_items_can_be_used_without_waiting) {
  constexpr int kCalls = 50;
  std::promise<void> all_done;
  std::atomic<int> left = kCalls;
  std::atomic<int> failed = 0;
  for (int i = 0; i < kCalls; ++i)
    store().async_put_item(table(), {{"p", "a"}, {"s", i}}, {}, [&](const Result<WriteResult>& result) {
      if (!result) ++failed;
      if (--left == 0) all_done.set_value();
    });
  all_done.get_future().wait();
  EXPECT_EQ(failed, 0);
  std::promise<Result<Page>> page;
  store().async_query_page(table(), {.key = key("p") == "a"},
                           [&](Result<Page> result) { page.set_value(std::move(result)); });
  EXPECT_EQ(page.get_future().get().value().count, static_cast<std::uint64_t>(kCalls));
}

}  // namespace
}  // namespace dolmen::conformance
