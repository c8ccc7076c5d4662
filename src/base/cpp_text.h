#pragma once

#include <set>
#include <string>
#include <string_view>

/// Pieces of generated C++ code.
namespace dolmen {

/// Gives out the names of one scope, each once: keywords get an underscore appended, names that are taken a number.
class CppScope {
 public:
  /// `name` must consist of characters that identifiers may have.
  std::string take(std::string name);

 private:
  std::set<std::string> taken_;
};

/// True for identifiers separated by ::, none of which is a keyword.
bool is_cpp_namespace(std::string_view name);

/// A string literal on one line whose value is the text. Keeps non-ASCII bytes. The text must not contain NUL.
std::string cpp_literal(std::string_view text);

/// The text for a comment on one line: control characters, which could end the line, become question marks.
std::string cpp_comment(std::string text);

}  // namespace dolmen
