#pragma once

#include <string_view>

#include "base/hash.h"
#include "engine/lock_table.h"

namespace dolmen::engine {

/// Held exclusively by whoever adds or removes tables.
inline LockRequest all_tables_lock(LockMode mode) { return {.hash = 0, .mode = mode}; }

/// Held shared by every write to a table's items, exclusively by whoever changes the table itself.
inline LockRequest table_lock(std::string_view name, LockMode mode) { return {.hash = hash64(name), .mode = mode}; }

/// Held exclusively by whoever writes the item at a storage key.
inline LockRequest item_lock(std::string_view storage_key) { return {.hash = hash64(storage_key)}; }

}  // namespace dolmen::engine
