#include <fmt/format.h>

#include "base/unicode.h"
#include "model/typed_value.h"

namespace dolmen {

namespace {

/// How many bytes the character at the beginning of `text` has; 0 when they are not UTF-8.
std::size_t character_bytes(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  return length <= text.size() && is_utf8(text.substr(0, length)) ? length : 0;
}

/// What stands for an ASCII character.
void append_ascii(std::string& out, char c) {
  switch (c) {
    case '"': out.append("\\\""); return;
    case '\\': out.append("\\\\"); return;
    case '\b': out.append("\\b"); return;
    case '\f': out.append("\\f"); return;
    case '\n': out.append("\\n"); return;
    case '\r': out.append("\\r"); return;
    case '\t': out.append("\\t"); return;
    case '<':
    case '>':
    case '&': break;
    default:
      if (static_cast<unsigned char>(c) >= 0x20) {
        out.push_back(c);
        return;
      }
  }
  out.append(fmt::format("\\u{:04x}", static_cast<unsigned>(c)));
}

}  // namespace

void append_go_string(std::string& out, std::string_view text) {
  out.push_back('"');
  while (!text.empty()) {
    const std::size_t length = character_bytes(text);
    const std::string_view character = text.substr(0, length);
    if (length == 0) {
      out.append("\\ufffd");
    } else if (length == 1) {
      append_ascii(out, text[0]);
    } else if (character == "\xE2\x80\xA8") {
      out.append("\\u2028");
    } else if (character == "\xE2\x80\xA9") {
      out.append("\\u2029");
    } else {
      out.append(character);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  out.push_back('"');
}

}  // namespace dolmen
