#include "generate/source_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace dolmen::generate {

namespace {

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

/// `\n` and the like, or `\x1f`, which all three languages know.
void append_escape(std::string& out, char c) {
  switch (c) {
    case '\n': out += "\\n"; break;
    case '\r': out += "\\r"; break;
    case '\t': out += "\\t"; break;
    default: fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned>(c)); break;
  }
}

/// U+2028 and U+2029 end lines in the eyes of some tools, U+FEFF is refused by others; all begin with one byte.
std::string_view special(std::string_view rest) {
  if (rest.starts_with("\u2028")) return "\\u2028";
  if (rest.starts_with("\u2029")) return "\\u2029";
  if (rest.starts_with("\uFEFF")) return "\\ufeff";
  return "";
}

std::string literal(std::string_view text, char quote) {
  std::string out(1, quote);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == quote || c == '\\') {
      out += {'\\', c};
    } else if (is_control(c)) {
      append_escape(out, c);
    } else if (const std::string_view escape = special(text.substr(i)); !escape.empty()) {
      out += escape;
      i += 2;
    } else {
      out.push_back(c);
    }
  }
  return out + quote;
}

/// Double quotes, unless single ones need fewer escapes.
std::string with_fewest_escapes(std::string_view text) {
  return literal(text, std::ranges::count(text, '"') > std::ranges::count(text, '\'') ? '\'' : '"');
}

/// Of the code point that begins with this byte; those of East Asia are two columns wide.
std::size_t columns_of(std::string_view rest) {
  const auto lead = static_cast<unsigned char>(rest[0]);
  if (lead < 0x80) return 1;
  if (lead < 0xC0) return 0;
  if (lead < 0xE0 || rest.size() < 3) return 1;
  if (lead >= 0xF0) return 2;
  const unsigned code = (lead & 0x0FU) << 12U | (static_cast<unsigned char>(rest[1]) & 0x3FU) << 6U |
                        (static_cast<unsigned char>(rest[2]) & 0x3FU);
  const bool is_wide = (code >= 0x1100 && code <= 0x115F) || (code >= 0x2E80 && code <= 0xA4CF) ||
                       (code >= 0xAC00 && code <= 0xD7A3) || (code >= 0xF900 && code <= 0xFAFF) ||
                       (code >= 0xFE30 && code <= 0xFE6F) || (code >= 0xFF00 && code <= 0xFF60);
  return is_wide ? 2 : 1;
}

}  // namespace

std::string python_literal(std::string_view text) { return with_fewest_escapes(text); }
std::string typescript_literal(std::string_view text) { return with_fewest_escapes(text); }
std::string go_literal(std::string_view text) { return literal(text, '"'); }

std::string comment_text(std::string_view text) {
  std::string out(text);
  std::ranges::replace_if(
      out, [](char c) { return is_control(c) || c == '\\' || c == '"' || c == '*' || c == '`'; }, '?');
  return out;
}

std::size_t columns(std::string_view text) {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < text.size(); ++i) sum += columns_of(text.substr(i));
  return sum;
}

std::string laid_out(const Layout& layout, std::size_t indent, std::string_view open,
                     const std::vector<std::string>& parts, std::string_view close) {
  const std::string margin(indent, ' ');
  std::string line = fmt::format("{}{}{}{}", margin, open, fmt::join(parts, ", "), close);
  if (columns(line) <= layout.width) return line + "\n";
  std::string out = fmt::format("{}{}\n", margin, open);
  for (const std::string& part : parts)
    fmt::format_to(std::back_inserter(out), "{}{},\n", std::string(indent + layout.indent_step, ' '), part);
  fmt::format_to(std::back_inserter(out), "{}{}\n", margin, close);
  return out;
}

}  // namespace dolmen::generate
