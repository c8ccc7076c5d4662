#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "dolmen/number.h"

namespace dolmen {

struct Decimal;

/// Order-preserving, self-delimiting encodings: for two values of one type, comparing the encodings byte by byte
/// (unsigned) gives DynamoDB's order of the values, and an encoding can be followed by anything.
///
/// Text and binary: each byte 00 is written 00 FF; the end is 00 00.
/// Numbers take 1 to 22 bytes: zero is 80. Otherwise a sign byte (C0 positive, 40 negative), the exponent of the first
/// digit plus 130, the digits in pairs as 1 + pair, and a terminator 00; for negative numbers everything after the
/// sign byte is complemented.

void append_ordered_bytes(std::string& out, std::string_view bytes);
void append_ordered_number(std::string& out, const Number& number);

/// Enough bytes for every ordered number.
inline constexpr std::size_t kOrderedNumberBytes = 22;

/// The same as `append_ordered_number`, to `out`, which has room for kOrderedNumberBytes. Returns its end.
char* put_ordered_number(char* out, const Number& number);

/// The end of an ordered number, and the size of the number by DynamoDB's rules (number_size).
struct PutNumber {
  char* end = nullptr;
  std::size_t size = 0;
};

/// The same for the text of a plain decimal: up to 38 digits, perhaps a minus sign before them and a point among them,
/// as most numbers are sent. `end` is null for every other text, which `Number::parse` may accept or refuse.
PutNumber put_plain_number(char* out, std::string_view text);

/// Take one encoding from the front of `encoded`. Nothing when the functions above do not write such bytes; `encoded`
/// is then unspecified.
std::optional<std::string> take_ordered_bytes(std::string_view& encoded);
std::optional<Number> take_ordered_number(std::string_view& encoded);

/// The same as digits, which is faster for writing or counting them. Returns false instead of nothing.
bool take_ordered_decimal(std::string_view& encoded, Decimal& decimal);

/// The same as its canonical text, which is written to `out`; kNumberTextBytes is enough room. Returns its end, or null
/// instead of nothing.
char* write_ordered_number(std::string_view& encoded, char* out);

/// The size of a number by DynamoDB's rules (number_size), found without decoding its digits. 0 when it is cut short.
std::size_t take_ordered_number_size(std::string_view& encoded);

/// Moves past one encoded number without checking more than its bounds. False when it is cut short.
bool skip_ordered_number(std::string_view& encoded);

}  // namespace dolmen
