#include "storage/iterator.h"

#include <rocksdb/db.h>
#include <rocksdb/iterator.h>
#include <string>
#include <utility>

#include "base/fail.h"
#include "storage/patient_read.h"
#include "storage/rocks_error.h"
#include "storage/row_seals.h"

namespace dolmen::storage {

/// RocksDB keeps pointers to the bounds, so they need a fixed address.
struct Iterator::State {
  State(KeyRangeView range, rocksdb::ReadOptions options, std::atomic<std::size_t>& readers)
      : lower(range.lower), upper(range.upper), read_options(std::move(options)), reader_count(readers) {
    if (!lower.empty()) read_options.iterate_lower_bound = &lower_bound;
    if (!upper.empty()) read_options.iterate_upper_bound = &upper_bound;
    reader_count.fetch_add(1, std::memory_order_relaxed);
  }
  ~State() {
    walk.reset();
    reader_count.fetch_sub(1, std::memory_order_release);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  const std::string lower;
  const std::string upper;
  const rocksdb::Slice lower_bound{lower};
  const rocksdb::Slice upper_bound{upper};
  rocksdb::ReadOptions read_options;
  std::atomic<std::size_t>& reader_count;
  std::unique_ptr<rocksdb::Iterator> walk;

  /// Carries out `step` of the walk, unless it is refused.
  template <class Step>
  void move(Step step) {
    refused = PatientRead::must_refuse();
    if (refused) return;
    const PatientRead reading;
    step(*walk);
    arrive();
  }

  /// Opens the value of a row to which the walk has come.
  void arrive() {
    is_opened = false;
    if (!walk->Valid() || seals == nullptr || !seals->is_sealed(keyspace, walk->value().ToStringView())) return;
    opening = seals->open(keyspace, walk->key().ToStringView(), walk->value().ToStringView(), opened);
    is_opened = true;
  }

  bool refused = false;  ///< The last step was.
  const RowSeals* seals = nullptr;
  Keyspace keyspace = {};
  std::string opened;      ///< The value of this row, if it was encrypted.
  bool is_opened = false;  ///< It was.
  Result<void> opening;    ///< The outcome of that.
};

Iterator::Iterator() = default;
Iterator::Iterator(std::unique_ptr<State> state) : state_(std::move(state)) {}
Iterator::Iterator(Iterator&& other) noexcept = default;
Iterator& Iterator::operator=(Iterator&& other) noexcept = default;
Iterator::~Iterator() = default;

Iterator Iterator::make(rocksdb::DB& db, rocksdb::ColumnFamilyHandle* family, KeyRangeView range,
                        rocksdb::ReadOptions options, std::atomic<std::size_t>& reader_count) {
  auto state = std::make_unique<State>(range, std::move(options), reader_count);
  const PatientRead step;
  state->walk.reset(db.NewIterator(state->read_options, family));
  return Iterator(std::move(state));
}

void Iterator::open_with(const RowSeals* seals, Keyspace keyspace) {
  // A keyspace is watched before anything in it is sealed, so the rows of this iterator are plain if it is not watched
  // by now.
  if (!state_ || !seals->is_watched(keyspace)) return;
  state_->seals = seals;
  state_->keyspace = keyspace;
}

void Iterator::seek_first() {
  if (state_) state_->move([](rocksdb::Iterator& walk) { walk.SeekToFirst(); });
}

void Iterator::seek_last() {
  if (state_) state_->move([](rocksdb::Iterator& walk) { walk.SeekToLast(); });
}

void Iterator::seek(std::string_view key) {
  if (state_) state_->move([&](rocksdb::Iterator& walk) { walk.Seek(key); });
}

void Iterator::seek_for_prev(std::string_view key) {
  if (state_) state_->move([&](rocksdb::Iterator& walk) { walk.SeekForPrev(key); });
}

void Iterator::next() {
  state_->move([](rocksdb::Iterator& walk) { walk.Next(); });
}

void Iterator::prev() {
  state_->move([](rocksdb::Iterator& walk) { walk.Prev(); });
}

std::string_view Iterator::key() const { return state_->walk->key().ToStringView(); }
std::string_view Iterator::value() const {
  return state_->is_opened ? std::string_view(state_->opened) : state_->walk->value().ToStringView();
}

bool Iterator::valid() const {
  return state_ && !state_->refused && state_->walk->Valid() && (!state_->is_opened || state_->opening.has_value());
}

Result<void> Iterator::status() const {
  if (!state_) return fail(Code::kClosed, "the store is closed");
  if (state_->refused) return fail(Code::kIo, "{}", kRefusedRead);
  const rocksdb::Status status = state_->walk->status();
  if (!status.ok()) return std::unexpected(error_from(status, "read from the store"));
  if (state_->is_opened) return state_->opening;
  return {};
}

}  // namespace dolmen::storage
