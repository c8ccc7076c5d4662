#include "storage/counters.h"

#include <algorithm>
#include <rocksdb/db.h>
#include <utility>

#include "base/endian.h"
#include "base/fail.h"
#include "storage/patient_read.h"
#include "storage/rocks_error.h"

namespace dolmen::storage {
namespace {

std::string name_of(Keyspace keyspace, std::string_view key) {
  std::string name(1, static_cast<char>(keyspace.index));
  return name.append(key);
}

Result<std::vector<std::int64_t>> read_row(const Database& database, Keyspace keyspace, std::string_view key) {
  if (PatientRead::must_refuse()) return fail(Code::kIo, "{}", kRefusedRead);
  const PatientRead step;
  std::string bytes;
  const rocksdb::Status status = database.db().Get({}, database.family(keyspace), key, &bytes);
  if (status.IsNotFound()) return std::vector<std::int64_t>();
  if (!status.ok()) return std::unexpected(error_from(status, "read a counter"));
  return decode_counters(bytes);
}

}  // namespace

std::string encode_counters(std::span<const std::int64_t> counters) {
  std::string bytes;
  bytes.reserve(counters.size() * sizeof(std::int64_t));
  for (const std::int64_t counter : counters) append_big_endian(bytes, static_cast<std::uint64_t>(counter));
  return bytes;
}

Result<std::vector<std::int64_t>> decode_counters(std::string_view bytes) {
  if (bytes.size() % sizeof(std::int64_t) != 0) return fail(Code::kCorruption, "a row of counters is damaged");
  std::vector<std::int64_t> counters;
  for (; !bytes.empty(); bytes.remove_prefix(sizeof(std::int64_t)))
    counters.push_back(static_cast<std::int64_t>(read_big_endian<std::uint64_t>(bytes)));
  return counters;
}

void CounterRows::mark_changed(Entry& entry) {
  if (!std::exchange(entry.second.changed, true)) changed_.push_back(&entry);
}

Result<std::vector<std::int64_t>*> CounterRows::row_to_change(Keyspace keyspace, std::string_view key) {
  std::string name = name_of(keyspace, key);
  auto found = rows_.find(name);
  if (found == rows_.end()) {
    DOLMEN_TRY(std::vector<std::int64_t> stored, read_row(database_, keyspace, key));
    found = rows_.emplace(std::move(name), Row{.counters = std::move(stored)}).first;
  }
  mark_changed(*found);
  return &found->second.counters;
}

Result<void> CounterRows::add(Keyspace keyspace, std::string_view key, std::string_view amounts) {
  DOLMEN_TRY(std::vector<std::int64_t> * row, row_to_change(keyspace, key));
  std::vector<std::int64_t>& counters = *row;
  counters.resize(std::max(counters.size(), amounts.size() / sizeof(std::int64_t)));
  for (std::size_t i = 0; !amounts.empty(); ++i, amounts.remove_prefix(sizeof(std::int64_t)))
    counters[i] += static_cast<std::int64_t>(read_big_endian<std::uint64_t>(amounts));
  return {};
}

Result<std::uint64_t> CounterRows::next(Keyspace keyspace, std::string_view key) {
  DOLMEN_TRY(std::vector<std::int64_t> * row, row_to_change(keyspace, key));
  if (row->empty()) row->push_back(0);
  if (row->size() != 1 || row->front() < 0) return fail(Code::kCorruption, "a counter of appended rows is damaged");
  return static_cast<std::uint64_t>(++row->front());
}

void CounterRows::remove(Keyspace keyspace, std::string_view key) {
  Entry& entry = *rows_.try_emplace(name_of(keyspace, key)).first;
  entry.second.counters.clear();
  mark_changed(entry);
}

void CounterRows::keep() {
  for (Entry* entry : changed_) {
    entry->second.changed = false;
    if (entry->second.counters.empty()) rows_.erase(entry->first);
  }
  changed_.clear();
}

void CounterRows::forget() {
  for (const Entry* entry : changed_) rows_.erase(entry->first);
  changed_.clear();
}

}  // namespace dolmen::storage
