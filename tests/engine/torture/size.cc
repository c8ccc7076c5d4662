#include "size.h"

#include <fmt/format.h>
#include <type_traits>

namespace dolmen::torture {
namespace {

std::string without_leading_zeros(const std::string& digits) {
  return digits.substr(std::min(digits.find_first_not_of('0'), digits.size()));
}

std::string without_trailing_zeros(const std::string& digits) {
  return digits.substr(0, digits.find_last_not_of('0') + 1);
}

/// Two digits to a byte, on either side of the point, one byte more, and one for a minus.
std::size_t size_of(const Number& number) {
  std::string text = number.to_string();
  const bool negative = text.starts_with('-');
  if (negative) text.erase(0, 1);
  const std::size_t point = std::min(text.find('.'), text.size());
  std::string whole = without_leading_zeros(text.substr(0, point));
  std::string fraction = point == text.size() ? "" : text.substr(point + 1);
  if (fraction.empty()) whole = without_trailing_zeros(whole);
  if (whole.empty()) fraction = without_leading_zeros(fraction);
  if (whole.empty() && fraction.empty()) return 1;
  return 1 + (whole.size() + 1) / 2 + (fraction.size() + 1) / 2 + (negative ? 1 : 0);
}

std::size_t size_of(const AttributeValue& value) {
  return value.visit([](const auto& held) -> std::size_t {
    using Held = std::decay_t<decltype(held)>;
    std::size_t size = 0;
    if constexpr (std::is_same_v<Held, Number>) {
      size = size_of(held);
    } else if constexpr (std::is_same_v<Held, NumberSet>) {
      for (const Number& member : held) size += size_of(member);
    } else if constexpr (std::is_same_v<Held, StringSet> || std::is_same_v<Held, BinarySet>) {
      for (const auto& member : held) size += member.size();
    } else if constexpr (std::is_same_v<Held, List>) {
      size = 3;
      for (const AttributeValue& element : held) size += 1 + size_of(element);
    } else if constexpr (std::is_same_v<Held, Item>) {
      size = 3;
      for (const auto& [name, member] : held) size += 1 + name.size() + size_of(member);
    } else if constexpr (requires { held.size(); }) {
      size = held.size();
    } else {
      size = 1;
    }
    return size;
  });
}

}  // namespace

std::size_t size_of(const Item& item) {
  std::size_t size = 0;
  for (const auto& [name, value] : item) size += name.size() + size_of(value);
  return size;
}

std::string shown(const Extent& extent) {
  return fmt::format("{} items, {} bytes", extent.item_count, extent.size_bytes);
}

std::string shown_extent(const std::vector<Item>& rows) {
  Extent extent{.item_count = rows.size()};
  for (const Item& row : rows) extent.size_bytes += size_of(row);
  return shown(extent);
}

}  // namespace dolmen::torture
