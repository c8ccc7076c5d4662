#pragma once

#include <string>
#include <string_view>

#include "generate/names.h"

/// Pieces of generated C++ code.
namespace dolmen::generate {

/// The names of one scope of C++, whose keywords are reserved.
class CppScope : public Scope {
 public:
  CppScope();
};

/// True for identifiers separated by ::, none of which is a keyword.
bool is_cpp_namespace(std::string_view name);

/// A string literal on one line whose value is the text. Keeps non-ASCII bytes. The text must not contain NUL.
std::string cpp_literal(std::string_view text);

/// The text for a comment on one line: control characters, which could end the line, become question marks.
std::string cpp_comment(std::string text);

}  // namespace dolmen::generate
