#include "cli/where_lexer.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/fail.h"
#include "base/unicode.h"

namespace dolmen::cli {
namespace {

constexpr std::size_t kWhereBytes = 65536;

bool begins_word(char c) { return is_letter(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80; }

class WhereLexer {
 public:
  explicit WhereLexer(std::string_view text) : text_(text) {}

  Result<std::vector<WhereToken>> run() {
    std::vector<WhereToken> tokens;
    while (true) {
      while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
      DOLMEN_TRY(tokens.emplace_back(), next());
      if (tokens.back().kind == WhereTokenKind::kEnd) return tokens;
    }
  }

 private:
  [[nodiscard]] std::size_t column_of(std::size_t at) const {
    const std::string_view before = text_.substr(0, at);
    return 1 + static_cast<std::size_t>(std::ranges::count_if(
                   before, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
  }

  [[nodiscard]] WhereToken token(WhereTokenKind kind, std::size_t start) const {
    return {.kind = kind, .text = std::string(text_.substr(start, at_ - start)), .column = column_of(start)};
  }

  Result<WhereToken> next() {
    const std::size_t start = at_;
    if (at_ == text_.size()) return token(WhereTokenKind::kEnd, start);
    const char c = text_[at_];
    if (c == '"' || c == '\'' || c == '`') return quoted(c);
    if (begins_word(c)) {
      while (at_ < text_.size() && (begins_word(text_[at_]) || is_digit(text_[at_]) || text_[at_] == '-')) ++at_;
      return token(WhereTokenKind::kWord, start);
    }
    if (is_digit(c) || c == '-' || c == '+') return number();
    for (const std::string_view symbol : {"<=", ">=", "<>", "!=", "==", "(", ")", "[", "]", ".", ",", "=", "<", ">"})
      if (text_.substr(at_).starts_with(symbol)) {
        at_ += symbol.size();
        return token(WhereTokenKind::kSymbol, start);
      }
    return fail(Code::kInvalidArgument, "column {}: '{}' has no meaning here", column_of(start), c);
  }

  Result<WhereToken> number() {
    const std::size_t start = at_;
    ++at_;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      const bool sign = (c == '-' || c == '+') && (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E');
      if (!is_digit(c) && !begins_word(c) && c != '.' && !sign) break;
      ++at_;
    }
    return token(WhereTokenKind::kNumber, start);
  }

  Result<WhereToken> quoted(char quote) {
    const std::size_t start = at_++;
    WhereToken result{
        .kind = quote == '`' ? WhereTokenKind::kName : WhereTokenKind::kText, .text = {}, .column = column_of(start)};
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == quote) {
        ++at_;
        return result;
      }
      if (text_[at_] != '\\') {
        result.text.push_back(text_[at_]);
        continue;
      }
      constexpr std::string_view kEscaped = "\"'`\\/nrt";
      constexpr std::string_view kMeant = "\"'`\\/\n\r\t";
      const std::size_t which = ++at_ < text_.size() ? kEscaped.find(text_[at_]) : std::string_view::npos;
      if (which == std::string_view::npos)
        return fail(Code::kInvalidArgument, R"(column {}: only \" \' \` \\ \/ \n \r and \t can follow a backslash)",
                    column_of(at_ - 1));
      result.text.push_back(kMeant[which]);
    }
    return fail(Code::kInvalidArgument, "column {}: the quote {} is not closed", result.column, quote);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Result<std::vector<WhereToken>> where_tokens(std::string_view text) {
  if (text.size() > kWhereBytes)
    return fail(Code::kInvalidArgument, "the text has {} bytes; at most {} are allowed", text.size(), kWhereBytes);
  if (!is_utf8(text)) return fail(Code::kInvalidArgument, "the text is not UTF-8");
  return WhereLexer(text).run();
}

}  // namespace dolmen::cli
