#include "engine/stream_reading.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <string>
#include <utility>

#include "base/endian.h"
#include "base/fail.h"
#include "base/hash.h"
#include "engine/keyspaces.h"
#include "engine/stream_position.h"
#include "storage/counters.h"

namespace dolmen::engine::streams {
namespace {

constexpr std::uint64_t kPageBytesMax = std::uint64_t{1} << 20;
/// A thread that must not wait has no time for a page with more bytes.
constexpr std::uint64_t kQuickBytesMax = std::uint64_t{256} << 10;

std::uint64_t number_in(std::string_view key) {
  return read_big_endian<std::uint64_t>(key.substr(key.size() - sizeof(std::uint64_t)));
}

storage::Iterator records_from(const storage::Storage& storage, TableId stream, std::uint8_t shard,
                               std::uint64_t number) {
  return storage.iterate(keyspaces::kStreams, {.lower = record_key(stream, shard, number),
                                               .upper = shard_key(stream, static_cast<std::uint8_t>(shard + 1))});
}

/// 32 hexadecimal digits, the same whenever the record is read.
std::string event_id(const Stream& stream, std::uint8_t shard, std::uint64_t number) {
  const std::string name = fmt::format("{}/{}/{}/{}", stream.table_uuid, stream.label, shard, number);
  return fmt::format("{:016x}{:016x}", hash64("a" + name), hash64("b" + name));
}

EncodedItem copy_of(std::string_view bytes) { return {std::string(bytes)}; }

std::uint64_t size_of(const std::optional<EncodedItem>& item) { return item ? item_size(item->bytes) : 0; }

Result<StreamChange> change_of(const Stream& stream, std::uint8_t shard, std::uint64_t number, std::string_view bytes) {
  DOLMEN_TRY(const RecordView record, decode_record(bytes));
  StreamChange change{.event_id = event_id(stream, shard, number),
                      .event = record.event,
                      .created = std::chrono::floor<std::chrono::seconds>(record.created),
                      .sequence_number = sequence_number(number),
                      .view = stream.view,
                      .expired = record.expired};
  if (record.old_image) change.old_image = copy_of(*record.old_image);
  if (record.new_image) change.new_image = copy_of(*record.new_image);
  change.key =
      record.key ? copy_of(*record.key)
                 : select_attributes(record.new_image ? *record.new_image : *record.old_image, key_names(stream.keys));
  change.size_bytes = item_size(change.key.bytes) + size_of(change.old_image) + size_of(change.new_image);
  return change;
}

std::unexpected<Error> trimmed() {
  return fail(Code::kStreamTrimmed, "The data you are trying to access has been trimmed");
}

}  // namespace

Result<std::uint64_t> last_number(const storage::Storage& storage, TableId stream, std::uint8_t shard) {
  std::string bytes;
  DOLMEN_TRY(const bool exists, storage.get(keyspaces::kCounters, shard_key(stream, shard), bytes));
  if (!exists) return 0;
  DOLMEN_TRY(const std::vector<std::int64_t> counters, storage::decode_counters(bytes));
  if (counters.size() != 1) return fail(Code::kCorruption, "the counter of a stream is damaged");
  return static_cast<std::uint64_t>(counters.front());
}

Result<std::uint64_t> first_number(const storage::Storage& storage, TableId stream, std::uint8_t shard) {
  // Read before the records: what is written in between is then found among them.
  DOLMEN_TRY(const std::uint64_t last, last_number(storage, stream, shard));
  // Only the key counts, which also tells when the record cannot be decrypted.
  storage::Iterator rows = storage.iterate_stored(
      keyspaces::kStreams,
      {.lower = record_key(stream, shard, 1), .upper = shard_key(stream, static_cast<std::uint8_t>(shard + 1))});
  rows.seek_first();
  DOLMEN_TRY_VOID(rows.status());
  return rows.valid() ? number_in(rows.key()) : last + 1;
}

Result<std::uint64_t> first_since(const storage::Storage& storage, TableId stream, std::uint8_t shard, TableTime time) {
  DOLMEN_TRY(std::uint64_t first, first_number(storage, stream, shard));
  DOLMEN_TRY(const std::uint64_t last, last_number(storage, stream, shard));
  std::uint64_t end = last + 1;
  while (first < end) {
    const std::uint64_t middle = first + (end - first) / 2;
    std::string bytes;
    DOLMEN_TRY(const bool exists, storage.get(keyspaces::kStreams, record_key(stream, shard, middle), bytes));
    bool is_older = !exists;  // It was trimmed a moment ago.
    if (exists) {
      DOLMEN_TRY(const RecordView record, decode_record(bytes));
      is_older = record.created < time;
    }
    if (is_older) {
      first = middle + 1;
    } else {
      end = middle;
    }
  }
  return end;
}

Result<Records> read(const storage::Storage& storage, const Stream& stream, const Extract& extract) {
  DOLMEN_TRY(const std::uint64_t last, last_number(storage, stream.id, extract.shard));
  if (extract.next > last + 1) return fail(Code::kValidation, "Invalid ShardIterator");
  storage::Iterator rows = records_from(storage, stream.id, extract.shard, extract.next);
  Records page{.next = extract.next};
  std::uint64_t bytes = 0;
  for (rows.seek_first(); rows.valid() && page.records.size() < extract.limit; rows.next()) {
    const std::uint64_t number = number_in(rows.key());
    // Numbers have no gaps, so what is missing has been trimmed.
    if (page.records.empty() && number != extract.next) return trimmed();
    DOLMEN_TRY(StreamChange change, change_of(stream, extract.shard, number, rows.value()));
    bytes += change.size_bytes;
    if (storage::NoWaiting* const attempt = storage::NoWaiting::current();
        attempt != nullptr && bytes > kQuickBytesMax) {
      attempt->refuse();
      return fail(Code::kThrottled, "the page is too long to be read here");
    }
    if (bytes > kPageBytesMax && !page.records.empty()) break;
    page.records.push_back(std::move(change));
    page.next = number + 1;
  }
  DOLMEN_TRY_VOID(rows.status());
  if (page.records.empty() && extract.next <= last) return trimmed();
  page.at_end = !rows.valid();
  return page;
}

}  // namespace dolmen::engine::streams
