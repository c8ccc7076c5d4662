#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace dolmen::entity {

/// The first bytes of the three delimiters of a config, to see quickly that a text contains none of them.
class DelimiterBytes {
 public:
  explicit DelimiterBytes(const std::array<char, 3>& bytes)
      : bytes_{repeated(bytes[0]), repeated(bytes[1]), repeated(bytes[2])} {}

  /// Whether a text contains any of the bytes.
  [[nodiscard]] bool any_in(std::string_view text) const noexcept {
    const char* const begin = text.data();
    const char* const end = begin + text.size();
    // The last part of a text may overlap the one before. A short text is put together in a register: what was just
    // written to memory in parts cannot be read at once without waiting for it.
    if (text.size() >= sizeof(Block)) {
      Block found = found_in(load<Block>(end - sizeof(Block)));
      for (const char* at = begin; at < end - sizeof(Block); at += sizeof(Block)) found |= found_in(load<Block>(at));
      return any(found);
    }
    if (text.size() >= 8)
      return any(found_in(reinterpret_cast<Block>(Words{load<std::uint64_t>(begin), load<std::uint64_t>(end - 8)})));
    std::uint64_t word = 0;
    if (text.size() >= 4) {
      word = std::uint64_t{load<std::uint32_t>(begin)} << 32U | load<std::uint32_t>(end - 4);
    } else if (!text.empty()) {
      // Three bytes cover a text of up to three; the others repeat the last one.
      const auto byte = [&](std::size_t at) { return std::uint64_t{static_cast<unsigned char>(begin[at])}; };
      word = byte(text.size() - 1) * kOneInEachByte << 16U | byte(text.size() / 2) << 8U | byte(0);
    } else {
      return false;
    }
    return any(found_in(reinterpret_cast<Block>(Words{word, word})));
  }

 private:
  /// Bytes that are compared at once.
  using Block [[gnu::vector_size(16)]] = char;
  using Words [[gnu::vector_size(16)]] = std::uint64_t;

  static constexpr std::uint64_t kOneInEachByte = 0x0101'0101'0101'0101;

  static Block repeated(char c) {
    const std::uint64_t word = kOneInEachByte * static_cast<unsigned char>(c);
    return reinterpret_cast<Block>(Words{word, word});
  }
  template <class T>
  static T load(const char* from) noexcept {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
  }
  [[nodiscard]] Block found_in(Block block) const noexcept {
    return reinterpret_cast<Block>((block == bytes_[0]) | (block == bytes_[1]) | (block == bytes_[2]));
  }
  static bool any(Block found) noexcept {
    const auto words = reinterpret_cast<Words>(found);
    return (words[0] | words[1]) != 0;
  }

  std::array<Block, 3> bytes_;
};

}  // namespace dolmen::entity
