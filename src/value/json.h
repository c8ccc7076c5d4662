#pragma once

#include <string>
#include <string_view>

#include "dolmen/error.h"
#include "dolmen/value.h"
#include "value/encoded_item.h"

/// DynamoDB JSON, in which every value names its type: {"id": {"S": "a"}, "count": {"N": "3"}}.
namespace dolmen::json {

/// Reads one item. Fails with kSerialization where the JSON is malformed or a value has the wrong JSON type, and with
/// kValidation where a value breaks a rule of DynamoDB; the messages are DynamoDB's.
Result<EncodedItem> parse_item(std::string_view text);

/// Append compact JSON. Both fail with kCorruption when the bytes are not a valid encoding; `out` is then unspecified.
Result<void> append_item(std::string& out, std::string_view encoded_item);
Result<void> append_encoded_value(std::string& out, std::string_view encoded_value);

/// The text of `item`, for people and files.
std::string to_text(const Item& item);

/// Appends a JSON string with quotes. `text` must be UTF-8.
void append_string(std::string& out, std::string_view text);

}  // namespace dolmen::json
