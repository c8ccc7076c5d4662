#pragma once

#include <string>

#include "dolmen/error.h"
#include "dolmen/table.h"
#include "dolmen/value.h"

/// Items as the command line takes and prints them: plain JSON, or with --typed DynamoDB JSON.
namespace dolmen::cli {

/// An item or key of a table. Keys that are binary are base64 in plain JSON. Fails with kInvalidArgument; `what` says
/// what it should be.
Result<Item> read_item(const std::string& text, bool typed, const std::string& what, const TableDefinition& table);
/// One value.
Result<AttributeValue> read_value(const std::string& text, bool typed, const std::string& what);

std::string item_text(const Item& item, bool typed);

/// The text itself, or for "-" what the standard input has. Fails with kIo.
Result<std::string> text_or_input(const std::string& argument);

/// Only the key attributes of a table.
Item key_of(const Item& item, const TableDefinition& table);

}  // namespace dolmen::cli
