#include "engine/stream_log.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "base/endian.h"
#include "base/fail.h"
#include "base/varint.h"
#include "dolmen/timestamp.h"
#include "engine/keyspaces.h"
#include "engine/record_reader.h"
#include "engine/row_key.h"

namespace dolmen::engine::streams {
namespace {

constexpr std::string_view kStreamPrefix = "stream/";
constexpr std::string_view kStreamPrefixEnd = "stream0";

std::string catalogue_key(std::string_view table, std::string_view label) {
  return std::string(kStreamPrefix).append(table).append("/").append(label);
}

/// The moment as the label of a stream: UTC with milliseconds, without a zone.
Result<std::string> label_of(TableTime time) {
  DOLMEN_TRY(const std::string text, format_timestamp(Timestamp::from(time)));
  return text.substr(0, std::string_view("2026-11-16T10:20:30.123").size());
}

std::string encode_stream(const Stream& stream) {
  Item record{{"id", stream.id},
              {"table", stream.table},
              {"table_uuid", stream.table_uuid},
              {"label", stream.label},
              {"view", stream_view_name(stream.view)},
              {"partition_key", record_of(stream.keys.partition.front())},
              {"created_ms", stream.created.time_since_epoch().count()},
              {"shards", stream.shards}};
  if (!stream.keys.sort.empty()) record.set("sort_key", record_of(stream.keys.sort.front()));
  if (stream.ended) record.set("ended_ms", stream.ended->time_since_epoch().count());
  return encode_item(record).bytes;
}

Result<Stream> decode_stream(std::string_view key, std::string_view bytes) {
  DOLMEN_TRY(const Item record, decode_item(bytes));
  bool ok = true;
  RecordReader reader(record, ok);
  Stream stream{.id = static_cast<TableId>(reader.integer("id")),
                .table = reader.text("table"),
                .table_uuid = reader.text("table_uuid"),
                .label = reader.text("label"),
                .view = reader.named("view", stream_view_of),
                .keys = {.partition = {reader.inner("partition_key", read_key_attribute)}},
                .created = TableTime(std::chrono::milliseconds(reader.integer("created_ms"))),
                .shards = static_cast<std::uint8_t>(reader.number("shards").value_or(kStreamShardsMax)),
                .ended = reader.time("ended_ms")};
  if (auto sort_key = reader.inner_if_there("sort_key", read_key_attribute))
    stream.keys.sort.push_back(*std::move(sort_key));
  if (!ok || stream.shards == 0 || stream.shards > kStreamShardsMax)
    return fail(Code::kCorruption, "the catalogue entry \"{}\" is damaged", key);
  return stream;
}

Stream stream_of(const Table& table) {
  return {.id = table.stream_id,
          .table = table.definition.name,
          .table_uuid = table.uuid,
          .label = table.stream_label,
          .view = *table.definition.stream,
          .keys = table.keys,
          .shards = table.stream_shards};
}

// A record is a byte with the event and these flags, the time in milliseconds as a varint, and the items that it has.
constexpr unsigned kEventBits = 0x03;
constexpr unsigned kExpired = 0x04;
constexpr unsigned kHasKey = 0x08;
constexpr unsigned kHasOld = 0x10;
constexpr unsigned kHasNew = 0x20;

void append_item(std::string& out, const std::optional<std::string_view>& item) {
  if (!item) return;
  append_varint(out, item->size());
  out.append(*item);
}

bool has_old_image(StreamView view) { return view == StreamView::kOldImage || view == StreamView::kNewAndOldImages; }
bool has_new_image(StreamView view) { return view == StreamView::kNewImage || view == StreamView::kNewAndOldImages; }

}  // namespace

std::string encode_record(const RecordView& record) {
  unsigned head = static_cast<unsigned>(record.event);
  if (record.expired) head |= kExpired;
  if (record.key) head |= kHasKey;
  if (record.old_image) head |= kHasOld;
  if (record.new_image) head |= kHasNew;
  std::string bytes(1, static_cast<char>(head));
  append_varint(bytes, static_cast<std::uint64_t>(record.created.time_since_epoch().count()));
  append_item(bytes, record.key);
  append_item(bytes, record.old_image);
  append_item(bytes, record.new_image);
  return bytes;
}

Result<RecordView> decode_record(std::string_view bytes) {
  const auto damaged = [] { return fail(Code::kCorruption, "a record of a stream is damaged"); };
  if (bytes.empty()) return damaged();
  const auto head = static_cast<unsigned char>(bytes.front());
  bytes.remove_prefix(1);
  const std::optional<std::uint64_t> created = take_varint(bytes);
  if (!created || (head & kEventBits) > static_cast<unsigned>(StreamEvent::kRemove)) return damaged();
  RecordView record{.event = static_cast<StreamEvent>(head & kEventBits),
                    .expired = (head & kExpired) != 0,
                    .created = TableTime(std::chrono::milliseconds(*created))};
  for (const auto& [flag, item] : {std::pair(kHasKey, &record.key), std::pair(kHasOld, &record.old_image),
                                   std::pair(kHasNew, &record.new_image)}) {
    if ((head & flag) == 0) continue;
    const std::optional<std::uint64_t> length = take_varint(bytes);
    if (!length || *length > bytes.size()) return damaged();
    *item = bytes.substr(0, *length);
    bytes.remove_prefix(*length);
  }
  if (!bytes.empty() || (!record.key && !record.old_image && !record.new_image)) return damaged();
  return record;
}

std::uint8_t shards_for(const TableDefinition& definition) {
  constexpr double kReadUnits = 3000;
  constexpr double kWriteUnits = 1000;
  if (definition.billing_mode != BillingMode::kProvisioned) return kStreamShardsMax;
  const Throughput& units = definition.throughput;
  const double partitions = std::ceil(static_cast<double>(units.read_units) / kReadUnits +
                                      static_cast<double>(units.write_units) / kWriteUnits);
  return static_cast<std::uint8_t>(std::clamp(partitions, 1.0, double{kStreamShardsMax}));
}

Result<void> begin(const storage::Storage& storage, storage::Batch& batch, Table& table, TableId id, TableTime now) {
  // No two streams of one name have the same label, even when they begin in the same millisecond.
  std::string unused;
  for (TableTime time = now;; time += std::chrono::milliseconds(1)) {
    DOLMEN_TRY(table.stream_label, label_of(time));
    DOLMEN_TRY(const bool taken,
               storage.get(keyspaces::kCatalogue, catalogue_key(table.definition.name, table.stream_label), unused));
    if (!taken) break;
  }
  table.stream_id = id;
  table.stream_shards = shards_for(table.definition);
  Stream stream = stream_of(table);
  stream.created = now;
  batch.put(keyspaces::kCatalogue, catalogue_key(stream.table, stream.label), encode_stream(stream));
  return {};
}

Result<void> end(const storage::Storage& storage, storage::Batch& batch, const Table& table, TableTime now) {
  DOLMEN_TRY(std::optional<Stream> stream, find(storage, table.definition.name, table.stream_label));
  if (!stream) return fail(Code::kCorruption, "the catalogue lacks the stream of the table {}", table.definition.name);
  stream->ended = now;
  batch.put(keyspaces::kCatalogue, catalogue_key(stream->table, stream->label), encode_stream(*stream));
  return {};
}

void forget(storage::Batch& batch, const Stream& stream) {
  batch.remove(keyspaces::kCatalogue, catalogue_key(stream.table, stream.label));
}

Result<std::optional<Stream>> find(const storage::Storage& storage, std::string_view table, std::string_view label) {
  const std::string key = catalogue_key(table, label);
  std::string bytes;
  DOLMEN_TRY(const bool exists, storage.get(keyspaces::kCatalogue, key, bytes));
  if (!exists) return std::nullopt;
  DOLMEN_TRY(Stream stream, decode_stream(key, bytes));
  return stream;
}

Result<std::vector<Stream>> list(const storage::Storage& storage, const std::optional<std::string>& table,
                                 const std::optional<std::pair<std::string, std::string>>& after, std::size_t limit) {
  std::string lower(kStreamPrefix);
  std::string upper(kStreamPrefixEnd);
  if (table) {
    lower = catalogue_key(*table, "");
    upper = lower;
    ++upper.back();
  }
  if (after) lower = std::max(lower, catalogue_key(after->first, after->second).append(1, '\0'));
  std::vector<Stream> streams;
  if (lower >= upper) return streams;
  auto rows = storage.iterate(keyspaces::kCatalogue, {.lower = lower, .upper = upper});
  for (rows.seek_first(); rows.valid() && streams.size() < limit; rows.next()) {
    DOLMEN_TRY(Stream stream, decode_stream(rows.key(), rows.value()));
    streams.push_back(std::move(stream));
  }
  DOLMEN_TRY_VOID(rows.status());
  return streams;
}

Result<std::vector<Stream>> list_at(const storage::Storage& storage, const storage::Snapshot& moment) {
  std::vector<Stream> all;
  auto row = storage.iterate(keyspaces::kCatalogue, {.lower = kStreamPrefix, .upper = kStreamPrefixEnd}, &moment);
  for (row.seek_first(); row.valid(); row.next()) {
    DOLMEN_TRY(Stream stream, decode_stream(row.key(), row.value()));
    all.push_back(std::move(stream));
  }
  DOLMEN_TRY_VOID(row.status());
  return all;
}

void stage(storage::Batch& batch, const Table& table, const Change& change) {
  if (!table.definition.stream) return;
  const EncodedItem* const before = change.old_item;
  const EncodedItem* const after = change.new_item;
  if (before == nullptr && after == nullptr) return;
  if (before != nullptr && after != nullptr && *before == *after) return;
  RecordView record{.event = before == nullptr  ? StreamEvent::kInsert
                             : after == nullptr ? StreamEvent::kRemove
                                                : StreamEvent::kModify,
                    .expired = change.expired,
                    .created = change.now};
  const StreamView view = *table.definition.stream;
  if (before != nullptr && has_old_image(view)) record.old_image = before->bytes;
  if (after != nullptr && has_new_image(view)) record.new_image = after->bytes;
  EncodedItem key;
  if (!record.old_image && !record.new_image) {
    key = select_attributes((after != nullptr ? after : before)->bytes, key_names(table.keys));
    record.key = key.bytes;
  }
  const auto hash = read_big_endian<std::uint64_t>(change.row_key.substr(kRowHashAt));
  const auto shard = static_cast<std::uint8_t>(hash % table.stream_shards);
  batch.append(keyspaces::kStreams, keyspaces::kCounters, shard_key(table.stream_id, shard), encode_record(record));
}

std::vector<std::string> key_names(const KeySchema& keys) {
  std::vector<std::string> names;
  for (const auto* attributes : {&keys.partition, &keys.sort})
    for (const KeyAttribute& attribute : *attributes) names.push_back(attribute.name);
  std::ranges::sort(names);
  return names;
}

std::string shard_key(TableId stream, std::uint8_t shard) {
  std::string key;
  append_big_endian(key, stream);
  key.push_back(static_cast<char>(shard));
  return key;
}

std::string record_key(TableId stream, std::uint8_t shard, std::uint64_t number) {
  std::string key = shard_key(stream, shard);
  append_big_endian(key, number);
  return key;
}

}  // namespace dolmen::engine::streams
