#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace dolmen::expr {

enum class TokenKind : std::uint8_t {
  kIdentifier,  ///< an attribute name or a function
  kKeyword,     ///< AND, OR, NOT, BETWEEN, IN, SET, REMOVE, ADD, DELETE, in any case; never a name
  kName,        ///< #name
  kValue,       ///< :value
  kInteger,     ///< an index of a list, without leading zeros
  kSymbol,      ///< ( ) [ ] . , + - = <> < <= > >=
  kIllegal,     ///< a character that is not part of any token
  kEnd,
};

/// A piece of an expression. The text is a view of the expression.
struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string_view text;
};

/// Splits an expression, which must be UTF-8, into tokens; the last one is kEnd. Never fails: a character that is not
/// part of any token becomes kIllegal.
std::vector<Token> tokenize(std::string_view text);

/// True when the whole text is one token of that kind.
bool is_one_token(std::string_view text, TokenKind kind);

/// True when the token is the keyword (given in upper case), in any case.
bool is_keyword(const Token& token, std::string_view upper_keyword);

}  // namespace dolmen::expr
