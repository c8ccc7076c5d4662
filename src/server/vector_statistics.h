#pragma once

#include <string>
#include <string_view>

#include "dolmen/error.h"
#include "dolmen/store.h"

namespace dolmen {

/// The operation of Dolmen's own by which the memory and the recall of a vector index are read.
inline constexpr std::string_view kDescribeVectorIndex = "DescribeVectorIndex";

/// {"TableName": ..., "IndexName": ..., "Sample": 20} becomes the JSON of protocol/vector_statistics_json.h.
Result<std::string> describe_vector_index(const Store& store, std::string_view body);

}  // namespace dolmen
