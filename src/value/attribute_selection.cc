#include "value/attribute_selection.h"

#include "base/fail.h"
#include "base/varint.h"
#include "value/item_parts.h"

namespace dolmen {
namespace {

/// An attribute as it stands in an encoded item.
struct EncodedAttribute {
  std::string_view whole;
  std::string_view name;
  std::string_view value;
  bool named = false;  ///< It has one of the names that are looked for.
};

/// Calls `visit` for each attribute. Goes through the item and the sorted names side by side. False when the item is
/// damaged.
template <class Visit>
bool walk(std::string_view item, std::span<const std::string> names, Visit visit) {
  EncodedReader reader(item);
  reader.take_version();
  const std::size_t count = reader.take_count();
  auto next = names.begin();
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view start = reader.rest();
    EncodedAttribute attribute{.whole = {}, .name = reader.take_bytes(), .value = reader.rest()};
    reader.skip_value(reader.take_tag());
    if (!reader.ok()) return false;
    const std::size_t left = reader.rest().size();
    attribute.whole = start.substr(0, start.size() - left);
    attribute.value.remove_suffix(left);
    int order = 1;
    while (next != names.end() && (order = compare_names(*next, attribute.name)) < 0) ++next;
    attribute.named = next != names.end() && order == 0;
    visit(attribute);
  }
  return reader.ok() && reader.at_end();
}

}  // namespace

Result<Item> decode_attributes(std::string_view item, std::span<const std::string> names) {
  Item found;
  found.reserve(names.size());
  bool readable = true;
  const bool whole = walk(item, names, [&](const EncodedAttribute& attribute) {
    if (!attribute.named) return;
    Result<AttributeValue> value = decode_value(attribute.value);
    if (!value) readable = false;
    if (value) found.set(std::string(attribute.name), std::move(*value));
  });
  if (!whole || !readable) return fail(Code::kCorruption, "a stored item is damaged ({} bytes)", item.size());
  return found;
}

EncodedItem replace_attributes(std::string_view item, std::span<const std::string> names, const Item& now) {
  std::size_t count = now.size();
  walk(item, names, [&](const EncodedAttribute& attribute) { count += attribute.named ? 0 : 1; });
  EncodedItem out;
  // What is changed is rarely much larger than it was.
  constexpr std::size_t kGrowth = 64;
  out.bytes.reserve(item.size() + kGrowth);
  out.bytes.push_back(kItemVersion);
  append_varint(out.bytes, count);
  auto next = now.begin();
  const auto add = [&] {
    append_varint(out.bytes, next->first.size());
    out.bytes.append(next->first);
    append_value(out.bytes, next->second);
    ++next;
  };
  walk(item, names, [&](const EncodedAttribute& attribute) {
    if (attribute.named) return;
    while (next != now.end() && compare_names(next->first, attribute.name) < 0) add();
    out.bytes.append(attribute.whole);
  });
  while (next != now.end()) add();
  return out;
}

}  // namespace dolmen
