#include "store/stream_reader.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/test_result.h"
#include "value/encoded_item.h"

namespace dolmen::detail {
namespace {

constexpr const char* kStreamArn = "arn:aws:dynamodb:us-east-1:1:table/orders/stream/2026-11-16T10:20:30.123";

/// A stream whose shards split and expire, as those of AWS do. An iterator is "SHARD@POSITION#VERSION".
class SplittingStream final : public AlikeService<SplittingStream> {
 public:
  struct ShardData {
    std::string id;
    std::optional<std::string> parent;
    std::vector<int> numbers;
    bool closed = false;
    /// Records that are gone.
    std::size_t trimmed = 0;
  };

  template <class Op>
  void perform(typename Op::Request request, Done<typename Op::Response> done) {
    if constexpr (requires { answer(Op{}, request); }) {
      ++calls_[std::string(Op::kInfo.name)];
      done(answer(Op{}, request));
    } else {
      done(std::unexpected(Error(Code::kUnsupported, "")));
    }
  }

  std::unique_ptr<Service> cancelable(std::stop_token /*stop*/, Companions& /*companions*/) override { return nullptr; }

  Result<TableDescription> answer(DescribeTable /*operation*/, const DescribeTableRequest& /*request*/) {
    TableDescription table;
    table.stream_arn = kStreamArn;
    return table;
  }

  Result<StreamPage> answer(ListStreams /*operation*/, const ListStreamsRequest& /*request*/) {
    return StreamPage{.streams = {{.arn = kStreamArn, .table = "orders", .label = "2026-11-16T10:20:30.123"}}};
  }

  /// Two shards a page.
  Result<StreamDescription> answer(DescribeStream /*operation*/, const DescribeStreamRequest& request) {
    StreamDescription description;
    for (const ShardData& shard : shards) {
      if (request.after_shard && shard.id <= *request.after_shard) continue;
      if (description.shards.size() == 2) {
        description.last_shard = description.shards.back().id;
        break;
      }
      description.shards.push_back({.id = shard.id, .parent = shard.parent});
    }
    return description;
  }

  Result<ShardIterator> answer(GetShardIterator /*operation*/, const GetShardIteratorRequest& request) {
    const ShardData& shard = find(request.shard);
    std::size_t position = shard.trimmed;
    if (request.type == ShardIteratorType::kLatest) position = shard.numbers.size();
    if (request.type == ShardIteratorType::kAfterSequenceNumber) {
      const int number = std::stoi(*request.sequence_number);
      position = static_cast<std::size_t>(std::ranges::upper_bound(shard.numbers, number) - shard.numbers.begin());
      if (position < shard.trimmed) return std::unexpected(Error(Code::kStreamTrimmed, "trimmed"));
    }
    return ShardIterator{shard.id + "@" + std::to_string(position) + "#" + std::to_string(version)};
  }

  /// Two records a page.
  Result<GetRecordsResponse> answer(GetRecords /*operation*/, const GetRecordsRequest& request) {
    const std::size_t at = request.iterator.find('@');
    const std::size_t sharp = request.iterator.find('#');
    if (std::stoi(request.iterator.substr(sharp + 1)) != version)
      return std::unexpected(Error(Code::kIteratorExpired, "expired"));
    const ShardData& shard = find(request.iterator.substr(0, at));
    std::size_t position = std::stoul(request.iterator.substr(at + 1));
    if (position < shard.trimmed) return std::unexpected(Error(Code::kStreamTrimmed, "trimmed"));
    GetRecordsResponse page;
    for (; position < shard.numbers.size() && page.records.size() < 2; ++position)
      page.records.push_back({.event_id = std::to_string(shard.numbers[position]),
                              .sequence_number = std::to_string(shard.numbers[position]),
                              .key = encode_item({{"id", shard.numbers[position]}})});
    if (!shard.closed || position < shard.numbers.size())
      page.next = shard.id + "@" + std::to_string(position) + "#" + std::to_string(version);
    return page;
  }

  ShardData& find(const std::string& id) { return *std::ranges::find(shards, id, &ShardData::id); }
  [[nodiscard]] int calls(const std::string& operation) { return calls_[operation]; }

  std::vector<ShardData> shards;
  int version = 1;  ///< Iterators of other versions have expired.

 private:
  std::map<std::string, int> calls_;
};

std::vector<int> rest_of(StreamReader& reader) {
  std::vector<int> numbers;
  while (std::optional<StreamRecord> record = reader.next().value())
    numbers.push_back(std::stoi(record->sequence_number));
  return numbers;
}

/// Shard 1 has split into 2 and 3, and 3 has been continued by 4.
std::vector<SplittingStream::ShardData> split_shards() {
  return {{.id = "s1", .numbers = {1, 2, 3}, .closed = true},
          {.id = "s2", .parent = "s1", .numbers = {4, 6}},
          {.id = "s3", .parent = "s1", .numbers = {5}, .closed = true},
          {.id = "s4", .parent = "s3", .numbers = {7}}};
}

TEST(StreamReader, reads_a_shard_before_those_that_continue_it) {
  SplittingStream service;
  service.shards = split_shards();
  StreamReader reader(service, "orders", {});
  std::vector<int> numbers = rest_of(reader);
  ASSERT_EQ(numbers.size(), 7U);
  const auto at = [&](int number) { return std::ranges::find(numbers, number) - numbers.begin(); };
  for (const auto& [earlier, later] :
       {std::pair(1, 2), std::pair(2, 3), std::pair(3, 4), std::pair(3, 5), std::pair(4, 6), std::pair(5, 7)})
    EXPECT_LT(at(earlier), at(later)) << earlier << " before " << later;
}

TEST(StreamReader, finds_the_shards_that_are_made_while_it_reads) {
  SplittingStream service;
  service.shards = {{.id = "s1", .numbers = {1}}};
  StreamReader reader(service, "orders", {});
  EXPECT_EQ(rest_of(reader), std::vector<int>{1});
  service.find("s1").closed = true;
  service.shards.push_back({.id = "s2", .parent = "s1", .numbers = {2}});
  service.shards.push_back({.id = "s3", .parent = "s1", .numbers = {3}});
  EXPECT_EQ(rest_of(reader), (std::vector<int>{2, 3}));
}

TEST(StreamReader, goes_on_from_any_position_without_a_gap) {
  SplittingStream service;
  service.shards = split_shards();
  std::vector<int> numbers;
  std::string position;
  for (;;) {
    StreamReader reader(service, "orders", {.position = position});
    const std::optional<StreamRecord> record = reader.next().value();
    if (!record) break;
    numbers.push_back(std::stoi(record->sequence_number));
    position = reader.position();
  }
  std::ranges::sort(numbers);
  EXPECT_EQ(numbers, (std::vector<int>{1, 2, 3, 4, 5, 6, 7}));
}

TEST(StreamReader, renews_iterators_that_have_expired) {
  SplittingStream service;
  service.shards = {{.id = "s1", .numbers = {1, 2, 3, 4, 5}}};
  StreamReader reader(service, "orders", {});
  std::vector<int> numbers;
  while (std::optional<StreamRecord> record = reader.next().value()) {
    numbers.push_back(std::stoi(record->sequence_number));
    ++service.version;
  }
  EXPECT_EQ(numbers, (std::vector<int>{1, 2, 3, 4, 5}));
  EXPECT_GT(service.calls("GetShardIterator"), 1);
}

TEST(StreamReader, says_when_records_after_its_position_are_gone) {
  SplittingStream service;
  service.shards = {{.id = "s1", .numbers = {1, 2, 3, 4, 5}}};
  StreamReader reader(service, "orders", {});
  ASSERT_THAT(reader.next(), succeeds());
  const std::string position = reader.position();
  service.find("s1").trimmed = 3;
  StreamReader late(service, "orders", {.position = position});
  EXPECT_THAT(late.next(), fails_with(Code::kStreamTrimmed));
  // One that has read nothing begins with what there is.
  StreamReader fresh(service, "orders", {});
  EXPECT_EQ(rest_of(fresh), (std::vector<int>{4, 5}));
  service.shards = {{.id = "s2", .numbers = {6}}};
  StreamReader later(service, "orders", {.position = position});
  EXPECT_THAT(later.next(), fails_with(Code::kStreamTrimmed));
}

TEST(StreamReader, forgets_shards_that_it_has_read_and_that_are_gone) {
  SplittingStream service;
  service.shards = split_shards();
  StreamReader reader(service, "orders", {});
  rest_of(reader);
  service.shards.erase(service.shards.begin());
  StreamReader next(service, "orders", {.position = reader.position()});
  service.find("s4").numbers.push_back(8);
  EXPECT_EQ(rest_of(next), std::vector<int>{8});
  EXPECT_FALSE(next.position().contains("s1="));
}

}  // namespace
}  // namespace dolmen::detail
