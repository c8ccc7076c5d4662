#include <algorithm>
#include <fmt/format.h>

#include "dolmen/detail/record_context.h"

namespace dolmen::mapping {

Item write_members(Context& context, const void* record, std::span<const Member> members) {
  Item item;
  item.reserve(members.size());
  for (const Member& member : members) {
    const Context::Step step(context, Context::Step::Kind::kMember, member.name);
    // The pointer is only read from, so the record does not change.
    AttributeValue value = member.type->write(context, member.locate(const_cast<void*>(record)));
    if (!member.type->left_out_when_null || value.type() != Type::kNull)
      item.set(std::string(member.attribute), std::move(value));
  }
  return item;
}

bool read_members(Context& context, const Item& item, std::span<const Member> members, void* record) {
  bool good = true;
  for (const Member& member : members) {
    const Context::Step step(context, Context::Step::Kind::kMember, member.name);
    const AttributeValue* value = item.find(member.attribute);
    if (value != nullptr) {
      good = member.type->read(context, *value, member.locate(record)) && good;
    } else if (member.type->left_out_when_null) {
      good = member.type->read(context, AttributeValue(), member.locate(record)) && good;
    } else if (!member.defaulted) {
      good = context.fail("required", fmt::format("the attribute \"{}\" is missing", member.attribute));
    }
  }
  return good;
}

namespace {

std::string quoted_list(std::span<const std::string_view> names) {
  std::string text;
  for (const std::string_view name : names)
    if (!name.empty()) fmt::format_to(std::back_inserter(text), "{}\"{}\"", text.empty() ? "" : ", ", name);
  return text;
}

}  // namespace

bool find_alternative(Context& context, const AttributeValue& value, std::span<const TypeSet> types,
                      std::span<const std::string_view> names, std::size_t& index) {
  const auto found = std::ranges::find_if(types, [&](TypeSet set) { return set.contains(value.type()); });
  if (found == types.end()) {
    TypeSet all;
    for (const TypeSet set : types) all = all | set;
    return context.wrong_type(all, value);
  }
  index = static_cast<std::size_t>(found - types.begin());
  if (names[index].empty()) return true;

  const AttributeValue* tag = value.map().find(kTagAttribute);
  if (tag == nullptr || tag->type() != Type::kString)
    return context.fail("alternative",
                        fmt::format("expected one of {} in the attribute \"{}\", found {}", quoted_list(names),
                                    kTagAttribute, tag == nullptr ? "none" : type_name(tag->type())));
  const auto name = std::ranges::find(names, std::string_view(tag->string()));
  if (name == names.end() || name->empty())
    return context.fail("alternative", fmt::format("expected one of {} in the attribute \"{}\", found \"{}\"",
                                                   quoted_list(names), kTagAttribute, tag->string()));
  index = static_cast<std::size_t>(name - names.begin());
  return true;
}

AttributeValue write_enumerator(Context& context, std::uint64_t value, std::span<const Enumerator> known) {
  const auto found = std::ranges::find(known, value, &Enumerator::value);
  if (found != known.end()) return found->name;
  context.fail("name", fmt::format("the value {} has no name", static_cast<std::int64_t>(value)));
  return nullptr;
}

bool read_enumerator(Context& context, const AttributeValue& value, std::span<const Enumerator> known,
                     std::uint64_t& out) {
  const auto* name = value.get_if<std::string>();
  if (name == nullptr) return context.wrong_type({Type::kString}, value);
  const auto found = std::ranges::find(known, *name, &Enumerator::name);
  if (found == known.end()) {
    std::vector<std::string_view> names;
    for (const Enumerator& enumerator : known) names.push_back(enumerator.name);
    return context.fail("name", fmt::format("expected one of {}, found \"{}\"", quoted_list(names), *name));
  }
  out = found->value;
  return true;
}

}  // namespace dolmen::mapping
