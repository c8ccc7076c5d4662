#include "service/tag_rules.h"

#include <set>

#include "base/ascii.h"
#include "base/fail.h"
#include "base/limits.h"
#include "base/unicode.h"

namespace dolmen {
namespace {

constexpr std::string_view kReservedPrefix = "aws:";
constexpr std::string_view kOtherCharacters = "+-=._:/@";

/// Takes the first character off well-formed UTF-8.
char32_t take_character(std::string_view& text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t bytes = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  constexpr unsigned char kLeadBits[] = {0x7F, 0x1F, 0x0F, 0x07};
  char32_t character = first & kLeadBits[bytes - 1];
  for (std::size_t i = 1; i < bytes; ++i) character = (character << 6) | (static_cast<unsigned char>(text[i]) & 0x3FU);
  text.remove_prefix(bytes);
  return character;
}

bool is_tag_character(char32_t character) {
  if (character < 0x80 && kOtherCharacters.find(static_cast<char>(character)) != std::string_view::npos) return true;
  return is_letter_digit_or_space(character);
}

/// The characters of a text that has no others than a tag may have.
std::optional<std::size_t> tag_length(std::string_view text) {
  if (!is_utf8(text)) return std::nullopt;
  std::size_t length = 0;
  for (; !text.empty(); ++length)
    if (!is_tag_character(take_character(text))) return std::nullopt;
  return length;
}

bool is_reserved(std::string_view key) {
  return equals_ignoring_case(key.substr(0, kReservedPrefix.size()), kReservedPrefix);
}

Result<void> check_key(std::string_view key) {
  const std::optional<std::size_t> length = tag_length(key);
  if (!length || *length < 1 || *length > limits::kTagKeyCharacters) return invalid_tag_key(key);
  if (is_reserved(key))
    return fail(Code::kValidation, "Tag Key cannot be prefixed with {}, Key: {}", kReservedPrefix, key);
  return {};
}

}  // namespace

std::unexpected<Error> invalid_tag_key(std::string_view shown) {
  return fail(Code::kValidation, "The Tag Key provided is invalid, Key: {}", shown);
}

std::unexpected<Error> invalid_tag_value(std::string_view shown) {
  return fail(Code::kValidation, "The Tag Value provided is invalid, Value: {}", shown);
}

Result<void> check_tags(std::span<const Tag> tags) {
  std::set<std::string_view> keys;
  for (const Tag& tag : tags) {
    DOLMEN_TRY_VOID(check_key(tag.key));
    const std::optional<std::size_t> length = tag_length(tag.value);
    if (!length || *length > limits::kTagValueCharacters) return invalid_tag_value(tag.value);
    if (!keys.insert(tag.key).second)
      return fail(Code::kValidation, "Duplicate Tag Keys provided as input: Duplicate Tag Key found {}", tag.key);
  }
  return {};
}

Result<void> check_tag_keys(std::span<const std::string> keys) {
  for (const std::string& key : keys) DOLMEN_TRY_VOID(check_key(key));
  return {};
}

Result<void> check_tag_count(std::size_t count) {
  if (count > limits::kTags)
    return fail(Code::kValidation, "Number of Tags exceed the current limit for the provided ResourceArn");
  return {};
}

}  // namespace dolmen
