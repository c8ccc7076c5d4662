#include "entity/string_hash.h"

#include <ranges>
#include <string>

#include "entity/utf16.h"

namespace dolmen::entity {

namespace {

template <class Units>
std::uint32_t hash_units(const Units& units) {
  std::uint32_t hash = 5381;
  for (const auto unit : units | std::views::reverse)
    hash = hash * 33U ^ static_cast<std::uint32_t>(static_cast<std::make_unsigned_t<decltype(unit + 0)>>(unit));
  return hash;
}

}  // namespace

std::uint32_t string_hash(std::string_view text) {
  return is_ascii(text) ? hash_units(text) : hash_units(utf16_units(text));
}

}  // namespace dolmen::entity
