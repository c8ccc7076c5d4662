#pragma once

#include <string>
#include <string_view>

#include "dolmen/error.h"
#include "dolmen/value.h"

/// Amazon Ion as text, as far as exports of DynamoDB use it: an item is a struct, a number a decimal, a binary a blob,
/// a set a list with the annotation $dynamodb_SS, $dynamodb_NS or $dynamodb_BS.
namespace dolmen::formats {

/// Appends a struct.
void append_ion(std::string& out, const Item& item);
/// Appends the name of a field, which is quoted where it must be.
void append_ion_name(std::string& out, std::string_view name);

/// Reads one struct, perhaps after the version marker $ion_1_0. Fails with kValidation, what is wrong and the column,
/// counted in bytes from 1. Timestamps, clobs, S-expressions and symbols have no counterpart in DynamoDB and are
/// refused.
Result<Item> parse_ion(std::string_view text);

}  // namespace dolmen::formats
