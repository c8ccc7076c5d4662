#include "entity/string_hash.h"

#include <ranges>
#include <string>

#include "entity/utf16.h"

namespace dolmen::entity {

namespace {

constexpr std::uint32_t kStart = 5381;

std::uint32_t add_unit(std::uint32_t hash, std::uint32_t unit) { return hash * 33U ^ unit; }

}  // namespace

std::uint32_t string_hash(std::string_view text) {
  std::uint32_t hash = kStart;
  std::uint32_t seen = 0;
#pragma GCC unroll 4
  for (std::size_t i = text.size(); i-- > 0;) {
    const auto unit = static_cast<std::uint32_t>(static_cast<unsigned char>(text[i]));
    seen |= unit;
    hash = add_unit(hash, unit);
  }
  // Bytes are code units only in ASCII.
  if (seen < 0x80) return hash;
  hash = kStart;
  const std::u16string units = utf16_units(text);
  for (const char16_t unit : units | std::views::reverse) hash = add_unit(hash, unit);
  return hash;
}

}  // namespace dolmen::entity
