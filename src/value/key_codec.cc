#include "value/key_codec.h"

#include <algorithm>
#include <array>

#include "base/limits.h"
#include "value/number_parts.h"

namespace dolmen {
namespace {

constexpr unsigned char kZero = 0x80;
constexpr unsigned char kPositive = 0xC0;
constexpr unsigned char kNegative = 0x40;
constexpr int kExponentBias = -limits::kNumberExponentMin;

/// The numbers 00 to 99, two digits each.
constexpr std::array<char, 200> kPairs = [] {
  std::array<char, 200> pairs{};
  for (std::size_t i = 0; i < 100; ++i) {
    pairs[2 * i] = static_cast<char>('0' + i / 10);
    pairs[2 * i + 1] = static_cast<char>('0' + i % 10);
  }
  return pairs;
}();

constexpr char kEscape = '\0';
constexpr char kEscapedZero = '\xFF';
constexpr char kEnd = '\0';

}  // namespace

void append_ordered_bytes(std::string& out, std::string_view bytes) {
  for (;;) {
    const std::size_t zero = bytes.find('\0');
    if (zero == std::string_view::npos) break;
    out.append(bytes.substr(0, zero)).append({kEscape, kEscapedZero});
    bytes.remove_prefix(zero + 1);
  }
  out.append(bytes).append({kEscape, kEnd});
}

std::optional<std::string> take_ordered_bytes(std::string_view& encoded) {
  std::string bytes;
  for (;;) {
    const std::size_t escape = encoded.find(kEscape);
    if (escape == std::string_view::npos || escape + 1 == encoded.size()) return std::nullopt;
    const char kind = encoded[escape + 1];
    bytes.append(encoded.substr(0, escape));
    encoded.remove_prefix(escape + 2);
    if (kind == kEnd) return bytes;
    if (kind != kEscapedZero) return std::nullopt;
    bytes.push_back('\0');
  }
}

void append_ordered_number(std::string& out, const Number& number) {
  const NumberParts parts = NumberParts::of(number);
  if (parts.coefficient == 0) {
    out.push_back(static_cast<char>(kZero));
    return;
  }
  Decimal decimal = parts.to_decimal();
  const int count = decimal.count;
  const char* const digits = decimal.digits;
  decimal.digits[count] = '0';
  const unsigned char mask = parts.negative ? 0xFF : 0;
  char encoded[22];
  std::size_t size = 0;
  const auto push = [&](int byte) { encoded[size++] = static_cast<char>(static_cast<unsigned char>(byte) ^ mask); };
  encoded[size++] = static_cast<char>(parts.negative ? kNegative : kPositive);
  push(parts.exponent + count - 1 + kExponentBias);
  for (int i = 0; i < count; i += 2) push(1 + (digits[i] - '0') * 10 + (digits[i + 1] - '0'));
  push(0);
  out.append(encoded, size);
}

bool skip_ordered_number(std::string_view& encoded) {
  if (encoded.empty()) return false;
  const auto sign = static_cast<unsigned char>(encoded.front());
  if (sign == kZero) {
    encoded.remove_prefix(1);
    return true;
  }
  const char terminator = sign == kNegative ? '\xFF' : '\0';
  const std::size_t end = encoded.find(terminator, 2);
  if (end == std::string_view::npos) return false;
  encoded.remove_prefix(end + 1);
  return true;
}

NumberExtent extent_of_ordered_number(std::string_view encoded) {
  // Sign, exponent, pairs of digits, end.
  constexpr std::size_t kAround = 3;
  if (encoded.size() <= kAround) return {};
  NumberExtent extent{.negative = static_cast<unsigned char>(encoded.front()) == kNegative};
  const unsigned char mask = extent.negative ? 0xFF : 0;
  const auto byte = [&](std::size_t i) {
    return static_cast<unsigned char>(static_cast<unsigned char>(encoded[i]) ^ mask);
  };
  const bool last_is_half = byte(encoded.size() - 2) % 10 == 1;
  extent.count = static_cast<int>(2 * (encoded.size() - kAround)) - (last_is_half ? 1 : 0);
  extent.exponent = byte(1) - kExponentBias - (extent.count - 1);
  return extent;
}

bool take_ordered_decimal(std::string_view& encoded, Decimal& decimal) {
  if (encoded.empty()) return false;
  const auto sign = static_cast<unsigned char>(encoded.front());
  encoded.remove_prefix(1);
  decimal.count = 0;
  decimal.exponent = 0;
  decimal.negative = sign == kNegative;
  if (sign == kZero) return true;
  if (sign != kPositive && sign != kNegative) return false;

  const unsigned char mask = decimal.negative ? 0xFF : 0;
  const auto byte = [&](std::size_t i) {
    return static_cast<unsigned char>(static_cast<unsigned char>(encoded[i]) ^ mask);
  };
  if (encoded.size() < 3) return false;
  std::size_t at = 1;
  char* digit = decimal.digits;
  for (; at < encoded.size() && byte(at) != 0; ++at) {
    if (byte(at) > 100 || at > limits::kNumberDigits / 2) return false;
    const char* const pair = kPairs.data() + std::size_t{2} * (byte(at) - 1U);
    *digit++ = pair[0];
    *digit++ = pair[1];
  }
  // The first digit and the last pair are not zero, or there would be two encodings of one number.
  if (at == encoded.size() || at == 1 || byte(1) <= 10 || byte(at - 1) == 1) return false;
  if (digit[-1] == '0') --digit;
  decimal.count = static_cast<int>(digit - decimal.digits);
  decimal.exponent = byte(0) - kExponentBias - (decimal.count - 1);
  encoded.remove_prefix(at + 1);
  return true;
}

std::optional<Number> take_ordered_number(std::string_view& encoded) {
  Decimal decimal;
  if (!take_ordered_decimal(encoded, decimal)) return std::nullopt;
  // This many digits fit into 64 bits, where counting is faster.
  constexpr int kShort = 18;
  std::uint64_t head = 0;
  int i = 0;
  for (; i < std::min(decimal.count, kShort); ++i)
    head = head * 10 + static_cast<std::uint64_t>(decimal.digits[i] - '0');
  uint128 coefficient = head;
  for (; i < decimal.count; ++i) coefficient = coefficient * 10 + static_cast<unsigned>(decimal.digits[i] - '0');
  return NumberParts{coefficient, decimal.exponent, decimal.negative}.to_number();
}

}  // namespace dolmen
