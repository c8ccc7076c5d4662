#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace dolmen::json {

/// Reads strict JSON (RFC 8259) token by token, without a tree, and keeps every number as it was written. Once
/// something is wrong `failed()` is true and stays so, and every further call reads nothing; so a reader looks once, at
/// the end. The text must be UTF-8.
class JsonScanner {
 public:
  enum class Kind : std::uint8_t { kString, kNumber, kTrue, kFalse, kNull, kObject, kArray, kNothing };

  /// A string as it stands in the text, without its quotes.
  struct Text {
    std::string_view raw;
    bool escaped = false;
  };

  struct Numeral {
    std::string_view text;
    bool is_float = false;  ///< It is written with a fraction or an exponent.
  };

  explicit JsonScanner(std::string_view text) : text_(text) {}

  [[nodiscard]] bool failed() const noexcept { return !problem_.empty(); }
  [[nodiscard]] const char* problem() const noexcept { return problem_.data(); }
  /// The problem is half of a surrogate pair.
  [[nodiscard]] bool failed_unicode() const noexcept { return unicode_; }
  [[nodiscard]] std::size_t position() const noexcept { return at_; }

  /// What the value that comes next is; moves to its first character. kNothing has failed.
  Kind peek();
  /// These read a value of the kind that `peek` has just found.
  Text string();
  Numeral number();
  void literal(Kind kind);
  /// Any value, whatever is in it, down to `depth` further levels.
  void skip(unsigned depth);

  /// Past a character that must come next, and past the space before it.
  void expect(char wanted, const char* problem);
  /// True and past it, when it comes next.
  bool accept(char wanted);
  /// Nothing but space may follow.
  void end();

  void fail(std::string_view problem, bool unicode = false);

 private:
  void skip_space();
  void escape();
  char32_t hex_digits();
  bool at_digit() const { return at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string_view problem_;  ///< A literal.
  bool unicode_ = false;
};

/// The characters that a string of JSON stands for. It must have been read by a scanner.
std::string decoded(const JsonScanner::Text& text);

}  // namespace dolmen::json
