#include "contract/shown.h"

#include <algorithm>
#include <fmt/format.h>

#include "value/json.h"

namespace dolmen::contract {
namespace {

constexpr std::size_t kShownBytes = 100;

bool is_readable(char c) { return static_cast<unsigned char>(c) >= ' ' && c != '\x7f'; }

}  // namespace

std::string shown_text(std::string_view text) {
  if (text.size() > kShownBytes) return fmt::format("a text of {} bytes", text.size());
  std::string quoted;
  json::append_string(quoted, text);
  return quoted;
}

std::string shown_name(std::string_view name) {
  if (name.size() <= kShownBytes && std::ranges::all_of(name, is_readable)) return std::string(name);
  return shown_text(name);
}

std::string shown_value(const AttributeValue* value) {
  if (value == nullptr) return "nothing";
  if (const std::string* text = value->get_if<std::string>()) return shown_text(*text);
  if (const Number* number = value->get_if<Number>()) return number->to_string();
  if (const Bytes* bytes = value->get_if<Bytes>()) return fmt::format("B of {} bytes", bytes->size());
  return std::string(type_name(value->type()));
}

}  // namespace dolmen::contract
