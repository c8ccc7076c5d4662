#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"
#include "engine/table.h"
#include "expr/syntax.h"
#include "value/encoded_item.h"

/// What an item is in a vector index. Writes, charging, filling an index and reading its rows again all ask here.
namespace dolmen::engine {

/// The attributes by which searches choose.
struct SearchValues {
  /// The encoded value of the HASH attribute; empty when the index has none.
  std::string hash;
  /// The encoded values of the INLINE_FILTER attributes, in their order in the definition; empty where there is none.
  std::vector<std::string> filters;

  friend bool operator==(const SearchValues&, const SearchValues&) = default;
};

/// The row of an item in a vector index.
struct VectorEntry {
  std::vector<float> vector;
  /// The attributes that the index projects, without the vector.
  EncodedItem rest;

  friend bool operator==(const VectorEntry&, const VectorEntry&) = default;
};

/// The entry of an item; nothing when it lacks the vector or the HASH attribute. Fails with kValidation, as a write of
/// the item does, when an attribute that the index reads cannot be in it.
Result<std::optional<VectorEntry>> derive_entry(const VectorIndex& index, std::string_view item);

/// Whether a put of this item is allowed.
Result<void> check_vectors(const Table& table, std::string_view item);
/// Whether an update may make `new_item` of `old_item`, which is empty when there was none: only the attributes that it
/// changes are looked at, so that an item from before an index existed can still be changed.
Result<void> check_updated_vectors(const Table& table, std::string_view old_item, std::string_view new_item);

/// Fails with kEmptyKeyValue when the update sets the HASH attribute of an index to an empty value of the request.
Result<void> check_given_search_hashes(const Table& table, const std::vector<expr::UpdateAction>& update);

/// The size of an entry as DynamoDB charges for it.
std::size_t entry_size(const VectorIndex& index, const VectorEntry& entry);

/// How many bytes the vectors of an item are smaller as floats than as lists; below zero when they are larger. Sizes of
/// items in tables, and the units of writes, count them as floats.
std::int64_t bytes_saved(const Table& table, std::string_view item);
/// The same of the vector of one index.
std::int64_t bytes_saved(const VectorIndex& index, std::string_view item);

SearchValues search_values(const VectorIndexDefinition& definition, std::string_view row_item);

// ---- Rows ----

/// id of the index | the key of the item without the id of its table.
std::string vector_row_key(const VectorIndex& index, std::string_view row_key);
/// The floats, little-endian, then the rest.
std::string encode_vector_row(const VectorEntry& entry);
/// Fails with kCorruption.
Result<VectorEntry> decode_vector_row(const VectorIndexDefinition& definition, std::string_view row);

}  // namespace dolmen::engine
