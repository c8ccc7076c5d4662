#pragma once

#include <cstdint>
#include <string_view>

namespace dolmen::entity {

/// The hash that spreads entities over shards: over UTF-16 code units from the last to the first, h = h * 33 xor unit,
/// starting with 5381, in 32 bits. It is the same in every language, because stored keys depend on it.
std::uint32_t string_hash(std::string_view text);

}  // namespace dolmen::entity
