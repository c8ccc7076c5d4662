#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

#include "storage/rocks_forward.h"

namespace dolmen::storage {

/// The content of a store at one moment, all keyspaces together, as Storage::snapshot made it. Several threads may read
/// at the same snapshot. It must be gone before its store is closed; a moved-from snapshot is.
///
/// What it shows cannot be cleaned up while it lives, so it should not be kept for long.
class Snapshot {
 public:
  Snapshot(Snapshot&& other) noexcept;
  Snapshot& operator=(Snapshot&& other) noexcept;
  ~Snapshot();

 private:
  friend class Storage;
  struct State;

  Snapshot();  ///< Of a closed store, where nothing can be read.
  Snapshot(rocksdb::DB& db, std::atomic<std::size_t>& reader_count);

  /// For reads at this moment.
  [[nodiscard]] const rocksdb::ReadOptions& read_options() const;

  std::unique_ptr<State> state_;
};

}  // namespace dolmen::storage
