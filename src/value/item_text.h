#pragma once

#include <string>
#include <string_view>

#include "dolmen/value.h"

namespace dolmen {

/// The text of an attribute; empty when the attribute does not exist or is not a string.
inline std::string text_of(const Item& item, std::string_view name) {
  const AttributeValue* value = item.find(name);
  const std::string* text = value == nullptr ? nullptr : value->get_if<std::string>();
  return text == nullptr ? std::string() : *text;
}

}  // namespace dolmen
