#include "protocol/vector_statistics_json.h"

#include <algorithm>
#include <fmt/format.h>

#include "protocol/object_writer.h"

namespace dolmen {

std::string vector_statistics_json(const VectorIndexStatistics& statistics) {
  const auto microseconds = [&](std::chrono::nanoseconds all) {
    const std::uint64_t searches = std::max<std::uint64_t>(statistics.sample, 1);
    return fmt::format("{:.1f}", static_cast<double>(all.count()) / 1000.0 / static_cast<double>(searches));
  };
  return object_text([&](ObjectWriter& object) {
    object.text("TableName", statistics.table)
        .text("IndexName", statistics.index)
        .number("Dimensions", statistics.dimensions)
        .text("DistanceFunction", statistics.distance)
        .number("Partitions", statistics.partitions)
        .number("Vectors", statistics.vectors)
        .number("MemoryBytes", statistics.memory_bytes)
        .number("Sample", statistics.sample);
    if (statistics.sample == 0) return;
    object.json("Recall", fmt::format("{:.4f}", statistics.recall))
        .number("ByGraph", statistics.by_graph)
        .json("ExactMicroseconds", microseconds(statistics.exact_time))
        .json("ApproximateMicroseconds", microseconds(statistics.approximate_time));
  });
}

}  // namespace dolmen
