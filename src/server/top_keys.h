#pragma once

#include <string>
#include <string_view>

#include "dolmen/error.h"
#include "dolmen/store.h"

namespace dolmen {

/// The operation of Dolmen's own by which the most used keys of a table are read while its Contributor Insights are
/// enabled.
inline constexpr std::string_view kDescribeTopKeys = "DescribeTopKeys";

/// {"TableName": ..., "IndexName": ...} becomes {"Total": ..., "PartitionKeys": [{"Key": ..., "Count": ..., "ErrorMax":
/// ...}], "Keys": [...]}, the most used first.
Result<std::string> describe_top_keys(const Store& store, std::string_view body);

}  // namespace dolmen
