#include "value/json_reader.h"

#include <algorithm>
#include <fmt/ranges.h>
#include <vector>

#include "base/base64.h"
#include "base/check.h"
#include "base/fail.h"
#include "base/limits.h"
#include "base/varint.h"
#include "value/container_writer.h"
#include "value/item_rules.h"
#include "value/json_types.h"
#include "value/key_codec.h"

namespace dolmen::json {
namespace {

Result<void> append_at_depth(std::string& out, Element value, unsigned depth);

std::unexpected<Error> empty_value() {
  return fail(Code::kValidation,
              "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes");
}

void append_sized(std::string& out, std::string_view bytes) {
  append_varint(out, bytes.size());
  out.append(bytes);
}

/// `check_blob` has accepted it.
void append_sized_blob(std::string& out, Element element) {
  const std::string_view text = string_of(element);
  const std::size_t size = decoded_base64_size(text);
  append_varint(out, size);
  const std::size_t begin = out.size();
  out.resize_and_overwrite(begin + size, [&](char* data, std::size_t whole) {
    write_decoded_base64(data + begin, text);
    return whole;
  });
}

/// One attribute that has been written: its name, and where its bytes (name and value) lie in the output.
struct WrittenAttribute {
  std::string_view name;
  std::size_t begin;
  std::size_t end;
};

/// Brings attributes that were written in the order of the request into the order of their names. Of a repeated name
/// the last one counts, as for every JSON reader.
void sort_attributes(std::string& out, std::size_t body, std::vector<WrittenAttribute>& attributes) {
  const auto out_of_order = [](const WrittenAttribute& a, const WrittenAttribute& b) { return a.name >= b.name; };
  if (std::ranges::adjacent_find(attributes, out_of_order) == attributes.end()) return;
  std::ranges::stable_sort(attributes, {}, &WrittenAttribute::name);
  const std::string written = out.substr(body);
  std::erase_if(attributes, [&](const WrittenAttribute& a) {
    const auto next = &a + 1;
    return next != attributes.data() + attributes.size() && next->name == a.name;
  });
  out.resize(body);
  append_varint(out, attributes.size());
  for (const WrittenAttribute& a : attributes) out.append(written, a.begin - body, a.end - a.begin);
}

Result<void> append_map_body(std::string& out, Object object, unsigned depth) {
  const std::size_t body = out.size();
  append_varint(out, object.size());
  std::vector<WrittenAttribute> attributes;
  attributes.reserve(object.size());
  for (const auto [name, value] : object) {
    DOLMEN_TRY_VOID(check_attribute_name(name));
    if (value.is_null()) return empty_value();
    const std::size_t begin = out.size();
    append_sized(out, name);
    DOLMEN_TRY_VOID(append_at_depth(out, value, depth + 1));
    attributes.push_back({name, begin, out.size()});
  }
  sort_attributes(out, body, attributes);
  return {};
}

Result<void> append_list(std::string& out, Array array, unsigned depth) {
  const ContainerWriter container(out, ValueTag::kList);
  append_varint(out, array.size());
  for (const Element element : array) {
    if (element.is_null()) return empty_value();
    DOLMEN_TRY_VOID(append_at_depth(out, element, depth + 1));
  }
  return {};
}

/// Sorts the members, which are compared as their encodings; false when two are equal.
template <class Members>
bool sort_members(Members& members) {
  std::ranges::sort(members);
  return std::ranges::adjacent_find(members) == members.end();
}

std::string joined(Array array) {
  std::vector<std::string_view> members;
  for (const Element element : array) members.push_back(string_of(element));
  return fmt::format("{}", fmt::join(members, ", "));
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
  if (!sort_members(members))
    return fail(Code::kValidation,
                "One or more parameter values were invalid: Input collection [{}] contains duplicates.", joined(array));
  const ContainerWriter container(out, ValueTag::kStringSet);
  append_varint(out, members.size());
  for (const std::string_view member : members) append_sized(out, member);
  return {};
}

Result<void> append_number_set(std::string& out, Array array) {
  if (array.size() == 0)
    return fail(Code::kValidation, "One or more parameter values were invalid: An number set  may not be empty");
  if (has_null(array))
    return fail(Code::kValidation,
                "One or more parameter values were invalid: An number set may not have a null string as a member");
  std::vector<std::string> members;
  for (const Element element : array) {
    DOLMEN_TRY(const Number number, Number::parse(string_of(element)));
    append_ordered_number(members.emplace_back(), number);
  }
  if (!sort_members(members)) return fail(Code::kValidation, "Input collection contains duplicates");
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
  if (!sort_members(members))
    return fail(Code::kValidation,
                "One or more parameter values were invalid: Input collection [{}]of type BS contains duplicates.",
                joined(array));
  const ContainerWriter container(out, ValueTag::kBinarySet);
  append_varint(out, members.size());
  for (const std::string& member : members) append_sized(out, member);
  return {};
}

void append_tag(std::string& out, ValueTag tag) { out.push_back(static_cast<char>(tag)); }

/// Writes the value of one type member. False when the member is none of DynamoDB's types.
Result<bool> append_typed(std::string& out, std::string_view type, Element value, unsigned depth) {
  if (type == "S") {
    append_tag(out, ValueTag::kString);
    append_sized(out, string_of(value));
  } else if (type == "N") {
    DOLMEN_TRY(const Number number, Number::parse(string_of(value)));
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
    DOLMEN_TRY_VOID(append_map_body(out, object_of(value), depth));
  } else if (type == "L") {
    DOLMEN_TRY_VOID(append_list(out, array_of(value), depth));
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

Result<void> append_at_depth(std::string& out, Element value, unsigned depth) {
  if (depth > limits::kNestingLevels)
    return fail(Code::kValidation,
                "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond "
                "supported limit");
  int types = 0;
  for (const auto [type, typed] : object_of(value)) {
    if (typed.is_null()) continue;
    DOLMEN_TRY(const bool known, append_typed(out, type, typed, depth));
    if (known) ++types;
  }
  if (types == 0) return empty_value();
  if (types > 1)
    return fail(Code::kValidation,
                "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported "
                "datatypes");
  return {};
}

}  // namespace

Result<EncodedItem> encode_item(Object object) {
  EncodedItem item;
  item.bytes.push_back(kItemVersion);
  DOLMEN_TRY_VOID(append_map_body(item.bytes, object, 0));
  return item;
}

Result<void> append_value(std::string& out, Element value) { return append_at_depth(out, value, 1); }

}  // namespace dolmen::json
