#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dolmen::partiql {

/// Where a token stands, as messages show it: 1:9:4. Counted from 1, in code points.
struct Position {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::uint32_t length = 0;

  friend bool operator==(const Position&, const Position&) = default;
};

/// " at 1:9:4".
std::string at_text(const Position& position);

enum class TokenKind : std::uint8_t {
  kIdentifier,
  kQuotedIdentifier,
  kKeyword,   ///< in lower case; keywords that belong together are one: "not in", "insert into", "all old"
  kOperator,  ///< symbols, and the keywords that are operators: and, or, not, is, in, between, like, union, ...
  kString,
  kNumber,  ///< its text, as Number::parse reads it
  kTrue,
  kFalse,
  kNull,
  kMissing,
  kIon,     ///< between backticks
  kSymbol,  ///< ( ) [ ] { } << >> . , : ; ?
  kEnd,
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  /// Without quotes.
  std::string text;
  Position position;

  [[nodiscard]] bool is(TokenKind wanted, std::string_view wanted_text) const {
    return kind == wanted && text == wanted_text;
  }
  [[nodiscard]] bool is_symbol(std::string_view wanted) const { return is(TokenKind::kSymbol, wanted); }
  [[nodiscard]] bool is_keyword(std::string_view wanted) const { return is(TokenKind::kKeyword, wanted); }
  [[nodiscard]] bool is_operator(std::string_view wanted) const { return is(TokenKind::kOperator, wanted); }
  [[nodiscard]] bool is_name() const { return kind == TokenKind::kIdentifier || kind == TokenKind::kQuotedIdentifier; }
};

/// The tokens of a statement, which must be UTF-8; the last one is kEnd. Nothing when a character is not part of any
/// token, a quote or comment does not end, or a number has an exponent out of range.
std::optional<std::vector<Token>> tokenize(std::string_view text);

/// True for the words that cannot be names without quotes. In lower case.
bool is_reserved(std::string_view word);

}  // namespace dolmen::partiql
