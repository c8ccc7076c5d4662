#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/hash.h"

namespace dolmen::engine {

/// A hash of the bytes of a vector.
inline std::uint64_t digest_of(std::span<const float> vector) {
  return hash64({reinterpret_cast<const char*>(vector.data()), vector.size_bytes()});
}

}  // namespace dolmen::engine
