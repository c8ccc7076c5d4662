#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "dolmen/error.h"
#include "service/requests.h"

/// DynamoDB's rules for tags. They fail with kValidation.
namespace dolmen {

/// Keys of 1 to 128 characters and values of at most 256: letters, digits and spaces of any script and + - = . _ : / @.
/// No key is given twice, and none begins with "aws:" in any case of letters.
Result<void> check_tags(std::span<const Tag> tags);
/// The keys of tags that are to be removed. They may repeat.
Result<void> check_tag_keys(std::span<const std::string> keys);
/// A table has at most 50 tags.
Result<void> check_tag_count(std::size_t count);

/// What a missing key or value is called: "The Tag Key provided is invalid, Key: null".
std::unexpected<Error> invalid_tag_key(std::string_view shown);
std::unexpected<Error> invalid_tag_value(std::string_view shown);

/// Letters, digits and spaces, as Unicode classifies them (tag_characters.cc).
bool is_letter_digit_or_space(char32_t code_point);

}  // namespace dolmen
