#pragma once

#include <simdjson.h>
#include <string>

#include "dolmen/error.h"
#include "value/encoded_item.h"

/// The second reading of attribute values: from JSON straight into their binary form, with DynamoDB's rules for values
/// (one type, numbers in range, no empty sets, no repeated members, 32 levels) as ValidationException with its
/// messages. The JSON types must have been checked before (json_types.h).
namespace dolmen::json {

Result<EncodedItem> encode_item(simdjson::dom::object object);

/// Appends one value, tag first.
Result<void> append_value(std::string& out, simdjson::dom::element value);

}  // namespace dolmen::json
