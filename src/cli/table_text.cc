#include "cli/table_text.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string_view>
#include <unistd.h>

#include "transfer/plain_json.h"

namespace dolmen::cli {
namespace {

/// The attributes that a table shows, and how wide: long values are cut, so that lines stay readable.
constexpr std::size_t kColumnMax = 48;

std::string cell(const Item& item, const std::string& column) {
  const AttributeValue* value = item.find(column);
  if (value == nullptr) return "";
  if (const auto* text = value->get_if<std::string>()) return *text;
  std::string json;
  transfer::append_plain(json, *value);
  return json;
}

/// How many characters a text has.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

/// On one line, and not too long.
std::string fitting(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  if (width_of(text) <= kColumnMax) return text;
  std::size_t end = 0;
  for (std::size_t characters = 0; characters < kColumnMax; ++characters) do
      ++end;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U);
  return text.substr(0, end) + "…";
}

/// Whether every item that has the attribute has a number there.
bool holds_numbers(const std::vector<Item>& items, const std::string& column) {
  return std::ranges::all_of(items, [&](const Item& item) {
    const AttributeValue* value = item.find(column);
    return value == nullptr || value->type() == Type::kNumber;
  });
}

std::vector<std::string> columns_of(const std::vector<Item>& items, const std::vector<std::string>& first) {
  std::set<std::string> names;
  for (const Item& item : items)
    for (const auto& [name, value] : item) names.insert(name);
  std::vector<std::string> columns;
  for (const std::string& name : first)
    if (names.erase(name) > 0) columns.push_back(name);
  columns.insert(columns.end(), names.begin(), names.end());
  return columns;
}

}  // namespace

std::string table_text(const std::vector<Item>& items, const std::vector<std::string>& first, const TableStyle& style) {
  const std::vector<std::string> columns = columns_of(items, first);
  std::vector<std::vector<std::string>> lines(1);
  for (const std::string& column : columns) lines.front().push_back(fitting(column));
  for (const Item& item : items) {
    std::vector<std::string>& line = lines.emplace_back();
    for (const std::string& column : columns) line.push_back(fitting(cell(item, column)));
  }
  std::vector<std::size_t> widths(columns.size());
  std::vector<bool> right(columns.size());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    for (const std::vector<std::string>& line : lines) widths[c] = std::max(widths[c], width_of(line[c]));
    right[c] = style.numbers_right && holds_numbers(items, columns[c]);
  }
  std::string text;
  for (const std::vector<std::string>& line : lines) {
    std::string printed;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::string space(widths[c] - width_of(line[c]), ' ');
      printed += (right[c] ? space + line[c] : line[c] + space) + "  ";
    }
    printed.erase(printed.find_last_not_of(' ') + 1);
    if (style.colour && &line == &lines.front()) printed = "\x1b[1m" + printed + "\x1b[0m";
    text += printed + "\n";
  }
  return text;
}

bool on_terminal() { return ::isatty(STDOUT_FILENO) != 0; }

bool has_colour() {
  const char* refused = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  return on_terminal() && !dumb && (refused == nullptr || *refused == '\0');
}

}  // namespace dolmen::cli
