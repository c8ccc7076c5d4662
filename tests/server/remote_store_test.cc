// The remote store against a real Dolmen server.
#include <atomic>
#include <condition_variable>
#include <deque>
#include <fmt/format.h>
#include <future>
#include <gtest/gtest.h>
#include <latch>
#include <mutex>
#include <thread>

#include "base/test_result.h"
#include "dolmen/dolmen.h"
#include "server/server.h"

namespace dolmen {
namespace {

const TableDefinition kNotes{.name = "notes",
                             .partition_key = {"topic", KeyType::kString},
                             .sort_key = KeyAttribute{"written", KeyType::kNumber},
                             .local_indexes = {{.name = "by-author",
                                                .partition_keys = {{"topic", KeyType::kString}},
                                                .sort_keys = {{"author", KeyType::kString}},
                                                .projection = ProjectionType::kInclude,
                                                .included_attributes = {"text"}}},
                             .global_indexes = {{.name = "by-text", .partition_keys = {{"text", KeyType::kString}}}}};

class RemoteStore : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_THAT(store_->create_table(kNotes), succeeds());
    for (int i = 1; i <= 5; ++i) ASSERT_THAT(store_->put_item("notes", note(i)), succeeds());
  }

  static Item note(int written) {
    return {{"topic", "dolmen"},
            {"written", written},
            {"author", fmt::format("author \"{}\"", 9 - written)},
            {"text", "stöne"},
            {"tags", StringSet{"a", "b"}},
            {"nested", Item{{"list", List{1, nullptr, true, Bytes(std::string("\x00\xff", 2))}}}}};
  }
  static Item key_of(int written) { return {{"topic", "dolmen"}, {"written", written}}; }

  [[nodiscard]] std::string endpoint() const { return fmt::format("http://127.0.0.1:{}", server_->port()); }

  std::unique_ptr<Server> server_ =
      Server::start({.store = {.durability = Durability::kMemory}, .http = {.port = 0}}).value();
  std::unique_ptr<Store> store_ = open(endpoint()).value();
};

TEST_F(RemoteStore, describes_a_table_as_it_was_made) {
  const TableDescription table = store_->describe_table("notes").value();
  EXPECT_EQ(table.definition, kNotes);
  EXPECT_EQ(table.status, TableStatus::kActive);
  EXPECT_EQ(table.extent.item_count, 5U);
  EXPECT_EQ(table.local_index_extents.size(), 1U);
  EXPECT_GT(table.created.time_since_epoch().count(), 1'600'000'000'000);
  EXPECT_EQ(store_->list_tables().value().names, std::vector<std::string>{"notes"});
}

TEST_F(RemoteStore, reads_back_every_type_of_value) {
  EXPECT_EQ(store_->get_item("notes", key_of(1)).value().item, note(1));
  EXPECT_EQ(store_->get_item("notes", key_of(99)).value().item, std::nullopt);
  const auto some = store_->get_item("notes", key_of(1), {.projection = {attr("nested")["list"][0]}});
  EXPECT_EQ(some.value().item, (Item{{"nested", Item{{"list", List{1}}}}}));
}

TEST_F(RemoteStore, updates_and_deletes) {
  const auto updated = store_->update_item("notes", key_of(1), Update{}.add(attr("views"), 1).set(attr("size"), 3),
                                           {.return_values = ReturnValues::kUpdatedNew});
  EXPECT_EQ(updated.value().attributes, (Item{{"views", 1}, {"size", 3}}));
  const auto gone = store_->delete_item("notes", key_of(2), {.return_values = ReturnValues::kAllOld});
  EXPECT_EQ(gone.value().attributes, note(2));
  EXPECT_EQ(store_->get_item("notes", key_of(2)).value().item, std::nullopt);
}

TEST_F(RemoteStore, gives_the_item_that_failed_a_condition) {
  const auto refused =
      store_->put_item("notes", note(1), {.condition = attr("topic").not_exists(), .return_item_on_failure = true});
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused, fails_with(Code::kConditionFailed, "The conditional request failed"));
  EXPECT_EQ(failed_item(refused.error()), note(1));
}

TEST_F(RemoteStore, queries_page_by_page) {
  std::vector<Number> written;
  for (const Result<Item>& item : store_->query(
           "notes", {.key = key("topic") == "dolmen" && key("written") > 1, .descending = true, .page_size = 2}))
    written.push_back(item.value().at("written").number());
  EXPECT_EQ(written, (std::vector<Number>{5, 4, 3, 2}));
  const auto by_author = store_->query("notes", {.key = key("topic") == "dolmen", .index = "by-author"}).all();
  EXPECT_EQ(by_author.value().front().at("written").number(), Number(5));
  EXPECT_EQ(store_->count("notes", ScanOptions{.filter = attr("written") >= 4}).value().count, 2U);
}

TEST_F(RemoteStore, gets_and_writes_batches) {
  const auto written =
      store_->batch_write({BatchPut{"notes", note(6)}, BatchDelete{"notes", key_of(1)}},
                          {.return_capacity = ReturnCapacity::kIndexes, .return_collection_size = true});
  ASSERT_TRUE(written.has_value()) << written.error().message();
  EXPECT_TRUE(written->unprocessed.empty());
  ASSERT_EQ(written->capacity.size(), 1U);
  EXPECT_GT(written->capacity[0].of_global_indexes.at("by-text"), 0);
  EXPECT_EQ(written->collection_sizes.at("notes").front().key, (Item{{"topic", "dolmen"}}));
  const auto found = store_->batch_get({{.table = "notes", .keys = {key_of(1), key_of(6)}}});
  EXPECT_EQ(found.value().items.at("notes"), std::vector{note(6)});
}

TEST_F(RemoteStore, says_why_a_transaction_was_cancelled) {
  const auto refused =
      store_->transact_write({PutAction{"notes", note(7)}, CheckAction{.table = "notes",
                                                                       .key = key_of(1),
                                                                       .condition = attr("topic").not_exists(),
                                                                       .return_item_on_failure = true}});
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused, fails_with(Code::kTransactionCanceled));
  const std::vector<TransactFailure> failures = transact_failures(refused.error());
  ASSERT_EQ(failures.size(), 2U);
  EXPECT_EQ(failures[0].reason, "None");
  EXPECT_EQ(failures[1].reason, "ConditionalCheckFailed");
  EXPECT_EQ(failures[1].item, note(1));
  EXPECT_EQ(store_->transact_get({{"notes", key_of(7)}, {"notes", key_of(1)}}).value().items,
            (std::vector<std::optional<Item>>{std::nullopt, note(1)}));
}

TEST_F(RemoteStore, fails_with_the_codes_of_an_embedded_store) {
  EXPECT_THAT(store_->create_table(kNotes), fails_with(Code::kTableExists, "Table already exists: notes"));
  EXPECT_THAT(store_->get_item("absent", key_of(1)), fails_with(Code::kTableNotFound));
  EXPECT_THAT(store_->put_item("notes", {{"topic", "x"}}), fails_with(Code::kValidation));
  EXPECT_THAT(store_->query("notes", {.key = "topic ="}).all(), fails_with(Code::kValidation));
  const std::vector<TransactAction> one{PutAction{"notes", note(8)}};
  ASSERT_THAT(store_->transact_write(one, {.client_token = "token"}), succeeds());
  EXPECT_THAT(store_->transact_write({PutAction{"notes", note(9)}}, {.client_token = "token"}),
              fails_with(Code::kIdempotencyMismatch));
}

TEST_F(RemoteStore, answers_hundreds_of_calls_at_once) {
  constexpr int kCalls = 500;
  std::latch answered(kCalls);
  std::atomic<int> right = 0;
  for (int i = 0; i < kCalls; ++i)
    store_->async_get_item("notes", key_of(1 + i % 5), {}, [&, i](const Result<GetResult>& got) {
      if (got && got->item == note(1 + i % 5)) ++right;
      answered.count_down();
    });
  answered.wait();
  EXPECT_EQ(right, kCalls);
}

/// An executor with one thread.
class OneThread {
 public:
  ~OneThread() {
    thread_.request_stop();
    thread_.join();
    EXPECT_TRUE(tasks_.empty());
  }

  [[nodiscard]] Executor executor() {
    return [this](std::move_only_function<void()> task) {
      const std::lock_guard lock(tasks_mutex_);
      tasks_.push_back(std::move(task));
      given_.notify_one();
    };
  }
  [[nodiscard]] bool runs_this() const { return std::this_thread::get_id() == thread_.get_id(); }

 private:
  void run(const std::stop_token& stop) {
    std::unique_lock lock(tasks_mutex_);
    while (given_.wait(lock, stop, [this] { return !tasks_.empty(); })) {
      std::move_only_function<void()> task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
      lock.lock();
    }
  }

  std::mutex tasks_mutex_;
  std::condition_variable_any given_;
  std::deque<std::move_only_function<void()>> tasks_;
  std::jthread thread_{[this](const std::stop_token& stop) { run(stop); }};
};

TEST_F(RemoteStore, runs_callbacks_where_it_is_told_to) {
  OneThread thread;
  const auto store = open_remote({.endpoint = endpoint(), .executor = thread.executor()}).value();
  std::stop_source never;
  const auto also = cancelable(*store, never.get_token());
  for (Store* calls : {store.get(), also.get()}) {
    std::promise<bool> answered;
    calls->async_describe_table("notes", [&](const auto&) { answered.set_value(thread.runs_this()); });
    EXPECT_TRUE(answered.get_future().get());
    std::promise<bool> refused;
    calls->async_put_item("", note(1), {.return_values = ReturnValues::kAllNew},
                          [&](const auto&) { refused.set_value(thread.runs_this()); });
    EXPECT_TRUE(refused.get_future().get());
  }
}

TEST_F(RemoteStore, does_not_wait_for_itself_when_a_callback_on_the_executor_makes_a_call_that_waits) {
  OneThread thread;
  const auto store = open_remote({.endpoint = endpoint(), .executor = thread.executor()}).value();
  std::promise<Result<GetResult>> waited;
  store->async_describe_table("notes", [&](const auto&) { waited.set_value(store->get_item("notes", key_of(1))); });
  auto got = waited.get_future();
  ASSERT_EQ(got.wait_for(std::chrono::seconds(30)), std::future_status::ready);
  EXPECT_EQ(got.get().value().item, note(1));
}

TEST_F(RemoteStore, is_unavailable_when_nobody_listens) {
  server_->stop();
  const auto store =
      open_remote({.endpoint = endpoint(), .retry = {.attempts_max = 2, .first_delay = std::chrono::milliseconds(1)}})
          .value();
  EXPECT_THAT(store->put_item("notes", note(1)), fails_with(Code::kUnavailable));
}

}  // namespace
}  // namespace dolmen
