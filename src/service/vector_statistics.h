#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "dolmen/error.h"

namespace dolmen {

/// What a vector index is in memory, and how well its graph finds what an exact search finds.
struct VectorIndexStatistics {
  std::string table;
  std::string index;
  std::int64_t dimensions = 0;
  std::string distance;
  /// Values of its HASH attribute; one when it has none.
  std::uint64_t partitions = 0;
  std::uint64_t vectors = 0;
  std::uint64_t memory_bytes = 0;
  /// Searches of both kinds for ten neighbours of vectors of the index.
  std::uint64_t sample = 0;
  /// Of the exact results, the share that the other search found too. One when nothing was sampled.
  double recall = 1;
  std::chrono::nanoseconds exact_time{0};
  std::chrono::nanoseconds approximate_time{0};
  /// Searches that followed a graph.
  std::uint64_t by_graph = 0;
};

/// What an engine tells about its vector indexes besides DynamoDB's operations. A companion of its Store. Thread-safe.
class VectorStatistics {
 public:
  virtual ~VectorStatistics() = default;

  /// Loads the index into memory if it is not there. Fails with kTableNotFound, and with kValidation when there is no
  /// such vector index, or one that cannot be searched yet.
  [[nodiscard]] virtual Result<VectorIndexStatistics> vector_statistics(const std::string& table,
                                                                        const std::string& index,
                                                                        std::size_t sample) = 0;
};

}  // namespace dolmen
