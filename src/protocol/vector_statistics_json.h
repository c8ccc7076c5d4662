#pragma once

#include <string>
#include <string_view>

#include "dolmen/error.h"
#include "service/vector_statistics.h"

namespace dolmen {

/// {"TableName": ..., "IndexName": ..., "Dimensions": ..., "DistanceFunction": ..., "Partitions": ..., "Vectors": ...,
/// "MemoryBytes": ..., "Sample": ..., "Recall": ..., "ByGraph": ..., "ExactMicroseconds": ...,
/// "ApproximateMicroseconds": ...}; times are those of one search.
std::string vector_statistics_json(const VectorIndexStatistics& statistics);

}  // namespace dolmen
