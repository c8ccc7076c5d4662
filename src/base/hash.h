#pragma once

#include <cstdint>
#include <string_view>

namespace dolmen {

/// A fast 64-bit hash (XXH3) that is the same on every machine and in every version, so it may be stored.
std::uint64_t hash64(std::string_view bytes) noexcept;

/// The same with a secret seed, without which an attacker cannot choose bytes whose hashes collide. Not for storing.
std::uint64_t hash64(std::string_view bytes, std::uint64_t seed) noexcept;

}  // namespace dolmen
