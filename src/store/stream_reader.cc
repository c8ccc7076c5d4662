#include "store/stream_reader.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "base/clock.h"
#include "base/fail.h"
#include "base/sleep.h"
#include "service/internal_tables.h"
#include "service/wait.h"
#include "value/encoded_item.h"

namespace dolmen::detail {
namespace {

std::int64_t seconds_now() {
  return std::chrono::floor<std::chrono::seconds>(system_clock().now()).time_since_epoch().count();
}

Result<std::optional<Item>> decode(const std::optional<EncodedItem>& item) {
  if (!item) return std::nullopt;
  DOLMEN_TRY(Item decoded, decode_item(item->bytes));
  return decoded;
}

Result<StreamRecord> record_of(const StreamChange& change, const std::string& shard) {
  StreamRecord record{.id = change.event_id,
                      .event = change.event,
                      .time = change.created,
                      .sequence_number = change.sequence_number,
                      .shard = shard,
                      .expired = change.expired};
  DOLMEN_TRY(record.key, decode_item(change.key.bytes));
  DOLMEN_TRY(record.old_item, decode(change.old_image));
  DOLMEN_TRY(record.new_item, decode(change.new_image));
  return record;
}

/// The part of a stream's ARN after the name of its table.
std::string_view label_in(std::string_view arn) {
  const std::size_t slash = arn.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : arn.substr(slash + 1);
}

}  // namespace

StreamReader::StreamReader(Service& service, std::string table, StreamOptions options)
    : service_(service),
      table_(std::move(table)),
      options_(std::move(options)),
      sleep_(or_real_sleep(options_.sleep)) {}

Result<std::optional<StreamRecord>> StreamReader::next() {
  if (arn_.empty()) DOLMEN_TRY_VOID(open());
  waited_ = std::chrono::milliseconds(0);
  while (waiting_.empty()) {
    DOLMEN_TRY(const bool found, read_shards());
    if (found) break;
    const bool all_read =
        std::ranges::all_of(shards_, [](const Shard& shard) { return shard.place.kind == ShardPlace::Kind::kEnd; });
    if (all_read) {
      DOLMEN_TRY(const bool more, go_to_next_stream());
      if (!more) return std::nullopt;
    } else if (!pause()) {
      return std::nullopt;
    }
  }
  Waiting next = std::move(waiting_.front());
  waiting_.pop_front();
  ShardPlace& place = shards_[next.shard].place;
  place.kind = ShardPlace::Kind::kAfter;
  place.number = next.record.sequence_number;
  return std::move(next.record);
}

std::string StreamReader::position() const {
  if (arn_.empty()) return options_.position;
  StreamBookmark bookmark{.arn = arn_};
  for (const Shard& shard : shards_) bookmark.places.push_back(shard.place);
  return bookmark_text(bookmark);
}

Result<void> StreamReader::open() {
  DOLMEN_TRY_VOID(check_for_users(table_));
  if (!options_.position.empty()) {
    DOLMEN_TRY(StreamBookmark bookmark, parse_bookmark(options_.position));
    if (!bookmark.arn.contains(fmt::format(":table/{}/stream/", table_)))
      return fail(Code::kInvalidArgument, "\"{}\" is not a position in a stream of the table {}", options_.position,
                  table_);
    return open_stream(std::move(bookmark), false);
  }
  Result<TableDescription> table = call<DescribeTable>(service_, {.table = table_});
  if (!table) return std::unexpected(std::move(table).error());
  if (table->stream_arn.empty()) return fail(Code::kStreamNotFound, "The table {} has no stream", table_);
  return open_stream({.arn = table->stream_arn}, options_.start == StreamStart::kNewest);
}

Result<void> StreamReader::open_stream(StreamBookmark bookmark, bool newest) {
  std::vector<Shard> before = std::exchange(shards_, {});
  std::string arn_before = std::exchange(arn_, std::move(bookmark.arn));
  for (ShardPlace& place : bookmark.places) shards_.push_back({.place = std::move(place)});
  Result<void> found = find_shards(newest);
  if (found) return {};
  shards_ = std::move(before);
  arn_ = std::move(arn_before);
  return found;
}

Result<void> StreamReader::find_shards(bool newest) {
  std::vector<StreamShard> listed;
  DescribeStreamRequest request{.arn = arn_};
  do {
    DOLMEN_TRY(StreamDescription page, call<DescribeStream>(service_, request));
    std::ranges::move(page.shards, std::back_inserter(listed));
    request.after_shard = std::move(page.last_shard);
  } while (request.after_shard);
  // A shard that is read and no longer listed has nothing to say. One that is not read has lost records.
  for (const Shard& shard : shards_)
    if (shard.place.kind == ShardPlace::Kind::kAfter &&
        std::ranges::find(listed, shard.place.shard, &StreamShard::id) == listed.end())
      return fail(Code::kStreamTrimmed, "The shard {} was not read to its end and is gone", shard.place.shard);
  std::vector<Shard> shards;
  for (const StreamShard& shard : listed) {
    const auto known = std::ranges::find(shards_, shard.id, [](const Shard& one) { return one.place.shard; });
    if (known != shards_.end()) {
      shards.push_back(std::move(*known));
    } else {
      shards.push_back({.place = {.shard = shard.id}, .newest = newest});
      if (newest) shards.back().place = {.shard = shard.id, .kind = ShardPlace::Kind::kSince, .since_s = seconds_now()};
    }
    shards.back().parent = shard.parent;
  }
  shards_ = std::move(shards);
  if (!newest) return {};
  // What is written from now on is after these places, even when it is read much later.
  for (Shard& shard : shards_) {
    DOLMEN_TRY(shard.iterator, iterator_of(shard));
  }
  return {};
}

bool StreamReader::is_readable(const Shard& shard) const {
  if (shard.place.kind == ShardPlace::Kind::kEnd) return false;
  return !shard.parent || std::ranges::none_of(shards_, [&](const Shard& other) {
    return other.place.shard == *shard.parent && other.place.kind != ShardPlace::Kind::kEnd;
  });
}

Result<bool> StreamReader::read_shards() {
  for (bool ended = true; ended && waiting_.empty();) {
    ended = false;
    const std::size_t count = shards_.size();
    for (std::size_t i = 0; i < count && waiting_.empty(); ++i) {
      const std::size_t index = (turn_ + i) % count;
      if (!is_readable(shards_[index])) continue;
      DOLMEN_TRY_VOID(read_shard(index));
      ended = ended || shards_[index].place.kind == ShardPlace::Kind::kEnd;
      if (!waiting_.empty()) turn_ = (index + 1) % count;
    }
    // A shard that has ended may be continued by others, which can be read now.
    if (!ended || !waiting_.empty()) break;
    DOLMEN_TRY_VOID(find_shards(false));
    turn_ = 0;
  }
  return !waiting_.empty();
}

bool StreamReader::is_too_old(const Shard& shard, const StreamChange& change) {
  if (shard.place.kind != ShardPlace::Kind::kSince || shard.newest) return false;
  return std::chrono::floor<std::chrono::seconds>(change.created).time_since_epoch().count() < shard.place.since_s;
}

Result<void> StreamReader::read_shard(std::size_t index) {
  Shard& shard = shards_[index];
  bool skipped = false;
  do {
    DOLMEN_TRY(const GetRecordsResponse page, read_page(shard));
    for (const StreamChange& change : page.records) {
      if (is_too_old(shard, change)) continue;
      DOLMEN_TRY(StreamRecord record, record_of(change, shard.place.shard));
      waiting_.push_back({.shard = index, .record = std::move(record)});
    }
    shard.iterator = page.next.value_or("");
    // The last records are returned first; reading the shard again then finds its end.
    if (!page.next && waiting_.empty()) shard.place.kind = ShardPlace::Kind::kEnd;
    skipped = !page.records.empty() && page.next;
  } while (skipped && waiting_.empty());
  return {};
}

Result<GetRecordsResponse> StreamReader::read_page(Shard& shard) {
  if (shard.iterator.empty()) {
    DOLMEN_TRY(shard.iterator, iterator_of(shard));
  }
  Result<GetRecordsResponse> page = call<GetRecords>(service_, {.iterator = shard.iterator});
  const bool nothing_read = shard.place.kind != ShardPlace::Kind::kAfter;
  const bool try_again = !page && (page.error().code() == Code::kIteratorExpired ||
                                   // Where reading begins with the oldest record, it may have gone meanwhile.
                                   (nothing_read && page.error().code() == Code::kStreamTrimmed));
  if (!try_again) return page;
  // A place among records that were never read cannot be found again but by their time.
  shard.newest = false;
  DOLMEN_TRY(shard.iterator, iterator_of(shard));
  return call<GetRecords>(service_, {.iterator = shard.iterator});
}

Result<std::string> StreamReader::iterator_of(const Shard& shard) {
  GetShardIteratorRequest request{.arn = arn_, .shard = shard.place.shard};
  if (shard.newest) request.type = ShardIteratorType::kLatest;
  if (shard.place.kind == ShardPlace::Kind::kAfter) {
    request.type = ShardIteratorType::kAfterSequenceNumber;
    request.sequence_number = shard.place.number;
  }
  DOLMEN_TRY(ShardIterator iterator, call<GetShardIterator>(service_, std::move(request)));
  return std::move(iterator.text);
}

Result<bool> StreamReader::go_to_next_stream() {
  const std::string_view label = label_in(arn_);
  std::optional<StreamName> following;
  ListStreamsRequest request{.of_table = table_};
  do {
    DOLMEN_TRY(StreamPage page, call<ListStreams>(service_, request));
    for (StreamName& name : page.streams)
      if (name.label > label && (!following || name.label < following->label)) following = std::move(name);
    request.after = std::move(page.last_arn);
  } while (request.after);
  if (!following) return false;
  DOLMEN_TRY_VOID(open_stream({.arn = following->arn}, false));
  turn_ = 0;
  return true;
}

bool StreamReader::pause() {
  if (waited_ >= options_.wait) return false;
  const auto time = std::max(std::min(options_.interval, options_.wait - waited_), std::chrono::milliseconds(1));
  sleep_(time);
  waited_ += time;
  return true;
}

}  // namespace dolmen::detail
