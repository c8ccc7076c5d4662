#pragma once

#include <cstdint>
#include <string_view>

#include "engine/table.h"
#include "service/read_trace.h"

namespace dolmen::engine {

/// Counts a row of a table or index, or an item, with the partition that it is in by `keys`.
void trace_row(ReadTrace::Part& part, const KeySchema& keys, std::string_view row, std::uint64_t bytes);

}  // namespace dolmen::engine
