#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "base/unicode.h"
#include "dolmen/value.h"

namespace dolmen {

/// Random values for tests: every type, odd names, zero bytes, and sometimes deep nesting.
class RandomItems {
 public:
  explicit RandomItems(std::uint64_t seed) : random_(seed) {}

  Item item() { return map(0); }

  std::string text() {
    std::string out;
    for (std::size_t n = below(12); n > 0; --n) {
      const auto any = static_cast<char32_t>(below(0x110000));
      const bool surrogate = any >= 0xD800 && any <= 0xDFFF;
      append_utf8(out, below(4) > 0 || surrogate ? static_cast<char32_t>(below(128)) : any);
    }
    return out;
  }

  std::string bytes() {
    std::string out(below(12), '\0');
    for (char& byte : out) byte = below(3) == 0 ? (below(2) == 0 ? '\0' : '\xFF') : static_cast<char>(below(256));
    return out;
  }

  Number number() {
    std::string digits = below(2) == 0 ? "-" : "";
    for (std::size_t n = 1 + below(below(8) == 0 ? 38 : 4); n > 0; --n)
      digits.push_back(static_cast<char>('0' + below(10)));
    // Leaves room for 38 digits on either side of the range.
    const int exponent = below(3) == 0 ? static_cast<int>(below(210)) - 128 : static_cast<int>(below(8)) - 4;
    return Number::parse(digits + "e" + std::to_string(exponent)).value_or(Number(0));
  }

  std::size_t below(std::size_t limit) { return random_() % limit; }

  void shuffle(std::vector<std::string>& texts) { std::ranges::shuffle(texts, random_); }

 private:
  Item map(unsigned depth) {
    Item item;
    for (std::size_t n = below(6); n > 0; --n) {
      const std::string name = text();
      if (!name.empty()) item.set(name, value(depth + 1));
    }
    return item;
  }

  AttributeValue value(unsigned depth) {
    switch (below(depth > 5 ? 5 : 10)) {
      case 0: return text();
      case 1: return number();
      case 2: return Bytes(bytes());
      case 3: return below(2) == 0;
      case 4: return nullptr;
      case 5: return list(depth);
      case 6: return map(depth);
      case 7: return some<StringSet>([&] { return text(); });
      case 8: return some<NumberSet>([&] { return number(); });
      default: return some<BinarySet>([&] { return Bytes(bytes()); });
    }
  }

  List list(unsigned depth) {
    List elements;
    for (std::size_t n = below(4); n > 0; --n) elements.push_back(value(depth + 1));
    return elements;
  }

  template <class Set, class Make>
  Set some(Make make) {
    Set set;
    for (std::size_t n = 1 + below(4); n > 0; --n) set.insert(make());
    return set;
  }

  std::mt19937_64 random_;
};

}  // namespace dolmen
