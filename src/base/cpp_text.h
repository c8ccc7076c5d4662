#pragma once

#include <set>
#include <string>
#include <string_view>

/// Pieces of C++ that is generated.
namespace dolmen {

/// Gives out names of one scope, each once: what is a keyword gets an underscore, and what is taken a number.
class CppScope {
 public:
  /// `name` must be made of what identifiers are made of.
  std::string take(std::string name);

 private:
  std::set<std::string> taken_;
};

/// Identifiers with :: between them, none of which is a keyword.
bool is_cpp_namespace(std::string_view name);

/// A string literal in one line, whose value is the text; bytes beyond ASCII stay as they are. The text has no NUL.
std::string cpp_literal(std::string_view text);

/// The text as a comment in one line can have it: control characters, which could end the line, become question marks.
std::string cpp_comment(std::string text);

}  // namespace dolmen
