#pragma once

#include <string>

#include "dolmen/error.h"
#include "dolmen/table.h"
#include "dolmen/value.h"

namespace dolmen::transfer {

/// What DynamoDB would say about an item of the table, as far as it can be known here: keys of the table and its
/// indexes, and the size. Fails with kValidation.
Result<void> check_item(const Item& item, const TableDefinition& table);

/// Fails with kValidation, and names the attribute, when plain JSON would not give the item back: sets and bytes, apart
/// from keys.
Result<void> check_plain(const Item& item, const TableDefinition& table);

/// Only the key attributes of the table.
Item key_item(const Item& item, const TableDefinition& table);
/// The same bytes for the same key. The item must have its key attributes.
std::string key_bytes(const Item& item, const TableDefinition& table);

}  // namespace dolmen::transfer
