#pragma once

#include <chrono>
#include <memory>
#include <stop_token>
#include <vector>

#include "dolmen/error.h"
#include "engine/table.h"
#include "storage/storage.h"

namespace dolmen::engine::history {

inline constexpr std::chrono::minutes kTrimPause{30};

/// Removes the rows of histories that are older than their periods. Costs a read for each table with a history, and
/// what giving back the space of much data costs.
Result<void> trim(storage::Storage& storage, const std::vector<std::shared_ptr<const Table>>& tables, TableTime now,
                  const std::stop_token& stop = {});

}  // namespace dolmen::engine::history
