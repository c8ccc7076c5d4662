#pragma once

#include <string>
#include <vector>

#include "storage/keyspace.h"

/// What the engine keeps where.
namespace dolmen::engine::keyspaces {

/// Definitions of tables, by name; and the counters that hand out ids.
inline constexpr storage::Keyspace kCatalogue{0};
/// Items and rows of indexes (row_key.h).
inline constexpr storage::Keyspace kItems{1};
/// Client tokens of transactions (client_tokens.h).
inline constexpr storage::Keyspace kTokens{2};

/// How much each table and index holds (extents.h).
inline constexpr storage::Keyspace kCounters{3};

/// Their names, in order, for opening the storage.
inline std::vector<std::string> names() { return {"catalogue", "items", "tokens", "counters"}; }

/// Those without which nothing can be served, and which are small enough to be checked at every start.
inline std::vector<std::string> verified() { return {"catalogue", "counters"}; }

}  // namespace dolmen::engine::keyspaces
