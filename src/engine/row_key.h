#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"
#include "engine/table.h"
#include "expr/syntax.h"
#include "expr/update.h"

/// The key of a row: id | hash of the partition attributes | partition attributes | sort attributes, all in
/// order-preserving form; a row of an index ends with the key of its item in the table. A partition is therefore one
/// sorted run, a scan walks partitions in the order of their hashes, and a segment of a parallel scan is a range of the
/// hash.
namespace dolmen::engine {

/// Rows of a partition have the bytes before kRowPartitionAt in common, and few of other partitions have them, too.
inline constexpr std::size_t kRowHashAt = sizeof(TableId);
inline constexpr std::size_t kRowPartitionAt = kRowHashAt + sizeof(std::uint64_t);

/// How a key attribute that is missing or has the wrong type is worded.
enum class KeyWords : std::uint8_t { kOfItem, kOfBatch };

/// The key of an item that is to be stored. Fails with kValidation when a key attribute is missing, has the wrong type,
/// is empty or is too long.
Result<std::string> row_key_of_item(const Table& table, std::string_view item, KeyWords words = KeyWords::kOfItem);

/// The key that a caller names. Fails with kValidation unless it has exactly the table's key attributes.
Result<std::string> row_key_of_key(const Table& table, std::string_view key);

/// The row of an item in an index. Nothing when the item lacks an attribute of the index, or has one that cannot be a
/// key of the index, as an item from before the index existed may.
std::optional<std::string> row_key_in_index(const Index& index, std::string_view item, std::string_view table_row_key);

/// Fails with kValidation when an attribute of the item that is a key of an index has the wrong type, is empty or is
/// too long.
Result<void> check_index_keys(const Table& table, std::string_view item);

/// The same after an update, for the attributes that it names. DynamoDB words it differently where the value does not
/// come from the request itself.
Result<void> check_updated_index_keys(const Table& table, const std::vector<expr::UpdateAction>& update,
                                      std::string_view item, expr::UpdateForm form);

/// Fails with kEmptyKeyValue when the update sets a key of an index to an empty value of the request.
Result<void> check_given_index_keys(const Table& table, const std::vector<expr::UpdateAction>& update);

/// Fails with kValidation when a path goes into a key attribute of the table or of an index.
Result<void> check_key_paths(const Table& table, const std::vector<const expr::Path*>& paths);

/// The first key of the rows of a table or index; those of the next id come after all of them.
std::string first_key_of(TableId id);

/// id | hash | partition attributes, from their ordered form: the prefix of all rows of a partition.
std::string partition_prefix(TableId id, std::string_view ordered_partition);

/// Appends an encoded value (tag first) of a key attribute in ordered form. Its type must be that of a key.
void append_ordered_value(std::string& out, std::string_view encoded_value);

/// True when the encoded value has the type of a key attribute.
bool has_key_type(std::string_view encoded_value, KeyType type);

/// Fails with kValidation when the value of a key attribute is empty or too long.
Result<void> check_key_length(const KeyAttribute& attribute, std::string_view encoded_value, bool partition);

}  // namespace dolmen::engine
