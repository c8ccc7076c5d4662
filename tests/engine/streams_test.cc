// Streams through the operations of the engine.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/test_directory.h"
#include "base/test_result.h"
#include "engine/stream_trimming.h"
#include "test_engine.h"

namespace dolmen::engine {
namespace {

using std::chrono::minutes;

class SteppedClock final : public Clock {
 public:
  [[nodiscard]] TimePoint now() const override { return TimePoint(std::chrono::nanoseconds(nanoseconds_.load())); }
  void step(std::chrono::nanoseconds time) { nanoseconds_ += time.count(); }

 private:
  std::atomic<std::int64_t> nanoseconds_ = std::chrono::nanoseconds(std::chrono::hours(24 * 20'000)).count();
};

std::vector<std::string> shards_of(Service& service, const std::string& arn) {
  std::vector<std::string> ids;
  const StreamDescription stream = call<DescribeStream>(service, {.arn = arn}).value();
  for (const StreamShard& shard : stream.shards) ids.push_back(shard.id);
  return ids;
}

Result<ShardIterator> iterator_at(Service& service, const std::string& arn, const std::string& shard,
                                  ShardIteratorType type = ShardIteratorType::kTrimHorizon,
                                  std::optional<std::string> number = std::nullopt) {
  return call<GetShardIterator>(service, {.arn = arn, .shard = shard, .type = type, .sequence_number = number});
}

Result<GetRecordsResponse> records_at(Service& service, const std::string& iterator,
                                      std::optional<int> limit = std::nullopt) {
  return call<GetRecords>(service, {.iterator = iterator, .limit = limit});
}

class Streams : public testing::Test {
 protected:
  std::unique_ptr<Engine> open() {
    return Engine::open(
               storage::Storage::open(
                   {.directory = directory_ / "data", .durability = Durability::kOs, .keyspaces = keyspaces::names()})
                   .value(),
               {.clock = &clock_})
        .value();
  }

  std::string create(const std::string& name, StreamView view = StreamView::kNewAndOldImages) {
    TableDefinition definition{.name = name, .partition_key = {"id", KeyType::kString}};
    definition.stream = view;
    return create_table(*engine_, definition).value().stream_arn;
  }

  void put_value(const std::string& table, const std::string& id, int value) {
    ASSERT_TRUE(call(*engine_, put(table, {{"id", id}, {"value", value}})));
  }

  /// Every record of a stream, shard by shard.
  std::vector<StreamChange> all(const std::string& arn) {
    std::vector<StreamChange> changes;
    for (const std::string& shard : shards_of(*engine_, arn)) {
      GetRecordsResponse page = records_at(*engine_, iterator_at(*engine_, arn, shard).value().text).value();
      std::ranges::move(page.records, std::back_inserter(changes));
    }
    return changes;
  }

  /// Whether every shard is empty. Records that go while they are read are a failure of that read.
  bool is_empty(const std::string& arn) {
    return std::ranges::all_of(shards_of(*engine_, arn), [&](const std::string& shard) {
      const auto page = records_at(*engine_, iterator_at(*engine_, arn, shard).value().text);
      return page && page->records.empty();
    });
  }

  /// The shard that has the records of one item.
  std::string shard_of_item(const std::string& arn, const std::string& id) {
    for (const std::string& shard : shards_of(*engine_, arn)) {
      const GetRecordsResponse page = records_at(*engine_, iterator_at(*engine_, arn, shard).value().text).value();
      if (std::ranges::find(page.records, encode_item({{"id", id}}), &StreamChange::key) != page.records.end())
        return shard;
    }
    return "";
  }

  const TemporaryDirectory directory_;
  SteppedClock clock_;
  std::unique_ptr<Engine> engine_ = open();
};

TEST_F(Streams, record_every_way_to_change_an_item_and_nothing_else) {
  const std::string arn = create("orders");
  put_value("orders", "a", 1);
  put_value("orders", "a", 1);
  put_value("orders", "a", 2);
  ASSERT_TRUE(call(*engine_, update("orders", {{"id", "a"}}, "SET #v = :v", {{":v", 3}})).has_value() == false);
  ASSERT_TRUE(call(*engine_, update("orders", {{"id", "a"}}, "SET v = :v", {{":v", 3}})));
  ASSERT_TRUE(call(*engine_, update("orders", {{"id", "a"}}, "SET v = :v", {{":v", 3}})));
  ASSERT_TRUE(call(*engine_, update("orders", {{"id", "a"}}, "REMOVE nothing")));
  ASSERT_TRUE(call(*engine_, update("orders", {{"id", "never"}}, "REMOVE nothing")));
  ASSERT_TRUE(call(*engine_, {.kind = WriteKind::kDelete, .table = "orders", .item = encode_item({{"id", "a"}})}));
  ASSERT_TRUE(call(*engine_, {.kind = WriteKind::kDelete, .table = "orders", .item = encode_item({{"id", "a"}})}));
  WriteRequest refused = put("orders", {{"id", "a"}});
  refused.condition = Expression{"attribute_exists(id)"};
  EXPECT_THAT(call(*engine_, std::move(refused)), fails_with(Code::kConditionFailed));
  const std::vector<StreamChange> changes = all(arn);
  std::vector<StreamEvent> events;
  for (const StreamChange& change : changes) events.push_back(change.event);
  EXPECT_EQ(events,
            (std::vector{StreamEvent::kInsert, StreamEvent::kModify, StreamEvent::kModify, StreamEvent::kRemove}));
  ASSERT_EQ(changes.size(), 4U);
  EXPECT_EQ(changes[0].new_image, encode_item({{"id", "a"}, {"value", 1}}));
  EXPECT_EQ(changes[0].old_image, std::nullopt);
  EXPECT_EQ(changes[1].old_image, changes[0].new_image);
  EXPECT_EQ(changes[3].old_image, encode_item({{"id", "a"}, {"value", 2}, {"v", 3}}));
  EXPECT_EQ(changes[3].new_image, std::nullopt);
  EXPECT_EQ(changes[0].region, "us-east-1");
}

TEST_F(Streams, record_a_transaction_in_its_order) {
  TableDefinition definition{
      .name = "lines", .partition_key = {"id", KeyType::kString}, .sort_key = KeyAttribute{"n", KeyType::kNumber}};
  definition.stream = StreamView::kKeysOnly;
  const std::string arn = create_table(*engine_, definition).value().stream_arn;
  TransactWriteRequest request;
  for (const int n : {3, 1, 4, 5, 9, 2, 6}) request.writes.push_back(put("lines", {{"id", "a"}, {"n", n}}));
  ASSERT_TRUE(call(*engine_, request));
  std::vector<std::int64_t> order;
  for (const StreamChange& change : all(arn)) order.push_back(number_in(decode_item(change.key.bytes).value(), "n"));
  EXPECT_EQ(order, (std::vector<std::int64_t>{3, 1, 4, 5, 9, 2, 6}));
  request.writes[3].condition = Expression{"attribute_not_exists(id)"};
  EXPECT_FALSE(call(*engine_, request));
  BatchWriteRequest batch;
  batch.writes.push_back(put("lines", {{"id", "a"}, {"n", 3}}));
  batch.writes.push_back(put("lines", {{"id", "a"}, {"n", 7}}));
  ASSERT_TRUE(call(*engine_, std::move(batch)));
  EXPECT_EQ(all(arn).size(), 8U);
}

TEST_F(Streams, are_listed_by_arn_and_by_table) {
  std::vector<std::string> arns;
  for (const char* name : {"bbb", "aaa", "ccc"}) arns.push_back(create(name));
  std::ranges::sort(arns);
  std::vector<std::string> listed;
  ListStreamsRequest request{.limit = 2};
  int pages = 0;
  do {
    const StreamPage page = call<ListStreams>(*engine_, request).value();
    for (const StreamName& name : page.streams) listed.push_back(name.arn);
    request.after = page.last_arn;
    ++pages;
  } while (request.after);
  EXPECT_EQ(listed, arns);
  EXPECT_EQ(pages, 2);
  const StreamPage one = call<ListStreams>(*engine_, {.of_table = "bbb"}).value();
  ASSERT_EQ(one.streams.size(), 1U);
  EXPECT_EQ(one.streams[0].table, "bbb");
  EXPECT_EQ(one.streams[0].arn, "arn:aws:dynamodb:us-east-1:000000000000:table/bbb/stream/" + one.streams[0].label);
  EXPECT_TRUE(call<ListStreams>(*engine_, {.of_table = "no-such-table"}).value().streams.empty());
  EXPECT_THAT(call<ListStreams>(*engine_, {.after = "bbb"}), fails_with(Code::kValidation));
  for (const int limit : {0, -1, 101})
    EXPECT_THAT(call<ListStreams>(*engine_, {.limit = limit}), fails_with(Code::kValidation)) << limit;
}

TEST_F(Streams, are_described_shard_by_shard) {
  const std::string arn = create("orders", StreamView::kOldImage);
  const StreamDescription whole = call<DescribeStream>(*engine_, {.arn = arn}).value();
  EXPECT_EQ(whole.status, StreamStatus::kEnabled);
  EXPECT_EQ(whole.view, StreamView::kOldImage);
  EXPECT_EQ(whole.key_names, std::vector<std::string>{"id"});
  ASSERT_EQ(whole.shards.size(), 4U);
  EXPECT_EQ(whole.last_shard, std::nullopt);
  EXPECT_FALSE(whole.shards[0].last_number || whole.shards[0].parent);
  const StreamDescription two = call<DescribeStream>(*engine_, {.arn = arn, .limit = 2}).value();
  EXPECT_EQ(two.shards.size(), 2U);
  EXPECT_EQ(two.last_shard, whole.shards[1].id);
  const StreamDescription rest =
      call<DescribeStream>(*engine_, {.arn = arn, .after_shard = two.last_shard, .limit = 2}).value();
  EXPECT_EQ(rest.shards.at(0).id, whole.shards[2].id);
  EXPECT_EQ(rest.last_shard, std::nullopt);
  EXPECT_TRUE(call<DescribeStream>(*engine_, {.arn = arn, .after_shard = "shardId-9"}).value().shards.empty());
  EXPECT_TRUE(call<DescribeStream>(*engine_, {.arn = arn, .children_of = whole.shards[0].id}).value().shards.empty());
  EXPECT_THAT(call<DescribeStream>(*engine_, {.arn = "orders"}), fails_with(Code::kValidation, "Invalid StreamArn"));
  const std::string missing = "arn:aws:dynamodb:us-east-1:000000000000:table/orders/stream/2020-01-01T00:00:00.000";
  EXPECT_THAT(call<DescribeStream>(*engine_, {.arn = missing}),
              fails_with(Code::kStreamNotFound, "Requested resource not found: Stream: " + missing + " not found"));
}

TEST_F(Streams, are_read_from_four_kinds_of_places) {
  const std::string arn = create("orders");
  for (int i = 1; i <= 3; ++i) put_value("orders", "a", i);
  const std::string shard = shard_of_item(arn, "a");
  const std::vector<StreamChange> changes = all(arn);
  const auto values = [&](ShardIteratorType type, std::optional<std::string> number = std::nullopt) {
    std::vector<std::int64_t> found;
    const std::string iterator = iterator_at(*engine_, arn, shard, type, number).value().text;
    put_value("orders", "a", 4);
    const GetRecordsResponse page = records_at(*engine_, iterator).value();
    for (const StreamChange& change : page.records)
      if (change.new_image) found.push_back(number_in(decode_item(change.new_image->bytes).value(), "value"));
    return found;
  };
  using Values = std::vector<std::int64_t>;
  EXPECT_EQ(values(ShardIteratorType::kLatest), Values{4});
  EXPECT_EQ(values(ShardIteratorType::kTrimHorizon), (Values{1, 2, 3, 4}));
  EXPECT_EQ(values(ShardIteratorType::kAtSequenceNumber, changes[1].sequence_number), (Values{2, 3, 4}));
  EXPECT_EQ(values(ShardIteratorType::kAfterSequenceNumber, changes[1].sequence_number), (Values{3, 4}));
  const std::string start = call<DescribeStream>(*engine_, {.arn = arn}).value().shards[0].first_number;
  EXPECT_EQ(values(ShardIteratorType::kAtSequenceNumber, start), (Values{1, 2, 3, 4}));
  EXPECT_EQ(values(ShardIteratorType::kAfterSequenceNumber, start), (Values{1, 2, 3, 4}));
}

TEST_F(Streams, refuse_places_that_are_not_there) {
  const std::string arn = create("orders");
  put_value("orders", "a", 1);
  const std::string shard = shard_of_item(arn, "a");
  const auto fails = [&](ShardIteratorType type, std::optional<std::string> number, Code code) {
    EXPECT_THAT(iterator_at(*engine_, arn, shard, type, number), fails_with(code))
        << shard_iterator_type_name(type) << " " << number.value_or("none");
  };
  fails(ShardIteratorType::kAtSequenceNumber, std::nullopt, Code::kValidation);
  fails(ShardIteratorType::kAfterSequenceNumber, std::nullopt, Code::kValidation);
  fails(ShardIteratorType::kTrimHorizon, "100000000000000000001", Code::kValidation);
  fails(ShardIteratorType::kLatest, "100000000000000000001", Code::kValidation);
  fails(ShardIteratorType::kAtSequenceNumber, "100000000000000000002", Code::kValidation);
  fails(ShardIteratorType::kAtSequenceNumber, "999999999999999999999999", Code::kValidation);
  EXPECT_THAT(iterator_at(*engine_, arn, "shardId-00000000000000000000-00000000"),
              fails_with(Code::kStreamNotFound, "Requested resource not found: Shard does not exist"));
  EXPECT_THAT(records_at(*engine_, "garbage"), fails_with(Code::kValidation));
  const std::string iterator = iterator_at(*engine_, arn, shard).value().text;
  for (const int limit : {0, -1, 1001})
    EXPECT_THAT(records_at(*engine_, iterator, limit), fails_with(Code::kValidation)) << limit;
}

TEST_F(Streams, give_iterators_that_live_for_15_minutes) {
  const std::string arn = create("orders");
  put_value("orders", "a", 1);
  const std::string iterator = iterator_at(*engine_, arn, shard_of_item(arn, "a")).value().text;
  clock_.step(minutes(15));
  const GetRecordsResponse page = records_at(*engine_, iterator).value();
  EXPECT_EQ(page.records.size(), 1U);
  clock_.step(std::chrono::milliseconds(1));
  EXPECT_THAT(records_at(*engine_, iterator), fails_with(Code::kIteratorExpired, "Shard iterator has expired"));
  EXPECT_TRUE(records_at(*engine_, page.next.value()));
}

TEST_F(Streams, end_with_their_table_and_stay_readable) {
  const std::string arn = create("orders");
  for (int i = 0; i < 3; ++i) put_value("orders", "a", i);
  const std::string shard = shard_of_item(arn, "a");
  const std::string open = iterator_at(*engine_, arn, shard).value().text;
  EXPECT_TRUE(records_at(*engine_, open).value().next);
  ASSERT_TRUE(delete_table(*engine_, "orders"));
  const StreamDescription ended = call<DescribeStream>(*engine_, {.arn = arn}).value();
  EXPECT_EQ(ended.status, StreamStatus::kDisabled);
  for (const StreamShard& one : ended.shards)
    EXPECT_EQ(one.last_number, one.id == shard ? "100000000000000000003" : "100000000000000000000");
  const GetRecordsResponse two = records_at(*engine_, open, 2).value();
  EXPECT_TRUE(two.next);
  const GetRecordsResponse last = records_at(*engine_, *two.next).value();
  EXPECT_EQ(last.records.size(), 1U);
  EXPECT_FALSE(last.next);
  const std::string again = create("orders");
  EXPECT_NE(again, arn);
  EXPECT_EQ(all(arn).size(), 3U);
  EXPECT_TRUE(all(again).empty());
  EXPECT_EQ(call<ListStreams>(*engine_, {.of_table = "orders"}).value().streams.size(), 2U);
}

TEST_F(Streams, survive_a_restart_and_trim_when_the_engine_starts) {
  const std::string arn = create("orders");
  for (int i = 0; i < 3; ++i) put_value("orders", "a", i);
  const std::string shard = shard_of_item(arn, "a");
  const std::string iterator = iterator_at(*engine_, arn, shard).value().text;
  engine_.reset();
  engine_ = open();
  const GetRecordsResponse page = records_at(*engine_, iterator).value();
  EXPECT_EQ(page.records.size(), 3U);
  put_value("orders", "a", 9);
  EXPECT_EQ(records_at(*engine_, *page.next).value().records.at(0).sequence_number, "100000000000000000004");
  engine_.reset();
  clock_.step(std::chrono::hours(25));
  engine_ = open();
  // The first step of trimming is due at once, but not done when the engine is open.
  while (!is_empty(arn)) std::this_thread::yield();
  EXPECT_THAT(iterator_at(*engine_, arn, shard, ShardIteratorType::kAfterSequenceNumber, "100000000000000000001"),
              fails_with(Code::kStreamTrimmed, "The data you are trying to access has been trimmed"));
  EXPECT_THAT(iterator_at(*engine_, arn, shard, ShardIteratorType::kAtSequenceNumber, "100000000000000000000"),
              fails_with(Code::kStreamTrimmed));
  EXPECT_TRUE(iterator_at(*engine_, arn, shard, ShardIteratorType::kAfterSequenceNumber, "100000000000000000004"));
  EXPECT_TRUE(iterator_at(*engine_, arn, shard));
}

TEST_F(Streams, show_each_change_once_and_in_the_order_of_its_item_while_many_write) {
  constexpr int kThreads = 4;
  constexpr int kWrites = 300;
  const std::string arn = create("orders");
  std::map<std::string, std::string> iterators;
  for (const std::string& shard : shards_of(*engine_, arn))
    iterators[shard] = iterator_at(*engine_, arn, shard).value().text;
  std::map<std::string, std::optional<EncodedItem>> replayed;
  std::size_t seen = 0;
  const auto read_all = [&] {
    for (auto& [shard, iterator] : iterators) {
      GetRecordsResponse page = records_at(*engine_, iterator, 7).value();
      iterator = page.next.value();
      for (StreamChange& change : page.records) {
        const std::string id = decode_item(change.key.bytes).value().at("id").string();
        ASSERT_EQ(change.old_image, replayed[id]) << id;
        replayed[id] = std::move(change.new_image);
        ++seen;
      }
    }
  };
  {
    std::vector<std::jthread> writers;
    for (int t = 0; t < kThreads; ++t)
      writers.emplace_back([&, t] {
        for (int i = 0; i < kWrites; ++i)
          ASSERT_TRUE(call(*engine_, put("orders", {{"id", "item " + std::to_string(i % 10)}, {"by", t}, {"n", i}})));
      });
    while (seen < kThreads * kWrites) read_all();
  }
  read_all();
  EXPECT_EQ(seen, kThreads * kWrites);
  for (const auto& [id, item] : replayed)
    EXPECT_EQ(decode_item(item->bytes).value(), item_at(*engine_, "orders", {{"id", id}}));
}

}  // namespace
}  // namespace dolmen::engine
