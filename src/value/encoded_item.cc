#include "value/encoded_item.h"

#include <algorithm>
#include <functional>

#include "base/check.h"
#include "base/fail.h"
#include "base/limits.h"
#include "base/unicode.h"
#include "base/varint.h"
#include "value/container_writer.h"
#include "value/key_codec.h"
#include "value/number_parts.h"

namespace dolmen {
namespace {

void append_tag(std::string& out, ValueTag tag) { out.push_back(static_cast<char>(tag)); }

void append_sized(std::string& out, std::string_view bytes) {
  append_varint(out, bytes.size());
  out.append(bytes);
}

void append_map_body(std::string& out, const Item& item) {
  append_varint(out, item.size());
  for (const auto& [name, value] : item) {
    append_sized(out, name);
    append_value(out, value);
  }
}

/// One overload per alternative of AttributeValue.
struct ValueWriter {
  std::string& out;

  void operator()(const std::string& value) const { sized(ValueTag::kString, value); }
  void operator()(const Bytes& value) const { sized(ValueTag::kBinary, value.view()); }
  void operator()(bool value) const { append_tag(out, value ? ValueTag::kTrue : ValueTag::kFalse); }
  void operator()(std::nullptr_t) const { append_tag(out, ValueTag::kNull); }
  void operator()(const Number& value) const {
    append_tag(out, ValueTag::kNumber);
    append_ordered_number(out, value);
  }
  void operator()(const List& value) const {
    const ContainerWriter container(out, ValueTag::kList);
    append_varint(out, value.size());
    for (const AttributeValue& element : value) append_value(out, element);
  }
  void operator()(const Item& value) const {
    const ContainerWriter container(out, ValueTag::kMap);
    append_map_body(out, value);
  }
  void operator()(const StringSet& value) const {
    members(ValueTag::kStringSet, value, [&](const std::string& member) { append_sized(out, member); });
  }
  void operator()(const NumberSet& value) const {
    members(ValueTag::kNumberSet, value, [&](const Number& member) { append_ordered_number(out, member); });
  }
  void operator()(const BinarySet& value) const {
    members(ValueTag::kBinarySet, value, [&](const Bytes& member) { append_sized(out, member.view()); });
  }

 private:
  void sized(ValueTag tag, std::string_view bytes) const {
    append_tag(out, tag);
    append_sized(out, bytes);
  }
  template <class Set, class Append>
  void members(ValueTag tag, const Set& set, Append append) const {
    const ContainerWriter container(out, tag);
    append_varint(out, set.size());
    for (const auto& member : set) append(member);
  }
};

/// Builds the tree, and checks everything that `encode_item` guarantees.
class Decoder {
 public:
  explicit Decoder(std::string_view bytes) : reader_(bytes) {}

  std::optional<Item> item() {
    reader_.take_version();
    Item item = map_body(0);
    if (!reader_.ok() || !reader_.at_end()) return std::nullopt;
    return item;
  }

  std::optional<AttributeValue> only_value() {
    AttributeValue only = value(1);
    if (!reader_.ok() || !reader_.at_end()) return std::nullopt;
    return only;
  }

 private:
  Item map_body(unsigned depth) {
    Item item;
    std::string_view last;
    const std::size_t count = reader_.take_count();
    // An attribute takes at least two bytes, which limits what a damaged count can reserve.
    item.reserve(std::min(count, reader_.rest().size() / 2));
    for (std::size_t i = 0; i < count && reader_.ok(); ++i) {
      const std::string_view name = reader_.take_bytes();
      if ((i > 0 && name <= last) || !is_utf8(name)) reader_.mark_bad();
      last = name;
      item.set(std::string(name), value(depth + 1));
    }
    return item;
  }

  AttributeValue value(unsigned depth) {
    // A value of an expression may be one level deeper than those of items.
    if (depth > limits::kNestingLevels + 1) reader_.mark_bad();
    switch (reader_.take_tag()) {
      case ValueTag::kNull: return nullptr;
      case ValueTag::kFalse: return false;
      case ValueTag::kTrue: return true;
      case ValueTag::kString: return text();
      case ValueTag::kNumber: return reader_.take_number();
      case ValueTag::kBinary: return Bytes(std::string(reader_.take_bytes()));
      case ValueTag::kList: return list(depth);
      case ValueTag::kMap: return container([&] { return map_body(depth); });
      case ValueTag::kStringSet: return set<StringSet>([&] { return text(); });
      case ValueTag::kNumberSet: return set<NumberSet>([&] { return reader_.take_number(); });
      case ValueTag::kBinarySet: return set<BinarySet>([&] { return Bytes(std::string(reader_.take_bytes())); });
    }
    reader_.mark_bad();
    return nullptr;
  }

  std::string text() {
    const std::string_view bytes = reader_.take_bytes();
    if (!is_utf8(bytes)) reader_.mark_bad();
    return std::string(bytes);
  }

  AttributeValue list(unsigned depth) {
    return container([&] {
      List elements;
      const std::size_t count = reader_.take_count();
      for (std::size_t i = 0; i < count && reader_.ok(); ++i) elements.push_back(value(depth + 1));
      return elements;
    });
  }

  template <class Set, class Take>
  AttributeValue set(Take take) {
    return container([&] {
      Set members;
      const std::size_t count = reader_.take_count();
      if (count == 0) reader_.mark_bad();
      for (std::size_t i = 0; i < count && reader_.ok(); ++i) {
        const std::size_t before = members.size();
        const auto added = members.insert(members.end(), take());
        if (members.size() == before || added != std::prev(members.end())) reader_.mark_bad();
      }
      return members;
    });
  }

  /// Runs `body` on exactly the bytes of a container.
  template <class Body>
  AttributeValue container(Body body) {
    const std::string_view outside = reader_.rest();
    reader_.enter_container();
    const std::size_t length = container_length(outside);
    const std::string_view inside = reader_.rest();
    AttributeValue value = body();
    if (!reader_.ok() || inside.size() - reader_.rest().size() != length) reader_.mark_bad();
    return value;
  }

  EncodedReader reader_;
};

}  // namespace

Type type_of(ValueTag tag) {
  switch (tag) {
    case ValueTag::kNull: return Type::kNull;
    case ValueTag::kFalse:
    case ValueTag::kTrue: return Type::kBool;
    case ValueTag::kString: return Type::kString;
    case ValueTag::kNumber: return Type::kNumber;
    case ValueTag::kBinary: return Type::kBinary;
    case ValueTag::kList: return Type::kList;
    case ValueTag::kMap: return Type::kMap;
    case ValueTag::kStringSet: return Type::kStringSet;
    case ValueTag::kNumberSet: return Type::kNumberSet;
    case ValueTag::kBinarySet: return Type::kBinarySet;
  }
  DOLMEN_UNREACHABLE("a tag outside the closed list");
}

EncodedItem encode_item(const Item& item) {
  EncodedItem encoded;
  encoded.bytes.push_back(kItemVersion);
  append_map_body(encoded.bytes, item);
  return encoded;
}

void append_value(std::string& out, const AttributeValue& value) { value.visit(ValueWriter{out}); }

Result<Item> decode_item(std::string_view bytes) {
  std::optional<Item> item = Decoder(bytes).item();
  if (!item) return fail(Code::kCorruption, "a stored item is damaged ({} bytes)", bytes.size());
  return std::move(*item);
}

Result<AttributeValue> decode_value(std::string_view bytes) {
  std::optional<AttributeValue> value = Decoder(bytes).only_value();
  if (!value) return fail(Code::kCorruption, "a value is damaged ({} bytes)", bytes.size());
  return std::move(*value);
}

void EncodedReader::take_version() {
  if (rest_.empty() || rest_.front() != kItemVersion) return mark_bad();
  rest_.remove_prefix(1);
}

Number EncodedReader::take_number() {
  const std::optional<Number> number = take_ordered_number(rest_);
  if (!number) mark_bad();
  return number.value_or(Number());
}

void EncodedReader::take_decimal(Decimal& decimal) {
  if (take_ordered_decimal(rest_, decimal)) return;
  mark_bad();
  decimal.count = 0;
}

char* EncodedReader::take_number_text(char* out) {
  char* const end = write_ordered_number(rest_, out);
  if (end == nullptr) mark_bad();
  return end == nullptr ? out : end;
}

std::size_t EncodedReader::take_number_size() {
  const std::size_t size = take_ordered_number_size(rest_);
  if (size == 0) mark_bad();
  return size;
}

std::string_view EncodedReader::take_raw_number() {
  const std::string_view start = rest_;
  if (!skip_ordered_number(rest_)) {
    mark_bad();
    return {};
  }
  return start.substr(0, start.size() - rest_.size());
}

void EncodedReader::enter_container() {
  if (rest_.size() < kContainerLengthBytes || container_length(rest_) > rest_.size() - kContainerLengthBytes)
    return mark_bad();
  rest_.remove_prefix(kContainerLengthBytes);
}

void EncodedReader::skip_value(ValueTag tag) {
  switch (tag) {
    case ValueTag::kNull:
    case ValueTag::kFalse:
    case ValueTag::kTrue: return;
    case ValueTag::kString:
    case ValueTag::kBinary: take_bytes(); return;
    case ValueTag::kNumber: take_raw_number(); return;
    default: {
      const std::size_t length = container_length(rest_);
      enter_container();
      if (ok_) rest_.remove_prefix(length);
    }
  }
}

std::optional<std::string_view> find_attribute(std::string_view item, std::string_view name) {
  EncodedReader reader(item);
  reader.take_version();
  const std::size_t count = reader.take_count();
  for (std::size_t i = 0; i < count && reader.ok(); ++i) {
    const int order = reader.take_bytes().compare(name);
    if (order > 0) break;
    const std::string_view start = reader.rest();
    reader.skip_value(reader.take_tag());
    if (order == 0 && reader.ok()) return start.substr(0, start.size() - reader.rest().size());
  }
  return std::nullopt;
}

EncodedItem select_attributes(std::string_view item, std::span<const std::string> names) {
  EncodedReader reader(item);
  reader.take_version();
  const std::size_t count = reader.take_count();
  std::string selected;
  std::size_t selected_count = 0;
  for (std::size_t i = 0; i < count && reader.ok(); ++i) {
    const std::string_view start = reader.rest();
    const std::string_view name = reader.take_bytes();
    reader.skip_value(reader.take_tag());
    if (!reader.ok() || !std::ranges::binary_search(names, name, std::less<>())) continue;
    selected.append(start.substr(0, start.size() - reader.rest().size()));
    ++selected_count;
  }
  EncodedItem out;
  out.bytes.reserve(selected.size() + 4);
  out.bytes.push_back(kItemVersion);
  append_varint(out.bytes, selected_count);
  out.bytes.append(selected);
  return out;
}

std::size_t attribute_count(std::string_view item) {
  EncodedReader reader(item);
  reader.take_version();
  return reader.take_count();
}

}  // namespace dolmen
