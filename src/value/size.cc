#include <algorithm>
#include <set>

#include "value/encoded_item.h"
#include "value/key_codec.h"
#include "value/number_parts.h"
#include "value/value_size.h"

namespace dolmen {
namespace {

std::size_t map_body_size(EncodedReader& reader, std::size_t per_element);

template <class Size>
std::size_t sum_of_members(EncodedReader& reader, Size size) {
  reader.enter_container();
  std::size_t total = 0;
  const std::size_t count = reader.take_count();
  for (std::size_t i = 0; i < count && reader.ok(); ++i) total += size();
  return total;
}

std::size_t value_size(EncodedReader& reader) {
  switch (reader.take_tag()) {
    case ValueTag::kNull:
    case ValueTag::kFalse:
    case ValueTag::kTrue: return 1;
    case ValueTag::kString:
    case ValueTag::kBinary: return reader.take_bytes().size();
    case ValueTag::kNumber: return reader.take_number_size();
    case ValueTag::kList: return kContainerOverhead + sum_of_members(reader, [&] { return 1 + value_size(reader); });
    case ValueTag::kMap: reader.enter_container(); return kContainerOverhead + map_body_size(reader, 1);
    case ValueTag::kStringSet:
    case ValueTag::kBinarySet: return sum_of_members(reader, [&] { return reader.take_bytes().size(); });
    case ValueTag::kNumberSet: return sum_of_members(reader, [&] { return reader.take_number_size(); });
  }
  return 0;
}

std::size_t map_body_size(EncodedReader& reader, std::size_t per_element) {
  std::size_t total = 0;
  const std::size_t count = reader.take_count();
  for (std::size_t i = 0; i < count && reader.ok(); ++i)
    total += per_element + reader.take_bytes().size() + value_size(reader);
  return total;
}

std::size_t map_size(const Item& map, std::size_t per_element);

/// The size of a value of a tree, by the rules that `value_size` applies to an encoded one.
struct TreeSize {
  std::size_t operator()(std::nullptr_t) const { return 1; }
  std::size_t operator()(bool) const { return 1; }
  std::size_t operator()(const std::string& value) const { return value.size(); }
  std::size_t operator()(const Bytes& value) const { return value.size(); }
  std::size_t operator()(const Number& value) const { return number_size(value); }
  std::size_t operator()(const AttributeValue& value) const { return value.visit(*this); }
  std::size_t operator()(const List& list) const { return kContainerOverhead + list.size() + sum(list); }
  std::size_t operator()(const Item& map) const { return kContainerOverhead + map_size(map, 1); }
  template <class T, class... Rest>
  std::size_t operator()(const std::set<T, Rest...>& members) const {
    return sum(members);
  }

 private:
  template <class Elements>
  [[nodiscard]] std::size_t sum(const Elements& elements) const {
    std::size_t total = 0;
    for (const auto& element : elements) total += (*this)(element);
    return total;
  }
};

std::size_t map_size(const Item& map, std::size_t per_element) {
  std::size_t total = 0;
  for (const auto& [name, value] : map) total += per_element + name.size() + TreeSize()(value);
  return total;
}

}  // namespace

std::size_t number_size(const Number& number) {
  const NumberParts parts = NumberParts::of(number);
  const int digits = digit_count(parts.coefficient);
  return size_of_number(digits, digits + parts.exponent, parts.negative);
}

std::size_t item_size(std::string_view item) {
  EncodedReader reader(item);
  reader.take_version();
  return map_body_size(reader, 0);
}

std::size_t item_size(const Item& item) { return map_size(item, 0); }

std::size_t value_size(const AttributeValue& value) { return TreeSize()(value); }

}  // namespace dolmen
