#include "base/base64.h"

#include <array>
#include <cstring>

#include "base/fail.h"

namespace dolmen {
namespace {

constexpr std::string_view kStandardAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kUrlAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The letters for every twelve bits.
constexpr std::array<char, 8192> pairs_of(std::string_view alphabet) {
  std::array<char, 8192> pairs{};
  for (std::size_t i = 0; i < 4096; ++i) {
    pairs[2 * i] = alphabet[i >> 6];
    pairs[2 * i + 1] = alphabet[i & 63];
  }
  return pairs;
}

constexpr auto kStandardPairs = pairs_of(kStandardAlphabet);
constexpr auto kUrlPairs = pairs_of(kUrlAlphabet);

constexpr std::uint8_t kForeign = 0xFF;

constexpr std::array<std::uint8_t, 256> inverse_of(std::string_view alphabet) {
  std::array<std::uint8_t, 256> inverse{};
  inverse.fill(kForeign);
  for (std::size_t i = 0; i < alphabet.size(); ++i)
    inverse[static_cast<unsigned char>(alphabet[i])] = static_cast<std::uint8_t>(i);
  return inverse;
}

constexpr auto kStandardInverse = inverse_of(kStandardAlphabet);
constexpr auto kUrlInverse = inverse_of(kUrlAlphabet);

std::unexpected<Error> not_canonical() {
  return fail(Code::kSerialization, "Invalid last non-pad Base64 character dectected");  // DynamoDB's own spelling.
}

}  // namespace

std::size_t base64_size(std::size_t bytes) { return (bytes + 2) / 3 * 4; }

char* write_base64(char* out, std::string_view bytes, Base64 alphabet) {
  const std::string_view letters = alphabet == Base64::kUrl ? kUrlAlphabet : kStandardAlphabet;
  const char* const pairs = alphabet == Base64::kUrl ? kUrlPairs.data() : kStandardPairs.data();
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])); };
  std::size_t i = 0;
  for (; i + 3 <= bytes.size(); i += 3, out += 4) {
    const std::uint32_t group = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    std::memcpy(out, pairs + std::size_t{2} * (group >> 12), 2);
    std::memcpy(out + 2, pairs + std::size_t{2} * (group & 0xFFF), 2);
  }
  const std::size_t rest = bytes.size() - i;
  if (rest == 0) return out;
  const std::uint32_t group = byte(i) << 16 | (rest == 2 ? byte(i + 1) << 8 : 0);
  *out++ = letters[group >> 18];
  *out++ = letters[group >> 12 & 63];
  *out++ = rest == 2 ? letters[group >> 6 & 63] : '=';
  *out++ = '=';
  return out;
}

void append_base64(std::string& out, std::string_view bytes, Base64 alphabet) {
  const std::size_t start = out.size();
  out.resize(start + base64_size(bytes.size()));
  write_base64(out.data() + start, bytes, alphabet);
}

std::string encode_base64(std::string_view bytes, Base64 alphabet) {
  std::string out;
  append_base64(out, bytes, alphabet);
  return out;
}

Result<std::string> decode_base64(std::string_view text, Base64 alphabet) {
  if (text.size() % 4 != 0)
    return fail(Code::kSerialization, "Base64 encoded length is expected a multiple of 4 bytes but found: {}",
                text.size());
  const auto& inverse = alphabet == Base64::kUrl ? kUrlInverse : kStandardInverse;
  std::size_t letters = text.size();
  while (letters > 0 && text.size() - letters < 2 && text[letters - 1] == '=') --letters;

  const auto value = [&](std::size_t i) -> std::uint32_t { return inverse[static_cast<unsigned char>(text[i])]; };
  std::string out(letters * 3 / 4, '\0');
  char* at = out.data();
  const auto put = [&](std::uint32_t byte) { *at++ = static_cast<char>(static_cast<unsigned char>(byte)); };
  std::size_t i = 0;
  for (; i + 4 <= letters; i += 4) {
    const std::uint32_t a = value(i), b = value(i + 1), c = value(i + 2), d = value(i + 3);
    // Values have six bits; what is foreign has eight.
    if ((a | b | c | d) > 63) return not_canonical();
    put(a << 2 | b >> 4);
    put(b << 4 | c >> 2);
    put(c << 6 | d);
  }
  const std::size_t rest = letters - i;
  if (rest == 0) return out;
  // Two letters or three, as at most two were padding. The bits that they have too many must be zero.
  const std::uint32_t a = value(i), b = value(i + 1), c = rest == 3 ? value(i + 2) : 0;
  if ((a | b | c) > 63 || (rest == 2 ? b & 15 : c & 3) != 0) return not_canonical();
  put(a << 2 | b >> 4);
  if (rest == 3) put(b << 4 | c >> 2);
  return out;
}

}  // namespace dolmen
