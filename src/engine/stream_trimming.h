#pragma once

#include <chrono>
#include <stop_token>

#include "dolmen/error.h"
#include "engine/stream_log.h"
#include "storage/storage.h"

/// Removing what is older than 24 hours.
namespace dolmen::engine::streams {

/// How long a record stays, and an ended stream.
inline constexpr std::chrono::hours kRetention{24};

/// Removes the records that were made before `now` - kRetention, and the streams that ended before that. Gives the
/// space of what was large back to the file system, until `stop` is requested. Costs a few reads for each shard,
/// independent of the number of records.
///
/// Returns the time until something will have to be removed, at least kTrimPause and at most kTrimPauseMax, also when
/// there is no stream at all: a record needs much longer than that to become old.
Result<std::chrono::milliseconds> trim(storage::Storage& storage, TableTime now, const std::stop_token& stop = {});

inline constexpr std::chrono::minutes kTrimPause{5};
inline constexpr std::chrono::minutes kTrimPauseMax{60};

}  // namespace dolmen::engine::streams
