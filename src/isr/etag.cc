#include "dolmen/isr/etag.h"

#include <functional>

#include "protocol/digest.h"

namespace dolmen {
namespace {

constexpr std::string_view kWeak = "W/";
/// Half of a SHA-256, enough to tell pages apart.
constexpr std::size_t kDigits = 32;

/// Any visible character except the quote, and bytes beyond ASCII.
bool is_tag_character(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte == 0x21 || (byte >= 0x23 && byte <= 0x7E) || byte >= 0x80;
}

/// Takes one tag from the front; empty when the text does not begin with one.
std::string_view take_tag(std::string_view& text) {
  const std::size_t open = text.starts_with(kWeak) ? kWeak.size() : 0;
  if (text.size() <= open || text[open] != '"') return {};
  std::size_t end = open + 1;
  while (end < text.size() && is_tag_character(text[end])) ++end;
  if (end >= text.size() || text[end] != '"') return {};
  const std::string_view tag = text.substr(0, end + 1);
  text.remove_prefix(end + 1);
  return tag;
}

std::string_view without_weakness(std::string_view tag) {
  return tag.starts_with(kWeak) ? tag.substr(kWeak.size()) : tag;
}

void skip_spaces(std::string_view& text) {
  while (text.starts_with(' ') || text.starts_with('\t')) text.remove_prefix(1);
}

/// Whether `is_it` holds for a tag of a list, which may have empty elements.
bool any_of(std::string_view header, const std::function<bool(std::string_view)>& is_it) {
  bool found = false;
  bool first = true;
  while (true) {
    skip_spaces(header);
    if (header.empty()) return found;
    if (!first && !header.starts_with(',')) return false;
    while (header.starts_with(',')) {
      header.remove_prefix(1);
      skip_spaces(header);
    }
    first = false;
    if (header.empty()) return found;
    const std::string_view tag = take_tag(header);
    if (tag.empty()) return false;
    found = found || is_it(tag);
  }
}

bool is_star(std::string_view header) {
  skip_spaces(header);
  if (!header.starts_with('*')) return false;
  header.remove_prefix(1);
  skip_spaces(header);
  return header.empty();
}

}  // namespace

std::string strong_etag(std::string_view body) { return '"' + hex_sha256(body).substr(0, kDigits) + '"'; }

std::string weak_etag(std::string_view body) { return std::string(kWeak) + strong_etag(body); }

bool is_etag(std::string_view text) { return !take_tag(text).empty() && text.empty(); }

bool none_match_hits(std::string_view if_none_match, std::string_view etag) {
  if (!is_etag(etag)) return false;
  if (is_star(if_none_match)) return true;
  return any_of(if_none_match, [&](std::string_view tag) { return without_weakness(tag) == without_weakness(etag); });
}

bool match_holds(std::string_view if_match, std::string_view etag) {
  if (!is_etag(etag)) return false;
  if (is_star(if_match)) return true;
  return any_of(if_match, [&](std::string_view tag) { return tag == etag && !tag.starts_with(kWeak); });
}

}  // namespace dolmen
