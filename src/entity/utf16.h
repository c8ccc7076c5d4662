#pragma once

#include <string>
#include <string_view>

/// Strings as sequences of UTF-16 code units, on which hashes, orders and compressed tokens of entities are defined. A
/// lone surrogate, which other languages allow, is kept in its three-byte form of UTF-8.
namespace dolmen::entity {

/// The code units of a string. A byte that does not begin a character counts as one unit of its own value.
std::u16string utf16_units(std::string_view text);

/// The reverse; lone surrogates become three bytes.
std::string text_of_units(std::u16string_view units);

/// Whether `a` comes before `b` in the order of their code units.
bool units_less(std::string_view a, std::string_view b);

/// Whether all bytes are ASCII, so that they are their own code units.
bool is_ascii(std::string_view text) noexcept;

/// Whether a name is a whole number as JavaScript writes array indexes: "0" to "4294967294". Objects list such names
/// first, in the order of the numbers.
bool is_array_index(std::string_view name) noexcept;

/// Whether a JavaScript object always lists `a` before `b`, whatever the order of insertion.
bool listed_before(std::string_view a, std::string_view b) noexcept;

}  // namespace dolmen::entity
