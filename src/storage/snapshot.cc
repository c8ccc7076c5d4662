#include "storage/snapshot.h"

#include <rocksdb/db.h>

#include "base/check.h"

namespace dolmen::storage {

struct Snapshot::State {
  State(rocksdb::DB& of, std::atomic<std::size_t>& readers) : db(of), reader_count(readers) {
    reader_count.fetch_add(1, std::memory_order_relaxed);
    read_options.snapshot = db.GetSnapshot();
  }
  ~State() {
    db.ReleaseSnapshot(read_options.snapshot);
    reader_count.fetch_sub(1, std::memory_order_release);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  rocksdb::DB& db;
  std::atomic<std::size_t>& reader_count;
  rocksdb::ReadOptions read_options;
};

Snapshot::Snapshot() = default;
Snapshot::Snapshot(rocksdb::DB& db, std::atomic<std::size_t>& reader_count)
    : state_(std::make_unique<State>(db, reader_count)) {}
Snapshot::Snapshot(Snapshot&& other) noexcept = default;
Snapshot& Snapshot::operator=(Snapshot&& other) noexcept = default;
Snapshot::~Snapshot() = default;

const rocksdb::ReadOptions& Snapshot::read_options() const {
  DOLMEN_CHECK(state_ != nullptr, "a snapshot that is read at has not been moved from");
  return state_->read_options;
}

}  // namespace dolmen::storage
