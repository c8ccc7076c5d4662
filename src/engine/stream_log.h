#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/stream.h"
#include "engine/table.h"
#include "storage/storage.h"
#include "value/encoded_item.h"

/// The records of streams. A record is appended by the batch that changes its item, so there is one for every change
/// and none for a change that did not happen.
///
/// A stream keeps the number of shards that it began with; the hash of an item's partition key chooses the shard. The
/// records of a shard are numbered from 1 without gaps, in the order in which they become visible:
///
///     kStreams    stream id | shard | number                        a record
///     kCounters   stream id | shard                                 the last number
///     kCatalogue  "stream/" table name "/" label                    the stream itself; stays until its records are
///     gone
namespace dolmen::engine::streams {

/// The shards of a stream that begins now: one for each partition that the throughput of its table would need on
/// DynamoDB, up to kStreamShardsMax.
std::uint8_t shards_for(const TableDefinition& definition);

/// A record as it is stored. The views refer to the stored bytes.
struct RecordView {
  StreamEvent event = StreamEvent::kInsert;
  /// Time to live removed the item.
  bool expired = false;
  TableTime created;
  /// Encoded items. The key is missing when there is an image, which has the key's attributes too.
  std::optional<std::string_view> key;
  std::optional<std::string_view> old_image;
  std::optional<std::string_view> new_image;
};

std::string encode_record(const RecordView& record);
/// Fails with kCorruption.
Result<RecordView> decode_record(std::string_view bytes);

/// A stream as the catalogue stores it.
struct Stream {
  TableId id = 0;
  std::string table;
  std::string table_uuid;
  std::string label;
  StreamView view = StreamView::kKeysOnly;
  KeySchema keys;
  TableTime created;
  std::uint8_t shards = kStreamShardsMax;
  /// When it was disabled or its table was deleted; nothing while it is enabled.
  std::optional<TableTime> ended;
};

/// Starts the stream that the definition of `table` asks for, and sets the stream's id and label in it.
Result<void> begin(const storage::Storage& storage, storage::Batch& batch, Table& table, TableId id, TableTime now);
/// Ends the stream of `table`. Its records stay readable.
Result<void> end(const storage::Storage& storage, storage::Batch& batch, const Table& table, TableTime now);

/// Removes an ended stream, but not its records.
void forget(storage::Batch& batch, const Stream& stream);

/// Reads a stream; nothing when there is none.
Result<std::optional<Stream>> find(const storage::Storage& storage, std::string_view table, std::string_view label);
/// Up to `limit` streams in the order of table and label, after the given one; only those of one table if one is given.
Result<std::vector<Stream>> list(const storage::Storage& storage, const std::optional<std::string>& table,
                                 const std::optional<std::pair<std::string, std::string>>& after, std::size_t limit);

/// All streams at a moment.
Result<std::vector<Stream>> list_at(const storage::Storage& storage, const storage::Snapshot& moment);

/// The change of an item.
struct Change {
  std::string_view row_key;
  const EncodedItem* old_item = nullptr;
  const EncodedItem* new_item = nullptr;
  bool expired = false;
  TableTime now;
};

/// Adds the record of a change to the batch; nothing when the item stays as it was or the table has no stream.
void stage(storage::Batch& batch, const Table& table, const Change& change);

/// The names of the key attributes, sorted.
std::vector<std::string> key_names(const KeySchema& keys);

/// stream id | shard: what the keys of a shard's records and of its counter begin with.
std::string shard_key(TableId stream, std::uint8_t shard);
std::string record_key(TableId stream, std::uint8_t shard, std::uint64_t number);

}  // namespace dolmen::engine::streams
