#include <algorithm>
#include <optional>
#include <vector>

#include "base/ascii.h"
#include "base/base64.h"
#include "base/fail.h"
#include "base/unicode.h"
#include "formats/ion.h"

namespace dolmen::formats {
namespace {

/// An item has 32 levels at most; a line has two more around it.
constexpr unsigned kIonLevelsMax = 40;

bool begins_name(char c) { return is_letter(c) || c == '_' || c == '$'; }
bool in_name(char c) { return begins_name(c) || is_digit(c); }

std::optional<unsigned> hex_value(char c) {
  if (is_digit(c)) return static_cast<unsigned>(c - '0');
  const char lower = ascii_lower(c);
  if (lower >= 'a' && lower <= 'f') return static_cast<unsigned>(lower - 'a' + 10);
  return std::nullopt;
}

/// Reads Ion from front to back. Once something is wrong, everything fails.
class IonParser {
 public:
  explicit IonParser(std::string_view text) : text_(text) {}

  Result<Item> item() {
    skip_space();
    while (take_word("$ion_1_0")) skip_space();
    if (!at('{') || at("{{")) return wrong("a struct is missing");
    DOLMEN_TRY(Item item, structure(1));
    skip_space();
    if (at_ != text_.size()) return wrong("something follows the struct");
    return item;
  }

 private:
  [[nodiscard]] std::unexpected<Error> wrong(std::string_view what) const {
    return fail(Code::kValidation, "Ion, column {}: {}", at_ + 1, what);
  }

  [[nodiscard]] bool at(char c) const { return at_ < text_.size() && text_[at_] == c; }
  [[nodiscard]] bool at(std::string_view text) const { return text_.substr(at_).starts_with(text); }

  bool take(char c) {
    if (!at(c)) return false;
    ++at_;
    return true;
  }

  /// A word as a whole.
  bool take_word(std::string_view word) {
    const std::size_t end = at_ + word.size();
    if (!at(word) || (end < text_.size() && in_name(text_[end]))) return false;
    at_ = end;
    return true;
  }

  void skip_space() {
    while (at_ < text_.size()) {
      if (std::string_view(" \t\r\n\v\f").contains(text_[at_])) {
        ++at_;
      } else if (at("//")) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (at("/*")) {
        const std::size_t end = text_.find("*/", at_ + 2);
        at_ = end == std::string_view::npos ? text_.size() : end + 2;
      } else {
        return;
      }
    }
  }

  Result<void> escape(std::string& out) {
    constexpr std::string_view kNamed = "0abtnfrv\"'?\\/";
    constexpr std::string_view kMeant("\0\a\b\t\n\f\r\v\"'?\\/", 13);
    if (at_ == text_.size()) return wrong("an escape ends too early");
    const char kind = text_[at_++];
    if (kind == '\n') return {};
    if (const std::size_t named = kNamed.find(kind); named != std::string_view::npos) {
      out.push_back(kMeant[named]);
      return {};
    }
    DOLMEN_TRY(char32_t point, hexadecimal(kind == 'x' ? 2 : kind == 'u' ? 4 : kind == 'U' ? 8 : 0));
    constexpr char32_t kHighFirst = 0xD800;
    constexpr char32_t kLowFirst = 0xDC00;
    constexpr char32_t kLowEnd = 0xE000;
    constexpr char32_t kPointMax = 0x10FFFF;
    if (point >= kHighFirst && point < kLowFirst && at("\\u")) {
      at_ += 2;
      DOLMEN_TRY(const char32_t low, hexadecimal(4));
      if (low < kLowFirst || low >= kLowEnd) return wrong("half of a surrogate pair");
      point = 0x10000 + ((point - kHighFirst) << 10) + (low - kLowFirst);
    }
    if ((point >= kHighFirst && point < kLowEnd) || point > kPointMax) return wrong("an escape that is no character");
    append_utf8(out, point);
    return {};
  }

  Result<char32_t> hexadecimal(std::size_t digits) {
    if (digits == 0 || at_ + digits > text_.size()) return wrong("an unknown escape");
    char32_t value = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      const std::optional<unsigned> digit = hex_value(text_[at_]);
      if (!digit) return wrong("an escape needs hexadecimal digits");
      value = value << 4 | *digit;
      ++at_;
    }
    return value;
  }

  /// A text in quotes, which are the next characters.
  Result<std::string> quoted(std::string_view quote) {
    at_ += quote.size();
    std::string out;
    while (!at(quote)) {
      if (at_ == text_.size()) return wrong("a text has no closing quote");
      if (take('\\')) {
        DOLMEN_TRY_VOID(escape(out));
      } else {
        out.push_back(text_[at_++]);
      }
    }
    at_ += quote.size();
    return out;
  }

  Result<std::string> long_string() {
    std::string out;
    do {
      DOLMEN_TRY(const std::string part, quoted("'''"));
      out += part;
      skip_space();
    } while (at("'''"));
    return out;
  }

  std::string word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && in_name(text_[at_])) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  Result<std::string> field_name() {
    if (at("'''")) return long_string();
    if (at('"')) return quoted("\"");
    if (at('\'')) return quoted("'");
    if (at_ < text_.size() && begins_name(text_[at_])) return word();
    return wrong("the name of a field is missing");
  }

  Result<Item> structure(unsigned level) {
    if (level > kIonLevelsMax) return wrong("it nests too deeply");
    ++at_;
    Item item;
    while (true) {
      skip_space();
      if (take('}')) return item;
      DOLMEN_TRY(std::string name, field_name());
      skip_space();
      if (!take(':') || at(':')) return wrong("a colon must follow the name of a field");
      DOLMEN_TRY(AttributeValue read, value(level + 1));
      if (item.contains(name)) return wrong("a field is there twice");
      item.set(std::move(name), std::move(read));
      skip_space();
      if (!take(',') && !at('}')) return wrong("a comma is missing");
    }
  }

  Result<AttributeValue::List> list(unsigned level) {
    if (level > kIonLevelsMax) return wrong("it nests too deeply");
    ++at_;
    AttributeValue::List elements;
    while (true) {
      skip_space();
      if (take(']')) return elements;
      DOLMEN_TRY(AttributeValue read, value(level + 1));
      elements.push_back(std::move(read));
      skip_space();
      if (!take(',') && !at(']')) return wrong("a comma is missing");
    }
  }

  Result<AttributeValue> blob() {
    at_ += 2;
    const std::size_t end = text_.find("}}", at_);
    if (end == std::string_view::npos) return wrong("a blob has no end");
    std::string digits(text_.substr(at_, end - at_));
    std::erase_if(digits, [](char c) { return std::string_view(" \t\r\n").contains(c); });
    if (digits.starts_with('"') || digits.starts_with('\'')) return wrong("DynamoDB has no clobs");
    Result<std::string> bytes = decode_base64(digits);
    if (!bytes) return wrong("a blob is not base64");
    at_ = end + 2;
    return AttributeValue(Bytes(*std::move(bytes)));
  }

  Result<AttributeValue> number() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (in_name(text_[at_]) || std::string_view("+-.").contains(text_[at_])) &&
           text_[at_] != '$')
      ++at_;
    std::string digits(text_.substr(begin, at_ - begin));
    std::erase(digits, '_');
    // 6d2 and 103. are 6e2 and 103.
    std::ranges::replace_if(digits, [](char c) { return c == 'd' || c == 'D'; }, 'e');
    if (const std::size_t point = digits.find('.');
        point != std::string::npos && (point + 1 == digits.size() || !is_digit(digits[point + 1])))
      digits.erase(point, 1);
    Result<Number> read = Number::parse(digits);
    if (!read) {
      at_ = begin;
      return wrong(read.error().message());
    }
    return AttributeValue(*read);
  }

  Result<AttributeValue> set_of(const std::string& annotation, AttributeValue::List elements) {
    const auto collect = [&]<class Set>(Set set) -> Result<AttributeValue> {
      for (const AttributeValue& element : elements) {
        const auto* member = element.get_if<typename Set::value_type>();
        if (member == nullptr) return wrong("a set has a member of another type");
        if (!set.insert(*member).second) return wrong("a set has a member twice");
      }
      return AttributeValue(std::move(set));
    };
    if (annotation == "$dynamodb_SS") return collect(AttributeValue::StringSet{});
    if (annotation == "$dynamodb_NS") return collect(AttributeValue::NumberSet{});
    if (annotation == "$dynamodb_BS") return collect(AttributeValue::BinarySet{});
    return AttributeValue(std::move(elements));
  }

  /// A word: an annotation, or one of the few values that are words.
  Result<AttributeValue> worded_value(unsigned level) {
    const std::size_t begin = at_;
    DOLMEN_TRY(const std::string name, field_name());
    skip_space();
    if (at("::")) {
      at_ += 2;
      skip_space();
      if (!name.starts_with("$dynamodb_") || !at('[')) return value(level);
      DOLMEN_TRY(AttributeValue::List elements, list(level));
      return set_of(name, std::move(elements));
    }
    if (name == "true" || name == "false") return AttributeValue(name == "true");
    if (name == "null") {
      if (take('.')) word();
      return AttributeValue(nullptr);
    }
    at_ = begin;
    return wrong("DynamoDB has no symbols");
  }

  Result<AttributeValue> value(unsigned level) {
    skip_space();
    if (at_ == text_.size()) return wrong("a value is missing");
    if (at("{{")) return blob();
    if (at('{')) {
      DOLMEN_TRY(Item item, structure(level));
      return AttributeValue(std::move(item));
    }
    if (at('[')) {
      DOLMEN_TRY(AttributeValue::List elements, list(level));
      return AttributeValue(std::move(elements));
    }
    if (at('"')) {
      DOLMEN_TRY(std::string text, quoted("\""));
      return AttributeValue(std::move(text));
    }
    if (at("'''")) {
      DOLMEN_TRY(std::string text, long_string());
      return AttributeValue(std::move(text));
    }
    if (is_digit(text_[at_]) || at('-')) return number();
    if (begins_name(text_[at_]) || at('\'')) return worded_value(level);
    return wrong("there is no value that DynamoDB has");
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Result<Item> parse_ion(std::string_view text) {
  if (!is_utf8(text)) return fail(Code::kValidation, "Ion: the text is not UTF-8");
  return IonParser(text).item();
}

}  // namespace dolmen::formats
