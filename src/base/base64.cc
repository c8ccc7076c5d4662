#include "base/base64.h"

#include <array>
#include <cstring>

#include "base/base64_blocks.h"
#include "base/fail.h"

namespace dolmen {
namespace {

constexpr std::string_view kStandardAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kUrlAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The two letters for every value of twelve bits.
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

/// The text without its padding of at most two characters.
std::string_view without_padding(std::string_view text) {
  for (int i = 0; i < 2 && text.ends_with('='); ++i) text.remove_suffix(1);
  return text;
}

}  // namespace

std::size_t base64_size(std::size_t bytes) { return (bytes + 2) / 3 * 4; }

char* write_base64(char* out, std::string_view bytes, Base64 alphabet) {
  const std::string_view letters = alphabet == Base64::kUrl ? kUrlAlphabet : kStandardAlphabet;
  const char* const pairs = alphabet == Base64::kUrl ? kUrlPairs.data() : kStandardPairs.data();
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])); };
  std::size_t i = alphabet == Base64::kStandard ? base64_blocks::encode(out, bytes) : 0;
  out += i / 3 * 4;
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

Result<void> check_base64(std::string_view text, Base64 alphabet) {
  if (text.size() % 4 != 0)
    return fail(Code::kSerialization, "Base64 encoded length is expected a multiple of 4 bytes but found: {}",
                text.size());
  const auto& inverse = alphabet == Base64::kUrl ? kUrlInverse : kStandardInverse;
  const std::string_view letters = without_padding(text);
  // The values of letters have six bits; foreign characters are marked by higher bits.
  std::uint8_t all = 0;
  const std::size_t known = alphabet == Base64::kStandard ? base64_blocks::check(letters) : 0;
  for (const char letter : letters.substr(known)) all |= inverse[static_cast<unsigned char>(letter)];
  if (all > 63) return not_canonical();
  // In a final group of two or three letters, the unused bits of the last letter must be zero.
  const std::size_t rest = letters.size() % 4;
  if (rest != 0 && (inverse[static_cast<unsigned char>(letters.back())] & (rest == 2 ? 15 : 3)) != 0)
    return not_canonical();
  return {};
}

std::size_t decoded_base64_size(std::string_view text) { return without_padding(text).size() * 3 / 4; }

char* write_decoded_base64(char* out, std::string_view text, Base64 alphabet) {
  const auto& inverse = alphabet == Base64::kUrl ? kUrlInverse : kStandardInverse;
  const std::string_view letters = without_padding(text);
  const auto value = [&](std::size_t i) -> std::uint32_t { return inverse[static_cast<unsigned char>(letters[i])]; };
  const auto put = [&](std::uint32_t byte) { *out++ = static_cast<char>(static_cast<unsigned char>(byte)); };
  std::size_t i = alphabet == Base64::kStandard ? base64_blocks::decode(out, letters) : 0;
  out += i / 4 * 3;
  for (; i + 4 <= letters.size(); i += 4) {
    const std::uint32_t group = value(i) << 18 | value(i + 1) << 12 | value(i + 2) << 6 | value(i + 3);
    put(group >> 16);
    put(group >> 8);
    put(group);
  }
  const std::size_t rest = letters.size() - i;
  if (rest == 0) return out;
  put(value(i) << 2 | value(i + 1) >> 4);
  if (rest == 3) put(value(i + 1) << 4 | value(i + 2) >> 2);
  return out;
}

Result<std::string> decode_base64(std::string_view text, Base64 alphabet) {
  DOLMEN_TRY_VOID(check_base64(text, alphabet));
  std::string out(decoded_base64_size(text), '\0');
  write_decoded_base64(out.data(), text, alphabet);
  return out;
}

}  // namespace dolmen
