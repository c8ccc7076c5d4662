#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dolmen/error.h"
#include "dolmen/model/model.h"
#include "dolmen/value.h"

namespace dolmen {

enum class SortOrder : std::uint8_t { kAscending, kDescending };

/// Where a query or scan goes on, and of which read it is. Services in Go, TypeScript and Python read the same text.
struct Cursor {
  /// The `last_key` of a page.
  Item last_key;
  /// Empty for the table itself.
  std::string index = {};
  /// Queries have an order, scans do not.
  std::optional<SortOrder> order = std::nullopt;

  friend bool operator==(const Cursor&, const Cursor&) = default;
};

/// The text of a cursor, byte for byte what Go's encoding makes of it. Empty when `last_key` is, which means that there
/// is no further page.
std::string encode_cursor(const Cursor& cursor);

/// Reads the text of any implementation: with or without padding, with white space around it, in the standard or the
/// URL alphabet. Fails with kInvalidOperator.
Result<Cursor> decode_cursor(std::string_view text);

/// The read that a cursor is to be used in.
struct CursorUse {
  std::string index = {};
  std::optional<SortOrder> order = std::nullopt;
};

/// Fails with kInvalidOperator when the cursor comes from another index or from the other direction, or when its key is
/// not made of exactly the key attributes of the table and the index, in their types.
Result<void> check_cursor(const Cursor& cursor, const Model& model, const CursorUse& use);

}  // namespace dolmen
