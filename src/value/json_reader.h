#pragma once

#include <cstddef>
#include <simdjson.h>
#include <string>

#include "base/limits.h"
#include "dolmen/error.h"
#include "value/encoded_item.h"

/// The second reading of attribute values: from JSON straight into their binary form, with DynamoDB's rules for values
/// (one type, numbers in range, no empty sets, no repeated members, 32 levels) as ValidationException with its
/// messages. The JSON types must have been checked before (json_types.h).
namespace dolmen::json {

/// Mistakes are found in this order: wrong names of attributes, values of more than `levels_max` levels, all others in
/// the order of the request. Items have at most 32 levels; of the values of expressions, some operations take one more.
Result<EncodedItem> encode_item(simdjson::dom::object object, unsigned levels_max = limits::kNestingLevels);

/// An item and its size by DynamoDB's rules (item_size), which is counted while the item is encoded.
struct SizedItem {
  EncodedItem item;
  std::size_t size = 0;
};
/// The same with the size.
Result<SizedItem> encode_sized_item(simdjson::dom::object object, unsigned levels_max = limits::kNestingLevels);

/// Appends one value, tag first.
Result<void> append_value(std::string& out, simdjson::dom::element value, unsigned levels_max = limits::kNestingLevels);

}  // namespace dolmen::json
