#include <atomic>
#include <future>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <thread>

#include "base/limits.h"
#include "base/test_directory.h"
#include "base/test_result.h"
#include "base/test_seed.h"
#include "dolmen/expression.h"
#include "dolmen/open.h"
#include "dolmen/store.h"

namespace dolmen {
namespace {

const TableDefinition kNotes{.name = "notes",
                             .partition_key = {"topic", KeyType::kString},
                             .sort_key = KeyAttribute{"written", KeyType::kNumber}};

std::unique_ptr<Store> memory_store() { return open("memory:").value(); }

TEST(Store, puts_gets_and_deletes_items) {
  const auto store = memory_store();
  ASSERT_THAT(store->create_table(kNotes), succeeds());
  const Item note{{"topic", "dolmen"}, {"written", 1}, {"text", "stone table"}};
  const Item key{{"topic", "dolmen"}, {"written", 1}};
  ASSERT_THAT(store->put_item("notes", note), succeeds());
  EXPECT_EQ(store->get_item("notes", key).value().item, note);
  EXPECT_EQ(store->get_item("notes", {{"topic", "dolmen"}, {"written", 2}}).value().item, std::nullopt);
  ASSERT_THAT(store->delete_item("notes", key), succeeds());
  ASSERT_THAT(store->delete_item("notes", key), succeeds());
  EXPECT_EQ(store->get_item("notes", key).value().item, std::nullopt);
}

TEST(Store, tells_tables_apart) {
  const auto store = memory_store();
  for (const char* name : {"one", "two"})
    ASSERT_THAT(store->create_table({.name = name, .partition_key = {"id"}}), succeeds());
  ASSERT_THAT(store->put_item("one", {{"id", "x"}, {"in", "one"}}), succeeds());
  EXPECT_EQ(store->get_item("two", {{"id", "x"}}).value().item, std::nullopt);
}

TEST(Store, describes_a_table_as_it_was_made) {
  const auto store = memory_store();
  const TableDescription made = store->create_table(kNotes).value();
  EXPECT_EQ(made.status, TableStatus::kCreating);
  const TableDescription table = store->describe_table("notes").value();
  EXPECT_EQ(table.status, TableStatus::kActive);
  EXPECT_EQ(table.definition, kNotes);
  EXPECT_EQ(table.id, made.id);
  EXPECT_EQ(table.arn, "arn:aws:dynamodb:us-east-1:000000000000:table/notes");
}

TEST(Store, counts_the_items_of_a_table) {
  const auto store = memory_store();
  ASSERT_THAT(store->create_table({.name = "few", .partition_key = {"id"}}), succeeds());
  for (const char* id : {"a", "b", "c"}) ASSERT_THAT(store->put_item("few", {{"id", id}}), succeeds());
  const TableDescription table = store->describe_table("few").value();
  EXPECT_EQ(table.extent.item_count, 3U);
  EXPECT_EQ(table.extent.size_bytes, 9U);
}

TEST(Store, refuses_a_second_table_of_the_same_name) {
  const auto store = memory_store();
  ASSERT_THAT(store->create_table(kNotes), succeeds());
  const auto again = store->create_table(kNotes);
  EXPECT_THAT(again, fails_with(Code::kTableExists, "Table already exists: notes"));
}

TEST(Store, says_which_table_is_missing) {
  const auto store = memory_store();
  const Error expected(Code::kTableNotFound, "Table \"nothing\" does not exist");
  const Item key{{"id", "x"}};
  EXPECT_EQ(store->describe_table("nothing").error(), expected);
  EXPECT_EQ(store->delete_table("nothing").error(), expected);
  EXPECT_EQ(store->put_item("nothing", key).error(), expected);
  EXPECT_EQ(store->get_item("nothing", key).error(), expected);
  EXPECT_EQ(store->update_item("nothing", key, Update().remove(attr("a"))).error(), expected);
  EXPECT_EQ(store->delete_item("nothing", key).error(), expected);
  EXPECT_EQ(store->scan_page("nothing").error(), expected);
  EXPECT_EQ(store->count("nothing", ScanOptions{}).error(), expected);
  EXPECT_EQ(store->batch_get({{.table = "nothing", .keys = {key}}}).error(), expected);
  EXPECT_EQ(store->batch_write({BatchPut{.table = "nothing", .item = key}}).error(), expected);
  EXPECT_EQ(store->transact_get({{.table = "nothing", .key = key}}).error(), expected);
  EXPECT_EQ(store->transact_write({PutAction{.table = "nothing", .item = key}}).error(), expected);
}

TEST(Store, names_all_tables_of_a_request_of_which_one_is_missing) {
  const auto store = memory_store();
  const Item key{{"id", "x"}};
  EXPECT_THAT(store->transact_get({{.table = "a", .key = key}, {.table = "b", .key = key}, {.table = "a", .key = key}}),
              fails_with(Code::kTableNotFound, "One of the tables \"a\" and \"b\" does not exist"));
}

TEST(Store, forgets_the_items_of_a_deleted_table) {
  const auto store = memory_store();
  ASSERT_THAT(store->create_table(kNotes), succeeds());
  const Item note{{"topic", "t"}, {"written", 1}};
  ASSERT_THAT(store->put_item("notes", note), succeeds());
  EXPECT_EQ(store->delete_table("notes").value().status, TableStatus::kDeleting);
  ASSERT_THAT(store->create_table(kNotes), succeeds());
  EXPECT_EQ(store->get_item("notes", note).value().item, std::nullopt);
}

TEST(Store, keeps_a_protected_table) {
  const auto store = memory_store();
  TableDefinition definition = kNotes;
  definition.deletion_protection = true;
  ASSERT_THAT(store->create_table(definition), succeeds());
  EXPECT_EQ(
      store->delete_table("notes").error().message(),
      "Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.");
  EXPECT_THAT(store->describe_table("notes"), succeeds());
}

TEST(Store, lists_tables_page_by_page_in_the_order_of_their_names) {
  const auto store = memory_store();
  for (const char* name : {"ccc", "aaa", "bbb"})
    ASSERT_THAT(store->create_table({.name = name, .partition_key = {"id"}}), succeeds());
  const TableNamePage first = store->list_tables({.limit = 2}).value();
  EXPECT_EQ(first.names, (std::vector<std::string>{"aaa", "bbb"}));
  EXPECT_EQ(first.last_name, "bbb");
  const TableNamePage last = store->list_tables({.after = first.last_name}).value();
  EXPECT_EQ(last.names, std::vector<std::string>{"ccc"});
  EXPECT_EQ(last.last_name, std::nullopt);
  EXPECT_THAT(store->list_tables({.limit = 0}), fails_with(Code::kValidation));
  EXPECT_THAT(store->list_tables({.limit = 101}), fails_with(Code::kValidation));
}

TEST(Store, refuses_definitions_that_dynamodb_refuses) {
  const auto store = memory_store();
  const auto refused = [&](TableDefinition definition) {
    return store->create_table(std::move(definition)).error().code();
  };
  EXPECT_EQ(refused({.name = "ab", .partition_key = {"id"}}), Code::kValidation);
  EXPECT_EQ(refused({.name = std::string(256, 'a'), .partition_key = {"id"}}), Code::kValidation);
  EXPECT_EQ(refused({.name = "a b c", .partition_key = {"id"}}), Code::kValidation);
  EXPECT_EQ(refused({.name = "abc", .partition_key = {""}}), Code::kValidation);
  EXPECT_EQ(refused({.name = "abc", .partition_key = {std::string(256, 'k')}}), Code::kValidation);
  EXPECT_EQ(refused({.name = "abc", .partition_key = {"id"}, .sort_key = KeyAttribute{"id"}}), Code::kValidation);
  EXPECT_EQ(refused({.name = "abc", .partition_key = {"id"}, .billing_mode = BillingMode::kProvisioned}),
            Code::kValidation);
  EXPECT_EQ(refused({.name = "abc", .partition_key = {"id"}, .throughput = {1, 1}}), Code::kValidation);
  EXPECT_TRUE(store->list_tables().value().names.empty());
}

TEST(Store, refuses_indexes_that_dynamodb_refuses) {
  const auto store = memory_store();
  const auto refused = [&](std::vector<IndexDefinition> local, std::vector<IndexDefinition> global) {
    TableDefinition definition = kNotes;
    definition.local_indexes = std::move(local);
    definition.global_indexes = std::move(global);
    const auto made = store->create_table(std::move(definition));
    return !made && made.error().code() == Code::kValidation;
  };
  EXPECT_TRUE(refused({}, {{.name = "by-none", .partition_keys = {}}}));
  EXPECT_TRUE(refused({}, {{.name = "x", .partition_keys = {{"a"}}}}));
  EXPECT_TRUE(refused({}, {{.name = "same", .partition_keys = {{"a"}}}, {.name = "same", .partition_keys = {{"b"}}}}));
  EXPECT_TRUE(refused({}, {{.name = "wide", .partition_keys = {{"a"}, {"b"}, {"c"}, {"d"}, {"e"}}}}));
  EXPECT_TRUE(refused({{.name = "other", .partition_keys = {{"a"}}, .sort_keys = {{"b"}}}}, {}));
  EXPECT_FALSE(refused({{.name = "local", .partition_keys = {{"topic"}}, .sort_keys = {{"b"}}}}, {}));
}

TEST(Store, accepts_an_item_of_400_kb_and_not_a_byte_more) {
  const auto store = memory_store();
  ASSERT_THAT(store->create_table({.name = "big", .partition_key = {"id"}}), succeeds());
  const std::size_t rest = limits::kItemBytes - std::string("idxtext").size();
  EXPECT_THAT(store->put_item("big", {{"id", "x"}, {"text", std::string(rest, 't')}}), succeeds());
  const auto over = store->put_item("big", {{"id", "x"}, {"text", std::string(rest + 1, 't')}});
  EXPECT_THAT(over, fails_with(Code::kValidation, "Item size has exceeded the maximum allowed size"));
}

TEST(Store, refuses_values_that_the_wire_would_refuse) {
  const auto store = memory_store();
  ASSERT_THAT(store->create_table({.name = "any", .partition_key = {"id"}}), succeeds());
  EXPECT_THAT(store->put_item("any", {{"id", "x"}, {"bad", "\xFF"}}), fails_with(Code::kValidation));
  EXPECT_THAT(store->put_item("any", {{"id", "x"}, {"bad", StringSet{}}}), fails_with(Code::kValidation));
}

TEST(Store, updates_an_item_without_waiting) {
  const auto store = memory_store();
  ASSERT_THAT(store->create_table({.name = "few", .partition_key = {"id"}}), succeeds());
  std::promise<Result<WriteResult>> done;
  store->async_update_item({.table = "few", .key = {{"id", "a"}}, .update = Update{}.set(attr("text"), "new")}, {},
                           [&](Result<WriteResult> answer) { done.set_value(std::move(answer)); });
  ASSERT_THAT(done.get_future().get(), succeeds());
  EXPECT_EQ(store->get_item("few", {{"id", "a"}}).value().item, (Item{{"id", "a"}, {"text", "new"}}));
}

TEST(Store, refuses_statements_that_are_empty_or_too_long) {
  const auto store = memory_store();
  const std::string start = "SELECT * FROM few WHERE id = '";
  const auto of_length = [&](std::size_t length) { return start + std::string(length - start.size() - 1, 'x') + "'"; };
  EXPECT_THAT(store->execute(""),
              fails_with(Code::kValidation, testing::HasSubstr("length greater than or equal to 1")));
  EXPECT_THAT(store->execute(of_length(8193)),
              fails_with(Code::kValidation, testing::HasSubstr("length less than or equal to 8192")));
  EXPECT_THAT(store->execute(of_length(8192)), fails_with(Code::kTableNotFound));
}

TEST(Store, is_the_same_after_it_was_closed_and_opened) {
  const TemporaryDirectory directory;
  const Item note{{"topic", "t"}, {"written", 1}, {"tags", StringSet{"a", "b"}}};
  TableDescription before;
  {
    const auto store = open(directory.path()).value();
    ASSERT_THAT(store->create_table({.name = "gone", .partition_key = {"id"}}), succeeds());
    ASSERT_THAT(store->delete_table("gone"), succeeds());
    ASSERT_THAT(store->create_table(kNotes), succeeds());
    ASSERT_THAT(store->put_item("notes", note), succeeds());
    before = store->describe_table("notes").value();
  }
  const auto store = open("file:" + directory.path().string()).value();
  EXPECT_EQ(store->list_tables().value().names, std::vector<std::string>{"notes"});
  const TableDescription after = store->describe_table("notes").value();
  EXPECT_EQ(after.definition, before.definition);
  EXPECT_EQ(after.id, before.id);
  EXPECT_EQ(after.created, before.created);
  EXPECT_EQ(store->get_item("notes", {{"topic", "t"}, {"written", 1}}).value().item, note);
}

TEST(Store, never_gives_a_table_the_id_of_a_deleted_one) {
  const TemporaryDirectory directory;
  {
    const auto store = open(directory.path()).value();
    ASSERT_THAT(store->create_table(kNotes), succeeds());
    ASSERT_THAT(store->put_item("notes", {{"topic", "t"}, {"written", 1}}), succeeds());
    ASSERT_THAT(store->delete_table("notes"), succeeds());
  }
  const auto store = open(directory.path()).value();
  ASSERT_THAT(store->create_table(kNotes), succeeds());
  EXPECT_EQ(store->describe_table("notes").value().extent.item_count, 0U);
}

TEST(Open, explains_addresses_that_it_does_not_know) {
  for (const char* address : {"", "file:", "ftp://host"})
    EXPECT_THAT(open(address), fails_with(Code::kInvalidArgument)) << address;
}

TEST(Open, refuses_a_directory_that_is_in_use) {
  const TemporaryDirectory directory;
  const auto store = open(directory.path()).value();
  EXPECT_THAT(open(directory.path()), fails_with(Code::kDirectoryInUse));
}

TEST(Store, behaves_as_a_map_under_random_operations) {
  const auto store = memory_store();
  ASSERT_THAT(store->create_table(kNotes), succeeds());
  std::mt19937_64 random(test_seed("store model"));
  std::map<std::pair<std::string, int>, Item> model;
  for (int i = 0; i < 20'000; ++i) {
    const std::pair<std::string, int> id{std::string(1, static_cast<char>('a' + random() % 5)),
                                         static_cast<int>(random() % 20)};
    const Item key{{"topic", id.first}, {"written", id.second}};
    if (random() % 3 == 0) {
      ASSERT_THAT(store->delete_item("notes", key), succeeds());
      model.erase(id);
    } else {
      Item item = key;
      item.set("value", static_cast<int>(random() % 1000));
      ASSERT_THAT(store->put_item("notes", item), succeeds());
      model[id] = item;
    }
    const auto expected = model.find(id);
    ASSERT_EQ(store->get_item("notes", key).value().item,
              expected == model.end() ? std::nullopt : std::optional(expected->second));
  }
  EXPECT_EQ(store->describe_table("notes").value().extent.item_count, model.size());
}

TEST(Store, takes_writes_from_many_threads_while_tables_come_and_go) {
  const TemporaryDirectory directory;
  const auto store = open(directory.path()).value();
  ASSERT_THAT(store->create_table({.name = "stays", .partition_key = {"id", KeyType::kNumber}}), succeeds());
  constexpr int kThreads = 4;
  constexpr int kItems = 50;
  std::atomic<int> failures = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < kItems; ++i)
        if (!store->put_item("stays", {{"id", t * kItems + i}, {"by", t}})) ++failures;
    });
  threads.emplace_back([&] {
    for (int i = 0; i < 20; ++i) {
      if (!store->create_table({.name = "goes", .partition_key = {"id"}})) ++failures;
      if (!store->put_item("goes", {{"id", "x"}})) ++failures;
      if (!store->delete_table("goes")) ++failures;
    }
  });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(store->describe_table("stays").value().extent.item_count, static_cast<std::uint64_t>(kThreads * kItems));
}

}  // namespace
}  // namespace dolmen
