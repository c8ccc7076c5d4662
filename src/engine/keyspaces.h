#pragma once

#include <string>
#include <vector>

#include "storage/keyspace.h"

/// The keyspaces of the engine.
namespace dolmen::engine::keyspaces {

/// Definitions of tables, by name, and the counter for new ids.
inline constexpr storage::Keyspace kCatalogue{0};
/// Items and rows of indexes (row_key.h).
inline constexpr storage::Keyspace kItems{1};
/// Client tokens of transactions (client_tokens.h).
inline constexpr storage::Keyspace kTokens{2};

/// The number and size of the rows of each table and index (extents.h).
inline constexpr storage::Keyspace kCounters{3};
/// Records of streams (stream_log.h).
inline constexpr storage::Keyspace kStreams{4};
/// Items by the time at which they expire (expiry.h).
inline constexpr storage::Keyspace kExpiry{5};

/// What changes of items replaced, in tables that keep their history (history.h).
inline constexpr storage::Keyspace kHistory{6};

/// Their names, in order, for opening the storage.
inline std::vector<std::string> names() {
  return {"catalogue", "items", "tokens", "counters", "streams", "expiry", "history"};
}

/// The keyspaces without which nothing can be served. They are small enough to be checked at every start.
inline std::vector<std::string> verified() { return {"catalogue", "counters"}; }

}  // namespace dolmen::engine::keyspaces
