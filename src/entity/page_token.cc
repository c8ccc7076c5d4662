#include "entity/page_token.h"

#include <fmt/format.h>
#include <optional>

#include "base/fail.h"
#include "entity/lz_string.h"
#include "entity/refusal.h"
#include "entity/utf16.h"

namespace dolmen::entity {

namespace {

/// Whether a lone surrogate in its three-byte form begins at `at`.
bool is_surrogate(std::string_view text, std::size_t at) {
  return text[at] == '\xED' && at + 2 < text.size() && static_cast<unsigned char>(text[at + 1]) >= 0xA0;
}

/// Whether this byte is never escaped in a string.
bool stands_for_itself(char c) { return static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\' && c != '\xED'; }

void append_json(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t begin = i;
    while (i < text.size() && stands_for_itself(text[i])) ++i;
    out.append(text, begin, i - begin);
    if (i == text.size()) break;
    const char c = text[i];
    switch (c) {
      case '"': out += "\\\""; continue;
      case '\\': out += "\\\\"; continue;
      case '\b': out += "\\b"; continue;
      case '\f': out += "\\f"; continue;
      case '\n': out += "\\n"; continue;
      case '\r': out += "\\r"; continue;
      case '\t': out += "\\t"; continue;
      default: break;
    }
    if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else if (is_surrogate(text, i)) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(utf16_units(text.substr(i, 3)).front()));
      i += 2;
    } else {
      out += c;
    }
  }
  out += '"';
}

/// Reads JSON that must be a list of strings.
class ListReader {
 public:
  explicit ListReader(std::string_view text) : text_(text) {}

  std::optional<std::vector<std::string>> read() && {
    std::vector<std::string> texts;
    if (!take('[')) return std::nullopt;
    if (take(']')) return at_end() ? std::optional(texts) : std::nullopt;
    do {
      std::optional<std::string> text = string();
      if (!text || texts.size() == kPageTokenTextsMax) return std::nullopt;
      texts.push_back(std::move(*text));
    } while (take(','));
    if (!take(']') || !at_end()) return std::nullopt;
    return texts;
  }

 private:
  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t'))
      ++at_;
  }
  bool take(char c) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool at_end() {
    skip_space();
    return at_ == text_.size();
  }

  std::optional<std::string> string() {
    if (!take('"')) return std::nullopt;
    std::string out;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '"') return has_units_ ? text_of_units(utf16_units(out)) : out;
      if (static_cast<unsigned char>(c) < 0x20) return std::nullopt;
      if (c != '\\') {
        out += c;
      } else if (!escape(out)) {
        return std::nullopt;
      }
    }
    return std::nullopt;
  }

  bool escape(std::string& out) {
    if (at_ >= text_.size()) return false;
    switch (text_[at_++]) {
      case '"': out += '"'; return true;
      case '\\': out += '\\'; return true;
      case '/': out += '/'; return true;
      case 'b': out += '\b'; return true;
      case 'f': out += '\f'; return true;
      case 'n': out += '\n'; return true;
      case 'r': out += '\r'; return true;
      case 't': out += '\t'; return true;
      case 'u': return unit(out);
      default: return false;
    }
  }

  /// Halves of a pair are joined when the string is complete.
  bool unit(std::string& out) {
    if (text_.size() - at_ < 4) return false;
    char16_t value = 0;
    for (const char c : text_.substr(at_, 4)) {
      const int digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
      if (digit < 0) return false;
      value = static_cast<char16_t>(value * 16 + digit);
    }
    at_ += 4;
    has_units_ = true;
    out += text_of_units(std::u16string_view(&value, 1));
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool has_units_ = false;
};

}  // namespace

std::string json_of(const std::vector<std::string>& texts) {
  std::size_t size = 2;
  for (const std::string& text : texts) size += text.size() + 3;
  std::string json;
  json.reserve(size);
  json = "[";
  for (const std::string& text : texts) {
    if (json.size() > 1) json += ',';
    append_json(json, text);
  }
  json += ']';
  return json;
}

std::string write_page_token(const std::vector<std::string>& texts) { return lz_compress(json_of(texts)); }

Result<std::string> write_query_token(const std::vector<std::string>& texts) {
  const std::string json = json_of(texts);
  // There are no more units than bytes.
  if (texts.size() > kPageTokenTextsMax || json.size() > kLzTextUnitsMax)
    return fail(
        Code::kLimitExceeded,
        "the page token would have {} places and {} bytes, more than can be read back ({} and {}); ask fewer shards, "
        "or all there is in one page",
        texts.size(), json.size(), kPageTokenTextsMax, kLzTextUnitsMax);
  return lz_compress(json);
}

Result<std::vector<std::string>> read_page_token(std::string_view token) {
  const Result<LzText> text = lz_decompress(token);
  if (text && text->end == LzEnd::kComplete)
    if (auto texts = ListReader(text->text).read()) return std::move(*texts);
  const bool too_long = !text && text.error().code() == Code::kLimitExceeded;
  return refuse(
      Code::kInvalidPageToken, "invalid page key map", token,
      too_long ? text.error().message() : "the token is damaged or not one of a query; begin again without it");
}

}  // namespace dolmen::entity
