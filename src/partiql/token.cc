#include "partiql/token.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <limits>
#include <span>

#include "base/ascii.h"

namespace dolmen::partiql {
namespace {

constexpr auto kWordOperators = std::to_array<std::string_view>(
    {"and", "between", "except", "in", "intersect", "is", "like", "not", "or", "union"});

/// Keywords that are one token together. Longer ones come first.
constexpr auto kJoinedWords = std::to_array<std::string_view>({
    "left outer cross join",
    "right outer cross join",
    "full outer cross join",
    "inner cross join",
    "left cross join",
    "left outer join",
    "right cross join",
    "right outer join",
    "full cross join",
    "full outer join",
    "outer cross join",
    "cross join",
    "inner join",
    "left join",
    "right join",
    "full join",
    "outer join",
    "intersect all",
    "except all",
    "union all",
    "character varying",
    "double precision",
    "is not",
    "not in",
    "not between",
    "not like",
    "insert into",
    "on conflict",
    "do nothing",
    "modified old",
    "modified new",
    "all old",
    "all new",
});

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool starts_name(char c) { return is_letter(c) || c == '_' || c == '$'; }
bool continues_name(char c) { return is_letter_or_digit(c) || c == '_' || c == '$'; }
bool starts_code_point(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

bool is_word(const Token& token) {
  // A quoted word or a symbol is never part of a joined keyword.
  return token.kind == TokenKind::kKeyword || (token.kind == TokenKind::kOperator && is_letter(token.text.front()));
}

/// The number of tokens from `at` on that are the words of `joined`; 0 when they are others.
std::size_t matched_words(const std::vector<Token>& tokens, std::size_t at, std::string_view joined) {
  std::size_t count = 0;
  while (!joined.empty()) {
    const std::size_t space = joined.find(' ');
    if (!is_word(tokens[at + count]) || tokens[at + count].text != joined.substr(0, space)) return 0;
    joined.remove_prefix(space == std::string_view::npos ? joined.size() : space + 1);
    ++count;
  }
  return count;
}

/// Puts the keywords together that belong together. Their place is that of the first.
std::vector<Token> joined(std::vector<Token> tokens) {
  std::vector<Token> out;
  out.reserve(tokens.size());
  for (std::size_t at = 0; at < tokens.size();) {
    std::size_t count = 0;
    // The last token is not a word.
    const bool may_join = is_word(tokens[at]) && is_word(tokens[at + 1]);
    for (const std::string_view words : may_join ? std::span(kJoinedWords) : std::span<const std::string_view>()) {
      count = matched_words(tokens, at, words);
      if (count == 0) continue;
      tokens[at].text = words;
      break;
    }
    out.push_back(std::move(tokens[at]));
    at += std::max<std::size_t>(count, 1);
  }
  return out;
}

class StatementLexer {
 public:
  explicit StatementLexer(std::string_view text) : text_(text) {
    constexpr std::size_t kUsualTokens = 16;
    tokens_.reserve(kUsualTokens);
  }

  std::optional<std::vector<Token>> run() {
    while (true) {
      if (!skip_blank()) return std::nullopt;
      if (at_ == text_.size()) break;
      begin_ = here();
      begin_at_ = at_;
      if (!take()) return std::nullopt;
    }
    begin_ = here();
    add(TokenKind::kEnd, "");
    return joined(std::move(tokens_));
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  [[nodiscard]] Position here() const { return {line_, column_, 0}; }

  void advance() {
    const char c = text_[at_++];
    // A line ends with CR, LF or both.
    if (c == '\n' || (c == '\r' && peek() != '\n')) {
      ++line_;
      column_ = 1;
    } else if (starts_code_point(c)) {
      ++column_;
    }
  }
  void advance(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) advance();
  }

  bool add(TokenKind kind, std::string text) {
    const std::string_view raw = text_.substr(begin_at_, at_ - begin_at_);
    Position position = begin_;
    if (kind != TokenKind::kEnd)
      position.length = static_cast<std::uint32_t>(std::ranges::count_if(raw, starts_code_point));
    tokens_.push_back({kind, std::move(text), position});
    return true;
  }

  /// False for a comment that does not end.
  bool skip_blank() {
    while (at_ < text_.size()) {
      if (is_space(peek())) {
        advance();
      } else if (peek() == '-' && peek(1) == '-') {
        while (at_ < text_.size() && peek() != '\n' && peek() != '\r') advance();
      } else if (peek() == '/' && peek(1) == '*') {
        const std::size_t end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) return false;
        advance(end + 2 - at_);
      } else {
        break;
      }
    }
    return true;
  }

  bool take() {
    const char c = peek();
    if (starts_name(c)) return word();
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
    if (c == '\'') return quoted('\'', TokenKind::kString);
    if (c == '"') return quoted('"', TokenKind::kQuotedIdentifier);
    if (c == '`') return ion();
    return symbol();
  }

  bool word() {
    std::size_t length = 1;
    while (continues_name(peek(length))) ++length;
    const std::string written(text_.substr(at_, length));
    advance(length);
    std::string lower = written;
    std::ranges::transform(lower, lower.begin(), ascii_lower);
    if (lower == "true") return add(TokenKind::kTrue, lower);
    if (lower == "false") return add(TokenKind::kFalse, lower);
    if (lower == "null") return add(TokenKind::kNull, lower);
    if (lower == "missing") return add(TokenKind::kMissing, lower);
    if (std::ranges::binary_search(kWordOperators, lower)) return add(TokenKind::kOperator, std::move(lower));
    if (is_reserved(lower)) return add(TokenKind::kKeyword, std::move(lower));
    return add(TokenKind::kIdentifier, written);
  }

  bool quoted(char quote, TokenKind kind) {
    std::string content;
    advance();
    while (true) {
      if (at_ == text_.size()) return false;
      const char c = peek();
      advance();
      if (c == quote) {
        if (peek() != quote || at_ == text_.size()) return add(kind, std::move(content));
        advance();
      }
      content.push_back(c);
    }
  }

  bool ion() {
    const std::size_t end = text_.find('`', at_ + 1);
    if (end == std::string_view::npos) return false;
    std::string content(text_.substr(at_ + 1, end - at_ - 1));
    advance(end + 1 - at_);
    return add(TokenKind::kIon, std::move(content));
  }

  bool number() {
    std::size_t length = 0;
    const auto take_digits = [&] {
      const std::size_t before = length;
      while (is_digit(peek(length))) ++length;
      return length - before;
    };
    take_digits();
    std::size_t fraction = 0;
    if (peek(length) == '.') {
      ++length;
      fraction = take_digits();
    }
    std::int64_t exponent = 0;
    std::string written(text_.substr(at_, length));
    // A number needs a digit after its point to be read back.
    if (written.back() == '.') written.push_back('0');
    if (peek(length) == 'e' || peek(length) == 'E') {
      const std::size_t mark = length++;
      if (peek(length) == '+' || peek(length) == '-') ++length;
      const std::size_t digits = length;
      if (take_digits() == 0) return false;
      const std::size_t sign = peek(mark + 1) == '-' ? mark + 1 : digits;
      const std::string_view text = text_.substr(at_ + sign, length - sign);
      const auto read = std::from_chars(text.data(), text.data() + text.size(), exponent);
      if (read.ec != std::errc() || !fits_int32(exponent)) return false;
      written.append(text_.substr(at_ + mark, length - mark));
    }
    if (!fits_int32(static_cast<std::int64_t>(fraction) - exponent)) return false;
    advance(length);
    return add(TokenKind::kNumber, std::move(written));
  }

  static bool fits_int32(std::int64_t value) {
    return value >= std::numeric_limits<std::int32_t>::min() && value <= std::numeric_limits<std::int32_t>::max();
  }

  bool symbol() {
    constexpr auto kOperators =
        std::to_array<std::string_view>({"<>", "<=", ">=", "!=", "||", "=", "<", ">", "+", "-", "*", "/", "%", "@"});
    constexpr auto kSymbols =
        std::to_array<std::string_view>({"<<", ">>", "(", ")", "[", "]", "{", "}", ".", ",", ":", ";", "?"});
    const std::string_view rest = text_.substr(at_);
    const auto begins_rest = [&](std::string_view one) { return rest.starts_with(one); };
    if (const auto* found = std::ranges::find_if(kSymbols, begins_rest); found != kSymbols.end()) {
      advance(found->size());
      return add(TokenKind::kSymbol, std::string(*found));
    }
    const auto* found = std::ranges::find_if(kOperators, begins_rest);
    if (found == kOperators.end()) return false;
    advance(found->size());
    return add(TokenKind::kOperator, std::string(*found == "!=" ? "<>" : *found));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t begin_at_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t column_ = 1;
  Position begin_;
  std::vector<Token> tokens_;
};

}  // namespace

std::string at_text(const Position& position) {
  return fmt::format(" at {}:{}:{}", position.line, position.column, position.length);
}

std::optional<std::vector<Token>> tokenize(std::string_view text) { return StatementLexer(text).run(); }

}  // namespace dolmen::partiql
