#include "expr/lexer.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"

namespace dolmen::expr {
namespace {

bool is_name_character(char c) { return is_letter(c) || is_digit(c) || c == '_'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// The number of consecutive characters from `begin` that satisfy `accepts`.
template <class Accepts>
std::size_t run_length(std::string_view text, std::size_t begin, Accepts accepts) {
  std::size_t end = begin;
  while (end < text.size() && accepts(text[end])) ++end;
  return end - begin;
}

std::size_t symbol_length(std::string_view rest) {
  if (rest.starts_with("<>") || rest.starts_with("<=") || rest.starts_with(">=")) return 2;
  constexpr std::string_view kSymbols = "()[].,+-=<>";
  return kSymbols.find(rest.front()) != std::string_view::npos ? 1 : 0;
}

bool equals_upper(std::string_view text, std::string_view upper_text) {
  const auto upper = [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; };
  return std::ranges::equal(text, upper_text, {}, upper);
}

TokenKind word_kind(std::string_view word) {
  constexpr std::array<std::string_view, 9> kKeywords = {"AND", "OR",     "NOT", "BETWEEN", "IN",
                                                         "SET", "REMOVE", "ADD", "DELETE"};
  const auto is_word = [&](std::string_view keyword) { return equals_upper(word, keyword); };
  return std::ranges::any_of(kKeywords, is_word) ? TokenKind::kKeyword : TokenKind::kIdentifier;
}

/// The bytes of the first character, so that no message shows half a character.
std::size_t character_length(std::string_view rest) {
  std::size_t length = 1;
  while (length < std::min<std::size_t>(rest.size(), 4) && (static_cast<unsigned char>(rest[length]) & 0xC0) == 0x80)
    ++length;
  return length;
}

Token next_token(std::string_view text, std::size_t at) {
  const char first = text[at];
  if (is_letter(first)) {
    const std::string_view word = text.substr(at, run_length(text, at, is_name_character));
    return {word_kind(word), word};
  }
  if (is_digit(first)) return {TokenKind::kInteger, text.substr(at, first == '0' ? 1 : run_length(text, at, is_digit))};
  if (first == '#' || first == ':') {
    const std::size_t length = run_length(text, at + 1, is_name_character);
    if (length > 0) return {first == '#' ? TokenKind::kName : TokenKind::kValue, text.substr(at, length + 1)};
  } else if (const std::size_t length = symbol_length(text.substr(at)); length > 0) {
    return {TokenKind::kSymbol, text.substr(at, length)};
  }
  return {TokenKind::kIllegal, text.substr(at, character_length(text.substr(at)))};
}

}  // namespace

std::vector<Token> tokenize(std::string_view text) {
  std::vector<Token> tokens;
  for (std::size_t at = 0; at < text.size();) {
    if (is_space(text[at])) {
      ++at;
      continue;
    }
    tokens.push_back(next_token(text, at));
    at += tokens.back().text.size();
  }
  tokens.push_back({TokenKind::kEnd, text.substr(text.size())});
  return tokens;
}

bool is_one_token(std::string_view text, TokenKind kind) {
  if (text.empty()) return false;
  const Token token = next_token(text, 0);
  return token.kind == kind && token.text.size() == text.size();
}

bool is_keyword(const Token& token, std::string_view upper_keyword) {
  return token.kind == TokenKind::kKeyword && equals_upper(token.text, upper_keyword);
}

}  // namespace dolmen::expr
