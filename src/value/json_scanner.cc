#include "value/json_scanner.h"

#include <array>

#include "base/unicode.h"

namespace dolmen::json {
namespace {

/// Characters that end the plain part of a string: the quote, the backslash, and controls.
constexpr std::array<bool, 256> kStops = [] {
  std::array<bool, 256> stops{};
  for (std::size_t c = 0; c < 0x20; ++c) stops[c] = true;
  stops['"'] = true;
  stops['\\'] = true;
  return stops;
}();

constexpr std::string_view kEscapes = "\"\\/bfnrt";
constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";

bool is_high_surrogate(char32_t code) { return code >= 0xD800 && code < 0xDC00; }
bool is_low_surrogate(char32_t code) { return code >= 0xDC00 && code <= 0xDFFF; }

char32_t hex_value(char c) {
  if (c >= '0' && c <= '9') return static_cast<char32_t>(c - '0');
  return static_cast<char32_t>((c | 0x20) - 'a' + 10);
}

bool is_hex(char c) { return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f'); }

char32_t four_digits(std::string_view text) {
  char32_t code = 0;
  for (int i = 0; i < 4; ++i) code = code * 16 + hex_value(text[static_cast<std::size_t>(i)]);
  return code;
}

}  // namespace

void JsonScanner::fail(std::string_view problem, bool unicode) {
  if (failed()) return;
  problem_ = problem;
  unicode_ = unicode;
}

void JsonScanner::skip_space() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t'))
    ++at_;
}

JsonScanner::Kind JsonScanner::peek() {
  skip_space();
  if (failed()) return Kind::kNothing;
  if (at_ == text_.size()) {
    fail("the text ends where a value is expected");
    return Kind::kNothing;
  }
  switch (text_[at_]) {
    case '"': return Kind::kString;
    case '{': return Kind::kObject;
    case '[': return Kind::kArray;
    case 't': return Kind::kTrue;
    case 'f': return Kind::kFalse;
    case 'n': return Kind::kNull;
    default:
      if (text_[at_] == '-' || at_digit()) return Kind::kNumber;
      fail("this is not a JSON value");
      return Kind::kNothing;
  }
}

bool JsonScanner::accept(char wanted) {
  skip_space();
  if (failed() || at_ == text_.size() || text_[at_] != wanted) return false;
  ++at_;
  return true;
}

void JsonScanner::expect(char wanted, const char* problem) {
  if (!accept(wanted)) fail(problem);
}

void JsonScanner::end() {
  skip_space();
  if (at_ < text_.size()) fail("text follows the value; remove it");
}

JsonScanner::Text JsonScanner::string() {
  if (failed()) return {};
  const std::size_t start = ++at_;
  bool escaped = false;
  for (;;) {
    while (at_ < text_.size() && !kStops[static_cast<unsigned char>(text_[at_])]) ++at_;
    if (at_ == text_.size()) {
      fail("a string has no closing double quote");
      return {};
    }
    if (text_[at_] == '"') return {.raw = text_.substr(start, at_++ - start), .escaped = escaped};
    if (text_[at_] != '\\') {
      fail("a control character in a string must be written as an escape");
      return {};
    }
    escaped = true;
    escape();
    if (failed()) return {};
  }
}

void JsonScanner::escape() {
  ++at_;
  if (at_ < text_.size() && text_[at_] == 'u') {
    ++at_;
    const char32_t code = hex_digits();
    if (is_low_surrogate(code)) return fail("half of a surrogate pair is not a character", true);
    if (!is_high_surrogate(code)) return;
    if (!text_.substr(at_).starts_with("\\u")) return fail("half of a surrogate pair is not a character", true);
    at_ += 2;
    if (!is_low_surrogate(hex_digits())) fail("half of a surrogate pair is not a character", true);
    return;
  }
  if (at_ == text_.size() || kEscapes.find(text_[at_]) == std::string_view::npos)
    return fail("this is not an escape that JSON allows");
  ++at_;
}

char32_t JsonScanner::hex_digits() {
  const std::string_view digits = text_.substr(at_, 4);
  bool all = digits.size() == 4;
  for (const char c : digits) all = all && is_hex(c);
  if (!all) {
    fail("four hexadecimal digits must follow \\u");
    return 0;
  }
  at_ += 4;
  return four_digits(digits);
}

JsonScanner::Numeral JsonScanner::number() {
  if (failed()) return {};
  const std::size_t start = at_;
  Numeral numeral;
  if (text_[at_] == '-') ++at_;
  if (!at_digit()) fail("a digit must follow the minus sign");
  const bool zero = at_digit() && text_[at_] == '0';
  while (at_digit()) ++at_;
  if (zero && at_ - start > (text_[start] == '-' ? 2U : 1U)) fail("a number must not begin with a zero");
  if (at_ < text_.size() && text_[at_] == '.') {
    numeral.is_float = true;
    ++at_;
    if (!at_digit()) fail("a digit must follow the decimal point");
    while (at_digit()) ++at_;
  }
  if (at_ < text_.size() && (text_[at_] | 0x20) == 'e') {
    numeral.is_float = true;
    ++at_;
    if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
    if (!at_digit()) fail("the exponent needs a digit");
    while (at_digit()) ++at_;
  }
  numeral.text = text_.substr(start, at_ - start);
  return numeral;
}

void JsonScanner::literal(Kind kind) {
  const std::string_view word = kind == Kind::kTrue ? "true" : kind == Kind::kFalse ? "false" : "null";
  if (failed()) return;
  if (!text_.substr(at_).starts_with(word)) return fail("this is not a JSON value");
  at_ += word.size();
}

void JsonScanner::skip(unsigned depth) {
  const Kind kind = peek();
  switch (kind) {
    case Kind::kNothing: return;
    case Kind::kString: string(); return;
    case Kind::kNumber: number(); return;
    case Kind::kTrue:
    case Kind::kFalse:
    case Kind::kNull: literal(kind); return;
    case Kind::kObject:
    case Kind::kArray: break;
  }
  if (depth == 0) return fail("objects and arrays are nested too deep");
  const bool is_object = kind == Kind::kObject;
  ++at_;
  if (accept(is_object ? '}' : ']')) return;
  do {
    if (is_object) {
      if (peek() != Kind::kString) return fail("a name in double quotes is expected here");
      string();
      expect(':', "a colon must follow the name");
    }
    skip(depth - 1);
  } while (accept(','));
  expect(is_object ? '}' : ']', is_object ? "a comma or } is expected here" : "a comma or ] is expected here");
}

std::string decoded(const JsonScanner::Text& text) {
  if (!text.escaped) return std::string(text.raw);
  std::string out;
  out.reserve(text.raw.size());
  for (std::size_t at = 0; at < text.raw.size();) {
    if (text.raw[at] != '\\') {
      out.push_back(text.raw[at++]);
      continue;
    }
    const char letter = text.raw[at + 1];
    at += 2;
    if (letter != 'u') {
      out.push_back(kMeanings[kEscapes.find(letter)]);
      continue;
    }
    char32_t code = four_digits(text.raw.substr(at));
    at += 4;
    if (is_high_surrogate(code)) {
      code = 0x10000 + ((code - 0xD800) << 10U) + (four_digits(text.raw.substr(at + 2)) - 0xDC00);
      at += 6;
    }
    append_utf8(out, code);
  }
  return out;
}

}  // namespace dolmen::json
