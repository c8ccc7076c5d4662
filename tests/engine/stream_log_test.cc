// The records of streams in a storage: what is appended, read and trimmed.

#include "engine/stream_log.h"

#include <algorithm>
#include <chrono>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/endian.h"
#include "base/hash.h"
#include "base/test_result.h"
#include "engine/keyspaces.h"
#include "engine/row_key.h"
#include "engine/stream_reading.h"
#include "engine/stream_trimming.h"

namespace dolmen::engine::streams {
namespace {

constexpr TableTime kStart{std::chrono::hours(24 * 20'000)};

EncodedItem item_of(const std::string& id, int value) { return encode_item({{"id", id}, {"value", value}}); }

/// A table with a stream, on a storage of its own.
class StreamLog : public testing::Test {
 protected:
  StreamLog() {
    table_ = make_table({.name = "orders", .partition_key = {"id", KeyType::kString}}, 2);
    table_.id = 1;
    table_.uuid = "uuid";
    enable(StreamView::kNewAndOldImages, kStart);
  }

  void enable(StreamView view, TableTime now) {
    table_.definition.stream = view;
    storage::Batch batch;
    ASSERT_TRUE(begin(*storage_, batch, table_, ++next_id_, now));
    ASSERT_TRUE(storage_->commit(std::move(batch)));
  }

  void disable(TableTime now) {
    storage::Batch batch;
    ASSERT_TRUE(end(*storage_, batch, table_, now));
    ASSERT_TRUE(storage_->commit(std::move(batch)));
    table_.definition.stream.reset();
  }

  void change(const EncodedItem* before, const EncodedItem* after, TableTime now, bool expired = false) {
    const std::string row_key = row_key_of_item(table_, (after != nullptr ? after : before)->bytes).value();
    storage::Batch batch;
    stage(batch, table_, {.row_key = row_key, .old_item = before, .new_item = after, .expired = expired, .now = now});
    ASSERT_TRUE(storage_->commit(std::move(batch)));
  }

  void insert(const std::string& id, int value, TableTime now) {
    const EncodedItem item = item_of(id, value);
    change(nullptr, &item, now);
  }

  Stream stream() { return find(*storage_, "orders", table_.stream_label).value().value(); }

  /// Every record that is there, shard by shard.
  std::vector<StreamChange> all() {
    std::vector<StreamChange> changes;
    for (std::uint8_t shard = 0; shard < kStreamShardsMax; ++shard) {
      const std::uint64_t first = first_number(*storage_, stream().id, shard).value();
      Records page = read(*storage_, stream(), {.shard = shard, .next = first}).value();
      std::ranges::move(page.records, std::back_inserter(changes));
    }
    return changes;
  }

  /// The shard of an item.
  std::uint8_t shard_of_item(const std::string& id) {
    const std::string row_key = row_key_of_item(table_, item_of(id, 0).bytes).value();
    return static_cast<std::uint8_t>(read_big_endian<std::uint64_t>(std::string_view(row_key).substr(kRowHashAt)) %
                                     kStreamShardsMax);
  }

  const std::unique_ptr<storage::Storage> storage_ =
      storage::Storage::open({.durability = Durability::kMemory, .keyspaces = keyspaces::names()}).value();
  TableId next_id_ = 10;
  Table table_;
};

TEST(ShardsOfAStream, are_as_many_as_the_partitions_of_its_table_on_dynamodb) {
  const auto shards = [](std::int64_t read_units, std::int64_t write_units) {
    return int{shards_for({.billing_mode = BillingMode::kProvisioned,
                           .throughput = {.read_units = read_units, .write_units = write_units}})};
  };
  EXPECT_EQ(shards(1, 1), 1);
  EXPECT_EQ(shards(1500, 500), 1);
  EXPECT_EQ(shards(1500, 501), 2);
  EXPECT_EQ(shards(9000, 1), 4);
  EXPECT_EQ(shards(40'000, 40'000), 4);
  EXPECT_EQ(int{shards_for({})}, 4) << "billed by requests";
}

TEST_F(StreamLog, records_what_the_view_asks_for) {
  const EncodedItem before = item_of("a", 1);
  const EncodedItem after = item_of("a", 2);
  const std::size_t key_bytes = item_size(encode_item({{"id", "a"}}).bytes);
  for (const StreamView view :
       {StreamView::kKeysOnly, StreamView::kNewImage, StreamView::kOldImage, StreamView::kNewAndOldImages}) {
    SCOPED_TRACE(stream_view_name(view));
    enable(view, kStart);
    change(&before, &after, kStart);
    const StreamChange record = all().at(0);
    const bool has_old = view == StreamView::kOldImage || view == StreamView::kNewAndOldImages;
    const bool has_new = view == StreamView::kNewImage || view == StreamView::kNewAndOldImages;
    EXPECT_EQ(record.event, StreamEvent::kModify);
    EXPECT_EQ(record.key, encode_item({{"id", "a"}}));
    EXPECT_EQ(record.old_image, has_old ? std::optional(before) : std::nullopt);
    EXPECT_EQ(record.new_image, has_new ? std::optional(after) : std::nullopt);
    EXPECT_EQ(record.view, view);
    EXPECT_EQ(record.size_bytes,
              key_bytes + (has_old ? item_size(before.bytes) : 0) + (has_new ? item_size(after.bytes) : 0));
  }
}

TEST_F(StreamLog, has_the_key_of_an_item_that_is_not_shown) {
  const EncodedItem item = item_of("a", 1);
  enable(StreamView::kNewImage, kStart);
  change(&item, nullptr, kStart);
  enable(StreamView::kOldImage, kStart);
  const Stream removed = find(*storage_, "orders", table_.stream_label).value().value();
  change(nullptr, &item, kStart);
  const StreamChange record = all().at(0);
  EXPECT_EQ(record.event, StreamEvent::kInsert);
  EXPECT_EQ(record.key, encode_item({{"id", "a"}}));
  EXPECT_FALSE(record.old_image || record.new_image);
  EXPECT_EQ(removed.view, StreamView::kOldImage);
}

TEST_F(StreamLog, records_nothing_for_a_change_that_changes_nothing) {
  const EncodedItem item = item_of("a", 1);
  const EncodedItem same = item_of("a", 1);
  change(&item, &same, kStart);
  EXPECT_TRUE(all().empty());
}

TEST_F(StreamLog, marks_what_time_to_live_removed_and_cuts_the_time_to_seconds) {
  const EncodedItem item = item_of("a", 1);
  change(&item, nullptr, kStart + std::chrono::milliseconds(1999), true);
  const StreamChange record = all().at(0);
  EXPECT_EQ(record.event, StreamEvent::kRemove);
  EXPECT_TRUE(record.expired);
  EXPECT_EQ(record.created, kStart + std::chrono::seconds(1));
}

TEST_F(StreamLog, numbers_the_records_of_each_shard_and_gives_each_an_id_that_stays) {
  for (int i = 0; i < 100; ++i) insert("item " + std::to_string(i), i, kStart);
  std::set<std::string> ids;
  std::map<std::uint8_t, std::uint64_t> counts;
  for (int i = 0; i < 100; ++i) ++counts[shard_of_item("item " + std::to_string(i))];
  EXPECT_EQ(counts.size(), kStreamShardsMax);
  for (std::uint8_t shard = 0; shard < kStreamShardsMax; ++shard)
    EXPECT_EQ(last_number(*storage_, stream().id, shard).value(), counts[shard]);
  const std::vector<StreamChange> first = all();
  const std::vector<StreamChange> again = all();
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].event_id.size(), 32U);
    EXPECT_EQ(first[i].event_id, again[i].event_id);
    ids.insert(first[i].event_id);
  }
  EXPECT_EQ(ids.size(), 100U);
}

TEST_F(StreamLog, reads_page_by_page_up_to_the_end) {
  for (int i = 0; i < 10; ++i) insert("a", i, kStart);
  const std::uint8_t shard = shard_of_item("a");
  const Records two = read(*storage_, stream(), {.shard = shard, .next = 1, .limit = 2}).value();
  EXPECT_EQ(two.records.size(), 2U);
  EXPECT_EQ(two.next, 3U);
  EXPECT_FALSE(two.at_end);
  const Records rest = read(*storage_, stream(), {.shard = shard, .next = two.next}).value();
  EXPECT_EQ(rest.records.size(), 8U);
  EXPECT_TRUE(rest.at_end);
  const Records none = read(*storage_, stream(), {.shard = shard, .next = rest.next}).value();
  EXPECT_TRUE(none.records.empty());
  EXPECT_TRUE(none.at_end);
  EXPECT_EQ(none.next, rest.next);
  EXPECT_THAT(read(*storage_, stream(), {.shard = shard, .next = rest.next + 1}), fails_with(Code::kValidation));
}

TEST_F(StreamLog, gives_at_most_a_megabyte_but_always_one_record) {
  const std::string long_text(390'000, 'x');
  std::vector<EncodedItem> items;
  for (int i = 0; i < 5; ++i) items.push_back(encode_item({{"id", "a"}, {"text", long_text}, {"value", i}}));
  change(nullptr, &items[0], kStart);
  for (std::size_t i = 1; i < items.size(); ++i) change(&items[i - 1], &items[i], kStart);
  const std::uint8_t shard = shard_of_item("a");
  std::vector<std::size_t> sizes;
  for (Records page{.next = 1}; !page.at_end;) {
    page = read(*storage_, stream(), {.shard = shard, .next = page.next}).value();
    sizes.push_back(page.records.size());
  }
  // The insert has one image, the others have two of them.
  EXPECT_EQ(sizes, (std::vector<std::size_t>{1, 1, 1, 1, 1}));
}

TEST_F(StreamLog, loses_what_is_older_than_a_day) {
  for (int i = 0; i < 50; ++i) insert("a", i, kStart + std::chrono::minutes(i));
  const std::uint8_t shard = shard_of_item("a");
  const Stream stream = this->stream();
  ASSERT_TRUE(trim(*storage_, kStart + kRetention - std::chrono::seconds(1)));
  EXPECT_EQ(first_number(*storage_, stream.id, shard).value(), 1U);
  // The records of the minutes 0 to 20.
  ASSERT_TRUE(trim(*storage_, kStart + kRetention + std::chrono::minutes(20)));
  EXPECT_EQ(first_number(*storage_, stream.id, shard).value(), 22U);
  EXPECT_THAT(read(*storage_, stream, {.shard = shard, .next = 21}), fails_with(Code::kStreamTrimmed));
  EXPECT_EQ(read(*storage_, stream, {.shard = shard, .next = 22}).value().records.size(), 29U);
  ASSERT_TRUE(trim(*storage_, kStart + 2 * kRetention));
  EXPECT_THAT(read(*storage_, stream, {.shard = shard, .next = 50}), fails_with(Code::kStreamTrimmed));
  EXPECT_TRUE(read(*storage_, stream, {.shard = shard, .next = 51}).value().records.empty());
  EXPECT_EQ(first_number(*storage_, stream.id, shard).value(), 51U);
  insert("a", 99, kStart + 2 * kRetention);
  EXPECT_EQ(read(*storage_, stream, {.shard = shard, .next = 51}).value().records.size(), 1U);
}

TEST_F(StreamLog, sleeps_until_something_gets_old) {
  const auto pause = [&](TableTime now) { return trim(*storage_, now).value(); };
  EXPECT_EQ(pause(kStart), kTrimPauseMax);
  insert("a", 1, kStart);
  EXPECT_EQ(pause(kStart), kTrimPauseMax);
  EXPECT_EQ(pause(kStart + kRetention - std::chrono::minutes(20)), std::chrono::minutes(20));
  EXPECT_EQ(pause(kStart + kRetention - std::chrono::seconds(20)), kTrimPause);
  EXPECT_EQ(pause(kStart + kRetention), kTrimPauseMax);
}

TEST_F(StreamLog, forgets_a_stream_a_day_after_its_end) {
  insert("a", 1, kStart);
  const Stream ended = stream();
  disable(kStart + std::chrono::hours(1));
  const TableTime gone = kStart + std::chrono::hours(25);
  ASSERT_TRUE(trim(*storage_, gone - std::chrono::seconds(1)));
  EXPECT_EQ(list(*storage_, std::nullopt, std::nullopt, 10).value().size(), 1U);
  ASSERT_TRUE(trim(*storage_, gone));
  EXPECT_TRUE(list(*storage_, std::nullopt, std::nullopt, 10).value().empty());
  const std::uint8_t shard = shard_of_item("a");
  EXPECT_EQ(last_number(*storage_, ended.id, shard).value(), 0U);
  EXPECT_EQ(first_number(*storage_, ended.id, shard).value(), 1U);
}

TEST_F(StreamLog, keeps_an_ended_stream_beside_the_new_one) {
  insert("a", 1, kStart);
  const Stream old = stream();
  disable(kStart);
  enable(StreamView::kKeysOnly, kStart);
  EXPECT_NE(table_.stream_label, old.label);
  insert("a", 2, kStart);
  const std::uint8_t shard = shard_of_item("a");
  EXPECT_TRUE(find(*storage_, "orders", old.label).value()->ended);
  EXPECT_EQ(read(*storage_, old, {.shard = shard}).value().records.size(), 1U);
  EXPECT_EQ(read(*storage_, stream(), {.shard = shard}).value().records.size(), 1U);
  EXPECT_FALSE(stream().ended);
}

TEST_F(StreamLog, does_not_fall_over_records_that_came_back_after_a_crash) {
  for (int i = 0; i < 10; ++i) insert("a", i, kStart + std::chrono::hours(i));
  const std::uint8_t shard = shard_of_item("a");
  std::string key = shard_key(stream().id, shard);
  append_big_endian(key, std::uint64_t{2});
  std::string value;
  ASSERT_TRUE(storage_->get(keyspaces::kStreams, key, value).value());
  ASSERT_TRUE(trim(*storage_, kStart + kRetention + std::chrono::hours(4)));
  storage::Batch batch;
  batch.put(keyspaces::kStreams, key, value);
  ASSERT_TRUE(storage_->commit(std::move(batch)));
  ASSERT_TRUE(trim(*storage_, kStart + kRetention + std::chrono::hours(4)));
  EXPECT_EQ(first_number(*storage_, stream().id, shard).value(), 6U);
}

TEST(StreamRecordBytes, are_refused_when_they_are_damaged) {
  const EncodedItem item = item_of("a", 1);
  const std::string whole = encode_record({.event = StreamEvent::kModify, .created = kStart, .old_image = item.bytes});
  EXPECT_TRUE(decode_record(whole));
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_THAT(decode_record(whole.substr(0, size)), fails_with(Code::kCorruption)) << size;
  EXPECT_THAT(decode_record(whole + "x"), fails_with(Code::kCorruption));
  EXPECT_THAT(decode_record(encode_record({.created = kStart})), fails_with(Code::kCorruption));
}

}  // namespace
}  // namespace dolmen::engine::streams
