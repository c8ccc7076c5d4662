#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "dolmen/value.h"

namespace dolmen {

/// The order of attribute names: below 0, 0 or above 0. Usually the first byte decides.
inline int compare_names(std::string_view a, std::string_view b) noexcept {
  if (a.empty() || b.empty()) return static_cast<int>(!a.empty()) - static_cast<int>(!b.empty());
  const int first = static_cast<unsigned char>(a[0]) - static_cast<unsigned char>(b[0]);
  if (first != 0) return first;
  const int rest = std::memcmp(a.data(), b.data(), std::min(a.size(), b.size()));
  if (rest != 0) return rest;
  return a.size() < b.size() ? -1 : static_cast<int>(a.size() > b.size());
}

/// The first bytes of a name as a number. Where the numbers differ, names sort as their numbers do.
inline std::uint64_t name_prefix(std::string_view name) noexcept {
  const auto load = [&]<class Word>(Word word, std::size_t at) {
    std::memcpy(&word, name.data() + at, sizeof word);
    if constexpr (std::endian::native == std::endian::big) return word;
    return sizeof word == 8 ? static_cast<Word>(__builtin_bswap64(word))
                            : static_cast<Word>(__builtin_bswap32(static_cast<std::uint32_t>(word)));
  };
  if (name.size() >= 8) return load(std::uint64_t{}, 0);
  // Two halves, which overlap when the name is short.
  if (name.size() >= 4)
    return std::uint64_t{load(std::uint32_t{}, 0)} << 32U | std::uint64_t{load(std::uint32_t{}, name.size() - 4)}
                                                                << 8U * (8 - name.size());
  std::uint64_t prefix = 0;
  for (std::size_t i = 0; i < name.size(); ++i)
    prefix |= std::uint64_t{static_cast<unsigned char>(name[i])} << 8U * (7 - i);
  return prefix;
}

__extension__ typedef unsigned __int128 NameStart;  // NOLINT(modernize-use-using): __extension__ needs a typedef

/// The same for twice as many bytes, which tells most names apart.
inline NameStart name_start(std::string_view name) noexcept {
  constexpr std::size_t kPrefix = sizeof(std::uint64_t);
  const auto word_at = [&](std::size_t at) { return name_prefix({name.data() + at, kPrefix}); };
  if (name.size() <= kPrefix) return NameStart{name_prefix(name)} << 64U;
  const std::uint64_t second = name.size() >= 2 * kPrefix
                                   ? word_at(kPrefix)
                                   : word_at(name.size() - kPrefix) << 8U * (2 * kPrefix - name.size());
  return NameStart{word_at(0)} << 64U | second;
}

/// The order of two names with equal starts: below 0, 0 or above 0.
inline int compare_after_start(std::string_view a, std::string_view b) noexcept {
  constexpr std::size_t kStart = sizeof(NameStart);
  if (a.size() == b.size()) {
    if (a.size() <= kStart) return 0;
    // The last bytes overlap the start.
    const auto end_of = [](std::string_view name) { return name.data() + name.size() - kStart; };
    if (a.size() <= 2 * kStart && std::memcmp(end_of(a), end_of(b), kStart) == 0) return 0;
  } else if (std::min(a.size(), b.size()) <= kStart) {
    // The shorter one is the beginning of the other.
    return a.size() < b.size() ? -1 : 1;
  }
  return compare_names({a.data() + kStart, a.size() - kStart}, {b.data() + kStart, b.size() - kStart});
}

/// Where an item has an attribute, or would have it.
struct AttributePlace {
  /// How many attributes are before it.
  std::uint32_t at = 0;
  bool exists = false;
};

/// The change of one attribute of an item.
struct TextChange {
  enum class Kind : std::uint8_t { kNone, kSet, kRemove };

  std::string_view name;
  AttributePlace place;
  Kind kind = Kind::kNone;
  /// Used by kSet only.
  std::string_view text;
};

/// Access to the inside of an `Item` for code that reads or changes many attributes at once.
struct ItemParts {
  static const std::vector<Item::Attribute>& of(const Item& item) noexcept { return item.attributes_; }
  /// The caller must keep the attributes sorted by name, and each name unique.
  static std::vector<Item::Attribute>& of(Item& item) noexcept { return item.attributes_; }

  /// Makes all changes, which must be sorted by name and have their places in the unchanged item. Their texts must
  /// not be parts of it. Faster than one change at a time.
  static void change(Item& item, std::span<const TextChange> changes);
};

}  // namespace dolmen
