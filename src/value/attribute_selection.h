#pragma once

#include <span>
#include <string>
#include <string_view>

#include "dolmen/error.h"
#include "dolmen/value.h"
#include "value/encoded_item.h"

/// Looking at some attributes of an encoded item, and changing them, without a tree of the others. Names are those of
/// top-level attributes; they must be sorted, and no name comes twice.
namespace dolmen {

/// The tree of only those attributes that have one of the names. Fails with kCorruption when one of them is damaged; of
/// the others only the extent is looked at.
Result<Item> decode_attributes(std::string_view item, std::span<const std::string> names);

/// The item in which the attributes with these names are those of `now`, which has no others. What is not named stays
/// as it is. The item must be one that `decode_attributes` accepts.
EncodedItem replace_attributes(std::string_view item, std::span<const std::string> names, const Item& now);

}  // namespace dolmen
