#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dolmen::bench {

/// Characters that hardly compress, and are the same each time for the same number. At most 64 KB.
inline std::string_view filler(std::size_t number, std::size_t bytes) {
  constexpr std::size_t kBytesMax = std::size_t{64} << 10;
  constexpr std::size_t kPlaces = std::size_t{1} << 20;
  static const std::string letters = [] {
    std::string made(kPlaces + kBytesMax, '\0');
    std::uint64_t state = 1;
    for (char& letter : made) {
      state = state * 6364136223846793005 + 1442695040888963407;
      letter = static_cast<char>('0' + static_cast<char>(state >> 58));
    }
    return made;
  }();
  return std::string_view(letters).substr(number * 7919 % kPlaces, bytes);
}

}  // namespace dolmen::bench
