#include "storage/batch.h"

#include "base/endian.h"

namespace dolmen::storage {

void Batch::put(Keyspace keyspace, std::string_view key, std::string_view value) {
  begin(Op::kPut, keyspace, key.size() + value.size());
  append(key);
  append(value);
  ++count_;
}

void Batch::remove(Keyspace keyspace, std::string_view key) {
  begin(Op::kRemove, keyspace, key.size());
  append(key);
  ++count_;
}

void Batch::remove_range(Keyspace keyspace, KeyRangeView range) {
  DOLMEN_CHECK(!range.upper.empty(), "a range to remove has an upper bound");
  if (range.lower >= range.upper) return;
  begin(Op::kRemoveRange, keyspace, range.lower.size() + range.upper.size());
  append(range.lower);
  append(range.upper);
  ++count_;
}

void Batch::add(Keyspace keyspace, std::string_view key, std::span<const std::int64_t> amounts) {
  begin(Op::kAdd, keyspace, key.size() + amounts.size_bytes());
  append(key);
  append_varint(ops_, amounts.size_bytes());
  for (const std::int64_t amount : amounts) append_big_endian(ops_, static_cast<std::uint64_t>(amount));
  ++count_;
}

void Batch::remove_counters(Keyspace keyspace, std::string_view key) {
  begin(Op::kRemoveCounters, keyspace, key.size());
  append(key);
  ++count_;
}

void Batch::log_data(std::string_view bytes) {
  begin(Op::kLogData, Keyspace{}, bytes.size());
  append(bytes);
}

}  // namespace dolmen::storage
