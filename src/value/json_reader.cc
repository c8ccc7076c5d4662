#include "value/json_reader.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <fmt/ranges.h>
#include <memory_resource>
#include <optional>
#include <vector>

#include "base/base64.h"
#include "base/check.h"
#include "base/fail.h"
#include "base/limits.h"
#include "value/encoded_writer.h"
#include "value/item_parts.h"
#include "value/item_rules.h"
#include "value/json_types.h"
#include "value/mistakes.h"
#include "value/set_members.h"

namespace dolmen::json {
namespace {

/// One attribute of a map of a request.
struct Attribute {
  std::string_view name;
  Element value;
};

/// An attribute's place in the order of writing. Small, so that sorting moves little.
struct Place {
  std::uint64_t prefix = 0;  ///< of the name (name_prefix)
  std::size_t index = 0;     ///< among `Encoding::attributes`, where those of a map are in the order of the request
};

/// The order in which attributes are written.
enum class Order : std::uint8_t {
  kByName,   ///< as in an encoded item; the last of several equal names counts, as in every JSON reader
  kAsGiven,  ///< not a valid encoding, but finds the first mistake in the order of the request
};

/// What is being written, and how.
struct Encoding {
  Encoding(std::string& to, unsigned levels, Order by) : out(to), levels_max(levels), order(by) {
    constexpr std::size_t kUsual = 32;
    attributes.reserve(kUsual);
    places.reserve(kUsual);
    members.reserve(kUsual);
  }

  EncodedWriter out;
  const unsigned levels_max;
  const Order order;
  bool repeated_names = false;
  /// For the lists below, which in most items are so short that nothing is allocated.
  std::array<std::byte, 4096> first_memory;
  std::pmr::monotonic_buffer_resource memory{first_memory.data(), first_memory.size()};
  /// Of all maps that are being written, those of the innermost last.
  std::pmr::vector<Attribute> attributes{&memory};
  /// The same attributes in the order of writing, without those that do not count.
  std::pmr::vector<Place> places{&memory};
  /// Of the set that is being written.
  std::pmr::vector<SetMember> members{&memory};
};

Result<void> append_any(Encoding& to, Element value, unsigned depth);

std::unexpected<Error> too_deep() {
  return fail(Code::kValidation,
              "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond "
              "supported limit");
}

std::unexpected<Error> empty_value() {
  return fail(Code::kValidation,
              "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes");
}

/// Returns where the bytes begin. `check_blob` must have accepted the element.
std::size_t append_blob(EncodedWriter& out, Element element) {
  const std::string_view text = string_of(element);
  return out.bytes(decoded_base64_size(text), [&](char* at) { write_decoded_base64(at, text); });
}

/// Writes a value that is only a string or a plain decimal, as most are. False, without writing, for every other.
bool append_text_or_number(EncodedWriter& out, Element value) {
  const Object members = object_of(value);
  if (members.size() != 1) return false;
  const auto only = members.begin();
  const std::string_view type = only.key();
  if ((type != "S" && type != "N") || only.value().is_null()) return false;
  const EncodedWriter::Mark begin = out.mark();
  out.tag(type == "S" ? ValueTag::kString : ValueTag::kNumber);
  if (type == "S") {
    out.bytes(string_of(only.value()));
  } else if (!out.plain_number(string_of(only.value()))) {
    out.back_to(begin);
    return false;
  }
  return true;
}

Result<void> append_at_depth(Encoding& to, Element value, unsigned depth) {
  if (depth <= to.levels_max && append_text_or_number(to.out, value)) return {};
  return append_any(to, value, depth);
}

/// Sorts the places of a map, which begin at `begin`, by name. Of several equal names only the last of the request
/// stays.
void sort_places(Encoding& to, std::size_t begin) {
  const auto name = [&](const Place& place) { return to.attributes[place.index].name; };
  const auto first = to.places.begin() + static_cast<std::ptrdiff_t>(begin);
  std::sort(first, to.places.end(), [&](const Place& a, const Place& b) {
    if (a.prefix != b.prefix) return a.prefix < b.prefix;
    const int compared = name(a).compare(name(b));
    return compared != 0 ? compared < 0 : a.index < b.index;
  });
  const auto same_name = [&](const Place& a, const Place& b) { return a.prefix == b.prefix && name(a) == name(b); };
  if (std::adjacent_find(first, to.places.end(), same_name) == to.places.end()) return;
  to.repeated_names = true;
  std::reverse(first, to.places.end());
  to.places.erase(std::unique(first, to.places.end(), same_name), to.places.end());
  std::reverse(first, to.places.end());
}

/// Adds the attributes of a map to those that are being written, in the order of writing.
void add_attributes(Encoding& to, Object object) {
  const std::size_t begin = to.places.size();
  bool sorted = true;
  for (const auto [name, value] : object) {
    const std::uint64_t prefix = name_prefix(name);
    // Names with equal prefixes may be equal, or in the wrong order.
    if (to.places.size() > begin && to.places.back().prefix >= prefix) sorted = false;
    to.places.push_back({prefix, to.attributes.size()});
    to.attributes.push_back({name, value});
  }
  if (!sorted && to.order == Order::kByName) sort_places(to, begin);
}

/// The body of an item, at depth 0, or of a map.
Result<void> append_map_body(Encoding& to, Object object, unsigned depth) {
  const std::size_t first_attribute = to.attributes.size();
  const std::size_t begin = to.places.size();
  add_attributes(to, object);
  const std::size_t end = to.places.size();
  to.out.count(end - begin);
  if (depth > 0) to.out.count_overhead(end - begin);
  for (std::size_t i = begin; i < end; ++i) {
    const Attribute attribute = to.attributes[to.places[i].index];
    DOLMEN_TRY_VOID(check_attribute_name(attribute.name));
    if (attribute.value.is_null()) return empty_value();
    to.out.bytes(attribute.name);
    DOLMEN_TRY_VOID(append_at_depth(to, attribute.value, depth + 1));
  }
  to.attributes.resize(first_attribute);
  to.places.resize(begin);
  return {};
}

Result<void> append_map(Encoding& to, Object object, unsigned depth) {
  const std::size_t body = to.out.begin_container(ValueTag::kMap);
  DOLMEN_TRY_VOID(append_map_body(to, object, depth));
  to.out.end_container(body);
  return {};
}

Result<void> append_list(Encoding& to, Array array, unsigned depth) {
  const std::size_t body = to.out.begin_container(ValueTag::kList);
  to.out.count(array.size());
  to.out.count_overhead(array.size());
  for (const Element element : array) {
    if (element.is_null()) return empty_value();
    DOLMEN_TRY_VOID(append_at_depth(to, element, depth + 1));
  }
  to.out.end_container(body);
  return {};
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

/// A number that is not a plain decimal.
Result<void> append_other_number(EncodedWriter& out, std::string_view text) {
  const Result<Number> number = Number::parse(text);
  if (!number) return mistake(ValueMistake::Kind::kNumber, {std::string(text)}, number.error().message());
  out.number(*number);
  return {};
}

Result<void> append_number(EncodedWriter& out, Element element) {
  const std::string_view text = string_of(element);
  if (out.plain_number(text)) [[likely]]
    return {};
  return append_other_number(out, text);
}

bool has_null(Array array) {
  return std::ranges::any_of(array, [](Element element) { return element.is_null(); });
}

/// Writes a set, each member by `append(element)`, which returns where the bytes begin that decide about the order.
/// False when a member repeats.
template <class Append>
Result<bool> append_members(Encoding& to, ValueTag tag, Array array, Append append) {
  const std::size_t body = to.out.begin_container(tag);
  to.out.count(array.size());
  to.members.clear();
  for (const Element element : array) {
    const std::size_t begin = to.out.size();
    DOLMEN_TRY(const std::size_t content, append(element));
    to.members.push_back({begin, content, to.out.size()});
  }
  to.out.end_container(body);
  return sort_members(to.out, to.members);
}

Result<void> append_string_set(Encoding& to, Array array) {
  if (array.size() == 0)
    return fail(Code::kValidation, "One or more parameter values were invalid: An string set  may not be empty");
  if (has_null(array))
    return fail(Code::kValidation,
                "One or more parameter values were invalid: An string set may not have a null string as a member");
  const auto append = [&](Element element) -> Result<std::size_t> { return to.out.bytes(string_of(element)); };
  DOLMEN_TRY(const bool distinct, append_members(to, ValueTag::kStringSet, array, append));
  if (!distinct) return repeated(ValueMistake::Kind::kRepeatedStrings, array, "");
  return {};
}

Result<void> append_number_set(Encoding& to, Array array) {
  if (array.size() == 0)
    return mistake(ValueMistake::Kind::kEmptyNumberSet, {},
                   "One or more parameter values were invalid: An number set  may not be empty");
  if (has_null(array))
    return fail(Code::kValidation,
                "One or more parameter values were invalid: An number set may not have a null string as a member");
  const auto append = [&](Element element) -> Result<std::size_t> {
    const std::size_t begin = to.out.size();
    DOLMEN_TRY_VOID(append_number(to.out, element));
    return begin;
  };
  DOLMEN_TRY(const bool distinct, append_members(to, ValueTag::kNumberSet, array, append));
  if (!distinct)
    return mistake(ValueMistake::Kind::kRepeatedNumbers, {},
                   "One or more parameter values were invalid: Input collection contains duplicates.");
  return {};
}

Result<void> append_binary_set(Encoding& to, Array array) {
  if (array.size() == 0)
    return fail(Code::kValidation, "One or more parameter values were invalid: Binary sets should not be empty");
  if (has_null(array))
    return fail(Code::kValidation,
                "One or more parameter values were invalid: Binary sets may not contain null or empty values");
  const auto append = [&](Element element) -> Result<std::size_t> { return append_blob(to.out, element); };
  DOLMEN_TRY(const bool distinct, append_members(to, ValueTag::kBinarySet, array, append));
  if (!distinct) return repeated(ValueMistake::Kind::kRepeatedBinaries, array, "of type BS");
  return {};
}

/// Writes the value of one type member.
Result<void> append_typed(Encoding& to, Type type, Element value, unsigned depth) {
  switch (type) {
    case Type::kString:
      to.out.tag(ValueTag::kString);
      to.out.bytes(string_of(value));
      return {};
    case Type::kNumber: to.out.tag(ValueTag::kNumber); return append_number(to.out, value);
    case Type::kBinary:
      to.out.tag(ValueTag::kBinary);
      append_blob(to.out, value);
      return {};
    case Type::kBool: to.out.constant(boolean_of(value) ? ValueTag::kTrue : ValueTag::kFalse); return {};
    case Type::kNull:
      if (!boolean_of(value))
        return fail(
            Code::kValidation,
            "One or more parameter values were invalid: Null attribute value types must have the value of true");
      to.out.constant(ValueTag::kNull);
      return {};
    case Type::kList: return append_list(to, array_of(value), depth);
    case Type::kMap: return append_map(to, object_of(value), depth);
    case Type::kStringSet: return append_string_set(to, array_of(value));
    case Type::kNumberSet: return append_number_set(to, array_of(value));
    case Type::kBinarySet: return append_binary_set(to, array_of(value));
  }
  DOLMEN_UNREACHABLE("a type outside the closed list");
}

Result<void> append_any(Encoding& to, Element value, unsigned depth) {
  if (depth > to.levels_max) return too_deep();
  int types = 0;
  Type first{};
  const EncodedWriter::Mark begin = to.out.mark();
  for (const auto [name, typed] : object_of(value)) {
    const std::optional<Type> type = type_named(name);
    if (!type || typed.is_null()) continue;
    // Of a type that comes twice the last value counts.
    const bool again = types > 0 && *type == first;
    if (again) to.out.back_to(begin);
    DOLMEN_TRY_VOID(append_typed(to, *type, typed, depth));
    if (!again && ++types == 1) first = *type;
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

/// Appends to `out` by `write(encoding)`; returns the size by DynamoDB's rules. Calls it again after a mistake or a
/// repeated name, so that mistakes are reported in the order of the request; `look_first` may find one before.
template <class Write, class LookFirst>
Result<std::size_t> write_in_order(std::string& out, unsigned levels_max, Write write, LookFirst look_first) {
  Encoding encoding(out, levels_max, Order::kByName);
  const Result<void> written = write(encoding);
  if (written && !encoding.repeated_names) return encoding.out.item_size();
  DOLMEN_TRY_VOID(look_first());
  std::string ignored;
  Encoding as_given(ignored, levels_max, Order::kAsGiven);
  DOLMEN_TRY_VOID(write(as_given));
  DOLMEN_TRY_VOID(written);
  return encoding.out.item_size();
}

}  // namespace

Result<SizedItem> encode_sized_item(Object object, unsigned levels_max) {
  // Written where there is memory already, and copied once the length is known: growing would copy an item several
  // times. Only a large one keeps the memory in which it was written, and nobody keeps that of a refused one.
  thread_local std::string kept;
  constexpr std::size_t kKeptBytes = std::size_t{64} * 1024;
  std::string bytes = std::move(kept);
  bytes.assign(1, kItemVersion);
  const auto write = [&](Encoding& to) { return append_map_body(to, object, 0); };
  const auto look_first = [&]() -> Result<void> {
    for (const auto [name, value] : object) DOLMEN_TRY_VOID(check_attribute_name(name));
    for (const auto [name, value] : object) DOLMEN_TRY_VOID(check_levels(value, 1, levels_max));
    return {};
  };
  DOLMEN_TRY(const std::size_t size, write_in_order(bytes, levels_max, write, look_first));
  SizedItem encoded{.item = {}, .size = size};
  if (bytes.size() > kKeptBytes) {
    encoded.item.bytes = std::move(bytes);
  } else {
    encoded.item.bytes = bytes;
    if (bytes.capacity() <= kKeptBytes) kept = std::move(bytes);
  }
  return encoded;
}

Result<EncodedItem> encode_item(Object object, unsigned levels_max) {
  DOLMEN_TRY(SizedItem encoded, encode_sized_item(object, levels_max));
  return std::move(encoded.item);
}

Result<void> append_value(std::string& out, Element value, unsigned levels_max) {
  DOLMEN_TRY_VOID(write_in_order(
      out, levels_max, [&](Encoding& to) { return append_at_depth(to, value, 1); },
      [&] { return check_levels(value, 1, levels_max); }));
  return {};
}

}  // namespace dolmen::json
