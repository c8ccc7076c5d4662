#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

#include "storage/rocks_forward.h"

namespace dolmen::storage {

/// The content of all keyspaces of a store at one moment. Several threads may read at the same snapshot. It must be
/// destroyed or moved from before its store is closed.
///
/// RocksDB cannot remove outdated data that a snapshot shows, so a snapshot should not live long.
class Snapshot {
 public:
  Snapshot(Snapshot&& other) noexcept;
  Snapshot& operator=(Snapshot&& other) noexcept;
  ~Snapshot();

 private:
  friend class Storage;
  struct State;

  Snapshot();  ///< For a closed store, where nothing can be read.
  Snapshot(rocksdb::DB& db, std::atomic<std::size_t>& reader_count);

  /// The options for reads at this moment.
  [[nodiscard]] const rocksdb::ReadOptions& read_options() const;

  std::unique_ptr<State> state_;
};

}  // namespace dolmen::storage
