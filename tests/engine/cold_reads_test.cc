#include <chrono>
#include <deque>
#include <future>
#include <gtest/gtest.h>
#include <mutex>
#include <random>

#include "base/test_directory.h"
#include "base/test_result.h"
#include "service/elsewhere.h"
#include "test_engine.h"
#include "tests/storage/cold_files.h"

/// What would have to wait for the disk does not do so on the thread that asks for it.
namespace dolmen::engine {
namespace {

constexpr int kPages = 40;
constexpr int kLines = 5;

/// Incompressible, so that each item has blocks of its own.
std::string text_of(int page, int line) {
  std::mt19937_64 random(static_cast<std::uint64_t>(page * kLines + line));
  std::string text(20'000, ' ');
  for (char& letter : text) letter = static_cast<char>('a' + random() % 26);
  return text;
}

Item key_of(int page, int line) { return {{"page", page}, {"line", line}}; }

/// An engine with a table of which nothing is in memory.
class ColdTable : public testing::Test {
 protected:
  void SetUp() override {
    open();
    ASSERT_THAT(create_table(*service_, {.name = "notes",
                                         .partition_key = {"page", KeyType::kNumber},
                                         .sort_key = {{"line", KeyType::kNumber}}}),
                succeeds());
    for (int page = 0; page < kPages; ++page)
      for (int line = 0; line < kLines; ++line)
        ASSERT_THAT(call(*service_, put("notes", {{"page", page}, {"line", line}, {"text", text_of(page, line)}})),
                    succeeds());
    open();
    DOLMEN_COOL_OR_SKIP(directory_.path());
  }

  void open() {
    service_.reset();
    service_ = open_engine(directory_.path(), block_cache_bytes_);
  }

  /// The answer, or nothing until it has come. A write is answered by another thread.
  template <class Op>
  std::shared_ptr<std::promise<Result<typename Op::Response>>> start(typename Op::Request request) {
    auto answer = std::make_shared<std::promise<Result<typename Op::Response>>>();
    request.elsewhere = &elsewhere_;
    service_->start(Op{}, std::move(request),
                    [answer](Result<typename Op::Response> got) { answer->set_value(std::move(got)); });
    return answer;
  }

  /// Starts the operation, sees that it went elsewhere, and runs it there.
  template <class Op>
  Result<typename Op::Response> there(typename Op::Request request) {
    const auto answer = start<Op>(std::move(request));
    EXPECT_EQ(waiting(), 1U);
    return await(answer);
  }

  /// Sees that the operation is carried out at once. It is not while another thread opens a table, as those in the
  /// background do after a start.
  template <class Op>
  Result<typename Op::Response> here(const typename Op::Request& request) {
    constexpr int kAttemptsMax = 1000;
    for (int attempt = 1;; ++attempt) {
      const auto answer = start<Op>(request);
      const bool went_elsewhere = waiting() > 0;
      Result<typename Op::Response> got = await(answer);
      if (!went_elsewhere) return got;
      EXPECT_LT(attempt, kAttemptsMax) << "it goes elsewhere every time";
      if (attempt >= kAttemptsMax) return got;
    }
  }

  /// The answer, for which everything that went elsewhere is run.
  template <class Response>
  Result<Response> await(const std::shared_ptr<std::promise<Result<Response>>>& answer) {
    std::future<Result<Response>> future = answer->get_future();
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (future.wait_for(std::chrono::milliseconds(waiting() > 0 ? 0 : 1)) != std::future_status::ready) {
      if (waiting() > 0) run_next();
      if (std::chrono::steady_clock::now() > end)
        return std::unexpected(Error(Code::kIo, "no answer has come in a minute"));
    }
    return future.get();
  }

  void run_next() {
    std::unique_lock lock(tasks_mutex_);
    auto task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
  }

  /// How many tasks went elsewhere and wait there.
  std::size_t waiting() {
    const std::lock_guard lock(tasks_mutex_);
    return tasks_.size();
  }

  static GetItemRequest get(int page, int line) { return {.table = "notes", .key = encode_item(key_of(page, line))}; }
  static ReadManyRequest query(int page) {
    return {.table = "notes", .key_condition = Expression{"page = :p"}, .placeholders = {.values = {{":p", page}}}};
  }

  TemporaryDirectory directory_;
  std::size_t block_cache_bytes_ = storage::Options{}.block_cache_bytes;
  std::unique_ptr<Service> service_;
  std::mutex tasks_mutex_;
  std::deque<std::move_only_function<void()>> tasks_;
  Elsewhere elsewhere_ = [this](std::move_only_function<void()> task) {
    const std::lock_guard lock(tasks_mutex_);
    tasks_.push_back(std::move(task));
    return true;
  };
};

TEST_F(ColdTable, gives_an_item_elsewhere_and_the_next_time_here) {
  const auto got = there<GetItem>(get(3, 2));
  ASSERT_THAT(got, succeeds());
  EXPECT_EQ(decode_item(got->item->bytes)->at("text"), AttributeValue(text_of(3, 2)));
  EXPECT_EQ(here<GetItem>(get(3, 2))->item, got->item);
}

TEST_F(ColdTable, gives_a_page_elsewhere_that_has_each_item_once) {
  ASSERT_THAT(call(*service_, get(5, 0)), succeeds());  // so that the page begins here
  const auto page = there<Query>(query(5));
  EXPECT_EQ(page->scanned_count, static_cast<std::uint64_t>(kLines));
  const std::vector<Item> items = items_of(page);
  ASSERT_EQ(items.size(), static_cast<std::size_t>(kLines));
  for (int line = 0; line < kLines; ++line) EXPECT_EQ(items[line].at("text"), AttributeValue(text_of(5, line)));
  EXPECT_EQ(items_of(here<Query>(query(5))), items);
}

TEST_F(ColdTable, is_scanned_elsewhere) {
  const auto page = there<Scan>({.table = "notes", .limit = 20});
  EXPECT_EQ(items_of(page), items_of(call(*service_, ReadManyRequest{.table = "notes", .limit = 20})));
}

TEST_F(ColdTable, decides_a_write_elsewhere_and_holds_its_lock_until_then) {
  WriteRequest absent = put("notes", {{"page", 7}, {"line", 1}, {"by", "first"}});
  absent.condition = Expression{"attribute_not_exists(page)"};
  EXPECT_THAT(there<PutItem>(absent), fails_with(Code::kConditionFailed));
  EXPECT_EQ(item_at(*service_, "notes", key_of(7, 1)).at("text"), AttributeValue(text_of(7, 1)));

  WriteRequest present = put("notes", {{"page", 8}, {"line", 1}, {"by", "first"}});
  present.condition = Expression{"attribute_exists(page)"};
  const auto first = start<PutItem>(present);
  ASSERT_EQ(waiting(), 1U);
  const auto second = start<PutItem>(put("notes", {{"page", 8}, {"line", 1}, {"by", "second"}}));
  ASSERT_EQ(waiting(), 1U) << "the second waits for the lock";
  run_next();
  EXPECT_THAT(await(first), succeeds());
  EXPECT_THAT(await(second), succeeds());
  EXPECT_EQ(item_at(*service_, "notes", key_of(8, 1)).at("by"), AttributeValue("second"));
}

TEST_F(ColdTable, is_changed_by_batches_and_transactions_elsewhere_once) {
  BatchWriteRequest batch;
  TransactWriteRequest together;
  for (int line = 0; line < 3; ++line) {
    batch.writes.push_back(put("notes", {{"page", 10}, {"line", line}, {"n", 1}}));
    together.writes.push_back(update("notes", key_of(11, line), "ADD n :one", {{":one", 1}}));
  }
  const auto before = describe_table(*service_, "notes")->extent.item_count;
  EXPECT_THAT(there<BatchWriteItem>(batch), succeeds());
  EXPECT_THAT(there<TransactWriteItems>(together), succeeds());
  for (int line = 0; line < 3; ++line) {
    EXPECT_FALSE(item_at(*service_, "notes", key_of(10, line)).contains("text"));
    EXPECT_EQ(number_in(item_at(*service_, "notes", key_of(11, line)), "n"), 1);
    EXPECT_EQ(item_at(*service_, "notes", key_of(11, line)).at("text"), AttributeValue(text_of(11, line)));
  }
  EXPECT_EQ(describe_table(*service_, "notes")->extent.item_count, before);
}

TEST_F(ColdTable, answers_requests_for_many_items_elsewhere_or_here) {
  BatchGetRequest batch{.tables = {{.table = "notes"}}};
  TransactGetRequest together;
  for (int page = 12; page < 20; ++page) {
    batch.tables[0].keys.push_back(encode_item(key_of(page, 1)));
    together.gets.push_back(get(page, 3));
  }
  batch.tables[0].keys.push_back(encode_item(key_of(1000, 1)));
  const auto read = there<BatchGetItem>(batch);
  ASSERT_EQ(read->items[0].size(), 8U);
  EXPECT_EQ(decode_item(read->items[0][7].bytes)->at("text"), AttributeValue(text_of(19, 1)));
  const auto items = call(*service_, together);
  ASSERT_EQ(items->items.size(), 8U);
  EXPECT_EQ(decode_item(items->items[7]->bytes)->at("text"), AttributeValue(text_of(19, 3)));
}

TEST_F(ColdTable, answers_requests_for_a_few_items_elsewhere) {
  BatchGetRequest batch{.tables = {{.table = "notes"}}};
  TransactGetRequest together;
  for (int line = 0; line < 2; ++line) {
    batch.tables[0].keys.push_back(encode_item(key_of(20, line)));
    together.gets.push_back(get(22, line));
  }
  EXPECT_EQ(there<BatchGetItem>(batch)->items[0].size(), 2U);
  const auto items = there<TransactGetItems>(together);
  ASSERT_EQ(items->items.size(), 2U);
  EXPECT_EQ(decode_item(items->items[1]->bytes)->at("text"), AttributeValue(text_of(22, 1)));
}

TEST_F(ColdTable, answers_statements_about_one_item_elsewhere) {
  const auto text_at = [](int page) {
    return "SELECT * FROM notes WHERE page = " + std::to_string(page) + " AND line = 1";
  };
  EXPECT_EQ(there<ExecuteStatement>({.statement = {.text = text_at(24)}})->items.size(), 1U);
  const auto batch = there<BatchExecuteStatement>({.statements = {{.text = text_at(26)}}});
  ASSERT_EQ(batch->outcomes.size(), 1U);
  EXPECT_TRUE(batch->outcomes[0].item);
  EXPECT_FALSE(batch->outcomes[0].failure);
  const auto together = there<ExecuteTransaction>({.statements = {{.text = text_at(28)}}});
  EXPECT_EQ(together->items.size(), 1U);
}

/// Whatever comes before the search, or the page of records, is in memory.
class ColdBeside : public ColdTable {
 protected:
  void SetUp() override {
    block_cache_bytes_ = 0;
    ColdTable::SetUp();
    if (IsSkipped()) return;
    ASSERT_THAT(create_table(*service_, {.name = "beside",
                                         .partition_key = {"page", KeyType::kNumber},
                                         .vector_indexes = {{.name = "near", .attribute = "v", .dimensions = 2}},
                                         .stream = StreamView::kNewImage}),
                succeeds());
    for (int page = 0; page < kPages; ++page)
      ASSERT_THAT(call(*service_, put("beside", {{"page", page}, {"text", text_of(page, 0)}, {"v", List{page, 1}}})),
                  succeeds());
    open();
  }

  static SearchVectorsRequest near(int page) {
    return {.table = "beside", .index = "near", .vector = {static_cast<float>(page), 1}, .top_k = 3};
  }
};

TEST_F(ColdBeside, is_searched_elsewhere_when_what_was_found_is_cold) {
  const auto found = call<SearchVectors>(*service_, near(kPages));
  ASSERT_THAT(found, succeeds());
  ASSERT_EQ(found->results.size(), 3U);
  DOLMEN_COOL_OR_SKIP(directory_.path());
  const auto again = there<SearchVectors>(near(kPages));
  ASSERT_THAT(again, succeeds());
  ASSERT_EQ(again->results.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(again->results[i].item, found->results[i].item);
  EXPECT_THAT(here<SearchVectors>(near(kPages)), succeeds()) << "now it is in memory";
}

TEST_F(ColdBeside, gives_records_of_its_stream_elsewhere_when_they_are_cold_or_many) {
  const auto streams = call<ListStreams>(*service_, {.of_table = "beside"});
  const std::string arn = streams.value().streams.at(0).arn;
  const auto shards = call<DescribeStream>(*service_, {.arn = arn}).value().shards;
  const std::string iterator =
      call<GetShardIterator>(*service_, {.arn = arn, .shard = shards.at(0).id, .type = ShardIteratorType::kTrimHorizon})
          ->text;
  DOLMEN_COOL_OR_SKIP(directory_.path());
  const auto few = there<GetRecords>({.iterator = iterator, .limit = 3});
  ASSERT_THAT(few, succeeds());
  EXPECT_EQ(few->records.size(), 3U);
  EXPECT_EQ(here<GetRecords>({.iterator = iterator, .limit = 3})->records.size(), 3U) << "now they are in memory";
  const auto all = there<GetRecords>({.iterator = iterator});
  ASSERT_THAT(all, succeeds());
  EXPECT_GT(all->records.size(), 3U) << "too long a page for the thread that asks, and whole all the same";
}

TEST_F(ColdTable, says_elsewhere_what_a_refused_statement_of_a_batch_has_cost) {
  const auto insert = [](int page) {
    return "INSERT INTO notes VALUE {'page': " + std::to_string(page) + ", 'line': 1}";
  };
  const auto batch = there<BatchExecuteStatement>(
      {.statements = {{.text = insert(21)}, {.text = insert(1000)}}, .return_capacity = ReturnCapacity::kTotal});
  ASSERT_THAT(batch, succeeds());
  EXPECT_TRUE(batch->outcomes.at(0).failure);
  EXPECT_FALSE(batch->outcomes.at(1).failure);
  ASSERT_EQ(batch->capacity.size(), 1U);
  EXPECT_EQ(batch->capacity[0].total, 21.0) << "20 for the item that was there, one for the new one";
}

TEST_F(ColdTable, is_read_here_where_there_is_no_elsewhere) {
  EXPECT_EQ(item_at(*service_, "notes", key_of(30, 1)).at("text"), AttributeValue(text_of(30, 1)));
  EXPECT_EQ(items_of(call(*service_, query(31))).size(), static_cast<std::size_t>(kLines));
  EXPECT_EQ(waiting(), 0U);
}

TEST_F(ColdTable, is_read_and_changed_here_when_too_much_waits_elsewhere) {
  const Elsewhere full = [](const auto&) { return false; };
  WriteRequest write = update("notes", key_of(33, 1), "SET a = :a", {{":a", 1}});
  write.elsewhere = &full;
  EXPECT_THAT(call(*service_, write), succeeds());
  EXPECT_THAT(call(*service_, write), succeeds()) << "its lock is free again";
  GetItemRequest read = get(34, 1);
  read.elsewhere = &full;
  EXPECT_EQ(decode_item(call(*service_, read)->item->bytes)->at("text"), AttributeValue(text_of(34, 1)));
}

TEST_F(ColdTable, is_read_and_changed_here_by_a_thread_that_has_time) {
  const HasTime here;
  EXPECT_THAT(start<GetItem>(get(35, 1))->get_future().get(), succeeds());
  EXPECT_THAT(start<Query>(query(36))->get_future().get(), succeeds());
  EXPECT_THAT(start<UpdateItem>(update("notes", key_of(37, 1), "SET a = :a", {{":a", 1}}))->get_future().get(),
              succeeds());
  EXPECT_EQ(waiting(), 0U);
}

}  // namespace
}  // namespace dolmen::engine
