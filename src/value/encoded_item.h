#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/varint.h"
#include "dolmen/error.h"
#include "dolmen/value.h"

namespace dolmen {

struct Decimal;

/// An item in the binary form in which it is stored and travels between the rooms. Equal items have equal bytes.
///
/// Format version 1: a version byte 01, then the body of a map.
///   map body   varint count, then per attribute: varint length, name, value; sorted by name, no name twice
///   value      a tag byte (ValueTag), then by tag:
///     string, binary       varint length, bytes
///     number               the ordered number of key_codec.h
///     map                  u32 length of the body, little-endian; the map body
///     list                 u32 length of the body; varint count, values
///     sets                 u32 length of the body; varint count, members without tags, sorted, no member twice
///     null, false, true    nothing more
struct EncodedItem {
  std::string bytes;

  friend bool operator==(const EncodedItem&, const EncodedItem&) = default;
};

inline constexpr char kItemVersion = 1;

enum class ValueTag : std::uint8_t {
  kNull,
  kFalse,
  kTrue,
  kString,
  kNumber,
  kBinary,
  kList,
  kMap,
  kStringSet,
  kNumberSet,
  kBinarySet,
};

/// The type that a tag stands for.
Type type_of(ValueTag tag);

EncodedItem encode_item(const Item& item);

/// Appends the encoding of one value, tag first.
void append_value(std::string& out, const AttributeValue& value);

/// Fails with kCorruption unless `bytes` are exactly what `encode_item` writes for some item.
Result<Item> decode_item(std::string_view bytes);

/// The same for the one value that `append_value` writes.
Result<AttributeValue> decode_value(std::string_view bytes);

/// Reads encoded bytes from front to back without building a tree. Once something does not fit, `ok()` is false for
/// good and every further call returns an empty value, so a caller needs to check only once, at the end.
class EncodedReader {
 public:
  explicit EncodedReader(std::string_view bytes) : rest_(bytes) {}

  [[nodiscard]] bool ok() const noexcept { return ok_; }
  [[nodiscard]] bool at_end() const noexcept { return rest_.empty(); }
  /// What has not been read yet.
  [[nodiscard]] std::string_view rest() const noexcept { return rest_; }

  /// Moves past the version byte; not ok when the version is not 1.
  void take_version();
  ValueTag take_tag() {
    if (rest_.empty() || static_cast<unsigned char>(rest_.front()) > static_cast<unsigned char>(ValueTag::kBinarySet)) {
      mark_bad();
      return ValueTag::kNull;
    }
    const auto tag = static_cast<ValueTag>(rest_.front());
    rest_.remove_prefix(1);
    return tag;
  }
  std::size_t take_count() {
    const std::optional<std::uint64_t> count = take_varint(rest_);
    // Every element takes at least one byte.
    if (!count || *count > rest_.size()) {
      mark_bad();
      return 0;
    }
    return *count;
  }
  /// A length and as many bytes: a name, a string, a binary.
  std::string_view take_bytes() {
    const std::size_t length = take_count();
    const std::string_view bytes = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return bytes;
  }
  Number take_number();
  /// The same as digits.
  void take_decimal(Decimal& decimal);
  /// Writes the canonical text of a number to `out`, which has room for kNumberTextBytes. Returns its end.
  char* take_number_text(char* out);
  /// The size of a number by DynamoDB's rules.
  std::size_t take_number_size();
  /// The encoded form of a number, undecoded.
  std::string_view take_raw_number();
  /// Moves into a list, map or set: past the length of its body, which must not exceed the remaining bytes.
  void enter_container();
  /// Moves past a value whose tag has been taken.
  void skip_value(ValueTag tag);

  void mark_bad() noexcept {
    ok_ = false;
    rest_ = {};
  }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

/// The encoded value (tag first) of one top-level attribute, found without decoding the others.
std::optional<std::string_view> find_attribute(std::string_view item, std::string_view name);

/// The item with only those of its attributes whose names are among `names`, which must be sorted.
EncodedItem select_attributes(std::string_view item, std::span<const std::string> names);

/// The number of attributes of an item.
std::size_t attribute_count(std::string_view item);

/// The size of an item by DynamoDB's rules, which differ from the size of its encoding.
std::size_t item_size(std::string_view item);
/// The same of a tree, without encoding it.
std::size_t item_size(const Item& item);

/// The size of a number by the same rules: a byte for every two significant digits on either side of the decimal point,
/// one more, and one for a minus sign.
std::size_t number_size(const Number& number);

}  // namespace dolmen
