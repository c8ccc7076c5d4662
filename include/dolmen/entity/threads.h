#pragma once

#include "dolmen/entity/query.h"

namespace dolmen {

/// Lets code that waits answer shard queries: each call runs on a thread of its own while it lasts, and threads are
/// kept for the next, so there are never more of them than calls at a time. What takes a page must not wait for another
/// one of the same function. The threads end with the last copy of the function.
ShardQuery in_threads(BlockingShardQuery query);

}  // namespace dolmen
