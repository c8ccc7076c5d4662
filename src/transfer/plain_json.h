#pragma once

#include <string>
#include <string_view>

#include "dolmen/error.h"
#include "dolmen/table.h"
#include "dolmen/value.h"

/// Items as the JSON that people write: {"topic": "a", "written": 1, "tags": ["x"]}. It has no types of its own: sets
/// are written as lists and bytes as base64 texts, and read back as lists and texts. Numbers keep all their digits.
namespace dolmen::transfer {

/// Reads one JSON object. Fails with kInvalidArgument, what is wrong and the column, counted in bytes from 1.
Result<Item> parse_plain_item(std::string_view text);
/// Reads one JSON value.
Result<AttributeValue> parse_plain_value(std::string_view text);

/// Append compact JSON.
void append_plain(std::string& out, const AttributeValue& value);
void append_plain(std::string& out, const Item& item);
std::string plain_text(const Item& item);

/// Turns the key attributes that are binary in the table or its indexes from base64 texts into bytes. Fails with
/// kInvalidArgument for a text that is not base64.
Result<void> restore_binary_keys(Item& item, const TableDefinition& table);

}  // namespace dolmen::transfer
