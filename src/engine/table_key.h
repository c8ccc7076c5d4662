#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "dolmen/error.h"
#include "dolmen/table.h"

/// Where an item lies: table id | hash of the partition key | partition key | sort key, all in order-preserving form.
/// So a partition is one sorted run, a scan walks partitions in the order of their hashes, and a segment of a parallel
/// scan is a range of the hash.
namespace dolmen {

using TableId = std::uint32_t;

/// The storage key of an item that is to be stored. Fails with kValidation when a key attribute is missing, has
/// the wrong type, is empty or is too long.
Result<std::string> storage_key_of_item(TableId table, const TableDefinition& definition, std::string_view item);

/// The storage key that a caller's key names. Fails with kValidation unless it has exactly the table's key attributes.
Result<std::string> storage_key_of_key(TableId table, const TableDefinition& definition, std::string_view key);

/// The first key of a table's rows; those of the next id come after all of them.
std::string first_key_of(TableId table);

}  // namespace dolmen
