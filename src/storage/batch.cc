#include "storage/batch.h"

#include "base/endian.h"

namespace dolmen::storage {

void Batch::put(Keyspace keyspace, std::string_view key, std::string_view value) {
  begin(Op::kPut, keyspace, key.size() + value.size());
  append_sized(key);
  append_sized(value);
  ++count_;
}

void Batch::remove(Keyspace keyspace, std::string_view key) {
  begin(Op::kRemove, keyspace, key.size());
  append_sized(key);
  ++count_;
}

void Batch::remove_range(Keyspace keyspace, KeyRangeView range) {
  DOLMEN_CHECK(!range.upper.empty(), "a range to remove has an upper bound");
  if (range.lower >= range.upper) return;
  begin(Op::kRemoveRange, keyspace, range.lower.size() + range.upper.size());
  append_sized(range.lower);
  append_sized(range.upper);
  ++count_;
}

void Batch::add(Keyspace keyspace, std::string_view key, std::span<const std::int64_t> amounts) {
  begin(Op::kAdd, keyspace, key.size() + amounts.size_bytes());
  append_sized(key);
  append_varint(ops_, amounts.size_bytes());
  for (const std::int64_t amount : amounts) append_big_endian(ops_, static_cast<std::uint64_t>(amount));
  ++count_;
}

void Batch::remove_counters(Keyspace keyspace, std::string_view key) {
  begin(Op::kRemoveCounters, keyspace, key.size());
  append_sized(key);
  ++count_;
}

void Batch::append(Keyspace rows, Keyspace counters, std::string_view key, std::string_view value) {
  begin(Op::kAppend, rows, key.size() + value.size());
  append_sized(key);
  ops_.push_back(static_cast<char>(counters.index));
  append_sized(value);
  ++count_;
}

void Batch::rewrite(Keyspace keyspace, std::string_view key) {
  begin(Op::kRewrite, keyspace, key.size());
  append_sized(key);
  ++count_;
  rewrites_ = true;
}

void Batch::log_data(std::string_view bytes) {
  begin(Op::kLogData, Keyspace{}, bytes.size());
  append_sized(bytes);
}

}  // namespace dolmen::storage
