#include "value/key_codec.h"

#include <algorithm>
#include <array>
#include <cstring>

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

/// Where the digits of a number that is not zero begin, behind its sign and its exponent.
constexpr std::size_t kFirstPair = 2;

/// Numbers below this have at most 18 digits, so that another digit fits into 64 bits.
constexpr std::uint64_t kShortEnd = 1'000'000'000'000'000'000;

int short_digit_count(std::uint64_t digits) {
  int count = 1;
  for (; digits >= 1000; digits /= 1000) count += 3;
  return count + (digits >= 10 ? 1 : 0) + (digits >= 100 ? 1 : 0);
}

/// Where the end of a number that is not zero stands; nowhere, which is behind all bytes, when it is cut short. Numbers
/// are so short that a loop is faster than a search.
std::size_t end_of_number(std::string_view encoded) {
  const char end = static_cast<unsigned char>(encoded.front()) == kNegative ? '\xFF' : '\0';
  std::size_t at = kFirstPair;
  while (at < encoded.size() && encoded[at] != end) ++at;
  return at;
}

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
  char encoded[kOrderedNumberBytes];
  out.append(encoded, put_ordered_number(encoded, number));
}

char* put_ordered_number(char* out, const Number& number) {
  const NumberParts parts = NumberParts::of(number);
  if (parts.coefficient == 0) {
    *out = static_cast<char>(kZero);
    return out + 1;
  }
  const unsigned char mask = parts.negative ? 0xFF : 0;
  const auto set = [&](std::size_t at, int byte) {
    out[at] = static_cast<char>(static_cast<unsigned char>(byte) ^ mask);
  };
  out[0] = static_cast<char>(parts.negative ? kNegative : kPositive);
  std::size_t end = kFirstPair;
  int count = 0;
  if (parts.coefficient < kShortEnd) {
    auto digits = static_cast<std::uint64_t>(parts.coefficient);
    count = short_digit_count(digits);
    // The last pair of an odd number of digits ends with a zero.
    if (count % 2 != 0) digits *= 10;
    end += static_cast<std::size_t>(count + 1) / 2;
    for (std::size_t at = end; at-- > kFirstPair; digits /= 100) set(at, 1 + static_cast<int>(digits % 100));
  } else {
    Decimal decimal = parts.to_decimal();
    count = decimal.count;
    const char* const digits = decimal.digits;
    decimal.digits[count] = '0';
    for (int i = 0; i < count; i += 2) set(end++, 1 + (digits[i] - '0') * 10 + (digits[i + 1] - '0'));
  }
  set(1, parts.exponent + count - 1 + kExponentBias);
  set(end++, 0);
  return out + end;
}

PutNumber put_plain_number(char* out, std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  // So few characters cannot exceed the range or the precision of a number.
  if (text.size() > limits::kNumberDigits) return {};
  unsigned char digits[limits::kNumberDigits + 1];
  int count = 0;
  int before_point = -1;
  for (const char c : text) {
    const auto digit = static_cast<unsigned char>(c - '0');
    if (digit <= 9) {
      digits[count++] = digit;
    } else if (c == '.' && before_point < 0) {
      before_point = count;
    } else {
      return {};
    }
  }
  if (count == 0) return {};
  if (before_point < 0) before_point = count;
  int first = 0;
  while (first < count && digits[first] == 0) ++first;
  if (first == count) {
    *out = static_cast<char>(kZero);
    return {out + 1, 1};
  }
  while (digits[count - 1] == 0) --count;
  digits[count] = 0;  // the second half of the last pair of an odd number of digits

  const unsigned char mask = negative ? 0xFF : 0;
  const auto put = [&](int byte) { *out++ = static_cast<char>(static_cast<unsigned char>(byte) ^ mask); };
  *out++ = static_cast<char>(negative ? kNegative : kPositive);
  put(before_point - first - 1 + kExponentBias);
  for (int i = first; i < count; i += 2) put(1 + digits[i] * 10 + digits[i + 1]);
  put(0);
  return {out, size_of_number(count - first, before_point - first, negative)};
}

bool skip_ordered_number(std::string_view& encoded) {
  if (encoded.empty()) return false;
  const auto sign = static_cast<unsigned char>(encoded.front());
  if (sign == kZero) {
    encoded.remove_prefix(1);
    return true;
  }
  const std::size_t end = end_of_number(encoded);
  if (end >= encoded.size()) return false;
  encoded.remove_prefix(end + 1);
  return true;
}

std::size_t take_ordered_number_size(std::string_view& encoded) {
  if (encoded.empty()) return 0;
  const auto sign = static_cast<unsigned char>(encoded.front());
  if (sign == kZero) {
    encoded.remove_prefix(1);
    return 1;
  }
  const unsigned char mask = sign == kNegative ? 0xFF : 0;
  const auto byte = [&](std::size_t i) {
    return static_cast<unsigned char>(static_cast<unsigned char>(encoded[i]) ^ mask);
  };
  const std::size_t end = end_of_number(encoded);
  if (end >= encoded.size()) return 0;
  const bool last_is_half = end > kFirstPair && byte(end - 1) % 10 == 1;
  const int digits = static_cast<int>(2 * (end - kFirstPair)) - (last_is_half ? 1 : 0);
  const int before_point = byte(1) - kExponentBias + 1;
  encoded.remove_prefix(end + 1);
  return size_of_number(digits, before_point, mask != 0);
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

char* write_ordered_number(std::string_view& encoded, char* out) {
  // Most numbers have few digits, none of them behind the point.
  constexpr std::size_t kShort = 8;  // sign, exponent, up to five pairs, end
  if (encoded.size() >= kShort && static_cast<unsigned char>(encoded[0]) == kPositive) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(encoded[i]); };
    std::size_t end = kFirstPair;
    char* at = out;
    for (; end < kShort && byte(end) - 1U < 100; ++end, at += 2)
      std::memcpy(at, kPairs.data() + std::size_t{2} * (byte(end) - 1U), 2);
    if (end < kShort && byte(end) == 0 && end > kFirstPair && byte(kFirstPair) > 10 && byte(end - 1) != 1) {
      const std::ptrdiff_t digits = at - out - (at[-1] == '0' ? 1 : 0);
      const std::ptrdiff_t before_point = byte(1) - kExponentBias + 1;
      if (before_point == digits || before_point == digits + 1) {
        out[digits] = '0';  // which counts only if it stands before the point
        encoded.remove_prefix(end + 1);
        return out + before_point;
      }
    }
  }
  Decimal decimal;
  if (!take_ordered_decimal(encoded, decimal)) return nullptr;
  return write_text(decimal, out);
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
