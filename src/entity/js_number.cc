#include "entity/js_number.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>

#include "base/endian.h"
#include "base/number_text.h"

namespace dolmen::entity {

namespace {

constexpr std::size_t kNumberBytes = 32;

/// Whether a number is whole, and small enough to be written without an exponent.
bool is_short_whole(double value) {
  return std::abs(value) < 9e15 && static_cast<double>(static_cast<std::int64_t>(value)) == value;
}

/// The eight decimal digits of a number below 10^8, the first one in the highest byte. Divides numbers of four digits,
/// then of two, all at once, by multiplying with the reciprocal.
std::uint64_t eight_digits(std::uint64_t number) {
  const std::uint64_t fours = number / 10'000 << 32U | number % 10'000;
  const std::uint64_t hundreds = fours * 10'486 >> 20U & 0x7F'0000'007FU;
  const std::uint64_t twos = hundreds << 16U | (fours - hundreds * 100);
  const std::uint64_t tens = twos * 103 >> 10U & 0xF'000F'000F'000FU;
  return tens << 8U | (twos - tens * 10);
}

/// Writes digits without those before the first one that is not zero. Returns their end. Uses eight bytes in any case.
char* write_digits(char* out, std::uint64_t digits, int zeros) {
  constexpr std::uint64_t kZeros = 0x3030'3030'3030'3030;
  const std::uint64_t text = big_endian((digits | kZeros) << 8U * static_cast<unsigned>(zeros));
  std::memcpy(out, &text, sizeof text);
  return out + sizeof text - zeros;
}

/// Writes a number below 10^16, several times as fast as std::to_chars. Uses up to 16 bytes.
char* write_whole(char* out, std::uint64_t number) {
  constexpr std::uint64_t kHalf = 100'000'000;
  const std::uint64_t low = eight_digits(number % kHalf);
  // The last digit is written even when it is zero.
  if (number < kHalf) return write_digits(out, low, std::min(std::countl_zero(low) / 8, 7));
  const std::uint64_t high = eight_digits(number / kHalf);
  return write_digits(write_digits(out, high, std::countl_zero(high) / 8), low, 0);
}

/// The white space of JavaScript's trim, in UTF-8.
constexpr std::array<std::string_view, 25> kSpaces = {
    "\t",           "\n",           "\v",           "\f",           "\r",           " ",
    "\xC2\xA0",     "\xE1\x9A\x80", "\xE2\x80\x80", "\xE2\x80\x81", "\xE2\x80\x82", "\xE2\x80\x83",
    "\xE2\x80\x84", "\xE2\x80\x85", "\xE2\x80\x86", "\xE2\x80\x87", "\xE2\x80\x88", "\xE2\x80\x89",
    "\xE2\x80\x8A", "\xE2\x80\xA8", "\xE2\x80\xA9", "\xE2\x80\xAF", "\xE2\x81\x9F", "\xE3\x80\x80",
    "\xEF\xBB\xBF"};

std::string_view trimmed(std::string_view text) {
  const auto begins = [&](std::string_view space) { return text.starts_with(space); };
  const auto ends = [&](std::string_view space) { return text.ends_with(space); };
  for (auto space = std::ranges::find_if(kSpaces, begins); space != kSpaces.end();
       space = std::ranges::find_if(kSpaces, begins))
    text.remove_prefix(space->size());
  for (auto space = std::ranges::find_if(kSpaces, ends); space != kSpaces.end();
       space = std::ranges::find_if(kSpaces, ends))
    text.remove_suffix(space->size());
  return text;
}

/// The base of "0x", "0o" and "0b", or 0.
int base_of(std::string_view text) {
  if (text.size() < 3 || text[0] != '0') return 0;
  switch (text[1]) {
    case 'x':
    case 'X': return 16;
    case 'o':
    case 'O': return 8;
    case 'b':
    case 'B': return 2;
    default: return 0;
  }
}

/// -1 when it is not a digit of the base.
int digit_of(char c, int base) {
  const int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : 16;
  return digit < base ? digit : -1;
}

/// The decimal digits of a number in a base that is a power of two.
std::optional<std::string> decimal_of(std::string_view text, int base) {
  // Groups of nine decimal digits, the lowest first.
  std::vector<std::uint64_t> groups{0};
  for (const char c : text) {
    const int digit = digit_of(c, base);
    if (digit < 0) return std::nullopt;
    auto carry = static_cast<std::uint64_t>(digit);
    for (std::uint64_t& group : groups) {
      carry += group * static_cast<std::uint64_t>(base);
      group = carry % 1'000'000'000;
      carry /= 1'000'000'000;
    }
    if (carry > 0) groups.push_back(carry);
  }
  std::string digits = fmt::format("{}", groups.back());
  for (std::size_t i = groups.size() - 1; i-- > 0;) digits += fmt::format("{:09}", groups[i]);
  return digits;
}

}  // namespace

bool is_digits(std::string_view text) noexcept {
  return std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

char* write_number(char* out, double value) {
  if (is_short_whole(value)) {
    if (value < 0) *out++ = '-';
    return write_whole(out, static_cast<std::uint64_t>(std::abs(value)));
  }
  std::string text;
  append_number(text, value);
  return std::ranges::copy(text, out).out;
}

void append_number(std::string& out, double value) {
  if (std::isnan(value)) {
    out += "NaN";
    return;
  }
  if (std::isinf(value)) {
    out += value < 0 ? "-Infinity" : "Infinity";
    return;
  }
  std::array<char, kNumberBytes> buffer{};
  if (is_short_whole(value)) {
    out.append(buffer.data(), write_number(buffer.data(), value));
    return;
  }
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::abs(value), std::chars_format::scientific);
  // "d.ddde-XX": the digits without the point, and the power of ten of the first one.
  const std::string_view text(buffer.data(), static_cast<std::size_t>(end.ptr - buffer.data()));
  const std::size_t e = text.find('e');
  std::string digits(1, text[0]);
  if (e > 2) digits += text.substr(2, e - 2);
  // from_chars does not accept a plus sign.
  int power = 0;
  std::from_chars(text.data() + e + (text[e + 1] == '+' ? 2 : 1), text.data() + text.size(), power);
  const int point = power + 1;
  const int count = static_cast<int>(digits.size());
  if (value < 0) out += '-';
  if (count <= point && point <= 21) {
    out += digits;
    out.append(static_cast<std::size_t>(point - count), '0');
  } else if (0 < point && point <= 21) {
    out.append(digits, 0, static_cast<std::size_t>(point));
    out += '.';
    out.append(digits, static_cast<std::size_t>(point));
  } else if (-6 < point && point <= 0) {
    out += "0.";
    out.append(static_cast<std::size_t>(-point), '0');
    out += digits;
  } else {
    out += digits[0];
    if (count > 1) (out += '.').append(digits, 1);
    out += fmt::format("e{:+d}", power);
  }
}

std::string fixed6(double magnitude) {
  __extension__ using Wide = unsigned __int128;
  constexpr std::uint64_t kMillion = 1'000'000;
  int exponent = 0;
  const auto mantissa = static_cast<std::uint64_t>(std::ldexp(std::frexp(magnitude, &exponent), 53));
  exponent -= 53;
  // The value is mantissa * 2^exponent, and the exponent is negative for everything that is allowed here.
  const Wide millionths = static_cast<Wide>(mantissa) * kMillion;
  std::uint64_t rounded = 0;
  if (exponent > -100) {
    const auto shift = static_cast<unsigned>(-exponent);
    rounded = static_cast<std::uint64_t>((millionths + (static_cast<Wide>(1) << (shift - 1))) >> shift);
  }
  return fmt::format("{}.{:06}", rounded / kMillion, rounded % kMillion);
}

std::optional<double> parse_number(std::string_view text) {
  text = trimmed(text);
  if (text.empty()) return 0;
  if (const int base = base_of(text); base != 0) {
    double value = 0;
    for (const char c : text.substr(2)) {
      const int digit = digit_of(c, base);
      if (digit < 0) return std::nullopt;
      value = value * base + digit;
    }
    return value;
  }
  if (text == "Infinity" || text == "+Infinity") return HUGE_VAL;
  if (text == "-Infinity") return -HUGE_VAL;
  return parse_decimal(text);
}

std::optional<BigInteger> parse_big_integer(std::string_view text) {
  text = trimmed(text);
  if (const int base = base_of(text); base != 0) {
    auto digits = decimal_of(text.substr(2), base);
    return digits ? std::optional(BigInteger{std::move(*digits)}) : std::nullopt;
  }
  const bool negative = text.starts_with('-');
  const bool is_signed = negative || text.starts_with('+');
  if (is_signed) text.remove_prefix(1);
  if (!is_digits(text) || (is_signed && text.empty())) return std::nullopt;
  text.remove_prefix(std::min(text.find_first_not_of('0'), text.size()));
  if (text.empty()) return BigInteger{};
  return BigInteger{(negative ? "-" : "") + std::string(text)};
}

std::strong_ordering compare(const BigInteger& a, const BigInteger& b) {
  const bool negative = a.digits.starts_with('-');
  if (negative != b.digits.starts_with('-'))
    return negative ? std::strong_ordering::less : std::strong_ordering::greater;
  const std::strong_ordering magnitudes =
      a.digits.size() != b.digits.size() ? a.digits.size() <=> b.digits.size() : a.digits.compare(b.digits) <=> 0;
  return negative ? 0 <=> magnitudes : magnitudes;
}

}  // namespace dolmen::entity
