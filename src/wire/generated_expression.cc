#include "wire/generated_expression.h"

#include <fmt/format.h>
#include <unordered_map>

#include "value/item_rules.h"
#include "value/json_reader.h"

namespace dolmen::wire {

std::vector<std::pair<std::string_view, json::Element>> members_of(json::Object object) {
  std::vector<std::pair<std::string_view, json::Element>> members;
  std::unordered_map<std::string_view, std::size_t> positions;
  for (const auto [name, value] : object) {
    const auto [position, added] = positions.emplace(name, members.size());
    if (added) {
      members.emplace_back(name, value);
    } else {
      members[position->second].second = value;
    }
  }
  return members;
}

Result<AttributeValue> read_value(json::Element value) {
  std::string encoded;
  DOLMEN_TRY_VOID(json::append_value(encoded, value));
  return decode_value(encoded);
}

// Numbers of a fixed width sort in the order of their creation, so that each is appended to its map.

Result<std::string> add_name(expr::Placeholders& placeholders, std::string_view attribute) {
  DOLMEN_TRY_VOID(check_attribute_name(attribute));
  std::string placeholder = fmt::format("#{:08}", placeholders.names.size());
  placeholders.names.emplace_hint(placeholders.names.end(), placeholder, attribute);
  return placeholder;
}

std::string add_value(expr::Placeholders& placeholders, AttributeValue value) {
  std::string placeholder = fmt::format(":{:08}", placeholders.values.size());
  placeholders.values.set(placeholder, std::move(value));
  return placeholder;
}

}  // namespace dolmen::wire
