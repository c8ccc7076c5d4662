#include "value/json_reader.h"

#include <algorithm>
#include <cstdint>
#include <fmt/ranges.h>
#include <vector>

#include "base/base64.h"
#include "base/fail.h"
#include "base/limits.h"
#include "base/varint.h"
#include "value/container_writer.h"
#include "value/item_parts.h"
#include "value/item_rules.h"
#include "value/json_types.h"
#include "value/key_codec.h"
#include "value/mistakes.h"

namespace dolmen::json {
namespace {

/// One attribute of a request.
struct Attribute {
  std::string_view name;
  Element value;
  std::uint64_t prefix;  ///< of the name (name_prefix)
  std::size_t position;  ///< in the request
};

/// The order in which attributes are written.
enum class Order : std::uint8_t {
  kByName,   ///< as in an encoded item; the last of several equal names counts, as in every JSON reader
  kAsGiven,  ///< not a valid encoding, but finds the first mistake in the order of the request
};

/// The bytes that are being written, and how.
struct Encoding {
  std::string& out;
  unsigned levels_max = limits::kNestingLevels;
  Order order = Order::kByName;
  bool repeated_names = false;
  /// The attributes of all maps that are being written, those of the innermost last.
  std::vector<Attribute> attributes = {};
};

Result<void> append_at_depth(Encoding& to, Element value, unsigned depth);

std::unexpected<Error> too_deep() {
  return fail(Code::kValidation,
              "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond "
              "supported limit");
}

std::unexpected<Error> empty_value() {
  return fail(Code::kValidation,
              "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes");
}

void append_sized(std::string& out, std::string_view bytes) {
  append_varint(out, bytes.size());
  out.append(bytes);
}

/// `check_blob` must have accepted the element.
void append_sized_blob(std::string& out, Element element) {
  const std::string_view text = string_of(element);
  const std::size_t size = decoded_base64_size(text);
  append_varint(out, size);
  const std::size_t begin = out.size();
  // libstdc++ may pass the larger length that it has reserved.
  out.resize_and_overwrite(begin + size, [&](char* data, std::size_t) {
    write_decoded_base64(data + begin, text);
    return begin + size;
  });
}

/// Adds the attributes of a map to those that are being written, in the order of writing.
void add_attributes(Encoding& to, Object object) {
  const auto begin = static_cast<std::ptrdiff_t>(to.attributes.size());
  std::size_t position = 0;
  for (const auto [name, value] : object) to.attributes.push_back({name, value, name_prefix(name), position++});
  if (to.order == Order::kAsGiven) return;
  const auto first = to.attributes.begin() + begin;
  const auto in_order = [](const Attribute& a, const Attribute& b) {
    if (a.prefix != b.prefix) return a.prefix < b.prefix;
    const int compared = a.name.compare(b.name);
    return compared != 0 ? compared < 0 : a.position < b.position;
  };
  if (!std::is_sorted(first, to.attributes.end(), in_order)) std::sort(first, to.attributes.end(), in_order);
  const auto same_name = [](const Attribute& a, const Attribute& b) { return a.name == b.name; };
  if (std::adjacent_find(first, to.attributes.end(), same_name) == to.attributes.end()) return;
  to.repeated_names = true;
  std::reverse(first, to.attributes.end());
  to.attributes.erase(std::unique(first, to.attributes.end(), same_name), to.attributes.end());
  std::reverse(to.attributes.begin() + begin, to.attributes.end());
}

Result<void> append_map_body(Encoding& to, Object object, unsigned depth) {
  const std::size_t begin = to.attributes.size();
  add_attributes(to, object);
  const std::size_t end = to.attributes.size();
  append_varint(to.out, end - begin);
  for (std::size_t i = begin; i < end; ++i) {
    const Attribute attribute = to.attributes[i];
    DOLMEN_TRY_VOID(check_attribute_name(attribute.name));
    if (attribute.value.is_null()) return empty_value();
    append_sized(to.out, attribute.name);
    DOLMEN_TRY_VOID(append_at_depth(to, attribute.value, depth + 1));
  }
  to.attributes.resize(begin);
  return {};
}

Result<void> append_list(Encoding& to, Array array, unsigned depth) {
  const ContainerWriter container(to.out, ValueTag::kList);
  append_varint(to.out, array.size());
  for (const Element element : array) {
    if (element.is_null()) return empty_value();
    DOLMEN_TRY_VOID(append_at_depth(to, element, depth + 1));
  }
  return {};
}

/// Sorts the members by their encodings; false when two are equal.
template <class Members>
bool sort_members(Members& members) {
  std::ranges::sort(members);
  return std::ranges::adjacent_find(members) == members.end();
}

/// An error that carries what was sent.
std::unexpected<Error> mistake(ValueMistake::Kind kind, std::vector<std::string> sent, std::string message) {
  return std::unexpected(Error(Code::kValidation, std::move(message),
                               std::shared_ptr<const ErrorPayload>(new ValueMistake(kind, std::move(sent)))));
}

std::unexpected<Error> repeated(ValueMistake::Kind kind, Array array, std::string_view of_type) {
  std::vector<std::string> members;
  for (const Element element : array) members.emplace_back(string_of(element));
  std::string message =
      fmt::format("One or more parameter values were invalid: Input collection [{}]{} contains duplicates.",
                  fmt::join(members, ", "), of_type);
  return mistake(kind, std::move(members), std::move(message));
}

Result<Number> parse_number(Element element) {
  const std::string_view text = string_of(element);
  Result<Number> number = Number::parse(text);
  if (number) return number;
  return mistake(ValueMistake::Kind::kNumber, {std::string(text)}, number.error().message());
}

bool has_null(Array array) {
  return std::ranges::any_of(array, [](Element element) { return element.is_null(); });
}

Result<void> append_string_set(std::string& out, Array array) {
  if (array.size() == 0)
    return fail(Code::kValidation, "One or more parameter values were invalid: An string set  may not be empty");
  if (has_null(array))
    return fail(Code::kValidation,
                "One or more parameter values were invalid: An string set may not have a null string as a member");
  std::vector<std::string_view> members;
  for (const Element element : array) members.push_back(string_of(element));
  if (!sort_members(members)) return repeated(ValueMistake::Kind::kRepeatedStrings, array, "");
  const ContainerWriter container(out, ValueTag::kStringSet);
  append_varint(out, members.size());
  for (const std::string_view member : members) append_sized(out, member);
  return {};
}

Result<void> append_number_set(std::string& out, Array array) {
  if (array.size() == 0)
    return mistake(ValueMistake::Kind::kEmptyNumberSet, {},
                   "One or more parameter values were invalid: An number set  may not be empty");
  if (has_null(array))
    return fail(Code::kValidation,
                "One or more parameter values were invalid: An number set may not have a null string as a member");
  std::vector<std::string> members;
  for (const Element element : array) {
    DOLMEN_TRY(const Number number, parse_number(element));
    append_ordered_number(members.emplace_back(), number);
  }
  if (!sort_members(members))
    return mistake(ValueMistake::Kind::kRepeatedNumbers, {},
                   "One or more parameter values were invalid: Input collection contains duplicates.");
  const ContainerWriter container(out, ValueTag::kNumberSet);
  append_varint(out, members.size());
  for (const std::string& member : members) out.append(member);
  return {};
}

Result<void> append_binary_set(std::string& out, Array array) {
  if (array.size() == 0)
    return fail(Code::kValidation, "One or more parameter values were invalid: Binary sets should not be empty");
  if (has_null(array))
    return fail(Code::kValidation,
                "One or more parameter values were invalid: Binary sets may not contain null or empty values");
  std::vector<std::string> members;
  for (const Element element : array) members.push_back(decode_base64(string_of(element)).value());
  if (!sort_members(members)) return repeated(ValueMistake::Kind::kRepeatedBinaries, array, "of type BS");
  const ContainerWriter container(out, ValueTag::kBinarySet);
  append_varint(out, members.size());
  for (const std::string& member : members) append_sized(out, member);
  return {};
}

void append_tag(std::string& out, ValueTag tag) { out.push_back(static_cast<char>(tag)); }

/// Writes the value of one type member. False when the member does not name one of DynamoDB's types.
Result<bool> append_typed(Encoding& to, std::string_view type, Element value, unsigned depth) {
  std::string& out = to.out;
  if (type == "S") {
    append_tag(out, ValueTag::kString);
    append_sized(out, string_of(value));
  } else if (type == "N") {
    DOLMEN_TRY(const Number number, parse_number(value));
    append_tag(out, ValueTag::kNumber);
    append_ordered_number(out, number);
  } else if (type == "B") {
    append_tag(out, ValueTag::kBinary);
    append_sized_blob(out, value);
  } else if (type == "BOOL") {
    append_tag(out, boolean_of(value) ? ValueTag::kTrue : ValueTag::kFalse);
  } else if (type == "NULL") {
    if (!boolean_of(value))
      return fail(Code::kValidation,
                  "One or more parameter values were invalid: Null attribute value types must have the value of true");
    append_tag(out, ValueTag::kNull);
  } else if (type == "M") {
    const ContainerWriter container(out, ValueTag::kMap);
    DOLMEN_TRY_VOID(append_map_body(to, object_of(value), depth));
  } else if (type == "L") {
    DOLMEN_TRY_VOID(append_list(to, array_of(value), depth));
  } else if (type == "SS") {
    DOLMEN_TRY_VOID(append_string_set(out, array_of(value)));
  } else if (type == "NS") {
    DOLMEN_TRY_VOID(append_number_set(out, array_of(value)));
  } else if (type == "BS") {
    DOLMEN_TRY_VOID(append_binary_set(out, array_of(value)));
  } else {
    return false;
  }
  return true;
}

Result<void> append_at_depth(Encoding& to, Element value, unsigned depth) {
  if (depth > to.levels_max) return too_deep();
  int types = 0;
  std::string_view first;
  const std::size_t begin = to.out.size();
  for (const auto [type, typed] : object_of(value)) {
    if (typed.is_null()) continue;
    // Of a type that comes twice the last value counts.
    const bool again = types > 0 && type == first;
    if (again) to.out.resize(begin);
    DOLMEN_TRY(const bool known, append_typed(to, type, typed, depth));
    if (!known || again) continue;
    if (++types == 1) first = type;
  }
  if (types == 0) return empty_value();
  if (types > 1)
    return fail(Code::kValidation,
                "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported "
                "datatypes");
  return {};
}

/// A value at level `depth` and all that it holds. Nulls are reported elsewhere.
Result<void> check_levels(Element value, unsigned depth, unsigned levels_max) {
  if (depth > levels_max) return too_deep();
  if (!value.is_object()) return {};
  for (const auto [type, typed] : object_of(value)) {
    if (type == "M" && typed.is_object())
      for (const auto [name, inner] : object_of(typed)) DOLMEN_TRY_VOID(check_levels(inner, depth + 1, levels_max));
    if (type == "L" && typed.is_array())
      for (const Element inner : array_of(typed)) DOLMEN_TRY_VOID(check_levels(inner, depth + 1, levels_max));
  }
  return {};
}

/// Writes by `write(encoding)`. Calls it again after a mistake or a repeated name, so that mistakes are reported in the
/// order of the request; `look_first` may find one before.
template <class Write, class LookFirst>
Result<void> write_in_order(Encoding encoding, Write write, LookFirst look_first) {
  Result<void> written = write(encoding);
  if (written && !encoding.repeated_names) return {};
  DOLMEN_TRY_VOID(look_first());
  std::string ignored;
  Encoding as_given{.out = ignored, .levels_max = encoding.levels_max, .order = Order::kAsGiven};
  DOLMEN_TRY_VOID(write(as_given));
  return written;
}

}  // namespace

Result<EncodedItem> encode_item(Object object, unsigned levels_max) {
  EncodedItem item;
  constexpr std::size_t kFirstBytes = 512;  // Growing from nothing would copy a small item half a dozen times.
  item.bytes.reserve(kFirstBytes);
  item.bytes.push_back(kItemVersion);
  const auto write = [&](Encoding& to) { return append_map_body(to, object, 0); };
  const auto look_first = [&]() -> Result<void> {
    for (const auto [name, value] : object) DOLMEN_TRY_VOID(check_attribute_name(name));
    for (const auto [name, value] : object) DOLMEN_TRY_VOID(check_levels(value, 1, levels_max));
    return {};
  };
  DOLMEN_TRY_VOID(write_in_order({.out = item.bytes, .levels_max = levels_max}, write, look_first));
  return item;
}

Result<void> append_value(std::string& out, Element value, unsigned levels_max) {
  return write_in_order(
      {.out = out, .levels_max = levels_max}, [&](Encoding& to) { return append_at_depth(to, value, 1); },
      [&] { return check_levels(value, 1, levels_max); });
}

}  // namespace dolmen::json
